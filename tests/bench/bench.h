/* What the benchmark's files share: kernels.c knows the ten kernels, their launches and their
 * correct results; measure.c runs one and takes time and memory; bench_simgpu.c asks and prints. */
#ifndef WARPGRADE_TESTS_BENCH_BENCH_H
#define WARPGRADE_TESTS_BENCH_BENCH_H

#include "sandbox/engine/engine.h"

enum { BENCH_ARGUMENTS = 5 };

/* A launch with its data; the PTX comes from the compiler. */
struct bench_launch {
    struct engine_argument arguments[BENCH_ARGUMENTS];
    size_t argument_count;
    struct dim3 grid, block;
    unsigned char *data, *pristine; /* data is what the kernel gets, pristine what it was before */
    size_t data_length;
    uint64_t touched_bytes; /* of device memory: all of the buffers, for all kernels here */
};

struct bench_kernel {
    const char *name; /* of the kernel, and of kernels/NAME.cu */
    const char *what; /* one line for people */
    void (*describe)(struct bench_launch *launch, bool quick);
    bool (*check)(const struct bench_launch *launch);
};
extern const struct bench_kernel bench_kernels[];
extern const size_t bench_kernel_count;
/* Not part of the ten: the worst cases for shadow memory, and the smallest launch. */
extern const struct bench_kernel bench_memory_kernels[];
extern const size_t bench_memory_kernel_count;
extern const struct bench_kernel bench_tiny;

void bench_launch_make(struct bench_launch *launch, const struct bench_kernel *kernel, bool quick);
void bench_launch_free(struct bench_launch *launch);

/* One run: seconds of sim_run() as a whole, from PTX text to results. */
struct bench_run {
    double seconds, cpu_seconds; /* of the wall clock; of all threads together */
    uint64_t thread_instructions;
    unsigned host_threads;
};
/* False with a message on stderr where the run was refused, found a hazard or computed nonsense. */
bool bench_run(const struct bench_kernel *kernel, struct bench_launch *launch, const char *ptx,
               bool checks, unsigned threads, struct bench_run *run);
/* Bytes that checks add to the peak of resident memory: the median of several fresh processes. */
bool bench_shadow_bytes(const struct bench_kernel *kernel, struct bench_launch *launch,
                        const char *ptx, double *bytes);
/* Seconds of the first sim_run() in a fresh process, of one block: the median of several. */
bool bench_startup(const struct bench_kernel *kernel, struct bench_launch *launch, const char *ptx,
                   double *seconds);
double bench_median(double *values, size_t count); /* sorts them */

#endif

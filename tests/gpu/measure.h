/* One kernel on the real GPU: its buffers, its launches, its times. gpu_bench.c asks, for each row
 * of the catalogue. */
#ifndef WARPGRADE_TESTS_GPU_MEASURE_H
#define WARPGRADE_TESTS_GPU_MEASURE_H

#include "driver.h"
#include "launches.h"

#include <jansson.h>

enum { MEASURE_WARM_UPS = 3, MEASURE_LAUNCHES = 11, MEASURE_BUFFERS = 64 };

/* A buffer as it is before a launch, kept while rows ask for the same. */
struct measure_buffer {
    char *spec; /* with the argument's index in front: the index names its random numbers */
    gpu_pointer pristine, working;
    size_t bytes;
    bool read_only;
};

struct measure {
    struct driver driver;
    void *context, *start, *end; /* the events around a launch */
    const char *ptx_folder;
    struct measure_buffer buffers[MEASURE_BUFFERS];
    size_t buffer_count;
    size_t buffer_bytes;
    void *flush_module, *flush; /* NULL where nothing is flushed */
    gpu_pointer flush_buffer, flush_out;
    unsigned flush_rounds;
    struct model_launch flush_launch;
};

enum measure_mode {
    MEASURE_TIMES, /* warm-ups and timed launches with a cold second-level cache */
    MEASURE_ONCE,  /* one launch between cuProfilerStart() and cuProfilerStop(), for a profiler */
};

/* False with a message on stderr: no GPU (*missing is set) or trouble. */
bool measure_open(struct measure *measure, const char *ptx_folder, enum measure_mode mode,
                  bool *missing);
void measure_close(struct measure *measure);
json_t *measure_device(const struct measure *measure); /* what the GPU says of itself */

/* The row's figures as a JSON object; NULL with a message on stderr. */
json_t *measure_kernel(struct measure *measure, const struct model_kernel *kernel,
                       enum model_size size, enum measure_mode mode);
/* Launches it once, for a profiler; the row names it and its grid. Memory around the data is
 * mapped, so that a kernel that runs over an edge by a few thousand elements does not end the
 * context; one that the hardware stops all the same has a "fault", and so has one that the driver
 * refuses to launch. Afterwards *broken says whether the context is lost, which a refusal does not
 * do. */
json_t *measure_launch(struct measure *measure, struct gpu_launch *launch, bool *broken);
void measure_forget_buffers(struct measure *measure);

#endif

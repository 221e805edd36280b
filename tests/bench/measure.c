/* Time and memory of one kernel.
 *
 * Time is the wall clock around sim_run(): parsing, decoding, copying buffers and collecting
 * results are in it, because a grader pays for them too. Memory is what the kernel of the operating
 * system says, not what the code believes: a fresh process runs the launch with checks and another
 * one without, and the difference of their peaks of resident memory is the shadow. */
#include "bench.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/launch/simgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 5 };

static double now_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

bool bench_run(const struct bench_kernel *kernel, struct bench_launch *launch, const char *ptx,
               bool checks, unsigned threads, struct bench_run *run) {
    memcpy(launch->data, launch->pristine, launch->data_length);
    struct engine_launch request = {.ptx = ptx,
                                    .ptx_length = strlen(ptx),
                                    .kernel = kernel->name,
                                    .file_name = kernel->name,
                                    .grid = launch->grid,
                                    .block = launch->block,
                                    .arguments = launch->arguments,
                                    .argument_count = launch->argument_count,
                                    .data = launch->data,
                                    .data_length = launch->data_length,
                                    .threads = threads,
                                    .no_checks = !checks};
    struct engine_result result;
    double start = now_seconds(CLOCK_MONOTONIC), cpu = now_seconds(CLOCK_PROCESS_CPUTIME_ID);
    sim_run(&request, &result);
    *run = (struct bench_run){.seconds = now_seconds(CLOCK_MONOTONIC) - start,
                              .cpu_seconds = now_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                              .thread_instructions = result.counters.thread_instructions,
                              .host_threads = result.host_threads};
    bool right = result.end == ENGINE_COMPLETED && result.hazard_count == 0;
    if (!right)
        fprintf(stderr, "bench_simgpu: %s: %s\n", kernel->name,
                result.hazard_count ? result.hazards[0].message : result.message);
    engine_result_free(&result);
    return right;
}

/* What a fresh process finds out: seconds of its first run, and its peak of resident memory. */
struct finding {
    double seconds, peak_bytes;
};

/* VmHWM starts again with `5` written to clear_refs (proc(5)); getrusage() would keep the parent's.
 */
static double peak_bytes(void) {
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    unsigned long kilobytes = 0;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lu", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    return (double)kilobytes * 1024;
}

static void restart_peak(void) {
    FILE *clear = fopen("/proc/self/clear_refs", "we");
    if (clear) {
        fputs("5", clear);
        fclose(clear);
    }
}

static bool in_fresh_process(const struct bench_kernel *kernel, struct bench_launch *launch,
                             const char *ptx, bool checks, struct finding *finding) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        struct bench_run run;
        close(ends[0]);
        memcpy(launch->data, launch->pristine, launch->data_length); /* not shared any more */
        restart_peak();
        bool right = bench_run(kernel, launch, ptx, checks, 1, &run);
        struct finding mine = {run.seconds, peak_bytes()};
        right = right && write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine;
        _exit(right ? 0 : 1);
    }
    close(ends[1]);
    bool got = child > 0 && read(ends[0], finding, sizeof *finding) == (ssize_t)sizeof *finding;
    close(ends[0]);
    int status = 1;
    if (child > 0)
        waitpid(child, &status, 0);
    return got && status == 0;
}

bool bench_shadow_bytes(const struct bench_kernel *kernel, struct bench_launch *launch,
                        const char *ptx, double *bytes) {
    double with[PROCESSES], without[PROCESSES];
    for (unsigned i = 0; i < PROCESSES; i++) {
        struct finding checked, plain;
        if (!in_fresh_process(kernel, launch, ptx, true, &checked) ||
            !in_fresh_process(kernel, launch, ptx, false, &plain))
            return false;
        with[i] = checked.peak_bytes;
        without[i] = plain.peak_bytes;
    }
    double difference = bench_median(with, PROCESSES) - bench_median(without, PROCESSES);
    *bytes = difference > 0 ? difference : 0;
    return true;
}

bool bench_startup(const struct bench_kernel *kernel, struct bench_launch *launch, const char *ptx,
                   double *seconds) {
    double values[PROCESSES];
    for (unsigned i = 0; i < PROCESSES; i++) {
        struct finding finding;
        if (!in_fresh_process(kernel, launch, ptx, true, &finding))
            return false;
        values[i] = finding.seconds;
    }
    *seconds = bench_median(values, PROCESSES);
    return true;
}

/* The exercises' kernels on the real GPU, mutants that it stops included. */
#ifndef WARPGRADE_TESTS_GPU_EXERCISE_RUN_H
#define WARPGRADE_TESTS_GPU_EXERCISE_RUN_H

#include <jansson.h>
#include <stdbool.h>

struct exercise_run_options {
    const char *ptx_folder, *pattern; /* each may be NULL */
    const char *without_faults; /* a file that an earlier run wrote: its launches with a fault are
                                 * left out. NULL: everything is launched */
};

/* Appends a row a launch. False with messages on stderr where a launch could not be made at all; no
 * GPU sets *missing. */
bool exercise_run(const struct exercise_run_options *options, json_t *rows, bool *missing);

#endif

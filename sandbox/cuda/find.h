/* Where the driver's and the toolkit's libraries stand. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CUDA_FIND_H
#define WARPGRADE_SANDBOX_CUDA_FIND_H

#include <stddef.h>

enum { FIND_MAX_FILES = 24 };

/* Absolute paths; "" where there is none. Nothing is opened: a driver's start-up code never runs in
 * this process. */
struct cuda_files {
    char *driver;                    /* libcuda.so.1, links resolved; "": nothing else is there */
    char *nvml;                      /* libnvidia-ml.so.1 */
    char *blas;                      /* libcublas.so.N */
    char *shown[FIND_MAX_FILES + 1]; /* what a worker has to see of them; ended by NULL */
    size_t shown_count;
};
void cuda_files_find(struct cuda_files *files);
void cuda_files_free(struct cuda_files *files);

#endif

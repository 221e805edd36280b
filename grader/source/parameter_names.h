/* A kernel's parameters as its source calls them. */
#ifndef WARPGRADE_GRADER_SOURCE_PARAMETER_NAMES_H
#define WARPGRADE_GRADER_SOURCE_PARAMETER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { PARAMETER_NAME_BYTES = 64, PARAMETER_DECLARED_BYTES = 128 };

struct parameter_source {
    char name[PARAMETER_NAME_BYTES];
    char declared[PARAMETER_DECLARED_BYTES]; /* "const float *x"; a very long one is cut */
};

/* The parameters of `__global__ ... kernel(...)`, which are `count`. `kernel` may be qualified and
 * have template arguments. False, and nothing is known, where the source has no such kernel,
 * several with different names, a parameter without a name, or one that a macro makes. */
bool parameter_names_find(const char *source, const char *kernel, size_t count,
                          struct parameter_source *parameters);

#endif

/* What a kernel takes: the size and the kind of each parameter from the PTX, its type and its name
 * in the words of the compiler and of the source, where these are known. */
#ifndef WARPGRADE_GRADER_CLI_KERNEL_PARAMETERS_H
#define WARPGRADE_GRADER_CLI_KERNEL_PARAMETERS_H

#include "grader/source/parameter_names.h"
#include "sandbox/base/types.h"
#include "sandbox/build/build.h"

enum parameter_kind {
    PARAMETER_BITS, /* PTX says how many, and nothing says what they mean */
    PARAMETER_INTEGER,
    PARAMETER_BOOL,
    PARAMETER_FLOAT,
    PARAMETER_POINTER,
    PARAMETER_STRUCTURE,
};

struct kernel_parameter {
    struct parameter_source source; /* empty where the source does not tell */
    enum parameter_kind kind;
    uint64_t bytes;
    bool has_element; /* the number's type, or that of what the pointer leads to, is known: */
    enum element_type element;
    bool is_exact; /* ... from C, and so is its sign; PTX says .u32 for int */
    char words[PARAMETER_DECLARED_BYTES]; /* "const float *x", "int", ".u32" */
};

struct kernel_parameters {
    struct kernel_parameter *items; /* owned */
    size_t count;
};

/* Of the kernel `kernel`, whose PTX is given; `source` is NULL where there is none. False, and
 * nothing is known, where the PTX's declaration is not one that a compiler writes. */
bool kernel_parameters_find(const char *ptx, const struct build_kernel *kernel, const char *source,
                            struct kernel_parameters *parameters);
void kernel_parameters_free(struct kernel_parameters *parameters);

#endif

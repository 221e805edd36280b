/* Does each `--arg` fit the kernel's parameter? */
#ifndef WARPGRADE_GRADER_CLI_ARGUMENT_CHECK_H
#define WARPGRADE_GRADER_CLI_ARGUMENT_CHECK_H

#include "grader/cli/kernel_parameters.h"
#include "sandbox/base/error.h"
#include "sandbox/engine/engine.h"

struct argument_check {
    const char *kernel;       /* its plain name */
    const char *const *specs; /* as given */
    const struct engine_argument *arguments;
    size_t count; /* of both */
    struct kernel_parameters parameters;
};

/* STATUS_INVALID where there are too few or too many, or where a host program that passes them
 * would not compile or would pass something else: another size, a float for an integer, a buffer
 * for a number, a number that the type does not have. Integers of both signs are alike as far as
 * the value is the same. */
enum status argument_check(const struct argument_check *check, struct error *error);

#endif

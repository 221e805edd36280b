/* What a program needs that is not there. Private to the command. */
#ifndef WARPGRADE_GRADER_CLI_RUN_PROGRAM_CHECK_H
#define WARPGRADE_GRADER_CLI_RUN_PROGRAM_CHECK_H

#include "sandbox/base/error.h"

#include <stddef.h>

/* STATUS_INVALID, with how to build it, where an ELF file cannot run on the simulated GPU: it has
 * NVIDIA's static runtime, another version's, or needs a library that is not there. */
enum status program_check(const char *file, const char *bytes, size_t length, struct error *error);
/* The library that a message of the compiler or the linker is about: "cuBLAS", "the CUDA driver
 * API"; NULL: none that is known. */
const char *program_check_message(const char *message);
/* What to do about a message that a program alone gets: a header or a body elsewhere. NULL: it is
 * none. */
const char *program_check_advice(const char *message);

#endif

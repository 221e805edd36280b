/* Our own kernels (tools.cu), as machine code for a card. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CUDA_TOOLS_H
#define WARPGRADE_SANDBOX_CUDA_TOOLS_H

#include "sandbox/build/build.h"

#define TOOLS_FILL    "warpgrade_fill"
#define TOOLS_COMPARE "warpgrade_compare"

/* Made by reports/embed.cmake of tools.cu. */
struct tools_source {
    const char *name, *text;
};
extern const struct tools_source tools_sources[];

/* Compiled (or from the build's cache) for "sm_90"; or PTX for "compute_80", for tests. Free with
 * build_result_free(). STATUS_ENVIRONMENT where the compiler is missing or does not know the
 * architecture. */
enum status tools_build(const char *architecture, struct build_result *result, struct error *error);

#endif

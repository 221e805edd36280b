/* Kernels made of bytes: each byte decides one thing, so that a fuzzer's mutation changes a
 * statement and not a letter. */
#ifndef WARPGRADE_TESTS_FUZZ_KERNEL_TEXT_H
#define WARPGRADE_TESTS_FUZZ_KERNEL_TEXT_H

#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_WORDS = 256,   /* of each of the buffers a and b */
    KERNEL_VARIABLES = 1, /* which the launch places before the buffers */
    KERNEL_TEXTURES = 4,  /* handles: a texture and a surface of a, and of b, 16 by 16 texels */
};

/* Appends the module: a kernel `k(a, b, n)` with ordered loads, atomics, fences, barriers,
 * shuffles, loops, polls, branches, textures and surfaces, in global, shared and local memory.
 * `lines`: its instructions come from lines of k.cu. */
void kernel_text(const uint8_t *data, size_t size, bool lines, struct text *ptx);
/* By the first byte, which chooses the launch and no statement. */
static inline bool fuzz_has_lines(uint8_t shape) {
    return shape % 7 < 3;
}

#endif

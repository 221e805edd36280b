/* The door of the generator of random arithmetic: kernels from a seed, and what goes into them. */
#ifndef WARPGRADE_TESTS_FUZZ_ARITHMETIC_ARITHMETIC_H
#define WARPGRADE_TESTS_FUZZ_ARITHMETIC_ARITHMETIC_H

#include "sandbox/base/text.h"

#include <stdint.h>

enum {
    ARITHMETIC_THREADS = 64, /* of the one block of a kernel */
    ARITHMETIC_SLOTS = 36,   /* words of a thread: its variables, those of 128 bits in two */
    ARITHMETIC_SCRATCH = 4,  /* words of a thread in the third buffer */
    ARITHMETIC_WORDS = ARITHMETIC_SLOTS * ARITHMETIC_THREADS,
    ARITHMETIC_SCRATCH_WORDS = ARITHMETIC_SCRATCH * ARITHMETIC_THREADS,
    ARITHMETIC_NO_LIMIT = 1000,
};

/* CUDA C with the kernels `k<first>` to `k<first + count - 1>` of the seed, (const u64 *in, u64
 * *out, u64 *scratch) each, of at most `limit` statements. `target`: compute capability, 80 or 90.
 */
void arithmetic_source(uint64_t seed, unsigned first, unsigned count, unsigned target,
                       unsigned limit, struct text *source);

/* The input of a kernel: word [slot][thread]. */
void arithmetic_input(uint64_t seed, unsigned number, uint64_t in[ARITHMETIC_WORDS]);

/* The variable that a slot holds: "q1.high". */
void arithmetic_slot_name(unsigned slot, char name[16]);

#endif

/* A module of random kernels, compiled once, on the simulated GPU and on a card. */
#ifndef WARPGRADE_TESTS_FUZZ_ARITHMETIC_ENGINES_H
#define WARPGRADE_TESTS_FUZZ_ARITHMETIC_ENGINES_H

#include "tests/fuzz/arithmetic/arithmetic.h"

#include <stdbool.h>
#include <stdint.h>

/* What a kernel leaves: its output, then its scratch words. */
enum { ARITHMETIC_RESULT_WORDS = ARITHMETIC_WORDS + ARITHMETIC_SCRATCH_WORDS };
struct arithmetic_result {
    uint64_t words[ARITHMETIC_RESULT_WORDS];
};
uint64_t arithmetic_hash(const struct arithmetic_result *result);

struct arithmetic_module;

/* Generates and compiles; NULL with a message on stderr where that fails. */
struct arithmetic_module *arithmetic_compile(uint64_t seed, unsigned first, unsigned count,
                                             unsigned target, unsigned limit, bool cached);
void arithmetic_free(struct arithmetic_module *module); /* or NULL */

/* False, with the reason on stderr, where the kernel does not end cleanly: a hazard is a mistake of
 * ours, as these kernels have none. */
bool arithmetic_simulate(struct arithmetic_module *module, unsigned number,
                         struct arithmetic_result *result);
bool arithmetic_run_on_card(struct arithmetic_module *module, unsigned number,
                            struct arithmetic_result *result);

/* Opens the first card of this process: its compute capability times 10; 0 where there is none. */
unsigned arithmetic_open_card(void);

#endif

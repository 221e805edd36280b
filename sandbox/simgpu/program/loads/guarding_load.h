/* The ways through a function, for what the text says of loads. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_LOADS_GUARDING_LOAD_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_LOADS_GUARDING_LOAD_H

#include "sandbox/simgpu/program/program.h"

struct guarded_function {
    const struct program *program;
    uint32_t first, end; /* pcs */
    uint32_t slots;
    uint64_t *budget;
};

struct guarded_function guarded_function_of(const struct program *program, uint32_t pc,
                                            uint64_t *budget);
/* False where the budget ends. */
static inline bool guarded_spend(const struct guarded_function *function, uint64_t steps) {
    bool enough = *function->budget >= steps;
    *function->budget -= enough ? steps : *function->budget;
    return enough;
}
/* Marks in `seen`, which has an element for each instruction of the function, where one comes from
 * `pc` by ways that end at `past`. True where the search came to `to` and ended, or could not go
 * on.
 */
bool guarded_visit(const struct guarded_function *function, uint32_t pc, uint32_t to, uint32_t past,
                   bool *seen);
/* From `pc` to `to` and not by way of `past`? True, too, where nobody can say. */
bool guarded_reaches(const struct guarded_function *function, uint32_t pc, uint32_t to,
                     uint32_t past);

#endif

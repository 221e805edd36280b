/* Which instruction made a value, and do two hold the same? Looked at only when a race is put into
 * words. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_VALUE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_VALUE_H

#include "sandbox/simgpu/program/program.h"

enum sameness { SAMENESS_DIFFERENT, SAMENESS_UNKNOWN, SAMENESS_SAME };

/* The lane vector of an operand, without the bits that say how it is read. */
static inline uint32_t race_value_slot(uint32_t operand) {
    return operand & ~(uint32_t)3;
}

/* The last instruction before `pc`, from the function's `first`, that writes the register; PC_NONE:
 * none does. */
uint32_t race_value_definition(const struct program *program, uint32_t first, uint32_t pc,
                               uint32_t operand);
/* Of two accesses to memory in a function that begins at `first`. */
enum sameness race_value_same_address(const struct program *program, uint32_t first, uint32_t pc,
                                      uint32_t other_pc);

#endif

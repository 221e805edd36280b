/* Which registers a decoded instruction reads and writes. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_INSTRUCTION_VALUES_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_INSTRUCTION_VALUES_H

#include "sandbox/simgpu/program/program.h"

enum { VALUE_OPERANDS = 36 };

/* Offsets of lane vectors as in struct insn; constants and absent operands are left out. */
struct instruction_values {
    uint32_t sources[VALUE_OPERANDS], destinations[VALUE_OPERANDS];
    unsigned source_count, destination_count;
};

void instruction_values_of(const struct program *program, uint32_t pc,
                           struct instruction_values *values);
/* Whether it gives the same result for the same operands, and does nothing else. */
bool instruction_is_pure(const struct insn *insn);
/* The first lane's 64 bits of a constant operand; false where it is none. */
bool instruction_constant(const struct program *program, uint32_t operand, int64_t *value);
/* A power of two (at most 256) that divides the address of a load or store, as far as the
 * instructions that compute it say so. */
unsigned instruction_alignment(const struct program *program, uint32_t pc);
/* The same of its address without the offset. */
unsigned instruction_base_alignment(const struct program *program, uint32_t pc);

#endif

/* Which instructions read a register, and which write it. See value_index.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_VALUE_INDEX_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_VALUE_INDEX_H

#include "sandbox/simgpu/program/instruction_values.h"

struct value_use {
    uint32_t value; /* as in struct instruction_values */
    uint32_t pc;
};

/* By value, then by pc. */
struct value_uses {
    struct value_use *items;
    size_t count, capacity;
};

struct value_index {
    struct value_uses reads, writes;
};

void value_index_open(struct value_index *index, const struct program *program);
void value_index_close(struct value_index *index);
/* The first of the value's uses at `pc` or after it; where there is none, the position after its
 * last one. */
size_t value_uses_from(const struct value_uses *uses, uint32_t value, uint32_t pc);
/* Whether the value is used in first..last. */
bool value_uses_within(const struct value_uses *uses, uint32_t value, uint32_t first,
                       uint32_t last);

/* The only instruction in first..end - 1 that writes the register; NULL: there is not just one. */
const struct insn *value_definition(const struct value_index *index, const struct program *program,
                                    uint32_t operand, uint32_t first, uint32_t end);

#endif

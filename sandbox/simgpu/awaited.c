/* Pieces of code that await loads: those with an instruction that reads a register which a load or
 * an atomic of global memory writes somewhere in its function, or one to which such a register is
 * moved. Such a piece holds a warp up once, because the assembler puts all loads before all that
 * reads their results, as far as it may. Stores of what was loaded it moves down, behind branches,
 * too: they hold up at the next barrier, or at the end of a loop's pass. A move is a name and
 * awaits nothing by itself. Registers that are written by other instructions, too, count as loaded:
 * nvcc gives most values a register of their own. */
#include "sandbox/simgpu/awaited.h"

#include "grader/base/memory.h"
#include "sandbox/simgpu/instruction_values.h"

#include <stdlib.h>
#include <string.h>

struct registers {
    const struct program *program;
    uint32_t *start; /* by function */
    bool *loaded;    /* by function and register */
};

static bool *loaded_at(const struct registers *registers, uint32_t pc, uint32_t offset) {
    size_t function = program_function_at(registers->program, pc);
    uint32_t slot = offset / 4;
    if (offset & OPERAND_CONSTANT ||
        slot >= registers->program->functions[function].register_bytes / 4)
        return NULL;
    return &registers->loaded[registers->start[function] + slot];
}

static bool is_move(const struct program *program, uint32_t pc) {
    struct ptx_span mnemonic = program->origins[pc].mnemonic;
    return mnemonic.length > 3 && memcmp(mnemonic.start, "mov.", 4) == 0;
}

static bool is_load(const struct insn *insn) {
    bool global = insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
    return global && (insn->cost == COST_LOAD || insn->cost == COST_ATOMIC);
}

static bool reads_loaded(const struct registers *registers, uint32_t pc) {
    struct instruction_values values;
    instruction_values_of(registers->program, pc, &values);
    for (unsigned i = 0; i < values.source_count; i++) {
        const bool *loaded = loaded_at(registers, pc, values.sources[i]);
        if (loaded && *loaded)
            return true;
    }
    return false;
}

/* Marks what the instruction writes; was any of it not marked before? */
static bool mark_written(const struct registers *registers, uint32_t pc) {
    struct instruction_values values;
    bool fresh = false;
    instruction_values_of(registers->program, pc, &values);
    for (unsigned i = 0; i < values.destination_count; i++) {
        bool *loaded = loaded_at(registers, pc, values.destinations[i]);
        fresh |= loaded && !*loaded;
        if (loaded)
            *loaded = true;
    }
    return fresh;
}

/* Stores are not moved past it: a barrier, or the end of a loop's pass. */
static bool keeps_stores(const struct insn *insn, uint32_t pc) {
    return insn->flow == FLOW_BARRIER ||
           (insn->flow == FLOW_BRANCH && insn->immediate <= (int64_t)pc);
}

uint32_t *awaited_find(const struct program *program, const uint32_t *regions) {
    struct registers registers = {.program = program};
    registers.start = mem_calloc(program->function_count, sizeof *registers.start);
    uint32_t slots = 0;
    for (size_t i = 0; i < program->function_count; i++) {
        registers.start[i] = slots;
        slots += program->functions[i].register_bytes / 4 + 1;
    }
    registers.loaded = mem_calloc(slots, sizeof *registers.loaded);
    for (uint32_t pc = 0; pc < program->length; pc++)
        if (is_load(&program->code[pc]))
            mark_written(&registers, pc);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t pc = 0; pc < program->length; pc++)
            if (is_move(program, pc) && reads_loaded(&registers, pc))
                again |= mark_written(&registers, pc);
    }
    uint32_t *waits = mem_calloc(program->length + 2, sizeof *waits);
    uint32_t last = PC_NONE; /* the last piece that awaits any */
    bool stored = false;     /* a store awaits some */
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool reads = !is_move(program, pc) && reads_loaded(&registers, pc);
        bool stores = insn->cost == COST_STORE;
        bool awaits = (reads && !stores) || (stored && keeps_stores(insn, pc));
        stored = !awaits && (stored || reads);
        bool first = awaits && regions[pc] != last;
        last = first ? regions[pc] : last;
        waits[pc + 1] = waits[pc] + first;
    }
    free(registers.start);
    free(registers.loaded);
    return waits;
}

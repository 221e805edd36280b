/* Pieces of code that await loads: those with an instruction that reads a register which a load or
 * an atomic of global memory writes somewhere in its function, or one to which such a register is
 * moved. Such a piece holds a warp up once, because the assembler puts all loads before all that
 * reads their results, as far as it may. Stores of what was loaded it moves down, after branches,
 * too: they hold up at the next barrier, or at the end of a loop's pass. A move is a name and
 * awaits nothing by itself. Registers that are written by other instructions, too, count as loaded:
 * nvcc gives most values a register of their own. */
#include "sandbox/simgpu/sass/load_use.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <stdlib.h>
#include <string.h>

enum { NO_SLOT = UINT32_MAX };

struct registers {
    const struct program *program;
    uint32_t *start;  /* by function: its first slot */
    bool *loaded;     /* by slot: a register of a function */
    uint32_t *marked; /* slots whose moves have not been followed yet, each once at most */
    size_t marked_count;
};

/* The register's place in `loaded`; NO_SLOT for constants and what is no register. */
static uint32_t slot_of(const struct registers *registers, uint32_t pc, uint32_t offset) {
    size_t function = program_function_at(registers->program, pc);
    uint32_t slot = offset / 4;
    if (offset & OPERAND_CONSTANT ||
        slot >= registers->program->functions[function].register_bytes / 4)
        return NO_SLOT;
    return registers->start[function] + slot;
}

static bool is_move(const struct program *program, uint32_t pc) {
    return insn_has(&program->code[pc], TRAIT_MOVES);
}

static bool is_load(const struct insn *insn) {
    bool global = insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
    return global && (insn->cost == COST_LOAD || insn->cost == COST_ATOMIC);
}

static bool reads_loaded(const struct registers *registers, uint32_t pc) {
    struct instruction_values values;
    instruction_values_of(registers->program, pc, &values);
    for (unsigned i = 0; i < values.source_count; i++) {
        uint32_t slot = slot_of(registers, pc, values.sources[i]);
        if (slot != NO_SLOT && registers->loaded[slot])
            return true;
    }
    return false;
}

/* What the instruction writes counts as loaded; registers that did not yet go to the list. */
static void mark_written(struct registers *registers, uint32_t pc) {
    struct instruction_values values;
    instruction_values_of(registers->program, pc, &values);
    for (unsigned i = 0; i < values.destination_count; i++) {
        uint32_t slot = slot_of(registers, pc, values.destinations[i]);
        if (slot == NO_SLOT || registers->loaded[slot])
            continue;
        registers->loaded[slot] = true;
        registers->marked[registers->marked_count++] = slot;
    }
}

/* ---- moves, by the register that they read ----------------------------------------------------
 */

struct move_table {
    uint32_t *first; /* by slot, and one more: where its moves begin in `pcs` */
    uint32_t *pcs;
};

/* Each move and each register that it reads: is counted at `first`, or, once `pcs` is there, put in
 * its place, for which `first` is counted down again. */
static void visit_moves(const struct registers *registers, struct move_table *moves) {
    for (uint32_t pc = 0; pc < registers->program->length; pc++) {
        struct instruction_values values = {.source_count = 0};
        if (is_move(registers->program, pc))
            instruction_values_of(registers->program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++) {
            uint32_t slot = slot_of(registers, pc, values.sources[i]);
            if (slot != NO_SLOT && moves->pcs)
                moves->pcs[--moves->first[slot]] = pc;
            else if (slot != NO_SLOT)
                moves->first[slot]++;
        }
    }
}

static void follow_moves(struct registers *registers, uint32_t slots) {
    struct move_table moves = {.first = mem_calloc(slots + 1, sizeof *moves.first)};
    visit_moves(registers, &moves);
    for (uint32_t slot = 1; slot <= slots; slot++)
        moves.first[slot] += moves.first[slot - 1];
    moves.pcs = mem_calloc(moves.first[slots] + 1, sizeof *moves.pcs);
    visit_moves(registers, &moves);
    while (registers->marked_count) {
        uint32_t slot = registers->marked[--registers->marked_count];
        for (uint32_t i = moves.first[slot]; i < moves.first[slot + 1]; i++)
            mark_written(registers, moves.pcs[i]);
    }
    free(moves.first);
    free(moves.pcs);
}

/* Stores are not moved past it: a barrier, or the end of a loop's pass. */
static bool keeps_stores(const struct insn *insn, uint32_t pc) {
    return insn->flow == FLOW_BARRIER || (insn->flow == FLOW_BRANCH && insn->target <= (int64_t)pc);
}

uint32_t *load_use_find(const struct program *program, const uint32_t *regions) {
    struct registers registers = {.program = program};
    registers.start = mem_calloc(program->function_count, sizeof *registers.start);
    uint32_t slots = 0;
    for (size_t i = 0; i < program->function_count; i++) {
        registers.start[i] = slots;
        slots += program->functions[i].register_bytes / 4 + 1;
    }
    registers.loaded = mem_calloc(slots, sizeof *registers.loaded);
    registers.marked = mem_calloc(slots, sizeof *registers.marked);
    for (uint32_t pc = 0; pc < program->length; pc++)
        if (is_load(&program->code[pc]))
            mark_written(&registers, pc);
    follow_moves(&registers, slots);
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
    free(registers.marked);
    return waits;
}

/* Is a store the second half of an update, of which a load of the same address is the first?
 *
 * Then an atomic does both at once, and no barrier between them helps: each thread's own load and
 * store would still have another thread's store between them. Whether it is one is read from the
 * instructions between the two: addresses are equal where the same instructions compute them of the
 * same registers, and the load's value is followed to the stored value or to the predicate of a
 * branch around the store. Both hold for what the compiler makes of one statement or of an `if`;
 * where a definition lies on another path or in memory, the answer is UNKNOWN. */
#include "sandbox/simgpu/check/race_update.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/program/loads/guarding_load.h"

#include <string.h>

enum { MAX_DEPTH = 12, MAX_VISITED = 1 << 12, MAX_DISTANCE = 1 << 10 };

static uint32_t slot_of(uint32_t operand) {
    return operand & ~(uint32_t)3;
}

uint32_t race_update_definition(const struct program *program, uint32_t first, uint32_t pc,
                                uint32_t operand) {
    for (uint32_t steps = 0; pc-- > first && steps < MAX_VISITED; steps++) {
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.destination_count; i++)
            if (slot_of(values.destinations[i]) == slot_of(operand))
                return pc;
    }
    return PC_NONE;
}

struct search {
    const struct program *program;
    uint32_t first; /* pc of the function */
    unsigned visited;
};

/* Do the operands hold the same value, each where its instruction stands? */
static enum sameness compare(struct search *search, uint32_t pc, uint32_t operand,
                             uint32_t other_pc, uint32_t other, unsigned depth) {
    const struct program *program = search->program;
    if ((operand | other) & OPERAND_CONSTANT)
        return operand == other ? SAMENESS_SAME : SAMENESS_DIFFERENT;
    uint32_t a = race_update_definition(program, search->first, pc, operand);
    uint32_t b = race_update_definition(program, search->first, other_pc, other);
    if (a == b)
        return a == PC_NONE && operand != other ? SAMENESS_UNKNOWN : SAMENESS_SAME;
    if (a == PC_NONE || b == PC_NONE || depth == MAX_DEPTH || ++search->visited > 64)
        return SAMENESS_UNKNOWN;
    const struct insn *one = &program->code[a], *two = &program->code[b];
    if (one->cost == COST_LOAD && one->space == SPACE_PARAM && two->space == SPACE_PARAM)
        return one->operands[0] == two->operands[0] && one->offset == two->offset
                   ? SAMENESS_SAME
                   : SAMENESS_DIFFERENT;
    if (one->cost == COST_LOAD || two->cost == COST_LOAD || one->guard != GUARD_NONE ||
        two->guard != GUARD_NONE)
        return SAMENESS_UNKNOWN;
    if (one->form != two->form || one->offset != two->offset)
        return SAMENESS_DIFFERENT;
    struct instruction_values values;
    instruction_values_of(program, a, &values);
    enum sameness all = SAMENESS_SAME;
    for (unsigned slot = 0; slot < OPERAND_SLOTS && all == SAMENESS_SAME; slot++) {
        bool result = one->operands[slot] == OPERAND_NONE && two->operands[slot] == OPERAND_NONE;
        for (unsigned i = 0; i < values.destination_count; i++)
            result |= one->operands[slot] == values.destinations[i];
        if (!result)
            all = compare(search, a, one->operands[slot], b, two->operands[slot], depth + 1);
    }
    return all;
}

enum sameness race_update_same_address(const struct program *program, uint32_t first, uint32_t pc,
                                       uint32_t other_pc) {
    const struct insn *one = &program->code[pc], *other = &program->code[other_pc];
    struct search search = {program, first, 0};
    enum sameness same = compare(&search, pc, one->operands[0], other_pc, other->operands[0], 0);
    return same == SAMENESS_SAME && one->offset != other->offset ? SAMENESS_DIFFERENT : same;
}

static bool holds(const uint64_t *set, uint32_t operand) {
    return operand != OPERAND_NONE && !(operand & OPERAND_CONSTANT) &&
           set[slot_of(operand) / 256] >> (slot_of(operand) / 4 % 64) & 1;
}

static void add(uint64_t *set, uint32_t operand) {
    set[slot_of(operand) / 256] |= (uint64_t)1 << (slot_of(operand) / 4 % 64);
}

/* What becomes of the load's value on the way to the store. What a call that gets it gives back is
 * made of it: -G calls max(). */
static enum race_update follow(const struct program *program, uint32_t load, uint32_t store,
                               uint32_t register_bytes) {
    cleanup_free uint64_t *made = mem_calloc(register_bytes / 256 + 1, sizeof *made);
    struct instruction_values values;
    bool decides = false, stored = false, passed = false, called = false;
    for (uint32_t pc = load; pc <= store; pc++) {
        const struct insn *insn = &program->code[pc];
        bool reads = pc == load || (called && insn_op(insn) == OP_ld_param_frame);
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++)
            reads |= holds(made, values.sources[i]);
        if (insn->guard != GUARD_NONE && holds(made, insn->guard))
            decides |= pc == store || insn->flow == FLOW_BRANCH;
        if (pc > load && insn->flow == FLOW_BARRIER)
            return UPDATE_NONE;
        for (unsigned slot = 1; pc == store && slot < OPERAND_SLOTS; slot++)
            stored |= holds(made, insn->operands[slot]);
        passed |= insn_op(insn) == OP_st_param_frame && holds(made, insn->operands[1]);
        called |= insn->flow == FLOW_CALL && passed;
        for (unsigned i = 0; reads && i < values.destination_count; i++)
            add(made, values.destinations[i]);
    }
    return stored ? UPDATE_VALUE : decides ? UPDATE_GUARDED : UPDATE_NONE;
}

/* The text may have the load first where threads have the store first. */
static bool comes_before(const struct program *program, uint32_t load, uint32_t store) {
    uint64_t budget = MAX_VISITED;
    const struct guarded_function function = guarded_function_of(program, load, &budget);
    return guarded_reaches(&function, load + 1, store, UINT32_MAX);
}

enum race_update race_update_find(const struct program *program, uint32_t load, uint32_t store) {
    if (load >= store || store - load > MAX_DISTANCE)
        return UPDATE_NONE;
    size_t number = program_function_at(program, store);
    if (program_function_at(program, load) != number)
        return UPDATE_NONE;
    const struct program_function *function = &program->functions[number];
    enum sameness same = race_update_same_address(program, function->entry_pc, load, store);
    if (same == SAMENESS_DIFFERENT || !comes_before(program, load, store))
        return UPDATE_NONE;
    enum race_update update = follow(program, load, store, function->register_bytes);
    return same == SAMENESS_UNKNOWN && update != UPDATE_NONE ? UPDATE_UNKNOWN : update;
}

enum race_update race_update_of_store(const struct program *program, uint32_t store) {
    enum race_update best = UPDATE_NONE;
    uint32_t from = store > MAX_DISTANCE ? store - MAX_DISTANCE : 0;
    for (uint32_t pc = store; pc-- > from && best < UPDATE_VALUE;) {
        const struct insn *insn = &program->code[pc];
        if (insn->cost != COST_LOAD || insn->space != program->code[store].space)
            continue;
        enum race_update found = race_update_find(program, pc, store);
        best = found > best ? found : best;
    }
    return best;
}

enum race_update race_update_of_load(const struct program *program, uint32_t load) {
    enum race_update best = UPDATE_NONE;
    for (uint32_t pc = load + 1; pc < program->length && pc - load < MAX_DISTANCE; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn_op(insn) != OP_st || insn->space != program->code[load].space)
            continue;
        enum race_update found = race_update_find(program, load, pc);
        best = found > best ? found : best;
    }
    return best;
}

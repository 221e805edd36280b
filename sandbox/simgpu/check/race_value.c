/* Values followed back through a function's instructions: a guess for words of a report.
 *
 * A definition is the last one in the text, whatever path leads there; where one is guarded, lies
 * on another path or in memory, two values are not known to be the same. */
#include "sandbox/simgpu/check/race_value.h"

#include "sandbox/simgpu/program/instruction_values.h"

enum { MAX_DEPTH = 12, MAX_VISITED = 1 << 12 };

uint32_t race_value_definition(const struct program *program, uint32_t first, uint32_t pc,
                               uint32_t operand) {
    for (uint32_t steps = 0; pc-- > first && steps < MAX_VISITED; steps++) {
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.destination_count; i++)
            if (race_value_slot(values.destinations[i]) == race_value_slot(operand))
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
    uint32_t a = race_value_definition(program, search->first, pc, operand);
    uint32_t b = race_value_definition(program, search->first, other_pc, other);
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

enum sameness race_value_same_address(const struct program *program, uint32_t first, uint32_t pc,
                                      uint32_t other_pc) {
    const struct insn *one = &program->code[pc], *other = &program->code[other_pc];
    struct search search = {program, first, 0};
    enum sameness same = compare(&search, pc, one->operands[0], other_pc, other->operands[0], 0);
    return same == SAMENESS_SAME && one->offset != other->offset ? SAMENESS_DIFFERENT : same;
}

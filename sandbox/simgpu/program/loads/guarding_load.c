/* Loads that are looked at once and decide whether another load comes: `if (*flag) x = *data;`.
 *
 * A branch whose condition was computed from the value leads to the other load on one side only,
 * unless the way comes by the first load again. Values are followed through the registers of the
 * function; where one gets lost, or the code cannot be followed, there is no such load. */
#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

struct function {
    const struct program *program;
    uint32_t first, end; /* pcs */
    uint32_t slots;
    uint64_t *budget;
};

static bool spend(const struct function *function, uint64_t steps) {
    bool enough = *function->budget >= steps;
    *function->budget -= enough ? steps : *function->budget;
    return enough;
}

static bool is_marked(const struct function *function, const bool *marks, uint32_t operand) {
    return operand < OPERAND_NONE && !(operand & OPERAND_CONSTANT) &&
           operand / 4 < function->slots && marks[operand / 4];
}

/* Marks what comes of the load's value; false where the budget ends. */
static bool mark_values(const struct function *function, uint32_t load, bool *marks) {
    for (bool grown = true; grown;) {
        grown = false;
        if (!spend(function, function->end - function->first))
            return false;
        for (uint32_t pc = function->first; pc < function->end; pc++) {
            const struct insn *insn = &function->program->code[pc];
            struct instruction_values values;
            instruction_values_of(function->program, pc, &values);
            bool comes = pc == load;
            for (unsigned i = 0; i < values.source_count && insn->flow == FLOW_EXECUTE &&
                                 insn->cost != COST_LOAD && insn->cost != COST_ATOMIC;
                 i++)
                comes |= is_marked(function, marks, values.sources[i]);
            for (unsigned i = 0; comes && i < values.destination_count; i++) {
                uint32_t slot = values.destinations[i] / 4;
                if (slot >= function->slots || marks[slot])
                    continue;
                marks[slot] = true;
                grown = true;
            }
        }
    }
    return true;
}

/* From `pc` to `to` and not by way of `past`? True, too, where nobody can say. */
static bool reaches(const struct function *function, uint32_t pc, uint32_t to, uint32_t past) {
    uint32_t length = function->end - function->first, count = 0;
    cleanup_free bool *seen = mem_calloc(length + 1, sizeof *seen);
    cleanup_free uint32_t *open = mem_calloc(length + 1, sizeof *open);
    if (!spend(function, length))
        return true;
    if (pc >= function->first && pc < function->end) {
        seen[pc - function->first] = true;
        open[count++] = pc;
    }
    while (count) {
        pc = open[--count];
        const struct insn *insn = &function->program->code[pc];
        uint32_t next[2] = {pc + 1, UINT32_MAX};
        bool ends = insn->flow == FLOW_EXIT || insn->flow == FLOW_RETURN || insn->flow == FLOW_TRAP;
        if (pc == to || insn->flow == FLOW_INDEXED)
            return true;
        if (pc == past)
            continue;
        if (insn->flow == FLOW_BRANCH)
            next[1] = (uint32_t)insn->target;
        if (insn->guard == GUARD_NONE && (ends || insn->flow == FLOW_BRANCH))
            next[0] = UINT32_MAX;
        for (unsigned i = 0; i < 2; i++) {
            if (next[i] < function->first || next[i] >= function->end ||
                seen[next[i] - function->first])
                continue;
            seen[next[i] - function->first] = true;
            open[count++] = next[i];
        }
    }
    return false;
}

bool load_guards(const struct program *program, uint32_t load, uint32_t other, uint64_t *budget) {
    size_t at = program_function_at(program, load);
    const struct program_function *called = &program->functions[at];
    const struct function function = {.program = program,
                                      .first = called->entry_pc,
                                      .end = at + 1 < program->function_count
                                                 ? program->functions[at + 1].entry_pc
                                                 : (uint32_t)program->length,
                                      .slots = called->register_bytes / 4,
                                      .budget = budget};
    if (other < function.first || other >= function.end || other == load)
        return false;
    cleanup_free bool *marks = mem_calloc((size_t)function.slots + 1, sizeof *marks);
    if (!mark_values(&function, load, marks))
        return false;
    for (uint32_t pc = function.first; pc < function.end; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE &&
            is_marked(&function, marks, insn->guard & ~(uint32_t)3) &&
            reaches(&function, pc + 1, other, load) !=
                reaches(&function, (uint32_t)insn->target, other, load))
            return true;
    }
    return false;
}

/* Loads that are looked at once and decide whether another load comes: `if (*flag) x = *data;`.
 *
 * A branch whose condition was computed from the value leads to the other load on one side only,
 * unless the way comes by the first load again. Values are followed through the registers of the
 * function; where one gets lost, or the code cannot be followed, there is no such load. */
#include "sandbox/simgpu/program/loads/guarding_load.h"

#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

struct guarded_function guarded_function_of(const struct program *program, uint32_t pc,
                                            uint64_t *budget) {
    size_t at = program_function_at(program, pc);
    const struct program_function *called = &program->functions[at];
    return (struct guarded_function){.program = program,
                                     .first = called->entry_pc,
                                     .end = at + 1 < program->function_count
                                                ? program->functions[at + 1].entry_pc
                                                : (uint32_t)program->length,
                                     .slots = called->register_bytes / 4,
                                     .budget = budget};
}

static bool is_marked(const struct guarded_function *function, const bool *marks,
                      uint32_t operand) {
    return operand < OPERAND_NONE && !(operand & OPERAND_CONSTANT) &&
           operand / 4 < function->slots && marks[operand / 4];
}

/* Marks what comes of the load's value; false where the budget ends. */
static bool mark_values(const struct guarded_function *function, uint32_t load, bool *marks) {
    for (bool grown = true; grown;) {
        grown = false;
        if (!guarded_spend(function, function->end - function->first))
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

bool guarded_visit(const struct guarded_function *function, uint32_t pc, uint32_t to, uint32_t past,
                   bool *seen) {
    uint32_t length = function->end - function->first, count = 0;
    cleanup_free uint32_t *open = mem_calloc(length + 1, sizeof *open);
    if (!guarded_spend(function, length))
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

bool guarded_reaches(const struct guarded_function *function, uint32_t pc, uint32_t to,
                     uint32_t past) {
    cleanup_free bool *seen = mem_calloc(function->end - function->first + 1, sizeof *seen);
    return guarded_visit(function, pc, to, past, seen);
}

bool load_guards(const struct program *program, uint32_t load, uint32_t other, uint64_t *budget) {
    const struct guarded_function function = guarded_function_of(program, load, budget);
    if (other < function.first || other >= function.end || other == load)
        return false;
    cleanup_free bool *marks = mem_calloc((size_t)function.slots + 1, sizeof *marks);
    if (!mark_values(&function, load, marks))
        return false;
    for (uint32_t pc = function.first; pc < function.end; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE &&
            is_marked(&function, marks, insn->guard & ~(uint32_t)3) &&
            guarded_reaches(&function, pc + 1, other, load) !=
                guarded_reaches(&function, (uint32_t)insn->target, other, load))
            return true;
    }
    return false;
}

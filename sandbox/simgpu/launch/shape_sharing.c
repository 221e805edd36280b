/* Which loads and stores lie in one shape because they go by one register.
 *
 * An unrolled loop over a tile has dozens of loads `[%rd3+4]`, `[%rd3+8]`: their lanes lie as those
 * of the first one do. That one compares its addresses with the shape that it had last time
 * (exec/executors/exec_memory.c), the others ask who was at the shape last: the same warp, with the
 * same lanes, so it is their own.
 *
 * That holds in a straight line without guards: whoever comes to the later instruction has just
 * executed the first one, and nothing has written the register in between. */
#include "sandbox/simgpu/launch/shape_sharing.h"

#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum { REMEMBERED = 8 }; /* first ones of a straight line; the oldest goes */

struct leaders {
    uint32_t pc[REMEMBERED];
    unsigned count, next;
};

static bool *find_targets(const struct program *program) {
    bool *targets = mem_calloc(program->length + 1, sizeof *targets);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH && (uint64_t)insn->target < program->length)
            targets[insn->target] = true;
        for (uint32_t i = 0; insn->flow == FLOW_INDEXED && i < program->targets[insn->targets]; i++)
            targets[program->targets[insn->targets + 1 + i]] = true;
    }
    for (size_t i = 0; i < program->function_count; i++)
        targets[program->functions[i].entry_pc] = true;
    return targets;
}

static bool has_shape(const struct insn *insn) {
    return insn->form != FORM_NONE && insn->flow == FLOW_EXECUTE &&
           (insn_op(insn) == OP_ld || insn_op(insn) == OP_ldu || insn_op(insn) == OP_st);
}

static unsigned access_bytes(const struct insn *insn) {
    return ptx_type_bits((enum ptx_type)insn->type) / 8 * insn->vector;
}

/* What is kept in a shape depends on the bytes of a lane and on the direction, too. */
static bool lies_alike(const struct insn *a, const struct insn *b) {
    return a->operands[0] == b->operands[0] && a->address32 == b->address32 && a->cost == b->cost &&
           access_bytes(a) == access_bytes(b);
}

static bool writes(const struct instruction_values *values, uint32_t operand) {
    for (unsigned i = 0; i < values->destination_count; i++)
        if (values->destinations[i] == operand)
            return true;
    return false;
}

static void forget_written(const struct program *program, uint32_t pc, struct leaders *leaders) {
    struct instruction_values values;
    unsigned kept = 0;
    instruction_values_of(program, pc, &values);
    for (unsigned i = 0; i < leaders->count; i++)
        if (!writes(&values, program->code[leaders->pc[i]].operands[0] & ~(uint32_t)3))
            leaders->pc[kept++] = leaders->pc[i];
    if (kept < leaders->count)
        leaders->next = 0;
    leaders->count = kept;
}

static void add_leader(struct leaders *leaders, uint32_t pc) {
    if (leaders->count < REMEMBERED) {
        leaders->pc[leaders->count++] = pc;
        return;
    }
    leaders->pc[leaders->next] = pc;
    leaders->next = (leaders->next + 1) % REMEMBERED;
}

void shape_sharing_link(struct program *program) {
    bool *targets = find_targets(program);
    struct leaders leaders = {.count = 0};
    for (uint32_t pc = 0; pc < program->length; pc++) {
        struct insn *insn = &program->code[pc];
        if (insn->flow != FLOW_EXECUTE || targets[pc])
            leaders.count = leaders.next = 0;
        if (has_shape(insn)) {
            insn->shape_pc = pc;
            bool follows = false;
            for (unsigned i = 0; i < leaders.count && insn->guard == GUARD_NONE && !follows; i++) {
                follows = lies_alike(insn, &program->code[leaders.pc[i]]);
                insn->shape_pc = follows ? leaders.pc[i] : pc;
            }
            if (!follows && insn->guard == GUARD_NONE)
                add_leader(&leaders, pc);
        }
        if (insn->flow == FLOW_EXECUTE && leaders.count)
            forget_written(program, pc, &leaders);
    }
    free(targets);
}

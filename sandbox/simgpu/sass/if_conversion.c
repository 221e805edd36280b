/* Where pieces of machine code begin, and small ifs, which the assembler predicates.
 *
 * A piece (region) is a straight run of instructions that is scheduled as a whole. It ends with a
 * branch, but not with one over a few instructions that nothing else jumps into: these have a
 * predicate then, and belong to the piece, even if other code jumps to where the if ends. An if
 * with an else, of which both sides are few, is predicated like one without. Of ifs around others
 * only the inner ones are small, and where the kernel ends after an if, lanes leave before it. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"

enum {
    REGION_LIMIT = 768, /* instructions */
    /* found out by trying, one instruction more at a time (ptxas 13.0, sm_90) */
    PREDICATED_LIMIT = 8, /* instructions of a side of an if that becomes predicated, */
    LOADING_LIMIT = 20,   /* ... which loads from device memory */
    FACTOR_DISTANCE = 4,
};

static void mark_targets(const struct program *program, uint32_t *targets) {
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH)
            targets[insn->target]++;
        if (insn->flow == FLOW_INDEXED)
            for (uint32_t t = 0; t < program->targets[insn->targets]; t++)
                targets[program->targets[insn->targets + 1 + t]] += 2;
    }
    for (size_t i = 0; i < program->function_count; i++)
        targets[program->functions[i].entry_pc] += 2;
}

static bool jumps_ahead(const struct program *program, uint32_t pc) {
    const struct insn *insn = &program->code[pc];
    return insn->flow == FLOW_BRANCH && insn->guard == GUARD_NONE && insn->target > (int64_t)pc;
}

/* A product that a sum after it makes, too, as the assembler sees it. */
static bool is_factor(const struct program *program, uint32_t pc, uint32_t end) {
    uint32_t product = program->code[pc].operands[0];
    enum isa_op op = insn_op(&program->code[pc]);
    bool multiplies = op == OP_mul || op == OP_mul_lo || op == OP_mul_hi || op == OP_mul_wide;
    if (!multiplies || product == OPERAND_NONE)
        return false;
    for (uint32_t sum = pc + 1; sum < end && sum <= pc + FACTOR_DISTANCE; sum++)
        if (insn_op(&program->code[sum]) == OP_add && (program->code[sum].operands[1] == product ||
                                                       program->code[sum].operands[2] == product))
            return true;
    return false;
}

/* Whether instructions first..end-1 may have a predicate: they are few, and nothing jumps to one
 * after the first; a jump at their end is one of them. The assembler predicates no atomic. */
static bool is_small(const struct program *program, const uint32_t *targets, uint32_t first,
                     uint32_t end) {
    unsigned weight = 0;
    bool loads = false;
    for (uint32_t pc = first; pc < end && weight <= LOADING_LIMIT; pc++) {
        const struct insn *insn = &program->code[pc];
        bool jump = pc + 1 == end && jumps_ahead(program, pc);
        if ((insn->flow != FLOW_EXECUTE && insn->flow != FLOW_JOIN && !jump) ||
            (targets[pc] && pc > first) || insn->cost == COST_ATOMIC)
            return false;
        loads |= insn->cost == COST_LOAD &&
                 (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC);
        if (insn->flow != FLOW_JOIN && !is_factor(program, pc, end))
            weight += jump ? 1 : sass_model_weight(program, pc);
    }
    return weight <= (loads ? LOADING_LIMIT : PREDICATED_LIMIT);
}

/* Whether the kernel ends after the if: its lanes leave then, instead of having a predicate. */
static bool is_last(const struct program *program, uint32_t end) {
    while (end + 1 < program->length && program->code[end].flow == FLOW_JOIN)
        end++;
    return end < program->length &&
           (program->code[end].flow == FLOW_EXIT || program->code[end].flow == FLOW_RETURN);
}

/* A branch over a few instructions that nothing else jumps into. */
static bool is_small_if(const struct program *program, const uint32_t *targets, uint32_t pc) {
    const struct insn *branch = &program->code[pc];
    return branch->flow == FLOW_BRANCH && branch->guard != GUARD_NONE &&
           branch->target > (int64_t)pc && !targets[pc + 1] &&
           !jumps_ahead(program, (uint32_t)branch->target - 1) &&
           !is_last(program, (uint32_t)branch->target) &&
           is_small(program, targets, pc + 1, (uint32_t)branch->target);
}

/* Where an if ends both of whose sides are small, which the assembler predicates too: a branch to
 * the second side, which the first side's last instruction jumps over. The compiler also writes a
 * branch over a jump to the second side. 0: it is none. */
static uint32_t small_choice_end(const struct program *program, const uint32_t *targets,
                                 uint32_t pc) {
    const struct insn *branch = &program->code[pc];
    if (branch->flow != FLOW_BRANCH || branch->guard == GUARD_NONE || branch->target <= (int64_t)pc)
        return 0;
    uint32_t first = pc + 1, second = (uint32_t)branch->target;
    if (second == pc + 2 && targets[second] == 1 && jumps_ahead(program, pc + 1)) {
        first = second;
        second = (uint32_t)program->code[pc + 1].target;
    }
    if (second < first + 2 || targets[second] != 1 || !jumps_ahead(program, second - 1))
        return 0;
    uint32_t end = (uint32_t)program->code[second - 1].target;
    if (end <= second || jumps_ahead(program, end - 1) || is_last(program, end))
        return 0;
    return is_small(program, targets, first, second) && is_small(program, targets, second, end)
               ? end
               : 0;
}

uint32_t *if_conversion_regions(const struct program *program, uint32_t *ends) {
    uint32_t *region_first = mem_calloc(program->length + 1, sizeof *region_first);
    cleanup_free uint32_t *targets = mem_calloc(program->length + 1, sizeof *targets);
    mark_targets(program, targets);
    uint32_t first = 0, inside = 0; /* up to `inside`, targets are of small ifs */
    for (uint32_t pc = 0; pc < program->length; pc++) {
        bool leader = targets[pc] && pc > inside;
        if (leader || pc - first >= REGION_LIMIT)
            first = pc;
        region_first[pc] = first;
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_EXECUTE || insn->flow == FLOW_JOIN || insn->flow == FLOW_WARP_SYNC)
            continue;
        uint32_t end = is_small_if(program, targets, pc) ? (uint32_t)insn->target
                                                         : small_choice_end(program, targets, pc);
        if (ends && pc >= inside)
            ends[pc] = end;
        if (end) /* where others go to as well, another piece begins */
            inside = targets[end] == 1 ? end : end - 1;
        else if (pc >= inside)
            first = pc + 1;
    }
    return region_first;
}

uint32_t *sass_model_regions(const struct program *program) {
    return if_conversion_regions(program, NULL);
}

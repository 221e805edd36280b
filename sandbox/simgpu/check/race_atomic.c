/* The atomic that an update stands for, read from the instruction that makes the stored value or
 * decides to store it: `*p = max(*p, x)`, `*p = x > *p ? x : *p` and `if (x > *p) *p = x` are all
 * atomicMax(). What cannot be read so gets the sentence that fits every update. */
#include "sandbox/simgpu/check/race_update.h"

#include <stdio.h>
#include <string.h>

enum { MAX_MOVES = 8 };

struct definition {
    uint32_t pc; /* PC_NONE: none */
    const struct insn *insn;
};

static uint32_t function_start(const struct program *program, uint32_t pc) {
    return program->functions[program_function_at(program, pc)].entry_pc;
}

static bool is_copy(const struct insn *insn) {
    return (insn_op(insn) == OP_mov || insn_op(insn) == OP_cvt) && insn->guard == GUARD_NONE;
}

/* What made the value that `pc` reads, behind moves and conversions. */
static struct definition find_maker(const struct program *program, uint32_t pc, uint32_t operand) {
    uint32_t first = function_start(program, pc);
    for (unsigned moves = 0; moves < MAX_MOVES && !(operand & OPERAND_CONSTANT); moves++) {
        pc = race_update_definition(program, first, pc, operand);
        if (pc == PC_NONE)
            break;
        const struct insn *insn = &program->code[pc];
        if (!is_copy(insn))
            return (struct definition){pc, insn};
        operand = insn->operands[1];
    }
    return (struct definition){PC_NONE, NULL};
}

static bool is_load(const struct definition *maker, const struct insn *store) {
    return maker->insn && maker->insn->cost == COST_LOAD && maker->insn->space == store->space;
}

/* Of two operands of instructions: made by one instruction, or loaded twice from one place. */
static bool is_same(const struct program *program, uint32_t pc, uint32_t operand, uint32_t other_pc,
                    uint32_t other) {
    if ((operand | other) & OPERAND_CONSTANT)
        return operand == other;
    struct definition a = find_maker(program, pc, operand);
    struct definition b = find_maker(program, other_pc, other);
    if (!a.insn || a.pc == b.pc)
        return a.insn == b.insn && a.insn;
    return b.insn && a.insn->cost == COST_LOAD && b.insn->cost == COST_LOAD &&
           race_update_same_address(program, function_start(program, pc), a.pc, b.pc) ==
               SAMENESS_SAME;
}

/* The largest or the smallest value wins. Atomics for it take whole numbers of 32 and 64 bits. */
static enum hazard_fix fix_extremum(bool is_max, bool is_float, unsigned bits) {
    if (is_float || bits < 32)
        return FIX_ATOMIC_EXTREMUM_LOOP;
    return is_max ? FIX_ATOMIC_MAX : FIX_ATOMIC_MIN;
}

/* Of the type that is compared; short values are compared as int, so the store says how wide. */
static enum hazard_fix fix_of_type(bool is_max, const struct insn *insn, const struct insn *store) {
    return fix_extremum(is_max, ptx_type_is_float((enum ptx_type)insn->type),
                        ptx_type_bits((enum ptx_type)store->type));
}

/* -G calls max(), fmaxf() and the like, by these names or mangled ones with the arguments' types at
 * their end. */
static enum hazard_fix fix_of_call(const struct program *program, uint32_t result,
                                   const struct insn *store) {
    for (uint32_t pc = result; pc-- > 0 && result - pc < 8;) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow != FLOW_CALL)
            continue;
        int32_t number = program->calls[insn->call].function;
        char name[64] = "";
        if (number >= 0)
            snprintf(name, sizeof name, "%.*s", (int)program->functions[number].name.length,
                     program->functions[number].name.start);
        bool is_max = strstr(name, "max"), is_min = strstr(name, "min");
        size_t length = strlen(name);
        bool is_float = strstr(name, "fmax") || strstr(name, "fmin") ||
                        (name[0] == '_' && length && strchr("fd", name[length - 1]));
        return is_max != is_min
                   ? fix_extremum(is_max, is_float, ptx_type_bits((enum ptx_type)store->type))
                   : FIX_ATOMIC_UPDATE;
    }
    return FIX_ATOMIC_UPDATE;
}

enum order_of { ORDER_OTHER, FIRST_IS_LESS, FIRST_IS_GREATER };

static enum order_of order_of_compare(const struct insn *insn) {
    switch ((enum compare)insn->compare) {
    case COMPARE_lt:
    case COMPARE_le:
    case COMPARE_ltu:
    case COMPARE_leu:
        return FIRST_IS_LESS;
    case COMPARE_gt:
    case COMPARE_ge:
    case COMPARE_gtu:
    case COMPARE_geu:
        return FIRST_IS_GREATER;
    default:
        return ORDER_OTHER;
    }
}

/* The comparison behind a predicate; *is_negated changes where a `not` stands between. */
static struct definition find_compare(const struct program *program, uint32_t pc,
                                      uint32_t predicate, bool *is_negated) {
    struct definition maker = {pc, NULL};
    for (unsigned moves = 0; moves < MAX_MOVES; moves++) {
        maker = find_maker(program, maker.pc, predicate);
        if (!maker.insn || insn_op(maker.insn) != OP_not)
            break;
        *is_negated = !*is_negated;
        predicate = maker.insn->operands[1];
    }
    bool compares = maker.insn && insn_op(maker.insn) == OP_setp &&
                    maker.insn->boolean == BOOLEAN_NONE && maker.insn->guard == GUARD_NONE &&
                    order_of_compare(maker.insn) != ORDER_OTHER;
    return compares ? maker : (struct definition){PC_NONE, NULL};
}

/* One of the compared operands is kept where the comparison holds: `kept`, as `pc` reads it. */
static enum hazard_fix fix_of_compare(const struct program *program, struct definition test,
                                      bool is_negated, uint32_t pc, uint32_t kept,
                                      const struct insn *store, enum hazard_fix otherwise) {
    bool greater = order_of_compare(test.insn) == FIRST_IS_GREATER;
    if (is_same(program, test.pc, test.insn->operands[3], pc, kept))
        greater = !greater;
    else if (!is_same(program, test.pc, test.insn->operands[2], pc, kept))
        return otherwise;
    return fix_of_type(greater != is_negated, test.insn, store);
}

static enum hazard_fix fix_of_select(const struct program *program, struct definition select,
                                     const struct insn *store) {
    bool is_negated = false;
    struct definition test =
        find_compare(program, select.pc, select.insn->operands[3], &is_negated);
    if (!test.insn)
        return FIX_ATOMIC_UPDATE;
    return fix_of_compare(program, test, is_negated, select.pc, select.insn->operands[1], store,
                          FIX_ATOMIC_UPDATE);
}

enum hazard_fix race_atomic_of_value(const struct program *program, uint32_t store) {
    const struct insn *to = &program->code[store];
    struct definition maker = find_maker(program, store, to->operands[1]);
    if (!maker.insn || maker.insn->guard != GUARD_NONE)
        return FIX_ATOMIC_UPDATE;
    if (insn_op(maker.insn) == OP_ld_param_frame)
        return fix_of_call(program, maker.pc, to);
    if (maker.insn->cost == COST_LOAD) /* either of two, as -G branches for `a > b ? a : b` */
        return FIX_CHECK_THEN_UPDATE;
    if (insn_op(maker.insn) == OP_selp)
        return fix_of_select(program, maker, to);
    struct definition one = find_maker(program, maker.pc, maker.insn->operands[1]);
    struct definition two = find_maker(program, maker.pc, maker.insn->operands[2]);
    if (!is_load(&one, to) && !is_load(&two, to))
        return FIX_ATOMIC_UPDATE;
    switch (insn_op(maker.insn)) {
    case OP_max:
    case OP_min:
        return fix_of_type(insn_op(maker.insn) == OP_max, maker.insn, to);
    case OP_and:
    case OP_or:
    case OP_xor:
        return FIX_ATOMIC_BITS;
    case OP_mul:
    case OP_mul_lo:
        return FIX_ATOMIC_LOOP;
    default:
        return FIX_ATOMIC_UPDATE;
    }
}

enum hazard_fix race_atomic_of_guard(const struct program *program, uint32_t store) {
    const struct insn *to = &program->code[store];
    uint32_t first = function_start(program, store), pc = store;
    bool jumps = to->guard == GUARD_NONE;
    while (jumps && pc-- > first) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE && insn->target > store)
            break;
    }
    if (pc < first || pc == PC_NONE)
        return FIX_CHECK_THEN_UPDATE;
    uint32_t guard = program->code[pc].guard;
    bool is_negated = ((guard & OPERAND_NEGATED) != 0) != jumps;
    struct definition test = find_compare(program, pc, guard, &is_negated);
    return test.insn ? fix_of_compare(program, test, is_negated, store, to->operands[1], to,
                                      FIX_CHECK_THEN_UPDATE)
                     : FIX_CHECK_THEN_UPDATE;
}

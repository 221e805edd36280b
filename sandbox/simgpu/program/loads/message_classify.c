/* How a block hears of another: which accesses wait for a message, and which loads fetch one.
 *
 * A message is data and a flag. The receiver waits for the flag by an access that may come to the
 * same address again (repeated_load.c), or it counts arrivals: an atomic whose old value is
 * compared for equality, by which the last block finds out that it is the last. A comparison with 0
 * asks who came first instead, and has heard of nobody. The data are what a strong load fetches
 * that is made once at its address and whose value goes on to memory, as it is or computed with. A
 * load whose value only decides where to go is a flag of its own and may be old at any time. One
 * that a later look confirms (confirmed_load.c) fetches a message as well, however often it is
 * made.
 *
 * Values are followed through the registers of the function. Where one gets lost (calls, local
 * memory) the load is not taken for a message's: what race_message.c finds must be certain. */
#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 1 << 22,       /* of the search for accesses that repeat */
    MOST_GUARD_STEPS = 1 << 20, /* ... for loads that decide about others */
    MOST_LOOKED_AT = 16 << 20,  /* instructions, in all; hostile programs are long */
};

enum part { PART_NONE, PART_KEPT, PART_COMPUTED };

struct following {
    struct program *program;
    uint32_t first, end; /* pcs of the function */
    bool has_stack;      /* so that generic addresses may be of local memory, as with -G */
    uint8_t *parts;      /* enum part, by register offset / 4 */
    uint32_t part_count;
    uint64_t looked_at, steps, guard_steps;
    bool stored, counted;
};

static bool is_outside(const struct insn *insn) {
    return insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
}

static enum part part_of(const struct following *following, uint32_t operand) {
    uint32_t slot = (operand & ~(uint32_t)3) / 4;
    if (operand == OPERAND_NONE || operand & OPERAND_CONSTANT || slot >= following->part_count)
        return PART_NONE;
    return (enum part)following->parts[slot];
}

static bool is_zero(const struct program *program, const struct insn *insn, uint32_t operand) {
    static const unsigned char zeros[16];
    size_t at = operand & ~(uint32_t)3, bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    return operand != OPERAND_NONE && operand & OPERAND_CONSTANT && bytes <= sizeof zeros &&
           at + bytes <= program->constant_bytes &&
           memcmp(program->constants + at, zeros, bytes) == 0;
}

/* Does a comparison for equality find out how many have come? */
static bool counts(const struct following *following, const struct insn *insn, enum part part) {
    if (insn_op(insn) != OP_setp || (insn->compare != COMPARE_eq && insn->compare != COMPARE_ne))
        return false;
    bool zero = false;
    for (unsigned i = 0; i < OPERAND_SLOTS; i++)
        zero |= is_zero(following->program, insn, insn->operands[i]);
    return part == PART_COMPUTED || !zero;
}

/* What an instruction that reads the value makes of it. */
static enum part follow(struct following *following, const struct insn *insn, enum part part) {
    if (insn->cost == COST_STORE || insn->cost == COST_ATOMIC) {
        bool data = false; /* not the address */
        for (unsigned i = 1; i < OPERAND_SLOTS; i++)
            data |= part_of(following, insn->operands[i]) != PART_NONE;
        following->stored |= data && (insn->space == SPACE_SHARED || insn->space == SPACE_GLOBAL ||
                                      (insn->space == SPACE_GENERIC && !following->has_stack));
        return PART_NONE;
    }
    following->counted |= counts(following, insn, part);
    if (insn->cost == COST_LOAD || (insn->flow != FLOW_EXECUTE && insn->flow != FLOW_WARP_SYNC))
        return PART_NONE;
    return insn_has(insn, TRAIT_KEEPS) ? part : PART_COMPUTED;
}

/* One pass over the function; true when it has found something new. */
static bool spread(struct following *following) {
    bool grown = false;
    for (uint32_t pc = following->first; pc < following->end; pc++) {
        const struct insn *insn = &following->program->code[pc];
        struct instruction_values values;
        instruction_values_of(following->program, pc, &values);
        enum part part = PART_NONE;
        for (unsigned i = 0; i < values.source_count; i++)
            if (part_of(following, values.sources[i]) > part)
                part = part_of(following, values.sources[i]);
        if (part != PART_NONE)
            part = follow(following, insn, part);
        for (unsigned i = 0; part != PART_NONE && i < values.destination_count; i++) {
            uint32_t slot = values.destinations[i] / 4;
            if (slot >= following->part_count || following->parts[slot] >= part ||
                insn_op(insn) == OP_setp)
                continue;
            following->parts[slot] = (uint8_t)part;
            grown = true;
        }
    }
    return grown;
}

static void follow_value(struct following *following, uint32_t pc) {
    struct instruction_values values;
    instruction_values_of(following->program, pc, &values);
    following->stored = following->counted = false;
    memset(following->parts, PART_NONE, following->part_count);
    for (unsigned i = 0; i < values.destination_count; i++)
        if (values.destinations[i] / 4 < following->part_count)
            following->parts[values.destinations[i] / 4] = PART_KEPT;
    for (bool grown = true; grown;) {
        following->looked_at += following->end - following->first + following->part_count;
        if (following->looked_at > MOST_LOOKED_AT) {
            following->stored = following->counted = false;
            return;
        }
        grown = spread(following);
    }
}

static bool is_counter(const struct insn *insn) {
    enum isa_op op = insn_op(insn);
    return op == OP_atomic_add || op == OP_atomic_inc || op == OP_atomic_dec;
}

/* An atomic that changes nothing asks how things stand, as a load does. */
static bool is_test(const struct program *program, const struct insn *insn) {
    enum isa_op op = insn_op(insn);
    return (op == OP_atomic_add || op == OP_atomic_or) && is_zero(program, insn, insn->operands[2]);
}

static void judge(struct following *following, uint32_t pc) {
    struct insn *insn = &following->program->code[pc];
    bool load = insn->cost == COST_LOAD && insn_is_strong(insn) && insn->order != ORDER_GUESS;
    bool atomic = insn->cost == COST_ATOMIC && insn->operands[1] != OPERAND_NONE;
    if (!is_outside(insn) || !(load || atomic))
        return;
    following->program->draws_numbers |= atomic && !is_test(following->program, insn);
    if (insn->extra & EXTRA_CONFIRMED) {
        insn->extra |= EXTRA_CARRIES;
        return;
    }
    if (load_repeats(following->program, pc, &following->steps)) {
        insn->extra |= EXTRA_WAITS;
        return;
    }
    if (load || is_counter(insn))
        follow_value(following, pc);
    if (load && following->stored)
        insn->extra |= EXTRA_CARRIES;
    if (!load && is_counter(insn) && following->counted)
        insn->extra |= EXTRA_ARRIVES;
}

/* Which of the loads that are made once decides whether a message is fetched? It looks for a flag,
 * too, though it does not wait for it. */
static void find_deciding(struct following *following) {
    struct insn *code = following->program->code;
    for (uint32_t pc = following->first; pc < following->end; pc++) {
        struct insn *insn = &code[pc];
        if (insn->cost != COST_LOAD || !insn_is_strong(insn) || insn->order == ORDER_GUESS ||
            !is_outside(insn) || insn->extra & (EXTRA_WAITS | EXTRA_CONFIRMED))
            continue;
        for (uint32_t other = following->first; other < following->end; other++)
            if (code[other].cost == COST_LOAD && insn_is_strong(&code[other]) &&
                is_outside(&code[other]) && code[other].extra & EXTRA_CARRIES &&
                load_guards(following->program, pc, other, &following->guard_steps)) {
                insn->extra |= EXTRA_DECIDES;
                break;
            }
    }
}

void message_intent_find(struct program *program) {
    struct following following = {
        .program = program, .steps = MOST_STEPS, .guard_steps = MOST_GUARD_STEPS};
    for (size_t f = 0; f < program->function_count; f++) {
        const struct program_function *function = &program->functions[f];
        following.first = function->entry_pc;
        following.end = f + 1 < program->function_count ? program->functions[f + 1].entry_pc
                                                        : (uint32_t)program->length;
        following.has_stack = function->local_bytes != 0;
        following.part_count = function->register_bytes / 4;
        following.parts = mem_calloc((size_t)following.part_count + 1, 1);
        for (uint32_t pc = following.first; pc < following.end; pc++)
            judge(&following, pc);
        find_deciding(&following);
        free(following.parts);
    }
}

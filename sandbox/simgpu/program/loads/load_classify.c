/* What a load is for, where the race detector has to know.
 *
 * A volatile load may be a flag or mere data. Volatile makes the compiler really load; it orders
 * nothing, and lanes of a warp do not run in step. A flag is polled, decides where to go or is
 * handed on as it is, and is right to be read while another thread writes it. In
 * `volatile float *s; s[t] += s[t + 16];`, the reduction of old textbooks, the value is computed
 * with: it is right only if the other thread has written it, so that such a load needs an order as
 * a plain one does. What becomes of the value is found by following it through the registers of the
 * function; where it gets lost (calls, local memory, unoptimised code) the load counts as a flag.
 */
#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_LOOKED_AT = 16 << 20
}; /* instructions and registers, in all; hostile programs are long */

/* What a register holds of the value. */
enum part { PART_NONE, PART_KEPT, PART_COMPUTED }; /* KEPT: copied, compared, masked, selected */

struct following {
    const struct program *program;
    const struct insn *load;
    uint32_t first, end; /* pcs of the function */
    uint8_t *parts;      /* enum part, by register offset / 4 */
    uint32_t part_count;
    uint64_t looked_at;
    bool decides;   /* where to go, what to access; or it is lost sight of */
    bool is_data;   /* a later instruction computes with it */
    bool goes_back; /* into the shared array that it came from, as reductions do */
};

static enum part part_of(const struct following *following, uint32_t operand) {
    uint32_t slot = (operand & ~(uint32_t)3) / 4;
    if (operand == OPERAND_NONE || operand & OPERAND_CONSTANT || slot >= following->part_count)
        return PART_NONE;
    return (enum part)following->parts[slot];
}

/* The value goes to memory. */
static void note_store(struct following *following, const struct insn *insn, enum part part) {
    bool shared = following->load->space == SPACE_SHARED;
    if (part_of(following, insn->operands[0]) != PART_NONE ||
        (insn->space != SPACE_SHARED && insn->space != SPACE_GLOBAL))
        following->decides = true; /* an address, or out of sight */
    else if (shared && insn->space == SPACE_SHARED && insn->order == ORDER_VOLATILE)
        following->goes_back = true;
    else if (shared || part == PART_COMPUTED)
        following->is_data = true;
    else
        following->decides = true; /* a block's leader may hand a flag on to the others */
}

static void note_atomic(struct following *following, const struct insn *insn, enum part part) {
    if (part_of(following, insn->operands[0]) != PART_NONE || part == PART_KEPT ||
        insn_op(insn) == OP_atomic_cas)
        following->decides = true;
    else
        following->is_data = true;
}

/* What an instruction that reads the value makes of it; PART_NONE: its result is something else. */
static enum part follow(struct following *following, const struct insn *insn, enum part part) {
    if (insn->guard != GUARD_NONE && part_of(following, insn->guard) != PART_NONE)
        following->decides = true;
    if (insn->cost == COST_STORE) {
        note_store(following, insn, part);
        return PART_NONE;
    }
    if (insn->cost == COST_ATOMIC) {
        note_atomic(following, insn, part);
        return PART_NONE;
    }
    if (insn_has(insn, TRAIT_KEEPS))
        return part;
    if (insn->cost == COST_LOAD || insn->flow != FLOW_EXECUTE) {
        following->decides = true;
        return PART_NONE;
    }
    return PART_COMPUTED;
}

/* One pass over the function; true when it has found something new. */
static bool spread(struct following *following) {
    bool grown = false;
    for (uint32_t pc = following->first; pc < following->end; pc++) {
        struct instruction_values values;
        instruction_values_of(following->program, pc, &values);
        enum part part = PART_NONE;
        for (unsigned i = 0; i < values.source_count; i++)
            if (part_of(following, values.sources[i]) > part)
                part = part_of(following, values.sources[i]);
        if (part == PART_NONE)
            continue;
        part = follow(following, &following->program->code[pc], part);
        for (unsigned i = 0; i < values.destination_count; i++) {
            uint32_t slot = values.destinations[i] / 4;
            if (slot >= following->part_count || following->parts[slot] >= part)
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
    following->load = &following->program->code[pc];
    following->decides = following->is_data = following->goes_back = false;
    memset(following->parts, PART_NONE, following->part_count);
    following->looked_at += following->part_count;
    for (unsigned i = 0; i < values.destination_count; i++)
        if (values.destinations[i] / 4 < following->part_count)
            following->parts[values.destinations[i] / 4] = PART_KEPT;
    for (bool grown = true; grown;) {
        following->looked_at += following->end - following->first;
        if (following->looked_at > MAX_LOOKED_AT) {
            following->decides = true;
            following->goes_back = false;
            return;
        }
        grown = spread(following);
    }
}

/* Is the address the same for all threads: a variable's, or a parameter's? */
static bool is_fixed(struct following *following, uint32_t operand, unsigned depth) {
    const struct program *program = following->program;
    if (operand == OPERAND_NONE || operand & OPERAND_CONSTANT)
        return true;
    unsigned definitions = 0;
    bool fixed = depth > 0;
    following->looked_at += following->end - following->first;
    for (uint32_t pc = following->first; pc < following->end && fixed; pc++) {
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        if (values.destination_count != 1 || values.destinations[0] != (operand & ~(uint32_t)3))
            continue;
        const struct insn *insn = &program->code[pc];
        bool moves = insn_has(insn, TRAIT_MOVES) || insn_op(insn) == OP_cvta;
        fixed =
            ++definitions == 1 && (program->origins[pc].parameter ||
                                   (moves && is_fixed(following, insn->operands[1], depth - 1)));
    }
    return fixed && definitions == 1;
}

/* A variable that some load of the function takes for a flag is one to all of them: who has waited
 * for its turn may add one to it. */
static bool is_flag_elsewhere(struct following *following, const uint32_t *loads,
                              const bool *decides, size_t count, const struct insn *load) {
    enum { MAX_DEPTH = 6 };
    for (size_t i = 0; i < count; i++) {
        const struct insn *other = &following->program->code[loads[i]];
        if (decides[i] && other->operands[0] == load->operands[0] &&
            other->offset == load->offset && other->space == load->space)
            return is_fixed(following, load->operands[0], MAX_DEPTH);
    }
    return false;
}

static void judge_function(struct program *program, struct following *following) {
    uint32_t *loads = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t pc = following->first; pc < following->end; pc++)
        if (program->code[pc].cost == COST_LOAD && program->code[pc].order == ORDER_VOLATILE)
            *mem_push(&loads, &count, &capacity) = pc;
    if (!count)
        return;
    cleanup_free bool *decides = mem_calloc(count, sizeof *decides);
    cleanup_free bool *data = mem_calloc(count, sizeof *data);
    following->parts = mem_calloc((size_t)following->part_count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        follow_value(following, loads[i]);
        decides[i] = following->decides && !following->goes_back;
        data[i] = following->goes_back || (following->is_data && !following->decides);
    }
    for (size_t i = 0; i < count && following->looked_at <= MAX_LOOKED_AT; i++)
        if (data[i] && !(program->code[loads[i]].extra & EXTRA_CONFIRMED) &&
            !is_flag_elsewhere(following, loads, decides, count, &program->code[loads[i]]))
            program->code[loads[i]].order = ORDER_DATA;
    free(following->parts);
    free(loads);
}

static void find_volatile_data(struct program *program) {
    struct following following = {.program = program};
    for (size_t f = 0; f < program->function_count; f++) {
        const struct program_function *function = &program->functions[f];
        following.first = function->entry_pc;
        following.end = f + 1 < program->function_count ? program->functions[f + 1].entry_pc
                                                        : (uint32_t)program->length;
        following.part_count = function->register_bytes / 4;
        judge_function(program, &following);
    }
}

void load_intent_find(struct program *program) {
    find_volatile_data(program);
}

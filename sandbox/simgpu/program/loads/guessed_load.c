/* Loads that are guesses.
 *
 * `old = *p; do { assumed = old; old = atomicCAS(p, assumed, ...) } while (old != assumed)` begins
 * with a plain load that may meet others' atomics. It is right, because the loop repeats until the
 * guess was. Such a load, of the address that a compare-and-swap of the function works on and of
 * the value that it compares with, does not race with it; but the thread that makes it has learnt
 * nothing of others.
 *
 * Addresses are the same where they are the same constant apart from the same register or
 * parameter. In a build without optimisation atomicCAS() is a call of a function, which calls
 * another one, and __float_as_int() is one, too: a function counts as a compare-and-swap where its
 * only one works on what parameters say, and as a copy where its result is a parameter. */
#include "sandbox/simgpu/program/value_index.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdlib.h>

enum {
    MAX_DEPTH = 8,
    MAX_COPIES = 32,
    MAX_STEPS = 16 << 20, /* in all; hostile programs are long */
    CALL_SEQUENCE = 64,   /* instructions between an argument and its call */
    NO_PARAMETER = UINT32_MAX
};

/* An address: so far from what a register, a parameter or an expression holds. */
struct place {
    bool parameter; /* root is its slot */
    uint64_t root;  /* else a number: equal where what computes it is */
    int64_t offset;
};

/* What a function does, where it does no more than that. */
struct summary {
    bool looked, copies;
    uint32_t address, expected; /* parameters of its compare-and-swap; NO_PARAMETER: it is none */
};

struct search {
    struct program *program;
    struct value_index index;
    struct summary *summaries; /* by function */
    uint64_t steps;
};

struct body {
    const struct program_function *function;
    uint32_t first, end;
};

static struct body body_of(const struct program *program, size_t number) {
    return (struct body){&program->functions[number], program->functions[number].entry_pc,
                         number + 1 < program->function_count
                             ? program->functions[number + 1].entry_pc
                             : (uint32_t)program->length};
}

static bool is_operation(const struct insn *insn, enum isa_op operation) {
    return insn->form != FORM_NONE && insn_op(insn) == operation;
}

static bool moves(const struct insn *insn) {
    return insn->form != FORM_NONE && (insn_has(insn, TRAIT_MOVES) || insn_op(insn) == OP_cvta);
}

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t parameter_at(const struct program_function *function, int64_t slot) {
    for (uint32_t i = 0; i < function->param_count; i++)
        if (function->params[i] == slot)
            return i;
    return NO_PARAMETER;
}

static struct place place_of(struct search *search, const struct body *body, uint32_t operand,
                             int64_t offset, unsigned depth);

/* Of what an instruction computes from its operands, or reads: `bins[in[i]]` is one place although
 * in[i] is read twice. */
static uint64_t number_of(struct search *search, const struct body *body, const struct insn *insn,
                          unsigned depth) {
    uint64_t number = mix_word((uint64_t)insn->form << 32 | (uint64_t)insn->type << 16 |
                                   (uint64_t)insn->type2 << 8 | insn->rounding,
                               (uint64_t)insn->offset);
    number = mix_word(number, (uint64_t)insn->compare << 8 | insn->boolean);
    bool loads = insn->cost == COST_LOAD;
    for (unsigned i = loads ? 0 : 1; i < (loads ? 1 : OPERAND_SLOTS); i++) {
        struct place place = place_of(search, body, insn->operands[i], 0, depth + 1);
        number = mix_word(number, place.root + place.parameter);
        number = mix_word(number, (uint64_t)place.offset);
    }
    return number;
}

static bool is_wide_sum(const struct insn *insn) {
    return insn_op(insn) == OP_add && ptx_type_bits((enum ptx_type)insn->type) == 64 &&
           !ptx_type_is_float((enum ptx_type)insn->type);
}

static struct place place_of(struct search *search, const struct body *body, uint32_t operand,
                             int64_t offset, unsigned depth) {
    struct place place = {.root = operand, .offset = offset};
    bool constant = operand >= OPERAND_NONE || operand & OPERAND_CONSTANT;
    if (constant || depth == MAX_DEPTH || ++search->steps > MAX_STEPS)
        return place;
    place.root = operand & ~(uint32_t)3;
    const struct insn *insn =
        value_definition(&search->index, search->program, operand, body->first, body->end);
    if (!insn || insn->form == FORM_NONE || insn->guard != GUARD_NONE)
        return place;
    bool slot = insn_op(insn) == OP_ld_param_entry ||
                (insn_op(insn) == OP_ld_param_frame &&
                 parameter_at(body->function, insn->offset) != NO_PARAMETER);
    if (slot && insn->vector == 1)
        return (struct place){true, (uint64_t)insn->offset, offset};
    if (moves(insn))
        return place_of(search, body, insn->operands[1], offset, depth + 1);
    int64_t added;
    if (is_wide_sum(insn) && instruction_constant(search->program, insn->operands[2], &added))
        return place_of(search, body, insn->operands[1],
                        (int64_t)((uint64_t)offset + (uint64_t)added), depth + 1);
    bool reads = insn->cost == COST_LOAD && insn->order == ORDER_WEAK && insn->vector == 1;
    if (reads || (instruction_is_pure(insn) && !insn->extra))
        place.root = number_of(search, body, insn, depth);
    return place;
}

static bool is_same(struct place a, struct place b) {
    return a.parameter == b.parameter && a.root == b.root && a.offset == b.offset;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The register that an argument of the call was stored from; OPERAND_NONE: none is seen. */
static uint32_t argument_of(const struct search *search, const struct body *body, uint32_t call_pc,
                            uint32_t number) {
    const struct insn *code = search->program->code;
    const struct call_site *call = &search->program->calls[code[call_pc].call];
    if (number >= call->argument_count)
        return OPERAND_NONE;
    for (uint32_t pc = call_pc; pc-- > body->first && call_pc - pc < CALL_SEQUENCE;)
        if (is_operation(&code[pc], OP_st_param_frame) && code[pc].vector == 1 &&
            code[pc].offset == call->arguments[number])
            return code[pc].operands[1];
    return OPERAND_NONE;
}

static const struct summary *summary_of(struct search *search, int32_t number, unsigned depth);

/* A compare-and-swap at `pc`, whether it is an instruction or a call. */
struct exchange {
    uint32_t address, expected; /* registers */
    int64_t offset;
    const struct insn *insn; /* NULL: a call */
};

static bool exchange_at(struct search *search, const struct body *body, uint32_t pc, unsigned depth,
                        struct exchange *exchange) {
    const struct insn *insn = &search->program->code[pc];
    if (is_operation(insn, OP_atomic_cas)) {
        *exchange = (struct exchange){insn->operands[0], insn->operands[2], insn->offset, insn};
        return true;
    }
    if (insn->flow != FLOW_CALL)
        return false;
    const struct summary *callee =
        summary_of(search, search->program->calls[insn->call].function, depth + 1);
    if (!callee || callee->address == NO_PARAMETER)
        return false;
    *exchange = (struct exchange){argument_of(search, body, pc, callee->address),
                                  argument_of(search, body, pc, callee->expected), 0, NULL};
    return exchange->address != OPERAND_NONE && exchange->expected != OPERAND_NONE;
}

static uint32_t parameter_of(struct search *search, const struct body *body, uint32_t operand,
                             int64_t offset) {
    struct place place = place_of(search, body, operand, offset, 0);
    return place.parameter && place.offset == 0 ? parameter_at(body->function, (int64_t)place.root)
                                                : NO_PARAMETER;
}

/* Is what it returns one of its parameters, and does it nothing else? */
static bool only_copies(struct search *search, const struct body *body) {
    uint32_t results = 0;
    for (uint32_t pc = body->first; pc < body->end; pc++) {
        const struct insn *insn = &search->program->code[pc];
        bool result = is_operation(insn, OP_st_param_frame) && body->function->has_result &&
                      insn->offset == body->function->result;
        if (insn->cost == COST_LOAD || insn->cost == COST_STORE || insn->cost == COST_ATOMIC ||
            insn->flow == FLOW_CALL)
            return false;
        results += result;
        if (result && parameter_of(search, body, insn->operands[1], 0) != 0)
            return false;
    }
    return results == 1 && body->function->param_count == 1;
}

static const struct summary *summary_of(struct search *search, int32_t number, unsigned depth) {
    if (number < 0 || depth > MAX_DEPTH)
        return NULL;
    struct summary *summary = &search->summaries[number];
    if (summary->looked)
        return summary;
    *summary = (struct summary){true, false, NO_PARAMETER, NO_PARAMETER};
    struct body body = body_of(search->program, (size_t)number);
    struct exchange exchange, found = {OPERAND_NONE, OPERAND_NONE, 0, NULL};
    size_t count = 0;
    search->steps += body.end - body.first;
    for (uint32_t pc = body.first; pc < body.end && search->steps <= MAX_STEPS; pc++)
        if (exchange_at(search, &body, pc, depth, &exchange)) {
            found = exchange;
            count++;
        }
    if (count == 1) {
        summary->address = parameter_of(search, &body, found.address, found.offset);
        summary->expected = parameter_of(search, &body, found.expected, 0);
        if (summary->expected == NO_PARAMETER)
            summary->address = NO_PARAMETER;
    }
    summary->copies = count == 0 && only_copies(search, &body);
    return summary;
}

/* ---- copies ---------------------------------------------------------------------------------- */

struct copies {
    uint32_t values[MAX_COPIES];
    size_t count;
};

static void add_copy(struct copies *copies, uint32_t operand) {
    uint32_t value = operand & ~(uint32_t)3;
    for (size_t i = 0; i < copies->count; i++)
        if (copies->values[i] == value)
            return;
    if (copies->count < MAX_COPIES)
        copies->values[copies->count++] = value;
}

/* The value is an argument that is stored at `pc`: what the call gives back may be it. */
static void follow_call(struct search *search, const struct body *body, uint32_t pc,
                        struct copies *copies) {
    const struct insn *code = search->program->code;
    int64_t slot = code[pc].offset;
    const struct call_site *call = NULL;
    for (uint32_t end = pc + CALL_SEQUENCE; ++pc < body->end && pc < end;) {
        if (!call && code[pc].flow == FLOW_CALL) {
            call = &search->program->calls[code[pc].call];
            const struct summary *callee = summary_of(search, call->function, 0);
            if (!callee || !callee->copies || call->argument_count != 1 ||
                call->arguments[0] != slot)
                return;
        } else if (call && is_operation(&code[pc], OP_ld_param_frame) && call->has_result &&
                   code[pc].offset == call->result) {
            add_copy(copies, code[pc].operands[1]);
            return;
        }
    }
}

static void follow_copies(struct search *search, const struct body *body, struct copies *copies) {
    const struct value_uses *reads = &search->index.reads;
    for (size_t i = 0; i < copies->count; i++)
        for (size_t at = value_uses_from(reads, copies->values[i], body->first);
             at < reads->count && reads->items[at].value == copies->values[i] &&
             reads->items[at].pc < body->end && ++search->steps < MAX_STEPS;
             at++) {
            const struct insn *insn = &search->program->code[reads->items[at].pc];
            if (is_operation(insn, OP_st_param_frame) && insn->vector == 1)
                follow_call(search, body, reads->items[at].pc, copies);
            else if (insn->cost == COST_MOVE && insn->form != FORM_NONE &&
                     (insn->operands[1] & ~(uint32_t)3) == copies->values[i])
                add_copy(copies, insn->operands[0]);
        }
}

/* ---- guesses --------------------------------------------------------------------------------- */

/* Of a variable at a fixed address, one instruction names it and the other may have it in a
 * register. */
static bool has_same_address(struct search *search, const struct body *body,
                             const struct insn *load, const struct exchange *exchange) {
    if (exchange->insn && load->operands[0] & OPERAND_CONSTANT &&
        load->space == exchange->insn->space)
        return true;
    return is_same(place_of(search, body, load->operands[0], load->offset, 0),
                   place_of(search, body, exchange->address, exchange->offset, 0));
}

static bool is_guess(struct search *search, const struct body *body, const struct insn *load,
                     const struct exchange *exchanges, size_t count) {
    struct copies copies = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        if (!has_same_address(search, body, load, &exchanges[i]))
            continue;
        if (!copies.count) {
            add_copy(&copies, load->operands[1]);
            follow_copies(search, body, &copies);
        }
        for (size_t c = 0; c < copies.count; c++)
            if (copies.values[c] == (exchanges[i].expected & ~(uint32_t)3) &&
                !(exchanges[i].expected & OPERAND_CONSTANT))
                return true;
    }
    return false;
}

static void judge_function(struct search *search, size_t number) {
    struct body body = body_of(search->program, number);
    struct exchange *exchanges = NULL, exchange;
    size_t count = 0, capacity = 0;
    for (uint32_t pc = body.first; pc < body.end && search->steps <= MAX_STEPS; pc++)
        if (exchange_at(search, &body, pc, 0, &exchange))
            *mem_push(&exchanges, &count, &capacity) = exchange;
    for (uint32_t pc = body.first; count && pc < body.end && search->steps <= MAX_STEPS; pc++) {
        struct insn *load = &search->program->code[pc];
        search->steps += count;
        if (load->cost == COST_LOAD && load->order == ORDER_WEAK && load->vector == 1 &&
            is_guess(search, &body, load, exchanges, count))
            load->order = ORDER_GUESS;
    }
    free(exchanges);
}

void guessed_load_find(struct program *program) {
    bool any = false;
    for (uint32_t pc = 0; pc < program->length && !any; pc++)
        any = is_operation(&program->code[pc], OP_atomic_cas);
    if (!any)
        return;
    struct search search = {.program = program,
                            .summaries =
                                mem_calloc(program->function_count, sizeof *search.summaries)};
    value_index_open(&search.index, program);
    for (size_t f = 0; f < program->function_count; f++)
        judge_function(&search, f);
    value_index_close(&search.index);
    free(search.summaries);
}

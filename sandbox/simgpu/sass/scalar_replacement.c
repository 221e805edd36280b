/* Arrays of threads that ptxas keeps in registers: see sass_model_private.h.
 *
 * PTX has every array in local memory. Where the stack is empty (`ptxas -v`), an element whose
 * address is known is a register: reading and writing it is giving a value another name, but for
 * writes in code that not all lanes come to, which are moves. An element whose address is found
 * while the kernel runs is chosen among those that it may be: the address is compared with each of
 * theirs, once for all accesses by it, and each word has a predicated move for each. ptxas 13.0
 * compares with all elements of the array, at steps of the address's alignment, of 16 bytes at most
 * (tests/bench/model/README.md); what it knows of the index's range is left out. Comparisons are
 * made again after a call, which keeps no predicates. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD_LIMIT = 256,     /* of all arrays: a thread has no more registers */
    STEP_BYTES = 16,      /* the widest step between elements that are told apart */
    PREDICATE_CLOCKS = 9, /* more than an addition's, until a comparison's result guards a move:
                             13 in all, as in approximate functions */
    DEPTH_LIMIT = 8,
    DEFINITION_LIMIT = 3,
    STEP_LIMIT = 64, /* definitions looked at for an address; hostile code has endless chains */
};

/* What is known of an address. */
struct element_address {
    bool known, local, fixed; /* looked at; in local memory; always the same */
    uint32_t at;              /* its part that is always the same */
    unsigned candidates;      /* not fixed: elements that it may be */
    uint32_t compared;        /* its predicates are those of that time */
    uint16_t predicates;      /* a value */
};

struct scalar_replacement {
    uint32_t bytes;                 /* of all arrays */
    uint32_t *definitions, *before; /* by value, by pc: pc + 1 of the last, of the one before */
    bool *skipped;                  /* by pc: not all lanes come there */
    struct element_address *places; /* by value */
    uint32_t *access;               /* by value: pc + 1 of an access by it; 0: it is no address */
    uint16_t words[WORD_LIMIT];     /* their values */
    bool starts[WORD_LIMIT * 4];    /* by byte: an array begins there */
    uint32_t time;                  /* counts what no predicate outlasts */
    unsigned steps;                 /* of the address that is looked at */
};

static bool is_local_access(const struct program *program, uint32_t pc) {
    const struct insn *insn = &program->code[pc];
    return insn->space == SPACE_LOCAL && insn->flow == FLOW_EXECUTE &&
           (insn->cost == COST_LOAD || insn->cost == COST_STORE);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool has_constant(const struct program *program, uint32_t operand, uint32_t *number) {
    uint32_t at = operand & ~(uint32_t)OPERAND_CONSTANT;
    if (operand == OPERAND_NONE || !(operand & OPERAND_CONSTANT) ||
        at + sizeof *number > program->constant_bytes)
        return false;
    memcpy(number, program->constants + at, sizeof *number);
    return true;
}

static struct element_address trace(struct sass_model *code, uint32_t operand, unsigned depth);

/* The address of an array, which begins there. */
static bool is_array_address(const struct insn *insn) {
    return insn->space == SPACE_LOCAL && insn_op(insn) == OP_mov_local;
}

/* What one instruction makes. */
static struct element_address trace_result(struct sass_model *code, uint32_t pc, unsigned depth) {
    const struct program *program = code->program;
    const struct insn *insn = &program->code[pc];
    const uint32_t *operands = insn->operands;
    struct element_address first = {.local = false};
    if (is_array_address(insn))
        return (struct element_address){.local = true, .fixed = true, .at = (uint32_t)insn->offset};
    if (insn_has(insn, TRAIT_MOVES) || insn_op(insn) == OP_cvta)
        return trace(code, operands[1], depth);
    if (insn_op(insn) != OP_add)
        return first;
    first = trace(code, operands[1], depth);
    struct element_address second = trace(code, operands[2], depth);
    return (struct element_address){.local = first.local || second.local,
                                    .fixed = first.fixed && second.fixed,
                                    .at = first.at + second.at};
}

static struct element_address trace(struct sass_model *code, uint32_t operand, unsigned depth) {
    struct scalar_replacement *arrays = code->arrays;
    struct element_address found = {.local = false};
    if (has_constant(code->program, operand, &found.at)) {
        found.fixed = true;
        return found;
    }
    uint16_t value = sass_model_value_at(code, code->program->kernel, operand);
    if (value == NO_VALUE || depth == DEPTH_LIMIT)
        return found;
    unsigned definitions = 0;
    for (uint32_t pc = arrays->definitions[value]; pc; pc = arrays->before[pc - 1]) {
        if (++definitions > DEFINITION_LIMIT || ++arrays->steps > STEP_LIMIT)
            break;
        struct element_address other = trace_result(code, pc - 1, depth + 1);
        bool same = definitions == 1 || (found.fixed && other.fixed && found.at == other.at);
        if (definitions == 1 || (other.local && !found.local))
            found = other;
        found.fixed &= same;
    }
    found.fixed &= definitions <= DEFINITION_LIMIT && arrays->steps <= STEP_LIMIT;
    return found;
}

/* Elements of the array in which the address lies, at steps of its alignment. */
static unsigned count_candidates(const struct sass_model *code, uint16_t value,
                                 const struct element_address *place) {
    const struct scalar_replacement *arrays = code->arrays;
    uint32_t from = place->at < arrays->bytes ? place->at : 0, to = from + 1;
    while (from > 0 && !arrays->starts[from])
        from--;
    while (to < arrays->bytes && !arrays->starts[to])
        to++;
    uint32_t access = arrays->access[value] - 1;
    const struct insn *insn = &code->program->code[access];
    unsigned step = instruction_base_alignment(code->program, access);
    unsigned least = ptx_type_bits((enum ptx_type)insn->type) / 8 * insn->vector;
    step = step > STEP_BYTES ? STEP_BYTES : step;
    step = step < least ? least : step;
    unsigned count = step ? (to - from + step - 1) / step : 1;
    return count > UINT8_MAX ? UINT8_MAX : count;
}

static struct element_address *place_of(struct sass_model *code, uint32_t operand, uint16_t value) {
    struct element_address *place = &code->arrays->places[value];
    if (!place->known) {
        code->arrays->steps = 0;
        *place = trace(code, operand, 0);
        place->known = true;
        place->predicates = NO_VALUE;
    }
    return place;
}

/* ---- operations ------------------------------------------------------------------------------ */

static uint16_t word_at(struct sass_model *code, uint64_t at) {
    uint16_t *word = &code->arrays->words[at / 4 % WORD_LIMIT];
    if (*word == NO_VALUE)
        *word = sass_model_new_value(code);
    return *word;
}

static struct operation *add_moves(struct region *region, const struct operation *whole,
                                   enum cost_pipe pipe, unsigned issue) {
    struct operation *operation = mem_push(&region->operations, &region->count, &region->capacity);
    *operation = *whole;
    operation->kind = issue ? OPERATION_COMPUTE : OPERATION_NAME;
    operation->pipe = (uint8_t)pipe;
    operation->issue = (uint8_t)(issue > UINT8_MAX ? UINT8_MAX : issue);
    operation->passes = (float)issue;
    operation->alu = issue > 0;
    operation->extra = 0;
    operation->sources[0] = operation->destinations[0] = NO_VALUE;
    return operation;
}

static unsigned words_of(const struct insn *insn) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    return (bytes + 3) / 4 * insn->vector;
}

/* The address is always the same: a name, or a move where others may have gone round it. */
static void make_name(struct sass_model *code, struct region *region, const struct operation *whole,
                      uint64_t at) {
    const struct insn *insn = &code->program->code[whole->pc];
    unsigned words = words_of(insn);
    bool store = insn->cost == COST_STORE;
    bool moves = store && (whole->conditional || code->arrays->skipped[whole->pc]);
    struct operation *name = add_moves(region, whole, PIPE_EITHER, moves ? words : 0);
    if (store)
        memcpy(name->sources, whole->sources, sizeof name->sources);
    else
        memcpy(name->destinations, whole->destinations, sizeof name->destinations);
    for (unsigned w = 0; w < words; w++)
        if (store)
            sass_model_add_destination(name, word_at(code, at + 4 * w));
        else
            sass_model_add_source(name, word_at(code, at + 4 * w));
}

/* Finds the place's predicates, by comparisons where there are none yet. */
static void compare(struct sass_model *code, struct region *region, const struct operation *whole,
                    struct element_address *place, uint16_t value) {
    if (!place->candidates)
        place->candidates = count_candidates(code, value, place);
    if (place->predicates != NO_VALUE && place->compared == code->arrays->time)
        return;
    struct operation *comparisons = add_moves(region, whole, PIPE_INTEGER, place->candidates);
    comparisons->extra = PREDICATE_CLOCKS;
    sass_model_add_source(comparisons, value);
    if (place->predicates == NO_VALUE)
        place->predicates = sass_model_new_value(code);
    sass_model_add_destination(comparisons, place->predicates);
    place->compared = code->arrays->time;
}

/* A move for each word and element: into one register from all of them, or from one into all. */
static void make_moves(struct sass_model *code, struct region *region,
                       const struct operation *whole, const struct element_address *place) {
    const struct insn *insn = &code->program->code[whole->pc];
    unsigned moves = place->candidates * words_of(insn), step = 4;
    bool store = insn->cost == COST_STORE;
    uint64_t from = place->at + (uint64_t)insn->offset;
    struct operation *move = NULL;
    for (unsigned m = 0; m < moves; m += step) {
        unsigned issue = moves - m < step ? moves - m : step;
        if (!move || store) {
            move = add_moves(region, whole, PIPE_EITHER, issue);
            if (store)
                memcpy(move->sources, whole->sources, sizeof move->sources);
            else
                memcpy(move->destinations, whole->destinations, sizeof move->destinations);
            sass_model_add_source(move, place->predicates);
        } else {
            move->issue =
                (uint8_t)(move->issue + issue > UINT8_MAX ? UINT8_MAX : move->issue + issue);
            move->passes += (float)issue;
        }
        for (unsigned i = 0; i < issue; i++)
            if (store)
                sass_model_add_destination(move, word_at(code, from + 4 * (m + i)));
            else
                sass_model_add_source(move, word_at(code, from + 4 * (m + i)));
    }
}

bool scalar_replacement_expand(struct sass_model *code, struct region *region,
                               const struct operation *whole) {
    const struct insn *insn = &code->program->code[whole->pc];
    if (!code->arrays || !is_local_access(code->program, whole->pc) ||
        program_function_at(code->program, whole->pc) != code->program->kernel)
        return false;
    uint32_t address = insn->operands[0], at = 0;
    uint16_t value = sass_model_value_at(code, code->program->kernel, address);
    struct element_address *place = value == NO_VALUE ? NULL : place_of(code, address, value);
    if (!place || place->fixed) {
        if (place)
            at = place->at;
        else
            has_constant(code->program, address, &at);
        make_name(code, region, whole, at + (uint64_t)insn->offset);
        return true;
    }
    compare(code, region, whole, place, value);
    make_moves(code, region, whole, place);
    return true;
}

/* A sum that only says where in an array an element lies: its number is part of what the address is
 * compared with. */
static bool is_folded(struct sass_model *code, const struct operation *operation) {
    const struct insn *insn = &code->program->code[operation->pc];
    uint16_t value = operation->destinations[0];
    if (operation->kind != OPERATION_COMPUTE || value == NO_VALUE || insn_op(insn) != OP_add ||
        program_function_at(code->program, operation->pc) != code->program->kernel)
        return false;
    code->arrays->steps = 0;
    bool first = trace(code, insn->operands[1], 1).fixed;
    bool second = trace(code, insn->operands[2], 1).fixed;
    return (first && second) || (code->arrays->access[value] && (first || second));
}

void scalar_replacement_note(struct sass_model *code, struct operation *operation) {
    struct scalar_replacement *arrays = code->arrays;
    if (!arrays)
        return;
    arrays->time += operation->serial;
    for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE; d++)
        arrays->places[operation->destinations[d]].compared = 0;
    if (is_folded(code, operation))
        sass_model_make_free(operation);
}

void scalar_replacement_forget(struct sass_model *code) {
    if (code->arrays)
        code->arrays->time++;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void note_access(struct sass_model *code, uint32_t pc) {
    const struct insn *insn = &code->program->code[pc];
    uint16_t value = sass_model_value_at(code, code->program->kernel, insn->operands[0]);
    if (value != NO_VALUE)
        code->arrays->access[value] = pc + 1;
}

/* Further results of an instruction are no addresses. */
static void note_definition(struct sass_model *code, uint32_t pc) {
    struct scalar_replacement *arrays = code->arrays;
    struct instruction_values values;
    instruction_values_of(code->program, pc, &values);
    uint16_t value = values.destination_count
                         ? sass_model_value_at(code, code->program->kernel, values.destinations[0])
                         : NO_VALUE;
    if (value == NO_VALUE)
        return;
    arrays->before[pc] = arrays->definitions[value];
    arrays->definitions[value] = pc + 1;
}

/* What a branch forward goes over, to where elements are still read or written. */
static void find_skipped(struct sass_model *code) {
    const struct program *program = code->program;
    uint32_t last = 0, until = 0;
    for (uint32_t pc = 0; pc < program->length; pc++)
        if (is_local_access(program, pc))
            last = pc;
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        code->arrays->skipped[pc] = pc < until;
        if (insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE && insn->target <= last &&
            insn->target > (int64_t)until)
            until = (uint32_t)insn->target;
    }
}

static void note_start(struct scalar_replacement *arrays, int64_t at) {
    if (at >= 0 && at < (int64_t)arrays->bytes) /* a number may be anything */
        arrays->starts[at] = true;
}

/* Arrays lie one after the other: each begins where a number is added to the first one's address.
 */
static void find_starts(struct sass_model *code) {
    const struct program *program = code->program;
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (program_function_at(program, pc) != program->kernel)
            continue;
        if (is_array_address(insn))
            note_start(code->arrays, insn->offset);
        uint32_t number;
        if (insn_op(insn) != OP_add || !has_constant(program, insn->operands[2], &number))
            continue;
        uint16_t stack = sass_model_value_at(code, program->kernel, insn->operands[1]);
        uint32_t definition = stack == NO_VALUE ? 0 : code->arrays->definitions[stack];
        if (!definition || code->arrays->before[definition - 1])
            continue;
        const struct insn *address = &program->code[definition - 1];
        if (is_array_address(address))
            note_start(code->arrays, address->offset + (int32_t)number);
    }
}

void scalar_replacement_find(struct sass_model *code) {
    const struct program *program = code->program;
    const struct program_function *kernel = &program->functions[program->kernel];
    if (!kernel->local_bytes || kernel->local_bytes > WORD_LIMIT * 4)
        return;
    struct scalar_replacement *arrays = code->arrays = mem_zalloc(sizeof *arrays);
    arrays->bytes = kernel->local_bytes;
    arrays->time = 1;
    arrays->definitions = mem_calloc(VALUE_LIMIT, sizeof *arrays->definitions);
    arrays->before = mem_calloc(program->length + 1, sizeof *arrays->before);
    arrays->skipped = mem_calloc(program->length + 1, sizeof *arrays->skipped);
    arrays->places = mem_calloc(VALUE_LIMIT, sizeof *arrays->places);
    arrays->access = mem_calloc(VALUE_LIMIT, sizeof *arrays->access);
    memset(arrays->words, 0xff, sizeof arrays->words);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        if (program_function_at(program, pc) != program->kernel)
            continue;
        note_definition(code, pc);
        if (is_local_access(program, pc))
            note_access(code, pc);
    }
    find_skipped(code);
    find_starts(code);
}

void scalar_replacement_free(struct scalar_replacement *arrays) {
    if (!arrays)
        return;
    free(arrays->definitions);
    free(arrays->before);
    free(arrays->skipped);
    free(arrays->places);
    free(arrays->access);
    free(arrays);
}

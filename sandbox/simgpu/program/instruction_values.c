/* Reads and writes of decoded instructions: see instruction_values.h.
 *
 * The rows of isa.def say which slots are results. */
#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/program/texture_access.h"

#include <string.h>

static void add_source(struct instruction_values *values, uint32_t offset) {
    if (offset != OPERAND_NONE && !(offset & OPERAND_CONSTANT) &&
        values->source_count < VALUE_OPERANDS)
        values->sources[values->source_count++] = offset & ~(uint32_t)3;
}

static void add_destination(struct instruction_values *values, uint32_t offset) {
    if (offset != OPERAND_NONE && !(offset & OPERAND_CONSTANT) &&
        values->destination_count < VALUE_OPERANDS)
        values->destinations[values->destination_count++] = offset & ~(uint32_t)3;
}

/* Slots from..to-1 are results, all others are read. */
static void add_slots(const struct insn *insn, unsigned from, unsigned to,
                      struct instruction_values *values) {
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        if (slot >= from && slot < to)
            add_destination(values, insn->operands[slot]);
        else
            add_source(values, insn->operands[slot]);
}

static void add_fragment(const struct fragment *fragment, bool destination,
                         struct instruction_values *values) {
    for (unsigned i = 0; i < fragment->count && i < FRAGMENT_REGISTERS; i++)
        if (destination)
            add_destination(values, fragment->registers[i]);
        else
            add_source(values, fragment->registers[i]);
}

static void add_matrix(const struct program *program, const struct insn *insn,
                       enum isa_results results, struct instruction_values *values) {
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        add_source(values, insn->operands[slot]);
    if (insn->matrix < 0 || (size_t)insn->matrix >= program->matrix_count)
        return;
    const struct matrix *matrix = &program->matrices[insn->matrix];
    add_fragment(&matrix->d, results != RESULTS_MATRIX_STORE, values);
    if (results == RESULTS_MATRIX_PRODUCT) {
        add_fragment(&matrix->c, false, values);
        add_fragment(&matrix->a, false, values);
        add_fragment(&matrix->b, false, values);
    }
}

static void add_texture(const struct program *program, const struct insn *insn, bool store,
                        struct instruction_values *values) {
    add_source(values, insn->operands[0]);
    if (insn->texture < 0 || (size_t)insn->texture >= program->texture_count)
        return;
    const struct texture_access *access = &program->textures[insn->texture];
    for (unsigned i = 0; i < TEXTURE_OPERANDS; i++)
        if (store || i >= TEXTURE_FIRST_SOURCE)
            add_source(values, access->operands[i]);
        else
            add_destination(values, access->operands[i]);
}

static void add_by_letters(const struct insn *insn, const char *letters,
                           struct instruction_values *values) {
    unsigned slot = strchr(letters, 'm') ? 1 : 0;
    unsigned from = OPERAND_SLOTS, to = OPERAND_SLOTS;
    for (const char *letter = letters; *letter && from == OPERAND_SLOTS; letter++) {
        if (!strchr("DEUPSV", *letter))
            break;
        from = slot;
        to = slot + (*letter == 'V' ? insn->vector : *letter == 'P' ? 2u : 1u);
    }
    add_slots(insn, from, to, values);
}

void instruction_values_of(const struct program *program, uint32_t pc,
                           struct instruction_values *values) {
    const struct insn *insn = &program->code[pc];
    enum isa_results results = (enum isa_results)insn_operation(insn)->results;
    values->source_count = values->destination_count = 0;
    if (insn->flow == FLOW_JOIN)
        return;
    if (insn->guard != GUARD_NONE)
        add_source(values, insn->guard);
    switch (results) {
    case RESULTS_LETTERS:
        add_by_letters(insn, isa_forms[insn->form].operands, values);
        break;
    case RESULTS_NONE:
        add_slots(insn, 0, 0, values);
        break;
    case RESULTS_FIRST:
        add_slots(insn, 0, 1, values);
        break;
    case RESULTS_PAIR:
        add_slots(insn, 0, 2, values);
        break;
    case RESULTS_SECOND:
        add_slots(insn, 1, 2, values);
        break;
    case RESULTS_VECTOR:
        add_slots(insn, 1, 1u + insn->vector, values);
        break;
    case RESULTS_MATRIX_LOAD:
    case RESULTS_MATRIX_STORE:
    case RESULTS_MATRIX_PRODUCT:
        add_matrix(program, insn, results, values);
        break;
    case RESULTS_TEXTURE:
    case RESULTS_TEXTURE_STORE:
        add_texture(program, insn, results == RESULTS_TEXTURE_STORE, values);
        break;
    }
}

/* ---- alignment ------------------------------------------------------------------------------- */

enum { ALIGNMENT_LIMIT = 256, DEPTH_LIMIT = 8, DEFINITION_LIMIT = 3, STEP_LIMIT = 64 };

struct value_search {
    const struct program *program;
    unsigned steps; /* instructions looked at; hostile code has endless chains */
};

static unsigned power_in(uint64_t number) {
    if (number == 0)
        return ALIGNMENT_LIMIT;
    uint64_t power = number & -number;
    return power > ALIGNMENT_LIMIT ? ALIGNMENT_LIMIT : (unsigned)power;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned product(unsigned a, unsigned b) {
    return least(a * b, ALIGNMENT_LIMIT);
}

static bool constant_of(const struct program *program, uint32_t operand, uint64_t *value) {
    uint32_t low;
    if (operand == OPERAND_NONE || !(operand & OPERAND_CONSTANT) ||
        (operand & ~(uint32_t)3) + sizeof low > program->constant_bytes)
        return false;
    memcpy(&low, program->constants + (operand & ~(uint32_t)3), sizeof low);
    *value = low;
    return true;
}

static unsigned value_alignment(struct value_search *search, uint32_t before, uint32_t operand,
                                unsigned depth);

static unsigned result_alignment(struct value_search *search, uint32_t pc, unsigned depth) {
    const struct insn *insn = &search->program->code[pc];
    const uint32_t *operands = insn->operands;
    uint64_t count;
    unsigned first = value_alignment(search, pc, operands[1], depth);
    if (insn_has(insn, TRAIT_MOVES))
        return first;
    unsigned second = value_alignment(search, pc, operands[2], depth);
    switch (insn_op(insn)) {
    case OP_cvta:
    case OP_cvt:
        return first;
    case OP_shl:
        return constant_of(search->program, operands[2], &count) && count < 8
                   ? product(first, 1u << count)
                   : first;
    case OP_add:
    case OP_sub:
    case OP_selp:
    case OP_or:
    case OP_xor:
        return least(first, second);
    case OP_mul_lo:
    case OP_mul_wide:
        return product(first, second);
    case OP_mad_lo:
    case OP_mad_wide:
        return least(product(first, second), value_alignment(search, pc, operands[3], depth));
    case OP_and:
        return first > second ? first : second;
    default:
        return 1;
    }
}

/* Of all instructions that write the register; `before` is one of its readers. */
static unsigned value_alignment(struct value_search *search, uint32_t before, uint32_t operand,
                                unsigned depth) {
    const struct program *program = search->program;
    uint64_t number;
    if (constant_of(program, operand, &number))
        return power_in(number);
    if (operand == OPERAND_NONE)
        return ALIGNMENT_LIMIT;
    if (depth == DEPTH_LIMIT || ++search->steps > STEP_LIMIT)
        return 1;
    unsigned alignment = ALIGNMENT_LIMIT, definitions = 0;
    for (uint32_t pc = 0; pc < program->length && definitions <= DEFINITION_LIMIT; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->operands[0] != operand || pc == before || insn->flow != FLOW_EXECUTE)
            continue;
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        if (values.destination_count != 1 || values.destinations[0] != operand)
            continue;
        definitions++;
        alignment = least(alignment, result_alignment(search, pc, depth + 1));
    }
    return definitions == 0 || definitions > DEFINITION_LIMIT ? 1 : alignment;
}

unsigned instruction_base_alignment(const struct program *program, uint32_t pc) {
    struct value_search search = {.program = program};
    return value_alignment(&search, pc, program->code[pc].operands[0], 0);
}

unsigned instruction_alignment(const struct program *program, uint32_t pc) {
    return least(power_in((uint64_t)program->code[pc].offset),
                 instruction_base_alignment(program, pc));
}

bool instruction_is_pure(const struct insn *insn) {
    switch ((enum cost_class)insn->cost) {
    case COST_LOAD:
        return insn->space == SPACE_PARAM || insn->space == SPACE_CONST;
    case COST_STORE:
    case COST_ATOMIC:
    case COST_TEXTURE:
    case COST_MATRIX:
    case COST_ASYNC:
    case COST_WARP:
    case COST_BARRIER:
    case COST_CONTROL:
        return false;
    default:
        return insn->form != FORM_NONE && insn_operation(insn)->effect != EFFECT_CLOCK;
    }
}

bool instruction_constant(const struct program *program, uint32_t operand, int64_t *value) {
    size_t at = operand & ~(uint32_t)3;
    if (operand == OPERAND_NONE || !(operand & OPERAND_CONSTANT) ||
        at + sizeof *value > program->constant_bytes)
        return false;
    memcpy(value, program->constants + at, sizeof *value);
    return true;
}

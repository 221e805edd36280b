/* Reads and writes of decoded instructions: see instruction_values.h.
 *
 * The letters of isa.def say which slots are results. Forms that have decoders of their own ("n")
 * are told apart by their base name, as instruction.c does. */
#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/matrix.h"

#include <string.h>

static bool has_base(struct ptx_span mnemonic, const char *base) {
    size_t length = strlen(base);
    return mnemonic.length >= length && memcmp(mnemonic.start, base, length) == 0 &&
           (mnemonic.length == length || mnemonic.start[length] == '.');
}

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
                       struct ptx_span mnemonic, struct instruction_values *values) {
    bool store =
        memmem(mnemonic.start, mnemonic.length, "store", 5) || has_base(mnemonic, "stmatrix");
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        add_source(values, insn->operands[slot]);
    if (insn->immediate < 0 || (size_t)insn->immediate >= program->matrix_count)
        return;
    const struct matrix *matrix = &program->matrices[insn->immediate];
    add_fragment(&matrix->d, !store, values);
    if (matrix->k && !memmem(mnemonic.start, mnemonic.length, ".load", 5) && !store) {
        add_fragment(&matrix->c, false, values);
        add_fragment(&matrix->a, false, values);
        add_fragment(&matrix->b, false, values);
    }
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

/* Forms with decoders of their own: slots from..to-1 are their results. */
static const struct own_form {
    const char *base;
    uint8_t from, to;
} own_forms[] = {
    {"st", 0, 0},       {"red", 0, 0},      {"bar", 0, 1},   {"barrier", 0, 1}, {"bra", 0, 0},
    {"brx", 0, 0},      {"call", 0, 0},     {"ret", 0, 0},   {"exit", 0, 0},    {"atom", 1, 2},
    {"vote", 0, 2},     {"shfl", 0, 2},     {"match", 0, 2}, {"redux", 0, 2},   {"elect", 0, 2},
    {"cp", 0, 0},       {"prefetch", 0, 0}, {"fence", 0, 0}, {"membar", 0, 0},  {"trap", 0, 0},
    {"mbarrier", 1, 2},
};

struct value_rule instruction_value_rule(struct ptx_span mnemonic, int row) {
    static const char *const matrices[] = {"mma", "wmma", "ldmatrix", "stmatrix", "movmatrix"};
    for (size_t i = 0; i < ARRAY_LENGTH(matrices); i++)
        if (has_base(mnemonic, matrices[i]))
            return (struct value_rule){.kind = VALUES_MATRIX};
    for (size_t i = 0; i < ARRAY_LENGTH(own_forms); i++)
        if (has_base(mnemonic, own_forms[i].base))
            return (struct value_rule){
                .kind = VALUES_SLOTS, .from = own_forms[i].from, .to = own_forms[i].to};
    if (has_base(mnemonic, "ld") || has_base(mnemonic, "ldu"))
        return (struct value_rule){.kind = VALUES_VECTOR};
    if (row >= 0 && strcmp(isa_forms[row].operands, "n") != 0)
        return (struct value_rule){.kind = VALUES_LETTERS, .letters = isa_forms[row].operands};
    return (struct value_rule){.kind = VALUES_SLOTS, .from = 0, .to = 1};
}

void instruction_values_of(const struct program *program, uint32_t pc,
                           struct instruction_values *values) {
    const struct insn *insn = &program->code[pc];
    const struct insn_origin *origin = &program->origins[pc];
    const struct value_rule *rule = &origin->values;
    values->source_count = values->destination_count = 0;
    if (insn->flow == FLOW_JOIN)
        return;
    if (insn->guard != GUARD_NONE)
        add_source(values, insn->guard);
    switch (rule->kind) {
    case VALUES_SLOTS:
        add_slots(insn, rule->from, rule->to, values);
        break;
    case VALUES_VECTOR:
        add_slots(insn, 1, 1u + insn->vector, values);
        break;
    case VALUES_LETTERS:
        add_by_letters(insn, rule->letters, values);
        break;
    case VALUES_MATRIX:
        add_matrix(program, insn, origin->mnemonic, values);
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
    struct ptx_span name = search->program->origins[pc].mnemonic;
    const uint32_t *operands = insn->operands;
    uint64_t count;
    unsigned first = value_alignment(search, pc, operands[1], depth);
    if (has_base(name, "mov") || has_base(name, "cvta") || has_base(name, "cvt"))
        return first;
    unsigned second = value_alignment(search, pc, operands[2], depth);
    if (has_base(name, "shl"))
        return constant_of(search->program, operands[2], &count) && count < 8
                   ? product(first, 1u << count)
                   : first;
    if (has_base(name, "add") || has_base(name, "sub"))
        return least(first, second);
    if (has_base(name, "mul"))
        return product(first, second);
    if (has_base(name, "mad"))
        return least(product(first, second), value_alignment(search, pc, operands[3], depth));
    if (has_base(name, "selp"))
        return least(first, second);
    if (has_base(name, "and"))
        return first > second ? first : second;
    if (has_base(name, "or") || has_base(name, "xor"))
        return least(first, second);
    return 1;
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
    return least(power_in((uint64_t)program->code[pc].immediate),
                 instruction_base_alignment(program, pc));
}

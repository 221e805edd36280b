/* Values of 64 bits of which 32 are computed: see sass_model_private.h.
 *
 * PTX computes them in 64 bits, as those of device memory. But shared memory is small, its
 * instructions take addresses of 32 bits, and so the assembler leaves out whatever only the upper
 * halves need: sums and masks of two halves become one instruction, and a product of 64 bits, of
 * four, becomes one. The same goes for what is cut down to 32 bits, by a conversion or a mask. A
 * value is narrow where everything that reads it takes it as an address in shared memory, cuts it
 * down or computes a narrow value, the lower half of which needs lower halves only.
 * This is found for the whole program, as addresses are often computed before a loop. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <string.h>

/* NARROW: what an instruction of 64 bits, whose upper half nothing needs, is instead. */
static const struct half_form {
    enum isa_op op;
    enum ptx_type type, other_type; /* in any order; PTX_NO_TYPE: any */
    uint8_t pipe, issue;            /* no issue: nothing */
    bool reads_all;                 /* ... though it needs both halves of what it reads */
} narrows[] = {
    {OP_add, PTX_s64, PTX_NO_TYPE, PIPE_EITHER, 1},
    {OP_add, PTX_u64, PTX_NO_TYPE, PIPE_EITHER, 1},
    {OP_sub, PTX_s64, PTX_NO_TYPE, PIPE_EITHER, 1},
    {OP_sub, PTX_u64, PTX_NO_TYPE, PIPE_EITHER, 1},
    {OP_shl, PTX_b64, PTX_NO_TYPE, PIPE_EITHER, 1},
    {OP_and, PTX_b64, PTX_NO_TYPE, PIPE_INTEGER, 1},
    {OP_or, PTX_b64, PTX_NO_TYPE, PIPE_INTEGER, 1},
    {OP_xor, PTX_b64, PTX_NO_TYPE, PIPE_INTEGER, 1},
    {OP_not, PTX_b64, PTX_NO_TYPE, PIPE_INTEGER, 1},
    {OP_mul_lo, PTX_s64, PTX_NO_TYPE, PIPE_MULTIPLY, 1},
    {OP_mul_lo, PTX_u64, PTX_NO_TYPE, PIPE_MULTIPLY, 1},
    {OP_mad_lo, PTX_s64, PTX_NO_TYPE, PIPE_MULTIPLY, 1},
    {OP_mad_lo, PTX_u64, PTX_NO_TYPE, PIPE_MULTIPLY, 1},
    {OP_mul_wide, PTX_NO_TYPE, PTX_NO_TYPE, PIPE_MULTIPLY, 1},
    {OP_mad_wide, PTX_NO_TYPE, PTX_NO_TYPE, PIPE_MULTIPLY, 1},
    {OP_cvt, PTX_s64, PTX_s32, PIPE_NONE, 0},
    {OP_cvt, PTX_u64, PTX_s32, PIPE_NONE, 0},
    {OP_cvt, PTX_s64, PTX_u32, PIPE_NONE, 0},
    {OP_cvt, PTX_u64, PTX_u32, PIPE_NONE, 0},
    {OP_mov, PTX_u64, PTX_NO_TYPE, PIPE_NONE, 0},
    {OP_mov, PTX_b64, PTX_NO_TYPE, PIPE_NONE, 0},
    {OP_selp, PTX_b64, PTX_NO_TYPE, PIPE_INTEGER, 1},
    {OP_shr, PTX_u64, PTX_NO_TYPE, PIPE_INTEGER, 1, true},
    {OP_shr, PTX_s64, PTX_NO_TYPE, PIPE_INTEGER, 1, true},
    {OP_shr, PTX_b64, PTX_NO_TYPE, PIPE_INTEGER, 1, true},
};

static const struct half_form *find_half_form(const struct insn *insn) {
    enum isa_op op = insn_has(insn, TRAIT_MOVES) ? OP_mov : insn_op(insn);
    for (size_t i = 0; i < ARRAY_LENGTH(narrows); i++)
        if (narrows[i].op == op && insn_has_type(insn, narrows[i].type) &&
            insn_has_type(insn, narrows[i].other_type))
            return &narrows[i];
    return NULL;
}

/* Whether the instruction takes the operand as an address in shared or constant memory, and nothing
 * else. */
static bool is_address(const struct insn *insn, const struct instruction_values *values,
                       uint32_t operand) {
    unsigned times = 0;
    for (unsigned s = 0; s < values->source_count; s++)
        times += values->sources[s] == operand;
    bool address32 = insn->space == SPACE_SHARED || insn->space == SPACE_CONST;
    return address32 && insn->flow == FLOW_EXECUTE && times == 1 &&
           (insn->cost == COST_LOAD || insn->cost == COST_STORE || insn->cost == COST_ATOMIC) &&
           operand == insn->operands[0];
}

/* A mask of the lower half: the upper one of its result is nought, which takes no instruction. */
static bool is_low_mask(const struct program *program, uint32_t pc) {
    const struct insn *insn = &program->code[pc];
    if (!insn_is(insn, OP_and, PTX_b64))
        return false;
    for (unsigned slot = 1; slot <= 2; slot++) {
        uint32_t operand = insn->operands[slot], at = operand & ~(uint32_t)OPERAND_CONSTANT;
        uint64_t mask;
        if (operand == OPERAND_NONE || !(operand & OPERAND_CONSTANT) ||
            at + sizeof mask > program->constant_bytes)
            continue;
        memcpy(&mask, program->constants + at, sizeof mask);
        if (mask <= UINT32_MAX)
            return true;
    }
    return false;
}

/* Whether the instruction needs the lower half only of what it reads; its result: NO_VALUE where it
 * has none or several. */
static bool takes_half(const struct sass_model *code, uint32_t pc, uint16_t result) {
    const struct insn *insn = &code->program->code[pc];
    const struct half_form *form = find_half_form(insn);
    return (insn_is(insn, OP_cvt, PTX_u32) && insn_has_type(insn, PTX_u64)) ||
           is_low_mask(code->program, pc) ||
           (result != NO_VALUE && code->low_half[result] && form && !form->reads_all);
}

/* One look at the instruction's sources; true: one of them was taken for narrow and is not. */
static bool look(struct sass_model *code, uint32_t pc) {
    const struct program *program = code->program;
    size_t function = program_function_at(program, pc);
    struct instruction_values values;
    instruction_values_of(program, pc, &values);
    uint16_t result = values.destination_count == 1
                          ? sass_model_value_at(code, function, values.destinations[0])
                          : NO_VALUE;
    bool half = takes_half(code, pc, result), changed = false;
    for (unsigned s = 0; s < values.source_count; s++) {
        uint16_t value = sass_model_value_at(code, function, values.sources[s]);
        if (value == NO_VALUE || !code->low_half[value] || half ||
            is_address(&program->code[pc], &values, values.sources[s]))
            continue;
        code->low_half[value] = false;
        changed = true;
    }
    return changed;
}

void demanded_bits_find(struct sass_model *code) {
    memset(code->low_half, true, VALUE_LIMIT * sizeof *code->low_half);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t pc = code->program->length; pc-- > 0;) /* readers mostly come after */
            changed |= look(code, (uint32_t)pc);
    }
}

bool demanded_bits_is_half(const struct sass_model *code, const struct operation *operation) {
    return operation->destinations[0] != NO_VALUE && operation->destinations[1] == NO_VALUE &&
           (code->low_half[operation->destinations[0]] ||
            is_low_mask(code->program, operation->pc)) &&
           find_half_form(&code->program->code[operation->pc]);
}

void demanded_bits_halve(const struct sass_model *code, struct operation *operation) {
    if (operation->kind != OPERATION_COMPUTE || !operation->issue ||
        !demanded_bits_is_half(code, operation))
        return;
    const struct half_form *form = find_half_form(&code->program->code[operation->pc]);
    if (!form->issue) {
        sass_model_make_free(operation);
        return;
    }
    operation->pipe = form->pipe;
    operation->issue = form->issue;
    operation->passes = 1;
    operation->alu = 1;
    operation->extra = 0;
}

/* Decoding of wmma, mma, ldmatrix, stmatrix and movmatrix (PTX ISA 9.7.14).
 *
 * Their operands are lists of up to eight registers, more than an instruction has slots for: they
 * go to a struct matrix, with the shape and the layout of each fragment, and the instruction holds
 * its index. All of them are warp-level operations of all 32 lanes. */
#include "sandbox/simgpu/program/decoder.h"
#include "sandbox/simgpu/program/matrix.h"

#include "sandbox/base/memory.h"

static bool decode_registers(struct decoder *decoder, unsigned index, bool destination,
                             unsigned bytes, uint32_t *registers, uint8_t *count) {
    const struct ptx_operand *operand = decode_operand_at(decoder, index);
    if (!operand)
        return decode_cannot(decoder, "an operand is missing");
    const struct ptx_operand *items = operand;
    unsigned length = 1;
    if (operand->kind == OPERAND_LIST) {
        items = &decoder->module->operands[operand->list_start];
        length = operand->list_count;
    }
    if (length > FRAGMENT_REGISTERS)
        return decode_cannot(decoder, "a list of more than 8 registers");
    *count = (uint8_t)length;
    for (unsigned i = 0; i < length; i++)
        if (destination
                ? !decode_destination(decoder, &items[i], bytes * 8, &registers[i])
                : !decode_source(decoder, &items[i], bytes == 8 ? PTX_b64 : PTX_b32, &registers[i]))
            return false;
    return true;
}

static bool decode_fragment(struct decoder *decoder, unsigned index, bool destination,
                            struct fragment *fragment) {
    unsigned bytes = fragment->type == MATRIX_f64 ? 8 : 4;
    return decode_registers(decoder, index, destination, bytes, fragment->registers,
                            &fragment->count);
}

/* The instruction and its matrix; slot 5 is the mask of a warp-level operation. The matrix is valid
 * until the next one is added. */
static struct matrix *emit_matrix(struct decoder *decoder, const struct decoded_form *form,
                                  struct insn **insn) {
    struct program *program = decoder->program;
    uint32_t mask = decode_constant(decoder, UINT32_MAX, 4);
    *insn = decode_emit_form(decoder, form);
    (*insn)->operands[5] = mask;
    (*insn)->matrix = (int64_t)program->matrix_count;
    return mem_push(&program->matrices, &program->matrix_count, &program->matrix_capacity);
}

/* decode_address() keeps the offset in the instruction; ours belongs to the matrix. */
static bool decode_matrix_address(struct decoder *decoder, unsigned index, struct insn *insn,
                                  struct matrix *matrix) {
    int64_t number = insn->matrix;
    bool decoded = decode_address(decoder, decode_operand_at(decoder, index), insn);
    matrix->offset = insn->offset;
    insn->matrix = number;
    return decoded;
}

static const char not_a_form[] = "this combination of shape, layouts and types";

static bool decode_wmma_memory(struct decoder *decoder, const struct decoded_form *form,
                               const struct matrix_words *words) {
    struct insn *insn;
    struct matrix *matrix = emit_matrix(decoder, form, &insn);
    bool store = insn_op(insn) == OP_wmma_store;
    unsigned address = store ? 0 : 1, data = store ? 1 : 0;
    char operand = words->operand == 'd' ? 'c' : words->operand;
    *matrix = (struct matrix){.m = words->m, .n = words->n, .k = words->k};
    struct fragment *fragment = &matrix->d;
    fragment->type = words->types[0];
    fragment->column_major = words->column[0];
    if (words->type_count != 1 || words->layouts != 1)
        return decode_cannot(decoder, not_a_form);
    if (!decode_fragment(decoder, data, !store, fragment) ||
        !decode_matrix_address(decoder, address, insn, matrix))
        return false;
    if (!fragment_describe(fragment, matrix, operand, true))
        return decode_cannot(decoder, not_a_form);
    /* elements narrower than a byte lie side by side only along their runs */
    if (fragment->bits < 8 && fragment->by_column != fragment->column_major)
        return decode_cannot(decoder, not_a_form);
    uint64_t tight = fragment->column_major ? fragment->rows : fragment->columns;
    const struct ptx_operand *stride = decode_operand_at(decoder, 2);
    if (stride)
        return decode_source(decoder, stride, PTX_b32, &matrix->stride);
    matrix->stride = decode_constant(decoder, tight, 4);
    return true;
}

/* mma.sp: half of A's columns, the metadata and which lanes' it is. */
static bool decode_sparse(struct decoder *decoder, struct insn *insn, struct matrix *matrix) {
    const struct ptx_operand *selector = decode_operand_at(decoder, 5);
    struct matrix packed = *matrix;
    packed.k /= 2;
    bool has_form = matrix->m == 16 && matrix->n == 8 && matrix->a.type != MATRIX_f64 &&
                    matrix->a.type != MATRIX_b1 && packed.k >= 4;
    if (!has_form || !fragment_describe(&matrix->a, &packed, 'a', false) ||
        matrix_sparse_lanes(matrix) == 0 || matrix_sparse_lanes(matrix) > 4)
        return decode_cannot(decoder, not_a_form);
    if (!selector || selector->kind != OPERAND_INTEGER ||
        selector->bits >= 4 / matrix_sparse_lanes(matrix))
        return decode_cannot(decoder, "this sparsity selector");
    matrix->selector = (uint8_t)selector->bits;
    return decode_source(decoder, decode_operand_at(decoder, 4), PTX_b32, &insn->operands[4]);
}

static bool decode_product(struct decoder *decoder, const struct decoded_form *form,
                           const struct matrix_words *words) {
    struct insn *insn;
    struct matrix *matrix = emit_matrix(decoder, form, &insn);
    bool wmma = insn_op(insn) == OP_wmma_mma;
    *matrix = (struct matrix){.m = words->m,
                              .n = words->n,
                              .k = words->k,
                              .saturate = words->saturate,
                              .sparse = words->sparse,
                              .exclusive_or = words->exclusive_or};
    bool all = words->type_count == 4; /* d, a, b, c; or d and c, with factors of f16 */
    if ((!all && words->type_count != 2) || words->layouts != 2)
        return decode_cannot(decoder, not_a_form);
    if (form->modifiers.rounding > ROUND_RN)
        return decode_cannot(decoder, "a rounding mode other than .rn");
    matrix->d.type = words->types[0];
    matrix->a.type = all ? words->types[1] : MATRIX_f16;
    matrix->b.type = all ? words->types[2] : MATRIX_f16;
    matrix->c.type = words->types[all ? 3 : 1];
    matrix->quads =
        !wmma && words->m == 8 && words->n == 8 && words->k == 4 && matrix->a.type == MATRIX_f16;
    matrix->a.column_major = words->column[0];
    matrix->b.column_major = words->column[1];
    if (!wmma && !matrix->quads && (words->column[0] || !words->column[1]))
        return decode_cannot(decoder, not_a_form);
    return decode_fragment(decoder, 0, true, &matrix->d) &&
           decode_fragment(decoder, 1, false, &matrix->a) &&
           decode_fragment(decoder, 2, false, &matrix->b) &&
           decode_fragment(decoder, 3, false, &matrix->c) &&
           ((fragment_describe(&matrix->d, matrix, 'c', wmma) &&
             (matrix->sparse || fragment_describe(&matrix->a, matrix, 'a', wmma)) &&
             fragment_describe(&matrix->b, matrix, 'b', wmma) &&
             fragment_describe(&matrix->c, matrix, 'c', wmma)) ||
            decode_cannot(decoder, not_a_form)) &&
           (!matrix->sparse || decode_sparse(decoder, insn, matrix));
}

bool decode_matrix(struct decoder *decoder, const struct decoded_form *form) {
    const struct matrix_words *words = &form->modifiers.matrix;
    enum isa_op op = (enum isa_op)isa_forms[form->row].op;
    return op == OP_wmma_load || op == OP_wmma_store ? decode_wmma_memory(decoder, form, words)
                                                     : decode_product(decoder, form, words);
}

/* ldmatrix and stmatrix: x1, x2 or x4 matrices of 8 by 8, 16 bits each. */
bool decode_matrix_rows(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn;
    struct matrix *matrix = emit_matrix(decoder, form, &insn);
    const struct matrix_words *words = &form->modifiers.matrix;
    bool store = insn_op(insn) == OP_stmatrix;
    *matrix = (struct matrix){.transpose = words->transpose};
    if (!decode_registers(decoder, store ? 1 : 0, !store, 4, matrix->d.registers,
                          &matrix->d.count) ||
        !decode_matrix_address(decoder, store ? 0 : 1, insn, matrix))
        return false;
    return matrix->d.count == words->register_count ||
           decode_cannot(decoder, "a list of another length than the instruction says");
}

bool decode_movmatrix(struct decoder *decoder, const struct decoded_form *form) {
    uint32_t mask = decode_constant(decoder, UINT32_MAX, 4);
    struct insn *insn = decode_emit_form(decoder, form);
    insn->operands[5] = mask;
    return decode_destination(decoder, decode_operand_at(decoder, 0), 32, &insn->operands[0]) &&
           decode_source(decoder, decode_operand_at(decoder, 1), PTX_b32, &insn->operands[1]);
}

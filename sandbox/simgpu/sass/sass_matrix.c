/* Matrix instructions as the assembler makes them: see sass_model_private.h.
 *
 * A wmma instruction is several of the machine. Fragments come and go by one request for each part
 * that exec_matrix.c moves at a time, from an address to which the lane's own offset is added; what
 * lies the other way than registers have it is transposed a register at a time. A product of 16 by
 * 16 results is two of 16 by 8: each needs all of one factor and half of the other, and so it can
 * start when those have come. All of this was read from what ptxas 13.0 writes for sm_90.
 *
 * Addresses that do not change in the region have been computed before it. Registers that f16
 * factors have twice are names of the first ones. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/program/matrix.h"

enum {
    ROWS_UNITS = 4,     /* that one ldmatrix brings */
    SPLIT_RESULTS = 16, /* columns or rows of them, from which on a product is two */
};

/* What the tensor cores do of a type beside FP16, by mma: measured on an H200 (probe matrix)
 * for tf32, s8 and f64, the others by their width. */
static const double type_rates[MATRIX_TYPE_COUNT] = {
    [MATRIX_f16] = 1, [MATRIX_bf16] = 1, [MATRIX_tf32] = 0.5, [MATRIX_f64] = 0.05, [MATRIX_s8] = 2,
    [MATRIX_u8] = 2,  [MATRIX_s4] = 4,   [MATRIX_u4] = 4,     [MATRIX_b1] = 16,
};

struct making {
    struct sass_model *code;
    struct region *region;
    const struct operation *whole; /* the instruction as one operation */
    const struct matrix *matrix;
    size_t function;
    uint16_t guard; /* a value, or NO_VALUE */
};

static struct operation *add(struct making *making, enum operation_kind kind, enum cost_pipe pipe) {
    struct region *region = making->region;
    struct operation *operation = mem_push(&region->operations, &region->count, &region->capacity);
    *operation = *making->whole;
    operation->kind = (uint8_t)kind;
    operation->pipe = (uint8_t)pipe;
    operation->issue = kind != OPERATION_NAME;
    operation->passes = 1;
    operation->alu = operation->fp64 = 0;
    operation->special = 0;
    operation->extra = 0;
    operation->sources[0] = operation->destinations[0] = NO_VALUE;
    return operation;
}

static uint16_t register_value(const struct making *making, const struct fragment *fragment,
                               unsigned index) {
    return sass_model_value_at(making->code, making->function, fragment->registers[index]);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool changes_in_region(const struct making *making, uint16_t value) {
    const struct region *region = making->region;
    for (uint32_t pc = region->first; pc <= region->last; pc++) {
        struct instruction_values values;
        instruction_values_of(making->code->program, pc, &values);
        for (unsigned d = 0; d < values.destination_count; d++)
            if (sass_model_value_at(making->code, making->function, values.destinations[d]) ==
                value)
                return true;
    }
    return false;
}

struct addresses {
    uint16_t first, further; /* of the lane's first run, and of those this many rows further */
};

/* The base and the lane's offset: one sum, or, in device memory, one of 64 bits, and a product for
 * the rows further down. */
static struct addresses find_addresses(struct making *making, bool address32) {
    const struct insn *insn = &making->code->program->code[making->whole->pc];
    uint16_t base = sass_model_value_at(making->code, making->function, insn->operands[0]);
    struct addresses found = {base, base};
    if (base == NO_VALUE || !changes_in_region(making, base))
        return found;
    struct operation *sum = add(making, OPERATION_COMPUTE, address32 ? PIPE_EITHER : PIPE_INTEGER);
    sum->issue = address32 ? 1 : 2;
    sum->passes = address32 ? 1 : 1.5f;
    sum->alu = 1;
    sum->extra = !address32;
    sass_model_add_source(sum, base);
    found.first = found.further = sass_model_new_value(making->code);
    sass_model_add_destination(sum, found.first);
    if (address32)
        return found;
    struct operation *product = add(making, OPERATION_COMPUTE, PIPE_MULTIPLY);
    product->alu = 1;
    product->extra = 1;
    sass_model_add_source(product, found.first);
    found.further = sass_model_new_value(making->code);
    sass_model_add_destination(product, found.further);
    return found;
}

/* ---- loads and stores ------------------------------------------------------------------------ */

/* Requests, as in exec_matrix.c. */
struct pieces {
    unsigned count;
    unsigned registers; /* that one moves of each lane */
    unsigned units;     /* ... of the fragment; 0: less than one */
    bool transposed;
};

static struct pieces find_pieces(const struct making *making, bool load) {
    const struct fragment *fragment = &making->matrix->d;
    bool contiguous = fragment->by_column == fragment->column_major;
    bool crossed = !contiguous && fragment->bits == 16;
    unsigned together = contiguous || crossed ? fragment->run : 1;
    unsigned register_bits = fragment->bits == 64 ? 64 : 32, bits = together * fragment->bits;
    struct pieces pieces = {.count = fragment->units * (unsigned)fragment->run / together,
                            .registers = bits / register_bits ? bits / register_bits : 1,
                            .units = together == fragment->run,
                            .transposed = crossed};
    bool words = together > 1 && bits == 32;
    if (load && words && fragment->factor && making->whole->space == SPACE_SHARED) {
        pieces.units = fragment->units < ROWS_UNITS ? fragment->units : ROWS_UNITS;
        pieces.count = fragment->units / pieces.units;
        pieces.registers = pieces.units;
        pieces.transposed = false; /* by ldmatrix itself */
    }
    return pieces;
}

/* Whether a piece lies in other rows (or columns, where those are stored) than the first. */
static bool is_further(const struct fragment *fragment, const struct pieces *pieces,
                       unsigned piece) {
    unsigned unit = piece * pieces->units % FRAGMENT_UNITS;
    return pieces->units &&
           (fragment->column_major ? fragment->unit_column[unit] : fragment->unit_row[unit]);
}

/* The registers of a piece: where several share one, its number. */
static unsigned first_register(const struct fragment *fragment, const struct pieces *pieces,
                               unsigned piece) {
    if (pieces->units)
        return piece * pieces->registers;
    unsigned register_bits = fragment->bits == 64 ? 64 : 32;
    return piece * fragment->bits / register_bits;
}

static void make_loads(struct making *making) {
    const struct fragment *fragment = &making->matrix->d;
    struct pieces pieces = find_pieces(making, true);
    struct addresses addresses = find_addresses(making, making->whole->space == SPACE_SHARED);
    unsigned loaded = pieces.count * pieces.registers;
    for (unsigned piece = 0; piece < pieces.count; piece++) {
        struct operation *load = add(making, OPERATION_LOAD, PIPE_NONE);
        unsigned first = first_register(fragment, &pieces, piece);
        sass_model_add_source(load, is_further(fragment, &pieces, piece) ? addresses.further
                                                                         : addresses.first);
        sass_model_add_source(load, making->guard);
        for (unsigned r = 0; r < pieces.registers; r++) {
            uint16_t value = register_value(making, fragment, first + r);
            if (pieces.transposed) {
                uint16_t lying = sass_model_new_value(making->code);
                sass_model_add_destination(load, lying);
                struct operation *transpose = add(making, OPERATION_COMPUTE, PIPE_SHUFFLE);
                sass_model_add_source(transpose, lying);
                sass_model_add_destination(transpose, value);
                break;
            }
            sass_model_add_destination(load, value);
        }
    }
    for (unsigned copy = loaded; pieces.units && copy < fragment->count; copy++) {
        struct operation *name = add(making, OPERATION_NAME, PIPE_NONE);
        sass_model_add_source(name, register_value(making, fragment, copy % loaded));
        sass_model_add_destination(name, register_value(making, fragment, copy));
    }
}

static void make_stores(struct making *making) {
    const struct fragment *fragment = &making->matrix->d;
    struct pieces pieces = find_pieces(making, false);
    struct addresses addresses = find_addresses(making, making->whole->space == SPACE_SHARED);
    for (unsigned piece = 0; piece < pieces.count; piece++) {
        unsigned first = first_register(fragment, &pieces, piece);
        uint16_t value = register_value(making, fragment, first);
        if (pieces.transposed) {
            struct operation *transpose = add(making, OPERATION_COMPUTE, PIPE_SHUFFLE);
            sass_model_add_source(transpose, value);
            value = sass_model_new_value(making->code);
            sass_model_add_destination(transpose, value);
        }
        struct operation *store = add(making, OPERATION_STORE, PIPE_NONE);
        sass_model_add_source(store, is_further(fragment, &pieces, piece) ? addresses.further
                                                                          : addresses.first);
        sass_model_add_source(store, making->guard);
        sass_model_add_source(store, value);
        for (unsigned r = 1; r < pieces.registers; r++)
            sass_model_add_source(store, register_value(making, fragment, first + r));
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* Registers of a factor that are not another one's copy. */
static unsigned own_registers(const struct fragment *fragment) {
    unsigned own = (unsigned)fragment->units * fragment->run * fragment->bits /
                   (fragment->bits == 64 ? 64 : 32);
    return own && own < fragment->count ? own : fragment->count;
}

static void read_part(struct making *making, struct operation *product,
                      const struct fragment *fragment, unsigned part, unsigned parts) {
    unsigned count = own_registers(fragment), each = count / parts;
    for (unsigned r = 0; r < each; r++)
        sass_model_add_source(product, register_value(making, fragment, part * each + r));
}

static void make_products(struct making *making, bool wmma) {
    const struct matrix *matrix = making->matrix;
    bool wide = matrix->n >= SPLIT_RESULTS, long_rows = matrix->m > SPLIT_RESULTS;
    unsigned parts = wmma && (wide || long_rows) && !matrix->quads ? 2 : 1;
    double rate = type_rates[matrix->a.type] > 0 ? type_rates[matrix->a.type] : 1;
    double flops = 2.0 * (double)matrix_multiply_adds(matrix);
    for (unsigned part = 0; part < parts; part++) {
        struct operation *product = add(making, OPERATION_COMPUTE, PIPE_MATRIX);
        product->passes = (float)(flops / parts / rate);
        read_part(making, product, &matrix->a, long_rows ? part : 0, long_rows ? parts : 1);
        read_part(making, product, &matrix->b, long_rows ? 0 : part, long_rows ? 1 : parts);
        read_part(making, product, &matrix->c, part, parts);
        sass_model_add_source(product, making->guard);
        unsigned each = matrix->d.count / parts;
        for (unsigned r = 0; r < each; r++)
            sass_model_add_destination(product,
                                       register_value(making, &matrix->d, part * each + r));
    }
}

bool sass_matrix_expand(struct sass_model *code, struct region *region,
                        const struct operation *whole) {
    const struct insn *insn = &code->program->code[whole->pc];
    enum isa_op op = insn_op(insn);
    if (op != OP_wmma_load && op != OP_wmma_store && op != OP_wmma_mma && op != OP_mma)
        return false;
    struct making making = {.code = code,
                            .region = region,
                            .whole = whole,
                            .matrix = &code->program->matrices[insn->matrix],
                            .function = program_function_at(code->program, whole->pc),
                            .guard = NO_VALUE};
    if (insn->guard != GUARD_NONE)
        making.guard = sass_model_value_at(code, making.function, insn->guard);
    if (op == OP_wmma_load)
        make_loads(&making);
    else if (op == OP_wmma_store)
        make_stores(&making);
    else
        make_products(&making, op == OP_wmma_mma);
    return true;
}

/* Matrix products: wmma.mma and mma (PTX ISA 9.7.14).
 *
 * The factors are spread out from the lanes' registers into plain matrices, multiplied, and the
 * result is put back. What the ISA leaves open is decided so: products of f16, bf16 and tf32 are
 * exact; they are added to C in single precision, in the order of k, rounding to nearest; an f16
 * accumulator is rounded once, at the end. tf32 factors lose the 13 bits that they do not have. f64
 * is a chain of fused multiply-adds. Integer sums wrap, or clamp at the end with .satfinite. */
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

enum { MAX_FACTOR = 16 * 256, MAX_RESULT = 16 * 16 };
enum { SPARSE_ROWS = 16, MAX_PACKED = 64 }; /* mma.sp: rows of A, elements of one that are there */

/* Calls body with the value's bits, its place in the matrix and the lane, for each element of the
 * fragment; f16's doubles are left out. */
#define FOR_EACH_ELEMENT(fragment, element, lane, bits_, at, body)                                 \
    for (unsigned element = 0; element < (unsigned)(fragment)->units * (fragment)->run;            \
         element++) {                                                                              \
        unsigned bit_ = element * (fragment)->bits;                                                \
        unsigned shift_ = (fragment)->bits == 64 ? 0 : bit_ % 32;                                  \
        uint32_t operand_ = (fragment)->registers[bit_ / ((fragment)->bits == 64 ? 64u : 32u)];    \
        FOR_EACH_LANE(lane) {                                                                      \
            struct element_place place_ = fragment_place(fragment, lane, element);                 \
            unsigned at = place_.row * (fragment)->columns + place_.column;                        \
            uint32_t *bits_ = (uint32_t *)lane_vector(warp, operand_) + lane;                      \
            body;                                                                                  \
        }                                                                                          \
        (void)shift_;                                                                              \
    }

static inline float float_of(enum matrix_type type, uint32_t bits) {
    float value;
    _Float16 half;
    uint16_t low = (uint16_t)bits;
    switch (type) {
    case MATRIX_f16:
        memcpy(&half, &low, sizeof half);
        return (float)half;
    case MATRIX_bf16:
        bits = (uint32_t)low << 16;
        break;
    case MATRIX_tf32:
        bits &= 0xffffe000u;
        break;
    default:
        break;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* NaN results are the canonical ones. */
static inline uint32_t bits_of(enum matrix_type type, float value) {
    uint32_t bits;
    if (type == MATRIX_f32) {
        memcpy(&bits, &value, sizeof bits);
        return value != value ? 0x7fffffff : bits;
    }
    _Float16 half = (_Float16)value;
    uint16_t low;
    memcpy(&low, &half, sizeof low);
    return value != value ? 0x7fff : low;
}

/* Where in the matrix an element of the fragment lies, for all lanes: lane 4 g + j at
 * first + g * group + j * along. fragment_place() for a whole warp. */
struct spread {
    unsigned first, group, along;
};

static struct spread spread_of(const struct fragment *fragment, unsigned element) {
    struct element_place first = fragment_place(fragment, 0, element);
    unsigned run = fragment->run, columns = fragment->columns;
    return (struct spread){.first = first.row * columns + first.column,
                           .group = fragment->by_column ? 1 : columns,
                           .along = fragment->by_column ? run * columns : run};
}

#define FOR_EACH_PLACE(spread, lane, at, body)                                                     \
    for (unsigned group_ = 0; group_ < WARP_LANES / 4; group_++)                                   \
        for (unsigned in_group_ = 0; in_group_ < 4; in_group_++) {                                 \
            unsigned lane = 4 * group_ + in_group_;                                                \
            unsigned at = (spread).first + group_ * (spread).group + in_group_ * (spread).along;   \
            body;                                                                                  \
        }

/* The bits of an element, in their register, as numbers: one loop a type. */
#define CONVERT_LANES(type)                                                                        \
    case type:                                                                                     \
        FOR_EACH_LANE(lane) values[lane] = float_of(type, from[lane] >> shift);                    \
        break;

static void convert_lanes(enum matrix_type type, const uint32_t *from, unsigned shift,
                          float values[WARP_LANES]) {
    switch (type) {
        CONVERT_LANES(MATRIX_f16)
        CONVERT_LANES(MATRIX_bf16)
        CONVERT_LANES(MATRIX_tf32)
    default:
        FOR_EACH_LANE(lane) values[lane] = float_of(MATRIX_f32, from[lane] >> shift);
        break;
    }
}

static void spread_floats(const struct warp *warp, const struct fragment *fragment, float *to) {
    for (unsigned element = 0; element < (unsigned)fragment->units * fragment->run; element++) {
        unsigned bit = element * fragment->bits;
        float values[WARP_LANES];
        struct spread spread = spread_of(fragment, element);
        convert_lanes((enum matrix_type)fragment->type,
                      lane_vector(warp, fragment->registers[bit / 32]), bit % 32, values);
        FOR_EACH_PLACE(spread, lane, at, to[at] = values[lane])
    }
}

static void collect_floats(const struct warp *warp, const struct fragment *fragment,
                           lane_mask lanes, const float *from) {
    enum matrix_type type = (enum matrix_type)fragment->type;
    uint32_t keep = fragment->bits == 32 ? 0 : UINT32_MAX;
    for (unsigned element = 0; element < (unsigned)fragment->units * fragment->run; element++) {
        unsigned bit = element * fragment->bits, shift = bit % 32;
        uint32_t mask = fragment->bits == 32 ? UINT32_MAX : (uint32_t)0xffff << shift;
        uint32_t *to = lane_vector(warp, fragment->registers[bit / 32]);
        float values[WARP_LANES];
        struct spread spread = spread_of(fragment, element);
        FOR_EACH_PLACE(spread, lane, at, values[lane] = from[at])
        FOR_EACH_LANE(lane)
        if (LANE_ACTIVE(lane))
            to[lane] = (to[lane] & keep & ~mask) | bits_of(type, values[lane]) << shift;
    }
}

/* n is 8, 16 or 32: whole vectors. */
#define MULTIPLY(T, N, step)                                                                       \
    for (unsigned i = 0; i < matrix->m; i++)                                                       \
        for (unsigned q = 0; q < matrix->k; q++) {                                                 \
            T x = a[i * matrix->k + q];                                                            \
            const T *y = b + q * (N);                                                              \
            T *z = c + i * (N);                                                                    \
            for (unsigned j = 0; j < (N); j++)                                                     \
                step;                                                                              \
        }

static void multiply_floats(const struct matrix *matrix, const float *restrict a,
                            const float *restrict b, float *restrict c) {
    if (matrix->n == 8)
        MULTIPLY(float, 8, z[j] += x * y[j])
    else if (matrix->n == 16)
        MULTIPLY(float, 16, z[j] += x * y[j])
    else
        MULTIPLY(float, 32, z[j] += x * y[j])
}

/* mma.sp (9.7.14.6): the column in A of each element that there is. Four bits of metadata a chunk:
 * two numbers of units, or of tf32 the two halves of the element that is there. */
static void find_columns(const struct warp *warp, const struct insn *insn,
                         const struct matrix *matrix, uint8_t columns[SPARSE_ROWS][MAX_PACKED]) {
    const uint32_t *metadata = VECTOR_AT(uint32_t, 4);
    struct sparse_chunk chunk = matrix_sparse_chunk(matrix);
    bool integers = matrix->d.type == MATRIX_s32;
    unsigned lanes = matrix_sparse_lanes(matrix), first = matrix->selector * lanes;
    for (unsigned row = 0; row < SPARSE_ROWS; row++)
        for (unsigned c = 0; c < chunk.count; c++) {
            unsigned lower = row / 8, lane = 4 * (row % 8) + first;
            lane += integers ? lower + c / 8 * 2 : c / 4;
            unsigned shift = integers ? 4 * (c % 8) : 16 * lower + 4 * (c % 4);
            unsigned code = metadata[lane] >> shift & 15;
            for (unsigned i = 0; i < chunk.elements / 2; i++) {
                unsigned unit = code >> 2 * (i / chunk.unit) & 3;
                unsigned at = chunk.elements == 2 ? unit / 2 : unit * chunk.unit + i % chunk.unit;
                columns[row][c * chunk.elements / 2 + i] = (uint8_t)(c * chunk.elements + at);
            }
        }
}

/* What is not there multiplies nothing, an infinity of B neither. */
#define MULTIPLY_SPARSE(T)                                                                         \
    for (unsigned i = 0; i < SPARSE_ROWS; i++)                                                     \
        for (unsigned q = 0; q < matrix->k / 2u; q++) {                                            \
            T x = a[i * (matrix->k / 2u) + q];                                                     \
            const T *y = b + columns[i][q] * 8;                                                    \
            T *z = c + i * 8;                                                                      \
            for (unsigned j = 0; j < 8; j++)                                                       \
                z[j] += x * y[j];                                                                  \
        }
static void multiply_sparse_floats(const struct matrix *matrix, const float *a, const float *b,
                                   uint8_t columns[SPARSE_ROWS][MAX_PACKED], float *c) {
    MULTIPLY_SPARSE(float)
}
static void multiply_sparse_integers(const struct matrix *matrix, const int32_t *a,
                                     const int32_t *b, uint8_t columns[SPARSE_ROWS][MAX_PACKED],
                                     int32_t *c) {
    MULTIPLY_SPARSE(int32_t)
}

static void check_whole_warp(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (lanes != ALL_LANES && warp->block->launch->checks)
        hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_WARP_MASK_MISMATCH, SEVERITY_ERROR,
                      lanes,
                      "a matrix product needs all 32 threads of a warp, and %d execute it: is the "
                      "block's size a multiple of 32?",
                      __builtin_popcount(lanes));
}

static const struct matrix *open_product(struct warp *warp, const struct insn *insn,
                                         lane_mask lanes) {
    check_whole_warp(warp, insn, lanes);
    return &warp->block->launch->program->matrices[insn->matrix];
}

/* Multiply-adds are two operations each; integers are not floating-point operations. */
static void count_flops(struct warp *warp, const struct insn *insn, const struct matrix *matrix) {
    warp->host_thread->stats[insn_pc(warp, insn)].operations += 2 * matrix_multiply_adds(matrix);
}

/* mma.m8n8k4 of f16: four products, each of the lanes 4 q to 4 q + 3, and those plus 16. */
static unsigned quad_of(unsigned lane) {
    return lane >> 2 & 3;
}

static void quad_floats(const struct warp *warp, const struct fragment *fragment,
                        enum matrix_operand operand, unsigned quad, float *to) {
    for (unsigned element = 0; element < fragment->run; element++)
        FOR_EACH_LANE(lane) {
            if (quad_of(lane) != quad)
                continue;
            unsigned bit = element * fragment->bits;
            const uint32_t *from = lane_vector(warp, fragment->registers[bit / 32]);
            struct element_place place = fragment_quad_place(fragment, operand, lane, element);
            to[place.row * fragment->columns + place.column] =
                float_of((enum matrix_type)fragment->type, from[lane] >> bit % 32);
        }
}

static void quad_collect(const struct warp *warp, const struct fragment *fragment, lane_mask lanes,
                         unsigned quad, const float *from) {
    for (unsigned element = 0; element < fragment->run; element++)
        FOR_EACH_LANE(lane) {
            if (quad_of(lane) != quad || !LANE_ACTIVE(lane))
                continue;
            struct element_place place = fragment_quad_place(fragment, OPERAND_C, lane, element);
            uint32_t bits = bits_of((enum matrix_type)fragment->type,
                                    from[place.row * fragment->columns + place.column]);
            unsigned bit = element * fragment->bits;
            unsigned char *to = lane_vector(warp, fragment->registers[bit / 32]);
            memcpy(to + (size_t)lane * 4 + bit % 32 / 8, &bits, fragment->bits / 8);
        }
}

EXECUTOR(mma_float) {
    const struct matrix *matrix = open_product(warp, insn, lanes);
    float a[MAX_FACTOR / 8], b[MAX_FACTOR / 8], c[MAX_RESULT];
    count_flops(warp, insn, matrix);
    if (!matrix->quads) {
        spread_floats(warp, &matrix->a, a);
        spread_floats(warp, &matrix->b, b);
        spread_floats(warp, &matrix->c, c);
        if (matrix->sparse) {
            uint8_t columns[SPARSE_ROWS][MAX_PACKED];
            find_columns(warp, insn, matrix, columns);
            multiply_sparse_floats(matrix, a, b, columns, c);
        } else {
            multiply_floats(matrix, a, b, c);
        }
        collect_floats(warp, &matrix->d, lanes, c);
        return;
    }
    float results[4][64]; /* d may be the same registers as a, b or c */
    for (unsigned quad = 0; quad < 4; quad++) {
        quad_floats(warp, &matrix->a, OPERAND_A, quad, a);
        quad_floats(warp, &matrix->b, OPERAND_B, quad, b);
        quad_floats(warp, &matrix->c, OPERAND_C, quad, results[quad]);
        multiply_floats(matrix, a, b, results[quad]);
    }
    for (unsigned quad = 0; quad < 4; quad++)
        quad_collect(warp, &matrix->d, lanes, quad, results[quad]);
}

static void spread_doubles(const struct warp *warp, const struct fragment *fragment, double *to) {
    for (unsigned element = 0; element < fragment->count; element++) {
        const double *from = lane_vector(warp, fragment->registers[element]);
        FOR_EACH_LANE(lane) {
            struct element_place place = fragment_place(fragment, lane, element);
            to[place.row * fragment->columns + place.column] = from[lane];
        }
    }
}

EXECUTOR(mma_double) {
    const struct matrix *matrix = open_product(warp, insn, lanes);
    double a[16 * 16], b[16 * 16], c[16 * 16];
    count_flops(warp, insn, matrix);
    spread_doubles(warp, &matrix->a, a);
    spread_doubles(warp, &matrix->b, b);
    spread_doubles(warp, &matrix->c, c);
    MULTIPLY(double, 8, z[j] = __builtin_fma(x, y[j], z[j]))
    for (unsigned element = 0; element < matrix->d.count; element++) {
        double *to = lane_vector(warp, matrix->d.registers[element]);
        FOR_EACH_LANE(lane) {
            struct element_place place = fragment_place(&matrix->d, lane, element);
            if (LANE_ACTIVE(lane))
                to[lane] = c[place.row * matrix->n + place.column];
        }
    }
}

static inline int32_t integer_of(const struct fragment *fragment, uint32_t bits) {
    unsigned unused = 32u - fragment->bits;
    bool is_signed =
        fragment->type == MATRIX_s8 || fragment->type == MATRIX_s4 || fragment->type == MATRIX_s32;
    return is_signed ? (int32_t)(bits << unused) >> unused : (int32_t)(bits << unused >> unused);
}

static void spread_integers(const struct warp *warp, const struct fragment *fragment, int32_t *to) {
    FOR_EACH_ELEMENT(fragment, element, lane, from, at,
                     to[at] = integer_of(fragment, *from >> shift_))
}

/* Products have at most 16 bits and there are at most 256 of them: their sum fits in 32. */
static void add_products(const struct matrix *matrix, const int32_t *restrict a,
                         const int32_t *restrict b, int32_t *restrict c) {
    if (matrix->a.type != MATRIX_b1) {
        if (matrix->n == 8)
            MULTIPLY(int32_t, 8, z[j] += x * y[j])
        else if (matrix->n == 16)
            MULTIPLY(int32_t, 16, z[j] += x * y[j])
        else
            MULTIPLY(int32_t, 32, z[j] += x * y[j])
    } else if (matrix->exclusive_or) {
        MULTIPLY(int32_t, 8, z[j] += x ^ y[j])
    } else {
        MULTIPLY(int32_t, 8, z[j] += x & y[j])
    }
}

EXECUTOR(mma_integer) {
    const struct matrix *matrix = open_product(warp, insn, lanes);
    int32_t a[MAX_FACTOR], b[MAX_FACTOR / 2], sum[MAX_RESULT] = {0}, c[MAX_RESULT];
    spread_integers(warp, &matrix->a, a);
    spread_integers(warp, &matrix->b, b);
    spread_integers(warp, &matrix->c, c);
    if (matrix->sparse) {
        uint8_t columns[SPARSE_ROWS][MAX_PACKED];
        find_columns(warp, insn, matrix, columns);
        multiply_sparse_integers(matrix, a, b, columns, sum);
    } else {
        add_products(matrix, a, b, sum);
    }
    for (unsigned i = 0; i < (unsigned)matrix->m * matrix->n; i++) {
        int64_t whole = (int64_t)c[i] + sum[i];
        if (matrix->saturate)
            whole = whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
        c[i] = (int32_t)(uint32_t)(uint64_t)whole;
    }
    FOR_EACH_ELEMENT(&matrix->d, element, lane, to, at, {
        if (LANE_ACTIVE(lane))
            *to = (uint32_t)c[at];
    })
}

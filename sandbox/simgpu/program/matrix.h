/* Matrix instructions, decoded: which element of a matrix each lane's registers hold. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_MATRIX_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_MATRIX_H

#include "sandbox/simgpu/program/program.h"

/* MATRIX_TYPE(name, bits in memory and in a register) */
#define MATRIX_TYPES(MATRIX_TYPE)                                                                  \
    MATRIX_TYPE(f16, 16)                                                                           \
    MATRIX_TYPE(bf16, 16)                                                                          \
    MATRIX_TYPE(tf32, 32)                                                                          \
    MATRIX_TYPE(f32, 32)                                                                           \
    MATRIX_TYPE(f64, 64)                                                                           \
    MATRIX_TYPE(s8, 8)                                                                             \
    MATRIX_TYPE(u8, 8)                                                                             \
    MATRIX_TYPE(s4, 4)                                                                             \
    MATRIX_TYPE(u4, 4)                                                                             \
    MATRIX_TYPE(b1, 1)                                                                             \
    MATRIX_TYPE(s32, 32)
enum matrix_type {
#define MATRIX_TYPE(name, bits) MATRIX_##name,
    MATRIX_TYPES(MATRIX_TYPE)
#undef MATRIX_TYPE
        MATRIX_TYPE_COUNT
};

enum { FRAGMENT_REGISTERS = 8, FRAGMENT_UNITS = 8 };

/* One operand. Its lanes form 8 groups of 4; a unit is a run of consecutive elements that each
 * lane of a group has in turn, so that a unit covers 8 rows (or columns) of 4 runs each. */
struct fragment {
    uint32_t registers[FRAGMENT_REGISTERS]; /* offsets of lane vectors */
    uint8_t count;                          /* registers */
    uint8_t type;                           /* enum matrix_type */
    uint8_t bits;                           /* of an element */
    uint8_t run;                            /* elements of a lane in one unit */
    uint8_t units;  /* different ones; wmma's f16 factors have them twice or more */
    bool by_column; /* groups are columns and runs go down, as in B */
    bool column_major;
    bool factor; /* of A or B */
    uint16_t rows, columns;
    uint8_t unit_row[FRAGMENT_UNITS], unit_column[FRAGMENT_UNITS]; /* of the unit's first element */
};

struct matrix {
    uint16_t m, n, k;
    struct fragment a, b, c, d; /* loads and stores have only d */
    uint32_t stride;            /* loads and stores: offset of the lane vector */
    int64_t offset;             /* of the address */
    bool saturate, exclusive_or, transpose;
    bool quads;       /* mma.m8n8k4 of f16: four products, one for each pair of groups */
    bool sparse;      /* mma.sp: A has k/2 columns, and slot 4 of the instruction is the metadata */
    uint8_t selector; /* ... of some lanes of each group */
};

/* mma.sp: a chunk of A's row has half of its units, of one element or (4 bits) two. */
struct sparse_chunk {
    unsigned elements, unit, count; /* count: chunks of a row */
};
static inline struct sparse_chunk matrix_sparse_chunk(const struct matrix *matrix) {
    unsigned bits = matrix->a.bits, elements = bits == 32 ? 2 : bits == 4 ? 8 : 4;
    return (struct sparse_chunk){elements, bits == 4 ? 2 : 1, matrix->k / elements};
}

/* Lanes of a group of four whose metadata counts: halves and tf32 keep 4 chunks of a row and of the
 * row 8 below in a word, integers 8 chunks of one row (as an H200 has it). */
static inline unsigned matrix_sparse_lanes(const struct matrix *matrix) {
    return matrix_sparse_chunk(matrix).count / 4;
}

/* Multiply-adds that are made; sparse ones leave out half. */
static inline uint64_t matrix_multiply_adds(const struct matrix *matrix) {
    uint64_t dense = (uint64_t)matrix->m * matrix->n * matrix->k;
    return matrix->quads ? 4 * dense : matrix->sparse ? dense / 2 : dense;
}

struct element_place {
    unsigned row, column;
};

static inline struct element_place fragment_place(const struct fragment *fragment, unsigned lane,
                                                  unsigned element) {
    unsigned unit = element / fragment->run % FRAGMENT_UNITS, group = lane >> 2;
    unsigned along = (lane & 3) * fragment->run + element % fragment->run;
    struct element_place place = {fragment->unit_row[unit], fragment->unit_column[unit]};
    place.row += fragment->by_column ? along : group;
    place.column += fragment->by_column ? group : along;
    return place;
}

/* What mma.m8n8k4.f16 does with lane and element: which of its four products, and where in it. */
enum matrix_operand { OPERAND_A, OPERAND_B, OPERAND_C };
static inline struct element_place fragment_quad_place(const struct fragment *fragment,
                                                       enum matrix_operand operand, unsigned lane,
                                                       unsigned element) {
    unsigned in_quad = lane & 3, upper = lane >= 16 ? 4 : 0;
    if (operand == OPERAND_A)
        return fragment->column_major ? (struct element_place){element + upper, in_quad}
                                      : (struct element_place){in_quad + upper, element};
    if (operand == OPERAND_B)
        return fragment->column_major ? (struct element_place){element, in_quad + upper}
                                      : (struct element_place){in_quad, element + upper};
    if (fragment->type == MATRIX_f32)
        return (struct element_place){(lane & 1) + (element & 2) + upper,
                                      (element & 4) + (lane & 2) + (element & 1)};
    return (struct element_place){in_quad + upper, element};
}

/* fragment.c: fills rows, columns, run, units and their positions for operand 'a', 'b' or 'c' ('d'
 * is as 'c') of a shape; false where the ISA has no such operand with that many registers. */
bool fragment_describe(struct fragment *fragment, const struct matrix *matrix, char operand,
                       bool wmma);

#endif

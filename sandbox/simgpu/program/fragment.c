/* Where the elements of a matrix lie: fragments of wmma and mma (PTX ISA 9.7.14).
 *
 * All layouts of these instructions follow one rule: 8 groups of 4 lanes, a run of elements for
 * each lane of a group, and units of that form put side by side in an order that one list of steps
 * describes: unit u is the sum of the steps whose bit is set in u. The ISA documents them for mma
 * and leaves those of wmma open; the steps of wmma below are those of an H200, read back from it
 * element by element, so that code which relies on them meets what it relies on. */
#include "sandbox/simgpu/program/matrix.h"

#include <stddef.h>

static const uint8_t type_bits[] = {
#define MATRIX_TYPE(name, bits) bits,
    MATRIX_TYPES(MATRIX_TYPE)
#undef MATRIX_TYPE
};

struct step {
    uint8_t row, column;
};

struct layout {
    bool wmma;
    uint16_t m, n, k;
    char operand;
    uint8_t bits; /* 0: any */
    struct step steps[3];
    bool by_column; /* only where it is not what the operand says: A and C by row, B by column */
};

/* Fragments that are not listed have one unit. */
static const struct layout layouts[] = {
    {true, 16, 16, 16, 'a', 16, {{8, 0}, {0, 8}}, false},
    {true, 16, 16, 16, 'b', 16, {{8, 0}, {0, 8}}, true},
    {true, 16, 16, 16, 'a', 8, {{8, 0}}, false},
    {true, 16, 16, 16, 'b', 8, {{0, 8}}, true},
    {true, 16, 16, 16, 'c', 0, {{8, 0}, {0, 8}}, false},
    {true, 8, 32, 16, 'a', 16, {{0, 8}}, false},
    {true, 8, 32, 16, 'b', 16, {{0, 8}, {8, 0}, {0, 16}}, true},
    {true, 8, 32, 16, 'b', 8, {{0, 8}, {0, 16}}, true},
    {true, 8, 32, 16, 'c', 0, {{0, 8}, {0, 16}}, true},
    {true, 32, 8, 16, 'a', 16, {{8, 0}, {0, 8}, {16, 0}}, false},
    {true, 32, 8, 16, 'b', 16, {{8, 0}}, true},
    {true, 32, 8, 16, 'a', 8, {{8, 0}, {16, 0}}, false},
    {true, 32, 8, 16, 'c', 0, {{8, 0}, {16, 0}}, false},
    {true, 16, 16, 8, 'a', 32, {{8, 0}, {0, 4}}, false},
    {true, 16, 16, 8, 'b', 32, {{4, 0}, {0, 8}}, true},
    {true, 16, 16, 8, 'c', 0, {{8, 0}, {0, 8}}, false},
    {false, 16, 8, 8, 'a', 16, {{8, 0}}, false},
    {false, 16, 8, 16, 'a', 16, {{8, 0}, {0, 8}}, false},
    {false, 16, 8, 16, 'b', 16, {{8, 0}}, true},
    {false, 16, 8, 32, 'b', 16, {{8, 0}, {16, 0}}, true}, /* of mma.sp, as others without an A */
    {false, 16, 8, 4, 'a', 32, {{8, 0}}, false},
    {false, 16, 8, 8, 'a', 32, {{8, 0}, {0, 4}}, false},
    {false, 16, 8, 8, 'b', 32, {{4, 0}}, true},
    {false, 16, 8, 16, 'b', 32, {{4, 0}, {8, 0}}, true},
    {false, 16, 8, 4, 'a', 64, {{8, 0}}, false},
    {false, 16, 8, 8, 'a', 64, {{8, 0}, {0, 4}}, false},
    {false, 16, 8, 8, 'b', 64, {{4, 0}}, true},
    {false, 16, 8, 16, 'a', 64, {{8, 0}, {0, 4}, {0, 8}}, false},
    {false, 16, 8, 16, 'b', 64, {{4, 0}, {8, 0}}, true},
    {false, 16, 8, 16, 'a', 8, {{8, 0}}, false},
    {false, 16, 8, 32, 'a', 8, {{8, 0}, {0, 16}}, false},
    {false, 16, 8, 32, 'b', 8, {{16, 0}}, true},
    {false, 16, 8, 64, 'b', 8, {{16, 0}, {32, 0}}, true},
    {false, 16, 8, 32, 'a', 4, {{8, 0}}, false},
    {false, 16, 8, 64, 'a', 4, {{8, 0}, {0, 32}}, false},
    {false, 16, 8, 64, 'b', 4, {{32, 0}}, true},
    {false, 16, 8, 128, 'b', 4, {{32, 0}, {64, 0}}, true},
    {false, 16, 8, 128, 'a', 1, {{8, 0}}, false},
    {false, 16, 8, 256, 'a', 1, {{8, 0}, {0, 128}}, false},
    {false, 16, 8, 256, 'b', 1, {{128, 0}}, true},
    {false, 16, 8, 0, 'c', 0, {{8, 0}}, false}, /* k 0: any */
};

static const struct layout *find_layout(const struct matrix *matrix, char operand, unsigned bits,
                                        bool wmma) {
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const struct layout *layout = &layouts[i];
        if (layout->wmma == wmma && layout->m == matrix->m && layout->n == matrix->n &&
            (!layout->k || layout->k == matrix->k) && layout->operand == operand &&
            (!layout->bits || layout->bits == bits))
            return layout;
    }
    return NULL;
}

bool fragment_describe(struct fragment *fragment, const struct matrix *matrix, char operand,
                       bool wmma) {
    bool factor = operand != 'c';
    unsigned bits = type_bits[fragment->type];
    fragment->bits = (uint8_t)bits;
    fragment->factor = factor;
    fragment->rows = operand == 'b' ? matrix->k : matrix->m;
    fragment->columns = operand == 'a' ? matrix->k : matrix->n;
    unsigned elements = (unsigned)fragment->rows * fragment->columns / WARP_LANES;
    unsigned register_bits = bits == 64 ? 64 : 32;
    if (matrix->quads) {
        fragment->run = factor ? 4 : 8;
        return fragment->count == fragment->run * bits / register_bits;
    }
    unsigned registers = elements * bits / register_bits;
    bool doubled = wmma && factor && fragment->type == MATRIX_f16; /* 8 registers on every card */
    if (!registers || fragment->count != (doubled ? FRAGMENT_REGISTERS : registers))
        return false;
    fragment->run = (uint8_t)(!factor ? 2 : bits >= 32 ? 1 : 32 / bits);
    fragment->units = (uint8_t)(elements / fragment->run);
    const struct layout *layout = find_layout(matrix, operand, bits, wmma);
    static const struct step none[3];
    const struct step *steps = layout ? layout->steps : none;
    unsigned covered = 1;
    for (unsigned i = 0; i < 3 && (steps[i].row || steps[i].column); i++)
        covered *= 2;
    if (covered != fragment->units)
        return false;
    fragment->by_column = layout ? layout->by_column : operand == 'b';
    for (unsigned unit = 0; unit < FRAGMENT_UNITS; unit++) {
        unsigned row = 0, column = 0;
        for (unsigned i = 0; i < 3; i++)
            if (unit >> i & 1) {
                row += steps[i].row;
                column += steps[i].column;
            }
        fragment->unit_row[unit] = (uint8_t)row;
        fragment->unit_column[unit] = (uint8_t)column;
    }
    return true;
}

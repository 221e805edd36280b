/* Random kernels whose results are the same on every engine: CUDA C from a seed.
 *
 * A kernel loads a few variables of each type, does random things with them and stores them all.
 * Nothing in it is a race, undefined in C, or open in PTX: floating-point operations name their
 * rounding, so that no compiler fuses them, functions that are only approximate are left out, and a
 * double's NaN is made canonical before anything looks at its bits. A kernel with a limit is the
 * beginning of the same kernel without one, which is how a difference is found to be a statement's.
 *
 * This header is private to the generator; arithmetic.h is its door. */
#ifndef WARPGRADE_TESTS_FUZZ_ARITHMETIC_GENERATOR_H
#define WARPGRADE_TESTS_FUZZ_ARITHMETIC_GENERATOR_H

#include "tests/fuzz/arithmetic/arithmetic.h"

#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type_kind { KIND_INTEGER, KIND_HALF, KIND_FLOAT };

/* TYPE(id, in C, bits, first letter of its variables, constraint in asm or "" where it has none,
 * kind). Halves are their bits: no header has to be compiled for them. */
#define ARITHMETIC_TYPES(TYPE)                                                                     \
    TYPE(u8, "u8", 8, 'c', "", KIND_INTEGER)                                                       \
    TYPE(u16, "u16", 16, 's', "h", KIND_INTEGER)                                                   \
    TYPE(u32, "u32", 32, 'r', "r", KIND_INTEGER)                                                   \
    TYPE(u64, "u64", 64, 'd', "l", KIND_INTEGER)                                                   \
    TYPE(u128, "u128", 128, 'q', "", KIND_INTEGER)                                                 \
    TYPE(f16, "u16", 16, 'h', "h", KIND_HALF)                                                      \
    TYPE(bf16, "u16", 16, 'b', "h", KIND_HALF)                                                     \
    TYPE(f16x2, "u32", 32, 'x', "r", KIND_HALF)                                                    \
    TYPE(bf16x2, "u32", 32, 'y', "r", KIND_HALF)                                                   \
    TYPE(f32, "float", 32, 'f', "f", KIND_FLOAT)                                                   \
    TYPE(f64, "double", 64, 'g', "d", KIND_FLOAT)

enum type {
#define TYPE(id, c, bits, letter, constraint, kind) TYPE_##id,
    ARITHMETIC_TYPES(TYPE)
#undef TYPE
        TYPE_COUNT
};

struct type_row {
    const char *c;
    unsigned bits;
    char letter;
    const char *constraint;
    enum type_kind kind;
};
extern const struct type_row type_rows[TYPE_COUNT];

enum { VARIABLES = 3 }; /* of each type */

struct generator {
    struct text *out;
    uint64_t seed, drawn;
    unsigned number;            /* of the kernel: which rows of the ISA table it must use */
    unsigned target;            /* compute capability, 80 or 90 */
    unsigned statements, limit; /* emitted, and how many at most */
    unsigned rows_used;
    bool calls;                   /* the function of this kernel */
    uint8_t used[TYPE_COUNT];     /* variables, a bit each */
    uint8_t in_scope[TYPE_COUNT]; /* variables 0 .. n-1 can be named here */
};

#define EMIT(...) text_printf(g->out, __VA_ARGS__)

/* A number below `choices`. */
unsigned draw(struct generator *g, unsigned choices);
uint64_t draw_bits(struct generator *g);
bool draw_one_in(struct generator *g, unsigned n);
#define DRAW_OF(g, list) (list)[draw(g, (unsigned)(sizeof(list) / sizeof *(list)))]

/* A variable of the type that is in scope, "r1"; name_variable: variable number `index`. */
struct name {
    char text[8];
};
struct name draw_variable(struct generator *g, enum type type);
struct name name_variable(struct generator *g, enum type type, unsigned index);

/* expression.c: an expression of the type, in parentheses or primary. */
void emit_expression(struct generator *g, enum type type, unsigned depth);
void emit_condition(struct generator *g, unsigned depth);

/* statement.c; `uniform`: all threads of the block come here together. */
void emit_statement(struct generator *g, unsigned depth, bool uniform);

/* rows.c: asm of a row of isa.def; conversion.c: of a cvt; chain.c: of a chain of carries and of a
 * video instruction. */
void emit_row(struct generator *g);
void emit_conversion(struct generator *g);
void emit_carry_chain(struct generator *g);
void emit_video(struct generator *g);
unsigned row_count(unsigned target);

/* The C variable for an operand of the PTX type ("s16x2", "f32"); TYPE_COUNT: asm has none. */
enum type type_of_ptx(const char *ptx, size_t length);
/* What makes a NaN that asm has put into a double canonical. */
void emit_canonical(struct generator *g, enum type type, const char *variable);

#endif

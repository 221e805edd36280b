/* What the assembler makes of PTX beside what test_replay.c asks for: how many instructions a warp
 * issues for addresses of shared memory, for atomics, for arrays and where its lanes part. All of
 * it was read off what ptxas 13.0 writes for sm_90. */
#include "tests/support/model.h"

enum { TURNS = 400 };

/* Instructions of a warp a turn of a loop around these; %q and %x are the same in all turns.
 * `pragma`: of the loop. */
static double issued_in_loop(const char *pragma, const char *turn) {
    struct text body = {0};
    text_printf(&body,
                ".shared .align 16 .b8 s[8192];\nmov.u32 %%r1, 0;\nmov.u32 %%r2, 1;\n"
                ".reg .u64 %%z;\nmov.f32 %%f1, 0f3f800000;\nmul.wide.u32 %%x, %%l, 4;\n"
                "LOOP:\n%s%s\n"
                "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n@%%p bra LOOP;\n"
                "st.global.u32 [%%a], %%r2;\nst.global.f32 [%%a+4], %%f1;",
                pragma, turn, TURNS);
    double clocks = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
    text_free(&body);
    return clocks * h200.schedulers_per_sm / TURNS;
}

static double issued_a_turn(const char *turn) {
    return issued_in_loop(".pragma \"nounroll\";\n", turn);
}

static void expect_more(const char *what, double more, double expected) {
    if (fabs(more - expected) > 0.2)
        fail_msg("%s: %g instructions more, not %g", what, more, expected);
}

/* An address of shared or constant memory is one of 32 bits, however it was computed, and an
 * array's own in constant memory is part of the load; the same number, where it is stored, is one
 * of 64. */
static void addresses_are_narrow(void **state) {
    (void)state;
    static const struct {
        const char *name, *space, *way;
        double more; /* instructions of 64 bits */
    } rows[] = {
        {"a mask", "shared", "and.b64 %y, %x, -4096;\n", 1},
        {"a product", "shared", "mul.lo.s64 %y, %x, %x;\n", 3},
        {"a product and a sum", "shared", "mul.lo.s64 %z, %x, %x;\nadd.s64 %y, %z, %x;\n", 5},
        {"a mask", "const", "and.b64 %y, %x, -4;\n", 1},
        {"an array", "const", "mov.u64 %z, 4096;\nadd.s64 %y, %z, %x;\n", 2},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text address = {0}, number = {0};
        text_printf(&address, "%sld.%s.u32 %%r2, [%%y];", rows[i].way, rows[i].space);
        text_printf(&number, "%sst.shared.u64 [s], %%y;", rows[i].way);
        double narrow = issued_a_turn(text_string(&address));
        double wide = issued_a_turn(text_string(&number));
        text_free(&address);
        text_free(&number);
        expect_more(rows[i].name, wide - narrow, rows[i].more);
    }
}

/* What melts together, and what does not: how many instructions more a turn has than without. */
static void instructions_take_three_inputs(void **state) {
    (void)state;
    static const struct {
        const char *name, *way;
        double issued;
    } rows[] = {
        {"four sums",
         "add.s32 t0, %l, %b;\nadd.s32 t1, t0, %d;\nadd.s32 t2, t1, 5;\n"
         "add.s32 %r2, %r2, t2;",
         2},
        {"a product and two sums",
         "mul.lo.s32 t0, %l, %b;\nadd.s32 t1, t0, %d;\n"
         "add.s32 %r2, %r2, t1;",
         2},
        {"logic of five inputs",
         "xor.b32 t0, %l, %b;\nor.b32 t1, t0, %d;\nand.b32 t2, t1, 12;\n"
         "xor.b32 %r2, %r2, t2;",
         2},
        {"logic on both sides",
         "xor.b32 t0, %l, %b;\nxor.b32 t1, %d, 7;\nor.b32 t2, t0, t1;\n"
         "xor.b32 %r2, %r2, t2;",
         3},
        {"logic compared with zero",
         "xor.b32 t0, %l, %b;\nand.b32 t1, t0, 3;\n"
         "setp.ne.s32 %q, t1, 0;\n@%q add.s32 %r2, %r2, 1;",
         2},
        {"logic compared with one",
         "xor.b32 t0, %l, %b;\nand.b32 t1, t0, 1;\n"
         "setp.ne.s32 %q, t1, 1;\n@%q add.s32 %r2, %r2, 1;",
         3},
        {"half of a number with a sign",
         "shr.u32 t0, %l, 31;\nadd.s32 t1, t0, %l;\n"
         "shr.s32 t2, t1, 1;\nxor.b32 %r2, %r2, t2;",
         3},
        {"a choice",
         "shr.u32 t0, %r2, 1;\nxor.b32 t1, t0, 77;\nsetp.gt.u32 %q, %r2, %l;\n"
         "selp.b32 %r2, t1, t0, %q;",
         3},
        {"a choice of two constants",
         "setp.gt.u32 %q, %r2, %l;\nsetp.gt.u32 k0, %r2, %b;\n"
         "xor.pred k1, %q, k0;\nselp.b32 %r2, 1, 2, k1;",
         4},
        {"a predicate turned round",
         "setp.gt.u32 %q, %l, %b;\nmov.pred k0, 0;\n"
         "xor.pred k1, %q, k0;\n@k1 add.s32 %r2, %r2, 1;",
         2},
        {"two remainders of one divisor",
         "rem.s32 t0, %l, %b;\nrem.s32 t1, %r2, %b;\n"
         "add.s32 %r2, t0, t1;",
         23},
    };
    double empty = issued_a_turn("add.s32 %r2, %r2, %b;") - 1;
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text turn = {0};
        text_printf(&turn, "{\n.reg .u32 t<3>;\n.reg .pred k<2>;\n%s\n}", rows[i].way);
        expect_more(rows[i].name, issued_a_turn(text_string(&turn)) - empty, rows[i].issued);
        text_free(&turn);
    }
}

/* Of numbers of 64 bits, halves that are known to be nothing. */
static void known_halves_are_not_computed(void **state) {
    (void)state;
    static const struct {
        const char *name, *way;
        double issued;
    } rows[] = {
        {"a mask of few bits", "and.b64 %y, %x, 4092;", 1},
        {"a shift by 32", "shr.u64 %y, %x, 32;", 1},
        {"a shift by 31", "shr.u64 %y, %x, 31;", 2},
        {"half of a number with a sign", "shr.u64 %z, %x, 63;\nadd.s64 %y, %z, %x;", 2},
        {"a product with a small number", "mul.lo.s64 %y, %x, 3;", 3},
        {"a product", "mul.lo.s64 %y, %x, %x;", 4},
    };
    double empty = issued_a_turn("st.shared.u64 [s], %x;");
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text turn = {0};
        text_printf(&turn, "%s\nst.shared.u64 [s], %%y;", rows[i].way);
        expect_more(rows[i].name, issued_a_turn(text_string(&turn)) - empty, rows[i].issued);
        text_free(&turn);
    }
}

/* An if with an else, both of few computations, has no branch: all of it is issued. */
static void small_choices_are_predicated(void **state) {
    (void)state;
    static const char *const ways[] = {
        "setp.gt.u32 %q, %l, 40;\n@%q bra OTHER;\nmul.lo.u32 %r2, %r2, 3;\nbra.uni OVER;\n"
        "OTHER:\nadd.s32 %r2, %r2, 7;\nOVER:",
        "setp.gt.u32 %q, %l, 12;\n@%q bra ONE;\nbra.uni OTHER;\nONE:\nmul.lo.u32 %r2, %r2, 3;\n"
        "bra.uni OVER;\nOTHER:\nadd.s32 %r2, %r2, 7;\nOVER:",
    };
    double empty = issued_a_turn("add.s32 %r2, %r2, %b;") - 1;
    for (unsigned i = 0; i < ARRAY_LENGTH(ways); i++)
        expect_more("a choice of two ways", issued_a_turn(ways[i]) - empty, 3);
}

/* Lanes that part name a barrier first (BSSY) and wait at it (BSYNC): two instructions more than
 * where the whole warp goes one way, also when it does. */
static void lanes_that_part_meet_at_a_barrier(void **state) {
    (void)state;
    static const char *const conditions[] = {"setp.gt.u32 %q, %b, 40;\n",
                                             "setp.gt.u32 %q, %l, 40;\n"};
    double issued[2];
    for (unsigned i = 0; i < 2; i++) {
        struct text turn = {0};
        text_printf(&turn, "%s@%%q bra OVER;\n", conditions[i]);
        for (unsigned n = 0; n < 12; n++)
            text_printf(&turn, "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\n");
        text_printf(&turn, "OVER:");
        issued[i] = issued_a_turn(text_string(&turn));
        text_free(&turn);
    }
    expect_more("a condition of the lane", issued[1] - issued[0], 2);
}

/* Clocks of a warp a turn of a loop in which lanes from `border` on jump over twelve products. */
static double clocks_of_turns(unsigned border) {
    struct text body = {0};
    text_printf(&body,
                "mov.u32 %%r1, 0;\nmov.f32 %%f1, 0f3f800000;\nsetp.ge.u32 %%q, %%l, %u;\n"
                "LOOP:\n.pragma \"nounroll\";\n@%%q bra OVER;\n",
                border);
    for (unsigned n = 0; n < 12; n++)
        text_printf(&body, "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\n");
    text_printf(&body,
                "OVER:\nadd.s32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p, %%r1, %d;\n"
                "@%%p bra LOOP;\nst.global.f32 [%%a], %%f1;",
                TURNS);
    double clocks = clocks_on(&h200, text_string(&body), 1, 32);
    text_free(&body);
    return clocks / TURNS;
}

/* Both parts of a warp come to the barrier where they meet, one after the other: an instruction
 * more, and clocks that were measured. */
static void lanes_that_part_wait_for_each_other(void **state) {
    (void)state;
    double more = clocks_of_turns(16) - clocks_of_turns(32);
    if (fabs(more - h200.parting_cycles - 1) > 1)
        fail_msg("an if whose lanes part: %g clocks more", more);
}

/* Functions that are approximate take no operands below the smallest normal number. Without .ftz
 * the operand is compared, multiplied where it is one, and the result is mended: three instructions
 * more, and the first multiplication waits 13 clocks for its predicate. */
static void approximate_functions_compare_their_operands(void **state) {
    (void)state;
    enum { CALLS = 8 };
    static const char *const names[] = {"rsqrt", "sqrt", "ex2", "lg2"};
    static const char *const types[] = {"ftz.f32", "f32"};
    for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
        double issued[2], clocks[2];
        for (unsigned full = 0; full < 2; full++) {
            struct text turn = {0}, chain = {0};
            for (unsigned n = 0; n < CALLS; n++)
                text_printf(&turn, "%s.approx.%s %%f1, %%f1;\n", names[i], types[full]);
            issued[full] = issued_a_turn(text_string(&turn));
            text_printf(&chain, "mov.f32 %%f1, 0f3f800000;\n%sst.global.f32 [%%a], %%f1;",
                        text_string(&turn));
            clocks[full] = clocks_on(&h200, text_string(&chain), 1, 32);
            text_free(&turn);
            text_free(&chain);
        }
        expect_more(names[i], issued[1] - issued[0], 3 * CALLS);
        double more = (clocks[1] - clocks[0]) / CALLS, expected = 13 + 2 * h200.alu_cycles;
        if (fabs(more - expected) > 1)
            fail_msg("%s: %g clocks more, not %g", names[i], more, expected);
    }
}

/* An if with an atomic stays a branch, however small it is; lanes that may part name a barrier. */
static void atomics_are_not_predicated(void **state) {
    (void)state;
    static const char *const atomics[] = {"red.global.add.u32 [%a], 1;",
                                          "red.shared.add.u32 [s], 1;",
                                          "atom.shared.add.u32 %r2, [%x], %l;"};
    for (unsigned i = 0; i < ARRAY_LENGTH(atomics); i++) {
        struct text jumps = {0}, straight = {0};
        text_printf(&jumps, "setp.gt.u32 %%q, %%l, 40;\n@%%q bra OVER;\n%s\nOVER:", atomics[i]);
        text_printf(&straight, "setp.gt.u32 %%q, %%l, 40;\n@!%%q %s", atomics[i]);
        double more = issued_a_turn(text_string(&jumps)) - issued_a_turn(text_string(&straight));
        text_free(&jumps);
        text_free(&straight);
        expect_more(atomics[i], more, 3);
    }
}

/* Where nothing reads the old value it need not be worked out for each lane: five instructions
 * less, whatever the name of the instruction. */
static void an_old_value_that_nobody_reads_costs_nothing(void **state) {
    (void)state;
    double red = issued_a_turn("red.global.add.u32 [%a], 1;");
    double unread = issued_a_turn("atom.global.add.u32 %r3, [%a], 1;");
    double read = issued_a_turn("atom.global.add.u32 %r3, [%a], 1;\nadd.s32 %r2, %r2, %r3;");
    expect_more("a result that nothing reads", unread - red, 0);
    expect_more("a result that is read, and its reader", read - red, 6);
}

/* A shuffle hands round the old value of an atomic that is joined, and what comes after it in the
 * program waits with it for the atomic, though it needs neither. */
static void what_follows_a_joined_atomic_waits(void **state) {
    (void)state;
    static const char *const words[] = {"%x", "s"}; /* a word for each lane, one for all */
    enum { SUMS = 100 };
    double clocks[2];
    for (unsigned one = 0; one < 2; one++) {
        struct text body = {0};
        text_printf(&body,
                    ".shared .b32 s[32];\nmul.wide.u32 %%x, %%l, 4;\nmov.f32 %%f1, 0f3f800000;\n"
                    "atom.shared.add.u32 %%r3, [%s], 1;\nbar.sync 0;\n",
                    words[one]);
        for (unsigned i = 0; i < SUMS; i++)
            text_printf(&body, "add.rn.f32 %%f1, %%f1, %%f1;\n");
        text_printf(&body, "mov.b32 %%r4, %%f1;\nadd.s32 %%r3, %%r3, %%r4;\n"
                           "st.global.u32 [%%a], %%r3;");
        clocks[one] = clocks_on(&h200, text_string(&body), 1, 32);
        text_free(&body);
    }
    if (clocks[1] - clocks[0] < h200.shuffle_cycles)
        fail_msg("%g clocks where lanes share a word, %g where they do not", clocks[1], clocks[0]);
}

/* Of what is masked or converted down to its lower half the upper one is not computed. */
static void lower_halves_are_one_instruction(void **state) {
    (void)state;
    static const struct {
        const char *name, *way;
        double more; /* than a store of what is there before the loop */
    } rows[] = {
        {"a mask", "and.b64 %z, %x, 4095;\n", 1},
        {"a wide mask", "and.b64 %z, %x, 0xfff00000000;\n", 2},
        {"a shift and a mask", "shr.u64 %y, %x, 4;\nand.b64 %z, %y, 15;\n", 2},
        {"a shift and a wide mask", "shr.u64 %y, %x, 4;\nand.b64 %z, %y, 0xfff00000000;\n", 4},
        {"two shifts, one that needs both halves",
         "shr.u64 %a, %x, 4;\nshr.u64 %y, %a, 9;\nand.b64 %z, %y, 15;\n", 4},
        {"a shift and a conversion",
         "shr.u64 %y, %x, 4;\ncvt.u32.u64 %r4, %y;\ncvt.u64.u32 %z, %r4;\n", 1},
    };
    double nothing = issued_a_turn("st.shared.u64 [s], %x;");
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text turn = {0};
        text_printf(&turn, "{.reg .u64 %%a;\n%sst.shared.u64 [s], %%z;}", rows[i].way);
        expect_more(rows[i].name, issued_a_turn(text_string(&turn)) - nothing, rows[i].more);
        text_free(&turn);
    }
}

/* A product of 64 bits takes two turns of its pipe, and one of which the lower half is needed one.
 */
static void whole_products_take_two_turns(void **state) {
    (void)state;
    static const char *const products[] = {"cvt.u32.u64 %r2, %y;\n",
                                           "shr.u64 %x, %y, 32;\ncvt.u32.u64 %r2, %x;\n"};
    double clocks[2];
    for (unsigned whole = 0; whole < 2; whole++) {
        struct text body = {0};
        text_printf(&body, "mov.u32 %%r1, 0;\nmov.u32 %%r2, %%l;\nLOOP:\n.pragma \"nounroll\";\n");
        for (unsigned i = 0; i < 16; i++)
            text_printf(&body, "mul.wide.u32 %%y, %%r2, 77777;\n%s", products[whole]);
        text_printf(&body,
                    "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n@%%p bra LOOP;\n"
                    "st.global.u32 [%%a], %%r2;",
                    TURNS);
        clocks[whole] = clocks_on(&h200, text_string(&body), 1, 1024);
        text_free(&body);
    }
    if (fabs(clocks[1] / clocks[0] - 2) > 0.2)
        fail_msg("%g clocks for whole products, %g for lower halves", clocks[1], clocks[0]);
}

/* A sum of 64 bits with a product, as an address is, keeps the integer pipe from minima. */
static void wide_sums_hold_up_the_integer_pipe(void **state) {
    (void)state;
    static const char *const products[] = {
        "mad.wide.u32 %y, %r2, 77777, %y;\n",
        "mul.wide.u32 %x, %r1, 4;\nadd.s64 %y, %y, %x;\n",
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(products); i++) {
        double clocks[2];
        for (unsigned minima = 0; minima < 2; minima++) {
            struct text body = {0};
            text_printf(&body,
                        "mov.u32 %%r1, 0;\nmov.u32 %%r2, %%l;\nLOOP:\n.pragma \"nounroll\";\n");
            for (unsigned n = 0; n < 16; n++)
                text_printf(&body, "%s%s", products[i],
                            minima ? "min.s32 %r3, %r3, %r1;\nmin.s32 %r4, %r4, %r1;\n" : "");
            text_printf(&body,
                        "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n@%%p bra LOOP;\n"
                        "add.u32 %%r2, %%r2, %%r3;\nadd.u32 %%r2, %%r2, %%r4;\n"
                        "st.global.u32 [%%a], %%r2;\nst.global.u64 [%%a+8], %%y;",
                        TURNS);
            clocks[minima] = clocks_on(&h200, text_string(&body), 1, 1024);
            text_free(&body);
        }
        /* 4 clocks of the products, 4 of the minima: 7.6 one after the other, 4 side by side */
        if (clocks[1] < 1.7 * clocks[0] || clocks[1] > 2.0 * clocks[0])
            fail_msg("%g clocks with minima, %g without", clocks[1], clocks[0]);
    }
}

/* A sum of a product is one instruction, but where the rounding of either is said. */
static void products_and_sums_are_one_instruction(void **state) {
    (void)state;
    static const char both[] = "mul.f32 %f2, %f1, %f1;\nsub.f32 %f1, %f1, %f2;\n"
                               "add.f32 %f1, %f1, %f2;";
    static const char stored[] = "mul.f32 %f2, %f1, %f1;\nsub.f32 %f1, %f1, %f2;\n"
                                 "abs.f32 %f1, %f2;";
    static const char *const pairs[] = {"mul.f32 %f2, %f1, %f1;\nsub.f32 %f1, %f1, %f2;",
                                        "mul.rn.f32 %f2, %f1, %f1;\nsub.f32 %f1, %f1, %f2;",
                                        "mul.f32 %f2, %f1, %f1;\nsub.rn.f32 %f1, %f1, %f2;"};
    double one = issued_a_turn("neg.f32 %f1, %f1;");
    for (unsigned i = 0; i < ARRAY_LENGTH(pairs); i++)
        expect_more(pairs[i], issued_a_turn(pairs[i]) - one, i ? 2 : 1);
    expect_more("a sum and a difference", issued_a_turn(both) - one, 2);
    expect_more("another reader", issued_a_turn(stored) - one, 2);
}

/* Probe sums: 2.28 clocks of a scheduler for a sum or a difference of three, 1.12 for
 * one of two or of one that is shifted, which multiplications make as well. */
static void sums_of_three_take_the_integer_pipe(void **state) {
    (void)state;
    enum { SUMS = 64, ROUNDS = 16, WARPS = 8 /* of a scheduler */ };
    static const struct {
        const char *name, *way;
        double clocks;
    } rows[] = {
        {"two", "mov.u32 t%u, %%r%u;\nadd.s32 %%r%u, t%u, %%l;\n", 1.12},
        {"three", "add.s32 t%u, %%r%u, %%b;\nadd.s32 %%r%u, t%u, %%l;\n", 2.28},
        {"a difference", "add.s32 t%u, %%r%u, %%b;\nsub.s32 %%r%u, t%u, %%l;\n", 2.26},
        {"a shift", "shl.b32 t%u, %%r%u, 5;\nadd.s32 %%r%u, t%u, %%l;\n", 1.12},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text body = {0};
        text_printf(&body, ".reg .s32 t<%d>;\n", SUMS);
        for (unsigned r = 0; r < 8; r++)
            text_printf(&body, "mov.u32 %%r%u, %%b;\n", r);
        text_printf(&body, "mov.u32 %%r9, 0;\nLOOP:\n");
        for (unsigned r = 0; r < SUMS; r++)
            text_printf(&body, rows[i].way, r, r % 8, r % 8, r);
        text_printf(&body, "add.u32 %%r9, %%r9, 1;\nsetp.lt.u32 %%p, %%r9, %u;\n@%%p bra LOOP;\n",
                    ROUNDS);
        for (unsigned r = 1; r < 8; r++)
            text_printf(&body, "add.s32 %%r0, %%r0, %%r%u;\n", r);
        text_printf(&body, "st.global.u32 [%%a], %%r0;");
        double clocks = clocks_on(&h200, text_string(&body), 132, 4 * 32 * WARPS);
        text_free(&body);
        clocks /= SUMS * ROUNDS * WARPS;
        if (fabs(clocks - rows[i].clocks) > 0.15 * rows[i].clocks)
            fail_msg("%s: %g clocks, %g measured", rows[i].name, clocks, rows[i].clocks);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_narrow),
        cmocka_unit_test(instructions_take_three_inputs),
        cmocka_unit_test(sums_of_three_take_the_integer_pipe),
        cmocka_unit_test(known_halves_are_not_computed),
        cmocka_unit_test(small_choices_are_predicated),
        cmocka_unit_test(lanes_that_part_meet_at_a_barrier),
        cmocka_unit_test(lanes_that_part_wait_for_each_other),
        cmocka_unit_test(approximate_functions_compare_their_operands),
        cmocka_unit_test(atomics_are_not_predicated),
        cmocka_unit_test(an_old_value_that_nobody_reads_costs_nothing),
        cmocka_unit_test(what_follows_a_joined_atomic_waits),
        cmocka_unit_test(lower_halves_are_one_instruction),
        cmocka_unit_test(whole_products_take_two_turns),
        cmocka_unit_test(wide_sums_hold_up_the_integer_pipe),
        cmocka_unit_test(products_and_sums_are_one_instruction),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

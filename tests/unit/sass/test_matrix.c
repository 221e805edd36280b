/* What the assembler makes of matrix instructions, and what the tensor cores take for it: counts
 * are those of what ptxas 13.0 writes for sm_90, rates and latencies of the probe matrix. */
#include "tests/support/model.h"

#include <time.h>

enum { TURNS = 200 };

/* A loop around these; %t is its turn, %m shared memory, %z an address in device memory that is
 * another one in each turn. */
static struct text loop_around(const char *turn) {
    struct text body = {0};
    text_printf(&body, ".shared .align 128 .b8 s[8192];\n.reg .b32 a<8>, b<8>, %%m, %%t;\n"
                       ".reg .f32 c<8>;\n.reg .u64 %%z;\nmov.u32 %%m, s;\nmov.u32 %%t, 0;\n"
                       "mov.u64 %%z, %%a;\n");
    for (unsigned i = 0; i < 8; i++)
        text_printf(&body, "mov.b32 a%u, 0;\nmov.b32 b%u, 0;\nmov.f32 c%u, 0f00000000;\n", i, i, i);
    text_printf(
        &body,
        "LOOP:\n.pragma \"nounroll\";\n%s\nadd.s32 %%t, %%t, 1;\n"
        "setp.lt.s32 %%p, %%t, %d;\n@%%p bra LOOP;\n"
        "st.global.v4.f32 [%%a], {c0, c1, c2, c3};\nst.global.v4.f32 [%%a+16], {c4, c5, c6, "
        "c7};\nst.global.v4.u32 [%%a+32], {a0, a1, a2, a3};\n"
        "st.global.v4.u32 [%%a+48], {b0, b1, b2, b3};",
        turn, TURNS);
    return body;
}

#define A          "{a0, a1, a2, a3, a4, a5, a6, a7}"
#define B          "{b0, b1, b2, b3, b4, b5, b6, b7}"
#define C          "{c0, c1, c2, c3, c4, c5, c6, c7}"
#define MULTIPLIED "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 " C ", " A ", " B ", " C ";\n"
#define STEP       "add.s64 %z, %z, 32;\n"

/* Instructions of a warp that each turn issues. */
static double issued_a_turn(const char *turn) {
    struct text body = loop_around(turn);
    double clocks = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
    text_free(&body);
    return clocks * h200.schedulers_per_sm / TURNS;
}

static void a_fragment_is_several_instructions(void **state) {
    (void)state;
    static const struct {
        const char *name, *turn;
        double more; /* than an empty turn */
    } rows[] = {
        {"rows of A in device memory",
         "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A ", [%a], 64;\n", 4},
        {"rows of B in device memory, transposed",
         "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 " B ", [%a], 64;\n", 8},
        {"an address that changes: two sums of it in 64 bits, and another product",
         STEP "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A ", [%z], 64;\n", 4 + 2 + 3},
        {"two of them at one address",
         STEP "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A
              ", [%z], 64;\nwmma.load.b.sync.aligned.col.m16n16k16.global.f16 " B
              ", [%z+1024], 64;\n",
         8 + 2 + 2 * 3},
        {"rows of A in shared memory",
         "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " A ", [%m], 64;\n", 1},
        {"rows of B in shared memory",
         "wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 " B ", [%m], 64;\n", 1},
        {"32 rows of A in shared memory",
         "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 " A ", [%m], 64;\n", 2},
        {"results to device memory",
         "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%a], " C ", 64;\n", 4},
        {"results to device memory, by column",
         "wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%a], " C ", 64;\n", 8},
        {"a product of 16 by 16", MULTIPLIED, 2},
        {"a product of 16 by 8",
         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {c0, c1, c2, c3}, {a0, a1, a2, a3}, "
         "{b0, b1}, {c0, c1, c2, c3};\n",
         1},
    };
    double empty = issued_a_turn("");
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        double more = issued_a_turn(rows[i].turn) - empty;
        if (fabs(more - rows[i].more) > 0.2)
            fail_msg("%s: %g instructions, not %g", rows[i].name, more, rows[i].more);
    }
}

static double clocks_a_turn(const char *turn, unsigned threads) {
    struct text body = loop_around(turn);
    double clocks = clocks_on(&h200, text_string(&body), 1, threads);
    text_free(&body);
    return clocks / TURNS;
}

/* A product needs both factors, of which it holds only a limited number of registers: whichever
 * comes last holds it up. */
static void a_product_waits_for_its_factors(void **state) {
    (void)state;
    static const char *const loads[] = {
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A ", [%a], 16;\n",
        "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 " B ", [%a], 16;\n",
        "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 " B ", [%a], 16;\n"};
    for (unsigned i = 0; i < ARRAY_LENGTH(loads); i++) {
        struct text turn = {0};
        /* the next load's address comes of the product */
        text_printf(&turn,
                    "mov.b32 %%r1, c7;\nand.b32 %%r1, %%r1, 1;\nmul.wide.u32 %%x, %%r1, 0;\n"
                    "add.s64 %%a, %%a, %%x;\n%s" MULTIPLIED,
                    loads[i]);
        double clocks = clocks_a_turn(text_string(&turn), 32);
        text_free(&turn);
        double least = h200.l1_cycles + h200.matrix_cycles + (i == 2 ? h200.shuffle_cycles : 0);
        if (clocks < least || clocks > least + 60)
            fail_msg("%s: %g clocks, at least %g", loads[i], clocks, least);
    }
}

/* Products of many warps go at the rate that mma reaches, by their type. */
static void products_take_their_rate(void **state) {
    (void)state;
    static const struct {
        const char *turn;
        double flops, rate; /* rate: of FP16's */
    } rows[] = {
        {MULTIPLIED, 8192, 1},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {c0, c1, c2, c3}, {a0, a1, a2, a3}, "
         "{b0, b1}, {c0, c1, c2, c3};\n",
         2048, 0.5},
        {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {b4, b5, b6, b7}, {a0, a1, a2, a3}, "
         "{b0, b1}, {b4, b5, b6, b7};\n",
         8192, 2},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text body = loop_around(rows[i].turn);
        double clocks = busy_clocks(&h200, PART_matrix, text_string(&body), 1, 512) / (16 * TURNS);
        text_free(&body);
        double expected = rows[i].flops / rows[i].rate / h200.mma_flops;
        if (fabs(clocks - expected) > 0.02 * expected)
            fail_msg("%s: %g clocks, not %g", rows[i].turn, clocks, expected);
    }
}

/* A line of loads and products that wait for registers is put in order in a time that grows with
 * the square of its length at most: 0.1 seconds of this one, where cubes took 22. */
static void long_lines_of_loads_are_ordered_soon(void **state) {
    (void)state;
    enum { STEPS = 256, MOST_SECONDS = 5 };
    struct text body = {0};
    text_printf(&body, ".reg .b32 a<8>, b<8>;\n.reg .f32 c<8>;\n");
    for (unsigned i = 0; i < 8; i++)
        text_printf(&body, "mov.f32 c%u, 0f00000000;\n", i);
    for (unsigned i = 0; i < STEPS; i++)
        text_printf(&body,
                    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A ", [%%a+%u], 64;\n"
                    "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 " B ", [%%a+%u], 64;\n"
                    "%s",
                    2048 * i, 2048 * i + 1024, MULTIPLIED);
    text_printf(&body, "st.global.v4.f32 [%%a], {c0, c1, c2, c3};");
    clock_t before = clock();
    clocks_on(&h200, text_string(&body), 1, 32);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    text_free(&body);
    if (seconds > MOST_SECONDS)
        fail_msg("%d loads and products took %g seconds", 3 * STEPS, seconds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fragment_is_several_instructions),
        cmocka_unit_test(a_product_waits_for_its_factors),
        cmocka_unit_test(products_take_their_rate),
        cmocka_unit_test(long_lines_of_loads_are_ordered_soon),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

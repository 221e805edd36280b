/* How many loads are on their way where the assembler has few registers left for them. Threads have
 * 32. */
#include "tests/support/model.h"

enum { TURNS = 64 };

/* Of a loop that %r1 counts and that adds up %f2. The text is freed. */
static double clocks_a_turn(struct text *body) {
    text_printf(body,
                "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n@%%p bra LOOP;\n"
                "st.global.f32 [%%a], %%f2;",
                TURNS);
    double clocks = clocks_on(&h200, text_string(body), 1, 32);
    text_free(body);
    return clocks / TURNS;
}

/* Turns of a loop in which the address of eight loads comes of 24 products. */
static double clocks_of_products(bool needed_later) {
    enum { PRODUCTS = 24, LOADS = 8 };
    struct text body = {0};
    text_printf(&body,
                ".reg .f32 y<%d>, w<%d>, %%s;\nmov.u32 %%r1, 0;\nmov.f32 %%f2, 0f00000000;\n",
                PRODUCTS, LOADS);
    text_printf(&body, "LOOP:\n.pragma \"nounroll\";\nld.global.cg.f32 %%f1, [%%a];\n"
                       "mov.f32 %%s, 0f00000000;\n");
    for (unsigned i = 0; i < PRODUCTS; i++)
        text_printf(&body, "mul.rn.f32 y%u, %%f1, 0f3f80%04x;\nadd.rn.f32 %%s, %%s, y%u;\n", i, i,
                    i);
    text_printf(&body, "mov.b32 %%r2, %%s;\nand.b32 %%r2, %%r2, 4;\ncvt.u64.u32 %%x, %%r2;\n"
                       "add.s64 %%y, %%a, %%x;\n");
    for (unsigned i = 0; i < LOADS; i++)
        text_printf(&body, "ld.global.cg.f32 w%u, [%%y+%u];\n", i, 128 * i);
    for (unsigned i = 0; i < PRODUCTS; i++)
        text_printf(&body, "fma.rn.f32 %%f2, %s%u, w%u, %%f2;\n", needed_later ? "y" : "w",
                    needed_later ? i : i % LOADS, i % LOADS);
    return clocks_a_turn(&body);
}

/* What is computed of loads keeps its registers until it has been read, and of 32 few are left for
 * other loads meanwhile: they come one after the other. */
static void sums_take_registers_of_loads(void **state) {
    (void)state;
    double read = clocks_of_products(false), kept = clocks_of_products(true);
    if (kept < read + 0.8 * h200.l2_cycles || read > 3 * h200.l2_cycles)
        fail_msg("%g clocks a turn with 24 products in registers, %g without", kept, read);
}

/* Turns of a loop that adds up this many numbers, each as far from the buffer's begin as a number
 * of 64 bits says that is there before the loop, or at an address that is. */
static double clocks_of_sum(unsigned numbers, bool addresses_are_there) {
    struct text body = {0};
    text_printf(&body, ".reg .u64 o<%u>, y<%u>;\n.reg .f32 w<%u>;\nmov.u32 %%r1, 0;\n", numbers,
                numbers, numbers);
    text_append(&body, "mov.f32 %f2, 0f00000000;\n");
    for (unsigned i = 0; i < numbers; i++) {
        text_printf(&body, "mul.wide.u32 o%u, %%l, %u;\n", i, 4 * (i + 1));
        if (addresses_are_there)
            text_printf(&body, "add.s64 y%u, %%a, o%u;\n", i, i);
    }
    text_append(&body, "LOOP:\n.pragma \"nounroll\";\n");
    for (unsigned i = 0; i < numbers; i++) {
        if (!addresses_are_there)
            text_printf(&body, "add.s64 y%u, %%a, o%u;\n", i, i);
        text_printf(&body, "ld.global.cg.f32 w%u, [y%u];\n", i, i);
    }
    for (unsigned i = 0; i < numbers; i++)
        text_printf(&body, "fma.rn.f32 %%f2, w%u, w%u, %%f2;\n", i, i);
    return clocks_a_turn(&body);
}

/* Where registers are short what is loaded stays in one of its address, and the pair is taken: half
 * as many loads are on their way. Where there are enough of them, results are put together. */
static void loads_take_the_pairs_of_their_addresses(void **state) {
    (void)state;
    double many = clocks_of_sum(13, false), many_there = clocks_of_sum(13, true);
    double less = clocks_of_sum(8, false), less_there = clocks_of_sum(8, true);
    if (many < 1.6 * many_there || less > 1.2 * less_there)
        fail_msg("13 loads a turn: %g clocks, %g where their addresses are there; 8: %g, %g", many,
                 many_there, less, less_there);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_take_registers_of_loads),
        cmocka_unit_test(loads_take_the_pairs_of_their_addresses),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

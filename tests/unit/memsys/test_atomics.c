/* Atomics of global memory that meet in slices of the L2. */
#include "tests/support/model.h"

#include <time.h>

#define WORD                                                                                       \
    "and.b32 %r1, %l, 255;\nmul.wide.u32 %x, %r1, 4;\nadd.s64 %x, %x, %a;\nmov.u32 %r2, 0;\n"
#define TRY                                                                                        \
    "mov.u32 %r3, %r2;\nadd.u32 %r4, %r3, 1;\natom.global.cas.b32 %r2, [%x], %r3, %r4;\n"          \
    "setp.ne.u32 %p, %r2, %r3;\n"

/* Each atomic that was executed once had all memory looked through for what is known of it. */
static void many_atomics_are_soon_modelled(void **state) {
    (void)state;
    enum { ATOMICS = 12000, SECONDS = 5, THREADS = 1024 };
    struct text body = {0};
    text_append(&body, "mad.lo.u32 %r1, %b, %d, %l;\nmul.wide.u32 %x, %r1, 4;\n"
                       "add.s64 %x, %x, %a;\nst.global.u32 [%x], %r1;\n"
                       "setp.ne.u32 %p, %r1, 0;\n@%p bra END;\n");
    for (int i = 0; i < ATOMICS; i++)
        text_append(&body, "red.global.add.u32 [%a], 1;\n");
    text_append(&body, "END:\n");
    clock_t begin = clock();
    assert_true(clocks_on(&h200, text_string(&body), MODEL_ELEMENTS / THREADS, THREADS) > 0);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    text_free(&body);
    if (seconds > SECONDS)
        fail_msg("%g seconds", seconds);
}

/* Lanes that compare and swap do not share the turn of a sector. */
static void swaps_go_one_by_one(void **state) {
    (void)state;
    double swapped = clocks_on(&h200, WORD TRY, 1056, 256);
    double expected = 1056 * 256 * h200.atomic_slice_cycles / 2; /* in two slices */
    if (fabs(swapped - expected) > 0.1 * expected)
        fail_msg("%g clocks, not %g", swapped, expected);
}

/* All lanes, or all but one of each sector, in one line. */
static void whole_sectors_are_faster(void **state) {
    (void)state;
    static const char some[] = "and.b32 %r1, %l, 31;\nmul.wide.u32 %x, %r1, 4;\n"
                               "add.s64 %x, %x, %a;\nand.b32 %r1, %l, 7;\n"
                               "setp.lt.u32 %p, %r1, LANES;\n@%p red.global.add.u32 [%x], %l;\n";
    double clocks[2], expected[2] = {h200.atomic_slice_cycles, h200.atomic_whole_cycles};
    for (unsigned i = 0; i < 2; i++) {
        struct text body = {0};
        const char *lanes = strstr(some, "LANES");
        text_printf(&body, "%.*s%u%s", (int)(lanes - some), some, 7 + i, lanes + 5);
        clocks[i] = clocks_on(&h200, text_string(&body), 1056, 256);
        text_free(&body);
        expected[i] *= 1056 * 8 * 4;
        if (fabs(clocks[i] - expected[i]) > 0.1 * expected[i])
            fail_msg("%u words: %g clocks, not %g", 7 + i, clocks[i], expected[i]);
    }
}

/* Blocks add to one of two words, which are in one slice or in two. */
static double clocks_of_two_words(unsigned bytes) {
    struct text body = {0};
    text_printf(&body,
                "and.b32 %%r1, %%b, 1;\nmul.wide.u32 %%x, %%r1, %u;\nadd.s64 %%x, %%x, %%a;\n"
                "red.global.add.u32 [%%x], 1;\n",
                bytes);
    double clocks = clocks_on(&h200, text_string(&body), 4096, 256);
    text_free(&body);
    return clocks;
}

static void pieces_of_256_bytes_go_to_two_slices_in_turn(void **state) {
    (void)state;
    double one = clocks_of_two_words(512);
    assert_true(clocks_of_two_words(128) > 0.95 * one);
    assert_true(clocks_of_two_words(256) < 0.6 * one);
    assert_true(clocks_of_two_words(1024) < 0.6 * one);
}

/* The blocks of a multiprocessor read, compute and add to a word, twice over: the sums of the first
 * ones wait for their turns in the L2, and the loads of the next ones not for these. */
static void sums_that_wait_keep_no_loads_waiting(void **state) {
    (void)state;
    enum { BLOCKS = 4 * FEW_SMS, THREADS = 256, LOADS = 8 };
    struct device_profile narrow = few;
    narrow.warps_per_sm = 16; /* two blocks at a time, whose latencies nothing hides */
    struct text body = {0};
    text_printf(&body,
                "mad.lo.u32 %%r1, %%b, %u, %%l;\nmul.wide.u32 %%x, %%r1, 16;\n"
                "add.s64 %%x, %%x, %%a;\nmov.u32 %%r2, 0;\n",
                THREADS);
    for (unsigned i = 0; i < LOADS; i++)
        text_printf(
            &body,
            "ld.global.v4.u32 {%%r3, %%r4, %%r5, %%r6}, [%%x+%u];\nadd.u32 %%r2, %%r2, %%r3;\n",
            i * BLOCKS * THREADS * 16);
    text_printf(&body, "cvt.rn.f32.u32 %%f1, %%r2;\nmov.u32 %%r1, 0;\nLOOP:\n"
                       "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\nfma.rn.f32 %%f1, %%f1, %%f1, %%f1;\n"
                       "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, 600;\n@%%p bra LOOP;\n");
    struct text sums = {0};
    text_printf(&sums, "%s\nred.global.add.f32 [%%a], %%f1;\nred.global.add.f32 [%%a], %%f1;",
                text_string(&body));
    text_printf(&body, "st.global.f32 [%%x], %%f1;");
    double work = clocks_on(&narrow, text_string(&body), BLOCKS, THREADS);
    double clocks = clocks_on(&narrow, text_string(&sums), BLOCKS, THREADS);
    double turns = BLOCKS * THREADS * h200.atomic_float_cycles; /* of those that end last */
    text_free(&body);
    text_free(&sums);
    if (clocks < work + 0.8 * turns || clocks > work + 1.3 * turns)
        fail_msg("%g clocks, %g without sums, whose turns take %g", clocks, work, turns);
}

/* As many atomics in two slices, from 4 multiprocessors or from all. */
static void few_multiprocessors_do_not_keep_two_slices_busy(void **state) {
    (void)state;
    double all = clocks_on(&h200, WORD "red.global.add.u32 [%x], 1;\n", 2048, 256);
    double four = clocks_on(&h200,
                            WORD "LOOP:\nred.global.add.u32 [%x], 1;\nadd.u32 %r2, %r2, 1;\n"
                                 "setp.lt.u32 %p, %r2, 512;\n@%p bra LOOP;\n",
                            4, 256);
    if (four < 1.05 * all || four > 1.12 * all)
        fail_msg("%g clocks, %g from all", four, all);
}

/* Lanes of this many blocks, each of which has a word of its own `step` bytes from its neighbour's;
 * `how` is done with it. */
static double clocks_of_own_words(const struct device_profile *device, unsigned blocks,
                                  unsigned step, const char *how) {
    struct text body = {0};
    text_printf(&body,
                "mad.lo.u32 %%r1, %%b, 256, %%l;\nmul.wide.u32 %%x, %%r1, %u;\n"
                "add.s64 %%x, %%x, %%a;\n%s\n",
                step, how);
    double clocks = clocks_on(device, text_string(&body), blocks, 256);
    text_free(&body);
    return clocks;
}

/* 64 KiB that the L2 holds, or a word of every second line of 4 MiB: those are fetched and go back,
 * as for stores of such words, which are filled up. */
static void atomics_fetch_and_write_back(void **state) {
    (void)state;
    struct device_profile little = h200;
    little.l2_bytes = 1 << 20;
    double stored = clocks_of_own_words(&little, 64, 256, "st.global.u32 [%x], %l;");
    double near = clocks_of_own_words(&little, 64, 4, "red.global.add.u32 [%x], 1;");
    double far = clocks_of_own_words(&little, 64, 256, "red.global.add.u32 [%x], 1;");
    if (near > 0.6 * stored || far < 0.9 * stored || far > 1.1 * stored)
        fail_msg("%g clocks where the L2 holds all, %g else; stores %g", near, far, stored);
}

/* Of words that the L2 has 74 in a nanosecond, as measured, where the answers go back. */
static void answers_cross_the_l2_as_questions_do(void **state) {
    (void)state;
    static const char loop[] = "mov.u32 %%r2, 0;\nLOOP:\n%s\nadd.u32 %%r2, %%r2, 1;\n"
                               "setp.lt.u32 %%p, %%r2, 32;\n@%%p bra LOOP;\n%s";
    struct text used = {0}, unused = {0};
    text_printf(&used, loop, "atom.global.exch.b32 %r3, [%x], %l;\nadd.u32 %r4, %r4, %r3;",
                "st.global.u32 [%x], %r4;");
    text_printf(&unused, loop, "red.global.add.u32 [%x], %l;", "");
    double clocks = clocks_of_own_words(&h200, 512, 32, text_string(&used));
    double silent = clocks_of_own_words(&h200, 512, 32, text_string(&unused));
    text_free(&used);
    text_free(&unused);
    double measured = 512 * 256 * 32 / 74.0 * h200.clock_mhz / 1000;
    if (fabs(clocks - measured) > 0.1 * measured || silent > 0.9 * clocks)
        fail_msg("%g clocks, %g measured; without answers %g", clocks, measured, silent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_atomics_are_soon_modelled),
        cmocka_unit_test(swaps_go_one_by_one),
        cmocka_unit_test(whole_sectors_are_faster),
        cmocka_unit_test(pieces_of_256_bytes_go_to_two_slices_in_turn),
        cmocka_unit_test(sums_that_wait_keep_no_loads_waiting),
        cmocka_unit_test(atomics_fetch_and_write_back),
        cmocka_unit_test(answers_cross_the_l2_as_questions_do),
        cmocka_unit_test(few_multiprocessors_do_not_keep_two_slices_busy),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

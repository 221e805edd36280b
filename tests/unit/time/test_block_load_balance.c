/* Blocks that differ: how long the multiprocessors that got the heavy ones go on alone, and what
 * their stores send to the L2 and to device memory. */
#include "tests/support/model.h"

#include "sandbox/simgpu/time/block_load_balance.h"

/* ---- blocks that differ ---------------------------------------------------------------------- */

static double imbalance(const uint64_t *work, size_t count, unsigned sms, unsigned resident,
                        double rate, double alone) {
    struct block_work works[16];
    struct warp_trace trace = {.works = works, .work_count = count, .weight = (double)count};
    for (size_t i = 0; i < count; i++) {
        works[i] = (struct block_work){.index = i, .instructions = work[i], .weight = 1};
        trace.work += (double)work[i];
        if (work[i] > trace.outlier.instructions)
            trace.outlier.instructions = work[i];
    }
    const struct block_load_balance_input input = {.trace = &trace,
                                                   .sms = sms,
                                                   .resident = resident,
                                                   .blocks = count,
                                                   .rate = rate,
                                                   .alone = alone};
    return block_load_balance_factor(&input);
}

static void expect_imbalance(double found, double expected) {
    if (fabs(found - expected) > 1e-9)
        fail_msg("%g, not %g", found, expected);
}

static void equal_blocks_are_balanced(void **state) {
    (void)state;
    const uint64_t work[] = {100, 101, 100, 99, 100};
    expect_imbalance(imbalance(work, 5, 2, 1, 1, 1), 1);
}

static void the_last_block_may_be_the_heaviest(void **state) {
    (void)state;
    const uint64_t work[] = {100, 100, 100, 900};
    /* 100, then 900 on one of two; all of them 300: two on each */
    expect_imbalance(imbalance(work, 4, 2, 1, 1, 1), 1000.0 / 600);
    /* both on one multiprocessor: 100 at half the rate, then 800 alone, at no more than that
     * block's */
    expect_imbalance(imbalance(work, 4, 2, 2, 1, 0.5), (200 + 800 / 0.5) / 600);
}

static void early_heavy_blocks_are_made_up_for(void **state) {
    (void)state;
    const uint64_t work[] = {900, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    expect_imbalance(imbalance(work, 10, 2, 1, 1, 1), 1);
}

/* ---- what stores send on --------------------------------------------------------------------- */

#define RECORD "mad.lo.u32 %r1, %b, %d, %l;\nmul.wide.u32 %x, %r1, 16;\nadd.s64 %x, %x, %a;\n"

#define FIRST  "st.global.u32 [%x], %l;\n"
#define SECOND "st.global.u32 [%x+4], %l;\n"

static uint64_t l2_sectors_of(const char *body) {
    struct engine_result result = profile_on(&h200, body, 16, 256);
    uint64_t sectors = result.counters.l2_sectors;
    engine_result_free(&result);
    return sectors;
}

/* Two words of a record, stored one right after the other, go to the L2 as one; a load that may
 * have to be waited for parts them, but for one that the assembler can move before both. */
static void stores_go_to_the_l2_together(void **state) {
    (void)state;
    enum { SECTORS = 16 * 256 * 16 / 32 };
    assert_int_equal(l2_sectors_of(RECORD FIRST SECOND), SECTORS);
    assert_int_equal(
        l2_sectors_of(RECORD "mov.u64 %y, %x;\n" FIRST "ld.global.u32 %r2, [%y+8];\n" SECOND),
        2 * SECTORS);
    assert_int_equal(l2_sectors_of(RECORD FIRST "ld.global.u32 %r2, [%x+8];\n" SECOND), SECTORS);
}

/* Half of each sector is stored; where device memory has given all of it before, whole sectors go
 * back, which is what stores of whole sectors cost. Else they go back in parts, which cost more,
 * and more yet where the lines of a request lie apart. */
static void parts_of_known_sectors_go_back_whole(void **state) {
    (void)state;
    struct device_profile small = few;
    small.l2_bytes = 1 << 18;
    static const char address[] = "mad.lo.u32 %%r1, %%b, %%d, %%l;\n%smul.wide.u32 %%x, %%r1, 8;\n"
                                  "add.s64 %%x, %%x, %%a;\n%s";
    static const char apart[] = "mul.lo.u32 %r1, %r1, 4097;\nand.b32 %r1, %r1, 524287;\n";
    static const struct {
        const char *order, *access;
    } ways[] = {{"", "ld.global.u32 %r2, [%x];\nst.global.u32 [%x], %r2;\n"},
                {"", "ld.global.v2.u32 {%r2, %r3}, [%x];\nst.global.v2.u32 [%x], {%r2, %r3};\n"},
                {"", "st.global.v2.u32 [%x], {%l, %l};\n"},
                {"", "st.global.u32 [%x], %l;\n"},
                {apart, "st.global.u32 [%x], %l;\n"}};
    double busy[ARRAY_LENGTH(ways)];
    for (unsigned i = 0; i < ARRAY_LENGTH(ways); i++) {
        struct text body = {0};
        text_printf(&body, address, ways[i].order, ways[i].access);
        busy[i] = busy_clocks(&small, PART_dram, text_string(&body), 512, 1024);
        text_free(&body);
    }
    assert_true(fabs(busy[0] - busy[1]) < 0.1 * busy[1]);
    assert_true(busy[3] > 1.5 * busy[2]);
    assert_true(busy[4] > 1.5 * busy[3]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_blocks_are_balanced),
        cmocka_unit_test(the_last_block_may_be_the_heaviest),
        cmocka_unit_test(early_heavy_blocks_are_made_up_for),
        cmocka_unit_test(stores_go_to_the_l2_together),
        cmocka_unit_test(parts_of_known_sectors_go_back_whole),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

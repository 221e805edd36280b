/* The modelled time: latency, throughput, bandwidth and waves, on kernels whose time can be worked
 * out from the profile by hand. */
#include "tests/support/model.h"

static struct engine_result profile_body(const char *body, unsigned blocks, unsigned threads) {
    return profile_on(&h200, body, blocks, threads);
}

static const char chain[] = "mov.f32 %f1, 0f3f800000;\nmov.u32 %r1, 0;\n"
                            "LOOP:\n"
                            "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
                            "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
                            "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 1000;\n@%p bra LOOP;\n"
                            "st.global.f32 [%a], %f1;";

static void a_chain_takes_its_latency(void **state) {
    (void)state;
    struct engine_result result = profile_body(chain, 1, 32);
    assert_int_equal(result.profile.estimate.limiter, PART_latency);
    double clocks = clocks_of(&result), expected = 4000 * h200.alu_cycles;
    assert_true(clocks > expected && clocks < 1.2 * expected);
}

static void warps_hide_latency_up_to_the_pipes_rate(void **state) {
    (void)state;
    struct engine_result one = profile_body(chain, 1, 32), four = profile_body(chain, 1, 128),
                         full = profile_on(&few, chain, 2 * FEW_SMS, 1024);
    double alone = clocks_of(&one), beside = clocks_of(&four);
    /* a warp on each scheduler: none waits for another */
    assert_true(beside < 1.05 * alone);
    /* 64 warps: 4000 instructions of 16 warps on each scheduler, one a clock, and the loop's own */
    double clocks = clocks_of(&full);
    assert_true(clocks > 16 * 4000 && clocks < 1.8 * 16 * 4000);
}

static void a_block_more_than_a_wave_begins_another(void **state) {
    (void)state;
    double first = clocks_on(&few, chain, FEW_SMS, 32);
    double second = clocks_on(&few, chain, FEW_SMS + 1, 32);
    assert_true(second < 1.1 * first); /* an SM has room for both */
    double full = clocks_on(&few, chain, 2 * FEW_SMS, 1024);
    double over = clocks_on(&few, chain, 2 * FEW_SMS + 1, 1024);
    assert_true(over > 1.15 * full);
}

#define ADDRESS "mad.lo.u32 %r1, %b, %d, %l;\nmul.wide.u32 %x, %r1, 4;\nadd.s64 %x, %x, %a;\n"

static void bandwidth_bounds_a_copy(void **state) {
    (void)state;
    struct engine_result result =
        profile_body(ADDRESS "ld.global.u32 %r2, [%x];\nadd.u32 %r2, %r2, 1;\n"
                             "st.global.u32 [%x], %r2;",
                     MODEL_ELEMENTS / 1024, 1024);
    double floor_ms = MODEL_ELEMENTS * 4.0 / (h200.dram_gbps * 1e6);
    assert_true(result.profile.estimate.part_ms[PART_dram] > 0.95 * floor_ms);
    assert_true(result.profile.estimate.ms > floor_ms);
    engine_result_free(&result);
}

static void scattered_lanes_cost_more(void **state) {
    (void)state;
    struct engine_result together =
        profile_body(ADDRESS "ld.global.u32 %r2, [%x];\nst.global.u32 [%x], %r2;", 1024, 256);
    struct engine_result apart =
        profile_body("mad.lo.u32 %r1, %b, %d, %l;\nmul.lo.u32 %r1, %r1, 40503;\n"
                     "and.b32 %r1, %r1, 1048575;\nmul.wide.u32 %x, %r1, 4;\nadd.s64 %x, %x, %a;\n"
                     "ld.global.u32 %r2, [%x];\nst.global.u32 [%x], %r2;",
                     1024, 256);
    assert_true(clocks_of(&apart) > 2 * clocks_of(&together));
}

static void atomics_on_one_address_take_turns(void **state) {
    (void)state;
    struct engine_result result =
        profile_body("mov.f32 %f1, 0f3f800000;\nred.global.add.f32 [%a], %f1;", 128, 256);
    assert_int_equal(result.profile.estimate.limiter, PART_atomics);
    double expected = 128.0 * 256 * h200.atomic_float_cycles, clocks = clocks_of(&result);
    assert_true(fabs(clocks - expected) < 0.05 * expected);
    /* sums of integers are joined in each warp first, and counted as they are written */
    result = profile_body("red.global.add.u32 [%a], 1;", 128, 256);
    assert_int_equal(result.counters.global_atomic_lanes, 128 * 256);
    assert_int_equal(result.counters.global_atomic_conflicts, 128 * 8 * 31);
    assert_true(8 * clocks_of(&result) < clocks);
}

/* Blocks, one on each SM, that add to one word at their end take turns when nothing else is left to
 * do; those that begin with it work on meanwhile. */
static void atomics_at_the_end_come_on_top(void **state) {
    (void)state;
    enum { BLOCKS = FEW_SMS, THREADS = 256 };
    struct text last = {0}, first = {0};
    text_printf(&last, "%s\nred.global.add.f32 [%%a], %%f1;", chain);
    text_printf(&first, "mov.f32 %%f1, 0f3f800000;\nred.global.add.f32 [%%a], %%f1;\n%s", chain);
    double work = clocks_on(&few, chain, BLOCKS, THREADS);
    double turns = BLOCKS * THREADS * h200.atomic_float_cycles;
    double at_end = clocks_on(&few, text_string(&last), BLOCKS, THREADS);
    double at_start = clocks_on(&few, text_string(&first), BLOCKS, THREADS);
    text_free(&last);
    text_free(&first);
    if (fabs(at_end - work - turns) > 0.1 * at_end || at_start > 1.1 * fmax(work, turns))
        fail_msg("%g and %g clocks, %g without, turns take %g", at_end, at_start, work, turns);
}

/* Four blocks of 256 have all atomics of a grid: they take turns with each other, and with none of
 * the SMs whose blocks have nothing to do. */
static void atomics_of_few_blocks_take_no_turns_with_idle_ones(void **state) {
    (void)state;
    enum { BUSY = 4, EACH = 64, THREADS = 256 };
    double clocks = clocks_on(&h200,
                              "and.b32 %r5, %b, 63;\nsetp.ne.u32 %q, %r5, 0;\n@%q bra DONE;\n"
                              "mov.f32 %f1, 0f3f800000;\nmov.u32 %r1, 0;\nLOOP:\n"
                              "red.global.add.f32 [%a], %f1;\nadd.s32 %r1, %r1, 1;\n"
                              "setp.lt.s32 %p, %r1, 64;\n@%p bra LOOP;\nDONE:",
                              64 * BUSY, THREADS);
    double turns = (double)BUSY * EACH * THREADS * h200.atomic_float_cycles;
    if (clocks < turns || clocks > 1.1 * turns)
        fail_msg("%g clocks, turns take %g", clocks, turns);
}

/* Additions of floats to one word of shared memory are attempts of which few succeed, the fewer the
 * more warps there are; to a word of each warp's own, only its lanes take turns. */
static void warps_contend_for_a_word_of_shared_memory(void **state) {
    (void)state;
    static const char common[] = ".shared .align 4 .f32 sum[64];\nmov.f32 %f1, 0f3f800000;\n"
                                 "mov.u32 %r1, sum;\n";
    struct text body = {0};
    text_printf(&body, "%sred.shared.add.f32 [%%r1], %%f1;", common);
    struct engine_result one = profile_body(text_string(&body), 1, 1024);
    text_clear(&body);
    text_printf(&body,
                "%sshr.u32 %%r2, %%l, 5;\nshl.b32 %%r2, %%r2, 2;\nadd.u32 %%r1, %%r1, %%r2;\n"
                "red.shared.add.f32 [%%r1], %%f1;",
                common);
    struct engine_result own = profile_body(text_string(&body), 1, 1024);
    text_free(&body);
    double contended = clocks_of(&one), apart = clocks_of(&own);
    assert_true(contended > 0.9 * 1024 * h200.shared_contended_cycles);
    assert_true(apart <
                1.5 * 1024 * h200.shared_float_atomic_cycles + 32 * h200.shared_float_cycles);
}

/* The assembler predicates small ifs: what no lane wants still goes through the pipes. */
static void predicated_stores_cost_a_turn(void **state) {
    (void)state;
    struct engine_result result =
        profile_body(".shared .align 4 .u32 word[8];\nmov.u32 %r3, word;\nmov.u32 %r1, 0;\n"
                     "setp.lt.u32 %q, %l, 2000;\nLOOP:\n@%q bra SKIP;\n"
                     "st.shared.u32 [%r3], %r1;\nst.shared.u32 [%r3+4], %r1;\n"
                     "st.shared.u32 [%r3+8], %r1;\nst.shared.u32 [%r3+12], %r1;\nSKIP:\n"
                     "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 1000;\n@%p bra LOOP;\n"
                     "st.global.u32 [%a], %r1;",
                     1, 1024);
    double clocks = clocks_of(&result), turns = 32 * 1000 * 4;
    assert_true(clocks > turns && clocks < 1.2 * turns);
}

/* A block's place is free as soon as its stores are issued: nothing waits until the L2 has them. */
static void stores_do_not_hold_a_block(void **state) {
    (void)state;
    enum { ROUNDS = 20, RESIDENT = 2 };
    static const char alone[] = "setp.ne.u32 %q, %l, 0;\n@%q bra DONE;\n";
    struct text body = {0};
    text_printf(&body, "%sadd.u32 %%r1, %%l, 1;\nDONE:", alone);
    struct engine_result silent =
        profile_on(&few, text_string(&body), FEW_SMS * RESIDENT * ROUNDS, 1024);
    text_clear(&body);
    text_printf(&body, "%sst.global.u32 [%%a], %%l;\nDONE:", alone);
    struct engine_result storing =
        profile_on(&few, text_string(&body), FEW_SMS * RESIDENT * ROUNDS, 1024);
    text_free(&body);
    double without = clocks_of(&silent), with = clocks_of(&storing);
    assert_true(with - without < ROUNDS * 0.3 * h200.l2_cycles);
}

/* ... but the launch lasts until memory has taken it all, also where blocks end faster than that
 * and only the first rounds of them are replayed. */
static void a_launch_lasts_until_all_is_stored(void **state) {
    (void)state;
    enum { THREADS = 96 };
    struct device_profile slow = few;
    slow.dram_gbps = 4;
    slow.l2_bytes = 1 << 16;
    struct engine_result result =
        profile_on(&slow, ADDRESS "st.global.u32 [%x], %r1;", MODEL_ELEMENTS / THREADS, THREADS);
    double floor_ms = MODEL_ELEMENTS * 4.0 / (slow.dram_gbps * 1e6);
    const struct cost_estimate *estimate = &result.profile.estimate;
    if (estimate->ms < 0.9 * floor_ms || estimate->ms < estimate->part_ms[PART_dram])
        fail_msg("%g ms for %g ms of stores, at least %g ms", estimate->ms,
                 estimate->part_ms[PART_dram], floor_ms);
    engine_result_free(&result);
}

/* A warp that has ended leaves its place to another block's: of blocks whose first warp alone goes
 * on, as many run at a time as an SM has places for blocks, not for their warps. */
static void warps_that_have_ended_leave_room(void **state) {
    (void)state;
    struct text body = {0};
    text_printf(&body, "setp.ge.u32 %%q, %%l, 32;\n@%%q bra DONE;\n%s\nDONE:", chain);
    double alone = clocks_on(&few, text_string(&body), 1, 256);
    /* eight have room for all warps */
    double together = clocks_on(&few, text_string(&body), FEW_SMS * 12, 256);
    text_free(&body);
    assert_true(together < 1.4 * alone);
}

/* Eight warps of a block and their barriers: the load/store unit does nothing else. */
static void barriers_take_of_the_load_store_unit(void **state) {
    (void)state;
    enum { BARRIERS = 1000, BLOCKS = 4 };
    double clocks = busy_clocks(&few, PART_shared,
                                "mov.u32 %r1, 0;\nLOOP:\nbar.sync 0;\nadd.s32 %r1, %r1, 1;\n"
                                "setp.lt.s32 %p, %r1, 1000;\n@%p bra LOOP;",
                                FEW_SMS * BLOCKS, 256);
    double expected = BARRIERS * BLOCKS * h200.barrier_wavefronts;
    assert_true(fabs(clocks - expected) < 0.05 * expected);
}

/* Both take a load from constant memory or a special register, one after the other. */
static void parameters_and_special_registers_are_read(void **state) {
    (void)state;
    struct engine_result result = profile_body("st.global.u32 [%a], %l;", 1, 1);
    double clocks = clocks_of(&result);
    assert_true(clocks > 30 && clocks < 30 + 20);
}

/* Blocks that start together and read the same wait for device memory together, though only one of
 * them fetches: those of a later wave find it in the L2. */
static void blocks_wait_together_for_what_one_fetches(void **state) {
    (void)state;
    static const char walk[] = /* each load waits for the one before; each is a line of its own */
        "mov.u32 %r1, 0;\nmov.u64 %x, %a;\nLOOP:\nld.global.cg.u32 %r2, [%x];\n"
        "mul.wide.u32 %y, %r2, 0;\nadd.s64 %x, %x, %y;\nadd.s64 %x, %x, 4096;\n"
        "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 200;\n@%p bra LOOP;";
    double alone = clocks_on(&few, walk, 1, 32), beside = clocks_on(&few, walk, FEW_SMS, 32);
    double after = clocks_on(&few, walk, FEW_SMS * 32 * 4, 32) / 4;
    assert_true(alone > 200 * h200.dram_cycles);
    assert_true(beside > 0.95 * alone);
    assert_true(after < 0.8 * alone);
}

/* Two loads that do not depend on each other are on their way together. */
static void independent_loads_overlap(void **state) {
    (void)state;
    static const char first[] = "ld.global.u32 %r2, [%a];\n";
    struct text two = {0};
    text_printf(&two,
                "%sld.global.u32 %%r3, [%%a+65536];\nadd.u32 %%r2, %%r2, %%r3;\n"
                "st.global.u32 [%%a+131072], %%r2;",
                first);
    struct engine_result both = profile_body(text_string(&two), 1, 1);
    text_clear(&two);
    text_printf(&two,
                "%sand.b32 %%r2, %%r2, 0;\nmul.wide.u32 %%x, %%r2, 4;\n"
                "add.s64 %%x, %%x, %%a;\nld.global.u32 %%r3, [%%x+65536];\n"
                "st.global.u32 [%%a+131072], %%r3;",
                first);
    struct engine_result after = profile_body(text_string(&two), 1, 1);
    text_free(&two);
    double together = clocks_of(&both), one_by_one = clocks_of(&after);
    assert_true(one_by_one - together > 0.4 * h200.dram_cycles);
}

/* The loop runs in one block only, wherever in the grid that is. */
static double clocks_of_one_busy_block(unsigned busy, unsigned blocks, const char *loop) {
    struct text body = {0};
    text_printf(&body, "setp.ne.u32 %%q, %%b, %u;\n@%%q bra DONE;\n%s\nDONE:\n", busy, loop);
    struct engine_result result = profile_body(text_string(&body), blocks, 32);
    text_free(&body);
    return clocks_of(&result);
}

static void the_heaviest_block_bounds_the_time(void **state) {
    (void)state;
    struct engine_result one = profile_body(chain, 1, 32);
    double alone = clocks_of(&one);
    static const unsigned places[] = {0, 1, 777, 2047};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        double clocks = clocks_of_one_busy_block(places[i], 2048, chain);
        assert_true(clocks > 0.95 * alone && clocks < 1.3 * alone + 2048 * 2);
    }
}

/* Most blocks have nothing to do and end long before a few that have: how many of them have ended
 * says nothing of the rest. */
static void blocks_that_do_nothing_tell_nothing(void **state) {
    (void)state;
    static const char loop[] = "mov.f32 %f1, 0f3f800000;\nmov.u32 %r1, 0;\nLOOP:\n"
                               "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
                               "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 60000;\n"
                               "@%p bra LOOP;\nst.global.f32 [%a], %f1;";
    struct text body = {0};
    text_printf(&body,
                "and.b32 %%r5, %%b, 15;\nshr.u32 %%r6, %%b, 8;\nor.b32 %%r5, %%r5, %%r6;\n"
                "setp.ne.u32 %%q, %%r5, 0;\n@%%q bra DONE;\n%s\nDONE:",
                loop);
    double alone = clocks_on(&few, text_string(&body), 1, 32);
    double all = clocks_on(&few, text_string(&body), 4096, 32); /* four for each multiprocessor */
    text_free(&body);
    if (all < 0.95 * alone || all > 3 * alone)
        fail_msg("%g clocks, a block alone %g", all, alone);
}

/* A path of more pieces than are kept, since the branch goes another way each time; block 9 is one
 * that stands for its part of the grid. */
static void long_crooked_paths_are_not_forgotten(void **state) {
    (void)state;
    static const char crooked[] =
        "mov.f32 %f1, 0f3f800000;\nmov.u32 %r1, 0;\nLOOP:\n"
        "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
        "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p, %r2, 0;\n@%p bra EVEN;\n"
        "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
        "bar.warp.sync -1;\nEVEN:\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
        "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 300000;\n@%p bra LOOP;\n"
        "st.global.f32 [%a], %f1;";
    double clocks = clocks_of_one_busy_block(9, 300, crooked);
    assert_true(clocks > 3e5 * 4 * h200.alu_cycles);
    double branches = 2 * (h200.predicate_cycles + h200.jump_cycles);
    assert_true(clocks < 3e5 * (12 * h200.alu_cycles + branches));
}

static void no_device_is_no_profile(void **state) {
    (void)state;
    struct engine_result result = launch_body("st.global.u32 [%a], %l;", 1, 32);
    assert_false(result.profile.present);
    engine_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_takes_its_latency),
        cmocka_unit_test(warps_hide_latency_up_to_the_pipes_rate),
        cmocka_unit_test(a_block_more_than_a_wave_begins_another),
        cmocka_unit_test(bandwidth_bounds_a_copy),
        cmocka_unit_test(scattered_lanes_cost_more),
        cmocka_unit_test(atomics_on_one_address_take_turns),
        cmocka_unit_test(atomics_at_the_end_come_on_top),
        cmocka_unit_test(atomics_of_few_blocks_take_no_turns_with_idle_ones),
        cmocka_unit_test(warps_contend_for_a_word_of_shared_memory),
        cmocka_unit_test(predicated_stores_cost_a_turn),
        cmocka_unit_test(stores_do_not_hold_a_block),
        cmocka_unit_test(a_launch_lasts_until_all_is_stored),
        cmocka_unit_test(warps_that_have_ended_leave_room),
        cmocka_unit_test(barriers_take_of_the_load_store_unit),
        cmocka_unit_test(parameters_and_special_registers_are_read),
        cmocka_unit_test(blocks_wait_together_for_what_one_fetches),
        cmocka_unit_test(independent_loads_overlap),
        cmocka_unit_test(the_heaviest_block_bounds_the_time),
        cmocka_unit_test(blocks_that_do_nothing_tell_nothing),
        cmocka_unit_test(long_crooked_paths_are_not_forgotten),
        cmocka_unit_test(no_device_is_no_profile),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

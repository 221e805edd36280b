/* Which waste of a line is reported, and in which words; what bounds a launch. */
#include "reports/advice.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
    struct counters counters;
    const char *metric; /* NULL: any */
    enum waste waste;
    const char *sentence;
};

#define LOADS .global_load_requests = 100, .global_load_ideal_sectors = 400

static const struct row rows[] = {
    {{.warp_instructions = 100, LOADS, .global_load_sectors = 400}, NULL, WASTE_COUNT, ""},
    {{.warp_instructions = 100, LOADS, .global_load_sectors = 3200},
     NULL,
     WASTE_LOADS,
     "reads 32 sectors per request, 4 would be enough"},
    {{.warp_instructions = 10,
      .global_store_requests = 10,
      .global_store_sectors = 80,
      .global_store_ideal_sectors = 40},
     NULL,
     WASTE_STORES,
     "writes 8 sectors per request, 4 would be enough"},
    {{.warp_instructions = 10,
      .shared_load_requests = 6,
      .shared_store_requests = 4,
      .shared_bank_conflicts = 155},
     NULL,
     WASTE_CONFLICTS,
     "has 15.5 bank conflicts in each shared-memory request"},
    {{.warp_instructions = 10, .shared_load_requests = 10, .shared_bank_conflicts = 10},
     NULL,
     WASTE_CONFLICTS,
     "has 1 bank conflict in each shared-memory request"},
    {{.warp_instructions = 10, .global_atomic_requests = 10, .global_atomic_passes = 320},
     NULL,
     WASTE_GLOBAL_ATOMICS,
     "lets 32 lanes of a warp update one address of global memory, one after the other"},
    {{.warp_instructions = 10, .shared_atomic_requests = 10, .shared_atomic_passes = 40},
     NULL,
     WASTE_SHARED_ATOMICS,
     "lets 4 lanes of a warp update one address of shared memory, one after the other"},
    {{.warp_instructions = 10, .local_load_requests = 5, .local_load_sectors = 20},
     NULL,
     WASTE_LOCAL,
     "goes to local memory in 50 % of its instructions"},
    {{.warp_instructions = 10, .constant_requests = 10, .constant_replays = 310},
     NULL,
     WASTE_CONSTANT,
     "asks for 32 addresses of constant memory at once, one is served at a time"},
    {{.warp_instructions = 10, .inactive_lanes = 160},
     NULL,
     WASTE_LANES,
     "keeps 16 of 32 lanes busy"},
    /* a few lanes at the edge of a matrix are no news */
    {{.warp_instructions = 1000, .inactive_lanes = 320}, NULL, WASTE_COUNT, ""},
    /* nor is a second row of a tile */
    {{.warp_instructions = 100, LOADS, .global_load_sectors = 560}, NULL, WASTE_COUNT, ""},
    /* the worst of several, or the one that is asked about */
    {{.warp_instructions = 100,
      LOADS,
      .global_load_sectors = 800,
      .shared_load_requests = 100,
      .shared_bank_conflicts = 3100},
     NULL,
     WASTE_CONFLICTS,
     "has 31 bank conflicts in each shared-memory request"},
    {{.warp_instructions = 100,
      LOADS,
      .global_load_sectors = 800,
      .shared_load_requests = 100,
      .shared_bank_conflicts = 3100},
     "global_load_sectors_per_request",
     WASTE_LOADS,
     "reads 8 sectors per request, 4 would be enough"},
};

static void tells_the_worst_waste(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_text struct text sentence = {0};
        enum waste waste = advice_waste(&rows[i].counters, rows[i].metric);
        advice_append(waste, &rows[i].counters, LANGUAGE_EN, &sentence);
        if (waste != rows[i].waste || strcmp(text_string(&sentence), rows[i].sentence) != 0)
            fail_msg("row %zu: %d, %s", i, (int)waste, text_string(&sentence));
        assert_int_equal(advice_fix(waste, LANGUAGE_EN) != NULL, waste != WASTE_COUNT);
    }
}

static struct line_counters lines[] = {
    {.file = "k.cu", .line = 9, .modelled_ms = 0.2},
    {.file = "k.cu",
     .line = 14,
     .modelled_ms = 0.6,
     .counters = {.warp_instructions = 100, LOADS, .global_load_sectors = 3200}},
    {.file = "other.h", .line = 1, .modelled_ms = 0.9},
};

static const struct device_profile four_sms = {.multiprocessors = 4};

static struct engine_result result_of(enum cost_part limiter, double part_ms) {
    struct engine_result result = {
        .lines = lines,
        .line_count = ARRAY_LENGTH(lines),
        .profile = {.present = true,
                    .blocks = 100,
                    .occupancy = {.blocks_per_sm = 2, .warps_per_sm = 16, .limit = LIMIT_SHARED},
                    .estimate = {.ms = 2, .limiter = limiter}}};
    result.profile.estimate.part_ms[PART_shared] = 0.5;
    result.profile.estimate.part_ms[limiter] = part_ms;
    return result;
}

static void expect_limiter(enum cost_part limiter, double part_ms, unsigned line,
                           const char *sentence) {
    struct engine_result result = result_of(limiter, part_ms);
    cleanup_text struct text out = {0};
    const struct line_counters *found = advice_find(&result, &four_sms, "k.cu").line;
    advice_limiter(&result, &four_sms, "k.cu", LANGUAGE_EN, &out);
    assert_string_equal(text_string(&out), sentence);
    assert_int_equal(found ? found->line : 0, line);
}

static void says_what_bounds_a_launch(void **state) {
    (void)state;
    expect_limiter(PART_dram, 1.84, 14,
                   "DRAM-bound: 92 % of the modelled time; line 14 reads 32 sectors per request, 4 "
                   "would be enough");
    expect_limiter(
        PART_issue, 3, 14, /* what it reads is not the cause */
        "instruction-issue-bound: 100 % of the modelled time; line 14 takes 30 % of the modelled "
        "time");
    expect_limiter(PART_latency, 0, 14,
                   "latency-bound: warps wait, and the busiest unit (shared memory) works 25 % of "
                   "the modelled time; an SM holds 2 blocks, 16 warps, as shared memory allows; "
                   "line 14 reads 32 sectors per request, 4 would be enough");
    expect_limiter(PART_blocks, 1.8, 14,
                   "other-blocks-bound: 90 % of the modelled time, for which blocks wait for what "
                   "others write; most of it in line 14");
    expect_limiter(PART_launch, 1.9, 0,
                   "launch-overhead-bound: 95 % of the modelled time; the launch is over before "
                   "the device is busy");
}

/* A grid that does not fill the device says so; what launching takes is no unit's work. */
static void says_why_there_are_no_more_warps(void **state) {
    (void)state;
    static const struct {
        uint64_t blocks;
        const char *sentence;
    } grids[] = {{1, "1 block leaves 3 of 4 SMs idle"},
                 {3, "3 blocks leave 1 of 4 SMs idle"},
                 {5, "the grid has 1.25 blocks for each SM, which could hold 2"},
                 {8, "an SM holds 2 blocks, 16 warps, as shared memory allows"}};
    for (size_t i = 0; i < ARRAY_LENGTH(grids); i++) {
        struct engine_result result = result_of(PART_latency, 0);
        result.profile.blocks = grids[i].blocks;
        result.profile.estimate.part_ms[PART_launch] = 0.9;
        cleanup_text struct text out = {0}, wanted = {0};
        text_printf(
            &wanted,
            "latency-bound: warps wait, and the busiest unit (shared memory) works 25 %% of "
            "the modelled time; launching takes 45 %% of it; %s; line 14 reads",
            grids[i].sentence);
        advice_limiter(&result, &four_sms, "k.cu", LANGUAGE_EN, &out);
        assert_int_equal(strncmp(text_string(&out), text_string(&wanted), wanted.length), 0);
    }
}

/* The one that asks most of the limiting unit; where warps only wait, the one that they wait at. */
static void finds_the_line_by_what_limits(void **state) {
    (void)state;
    static const struct line_counters several[] = {
        {.file = "k.cu",
         .line = 3,
         .modelled_ms = 0.1,
         .counters = {.warp_instructions = 500, .shared_load_wavefronts = 10}},
        {.file = "k.cu",
         .line = 5,
         .counters = {.warp_instructions = 100, .shared_load_wavefronts = 900}},
        {.file = "k.cu",
         .line = 7,
         .modelled_ms = 0.2,
         .counters = {.warp_instructions = 100, .global_store_sectors = 400}},
        {.file = "other.h", .line = 1, .counters = {.warp_instructions = 9000}},
    };
    static const struct {
        enum cost_part limiter;
        unsigned line;
    } wanted[] = {
        {PART_latency, 7}, {PART_shared, 5}, {PART_dram, 7}, {PART_fp64, 0}, {PART_special, 7}};
    static const struct line_counters untimed = {
        .file = "k.cu", .line = 3, .counters = {.warp_instructions = 1}};
    assert_ptr_equal(advice_costliest(&untimed, 1, PART_latency, "k.cu"), &untimed);
    for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
        const struct line_counters *found =
            advice_costliest(several, ARRAY_LENGTH(several), wanted[i].limiter, "k.cu");
        assert_int_equal(found ? found->line : 0, wanted[i].line);
    }
}

/* A line that wastes nothing still has its part. */
static void tells_the_part_of_a_clean_line(void **state) {
    (void)state;
    static struct line_counters clean[] = {{.file = "k.cu",
                                            .line = 7,
                                            .modelled_ms = 0.3,
                                            .counters = {.warp_instructions = 100,
                                                         .global_load_sectors = 300,
                                                         .global_load_ideal_sectors = 300}},
                                           {.file = "k.cu",
                                            .line = 8,
                                            .modelled_ms = 1.2,
                                            .counters = {.warp_instructions = 300,
                                                         .global_store_sectors = 100,
                                                         .global_store_ideal_sectors = 100}}};
    struct engine_result result = result_of(PART_dram, 1.5);
    result.lines = clean;
    result.line_count = ARRAY_LENGTH(clean);
    result.counters = (struct counters){
        .warp_instructions = 400, .global_load_sectors = 300, .global_store_sectors = 100};
    cleanup_text struct text dram = {0}, waiting = {0};
    advice_limiter(&result, &four_sms, "k.cu", LANGUAGE_EN, &dram);
    assert_string_equal(text_string(&dram),
                        "DRAM-bound: 75 % of the modelled time; line 7 causes 75 % of it");
    result.profile.estimate.limiter = PART_issue;
    advice_limiter(&result, &four_sms, "k.cu", LANGUAGE_EN, &waiting);
    assert_string_equal(text_string(&waiting), "instruction-issue-bound: 0 % of the modelled time; "
                                               "line 8 takes 60 % of the modelled time");
}

/* What the line of the limiter's most demand says, and which waste it is. */
static void follows_the_limiter(void **state) {
    (void)state;
    static const struct {
        enum cost_part limiter;
        struct counters counters;
        const char *bound, *line;
        enum waste waste;
    } cases[] = {
        {PART_atomics,
         {.warp_instructions = 50,
          .inactive_lanes = 1550,
          .global_atomic_requests = 50,
          .global_atomic_passes = 50},
         "atomics-bound",
         "line 3 sends 50 atomic requests to global memory, one after the other where warps update "
         "the same address",
         WASTE_CONTENTION},
        {PART_atomics,
         {.warp_instructions = 50, .global_atomic_requests = 50, .global_atomic_passes = 1600},
         "atomics-bound",
         "line 3 lets 32 lanes of a warp update one address of global memory, one after the other",
         WASTE_GLOBAL_ATOMICS},
        {PART_special,
         {.warp_instructions = 100, .fp64_instructions = 30, .conversion_instructions = 60},
         "double-precision-bound",
         "line 3 computes in double precision in 30 % of its instructions, and converts between "
         "types in 60 %",
         WASTE_DOUBLE},
        {PART_fp64,
         {.warp_instructions = 100, .fp64_instructions = 80, LOADS, .global_load_sectors = 3200},
         "FP64-arithmetic-bound",
         "line 3 computes in double precision in 80 % of its instructions",
         WASTE_DOUBLE},
        {PART_special,
         {.warp_instructions = 100,
          .special_instructions = 60,
          .fp64_instructions = 1,
          .conversion_instructions = 30},
         "special-functions-bound",
         "line 3 causes 100 % of it",
         WASTE_COUNT},
        {PART_special,
         {.warp_instructions = 100, .integer_instructions = 90},
         "integer-division-bound",
         "line 3 divides integers (/ or %), about twenty machine instructions each",
         WASTE_DIVISION},
        /* one element of each of two rows, beside two half rows: no alignment makes it fewer */
        {PART_l1,
         {.warp_instructions = 500,
          .global_load_requests = 200,
          .global_load_ideal_sectors = 300,
          .global_load_sectors = 400},
         "L1-cache-bound",
         "line 3 causes 100 % of it",
         WASTE_COUNT},
        {PART_l2,
         {.warp_instructions = 500, LOADS, .global_load_sectors = 500},
         "L2-cache-bound",
         "line 3 reads 5 sectors per request, 4 would be enough: a warp's first element lies in "
         "the "
         "middle of a sector",
         WASTE_ALIGNMENT},
        {PART_dram,
         {.warp_instructions = 500, LOADS, .global_load_sectors = 500},
         "DRAM-bound",
         "line 3 causes 100 % of it",
         WASTE_COUNT},
        {PART_l2,
         {.warp_instructions = 500, LOADS, .global_load_sectors = 420},
         "L2-cache-bound",
         "line 3 causes 100 % of it",
         WASTE_COUNT},
        {PART_fp32,
         {.warp_instructions = 100, .fp32_instructions = 80, LOADS, .global_load_sectors = 3200},
         "FP32-arithmetic-bound",
         "line 3 causes 100 % of it",
         WASTE_COUNT},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct line_counters line = {.file = "k.cu", .line = 3, .modelled_ms = 1};
        line.counters = cases[i].counters;
        struct engine_result result = result_of(cases[i].limiter, 1.9);
        result.lines = &line;
        result.line_count = 1;
        result.counters = line.counters;
        cleanup_text struct text out = {0}, wanted = {0};
        text_printf(&wanted, "%s: 95 %% of the modelled time; %s", cases[i].bound, cases[i].line);
        advice_limiter(&result, &four_sms, "k.cu", LANGUAGE_EN, &out);
        assert_string_equal(text_string(&out), text_string(&wanted));
        assert_int_equal(advice_find(&result, &four_sms, "k.cu").waste, cases[i].waste);
    }
}

/* Starting the blocks is told from the launch itself, and idle SMs whatever limits. */
static void tells_starts_and_idle_multiprocessors(void **state) {
    (void)state;
    static const struct device_profile slow = {
        .multiprocessors = 4, .clock_mhz = 1000, .block_interval_cycles = 1000};
    struct engine_result result = result_of(PART_launch, 1.9);
    cleanup_text struct text many = {0}, few = {0};
    result.profile.blocks = 1800; /* 1.8 ms */
    advice_limiter(&result, &slow, "k.cu", LANGUAGE_EN, &many);
    assert_string_equal(text_string(&many),
                        "launch-overhead-bound: 95 % of the modelled time; 1800 blocks start "
                        "slower than they work: give each block more to do");
    assert_int_equal(advice_find(&result, &slow, "k.cu").waste, WASTE_STARTS);
    result = result_of(PART_issue, 1.8);
    result.profile.blocks = 3;
    advice_limiter(&result, &slow, "k.cu", LANGUAGE_EN, &few);
    assert_string_equal(text_string(&few),
                        "instruction-issue-bound: 90 % of the modelled time; 3 blocks leave 1 of 4 "
                        "SMs idle; line 14 takes 30 % of the modelled time");
}

static void says_nothing_without_a_model(void **state) {
    (void)state;
    struct engine_result result = {.profile = {.present = true}};
    cleanup_text struct text out = {0};
    advice_limiter(&result, &four_sms, "k.cu", LANGUAGE_EN, &out);
    assert_null(advice_find(&result, &four_sms, "k.cu").line);
    assert_int_equal(out.length, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_worst_waste),
        cmocka_unit_test(says_what_bounds_a_launch),
        cmocka_unit_test(says_why_there_are_no_more_warps),
        cmocka_unit_test(finds_the_line_by_what_limits),
        cmocka_unit_test(tells_the_part_of_a_clean_line),
        cmocka_unit_test(follows_the_limiter),
        cmocka_unit_test(tells_starts_and_idle_multiprocessors),
        cmocka_unit_test(says_nothing_without_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

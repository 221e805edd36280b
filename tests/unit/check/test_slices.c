/* More accesses than the race detector has numbers for: records that nothing leads to are given up,
 * then the launch is repeated in slices of the memory, and where those are too many the result says
 * so. Nothing of it may lose a race, make one up, or depend on the number of host threads. Small
 * limits stand for the real ones, which take gigabytes to come to. */
#include "tests/support/launch.h"

#include "sandbox/simgpu/state/limits.h"

enum { BLOCKS = 64, THREADS = 256, WORDS = BLOCKS * THREADS, ALL_SLICES = 4096 };

#define KERNEL_HEAD                                                                                \
    PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %a, %x, %y;\n.reg .u32 %b, %l, "      \
             "%r<10>;\n.reg .pred %p;\n.shared .align 4 .b8 s[1024];\nld.param.u64 %a, [p];\n"     \
             "mov.u32 %l, %tid.x;\nmov.u32 %b, %ctaid.x;\nmad.lo.u32 %r1, %b, 256, %l;\n"          \
             "mad.wide.u32 %x, %r1, 4, %a;\n"
/* %y: what the next thread of the block writes; the same thread of the next block */
#define NEXT_THREAD                                                                                \
    "add.u32 %r2, %l, 1;\nand.b32 %r2, %r2, 255;\nmad.lo.u32 %r2, %b, 256, %r2;\n"                 \
    "mad.wide.u32 %y, %r2, 4, %a;\n"
#define NEXT_BLOCK                                                                                 \
    "add.u32 %r2, %r1, 256;\nand.b32 %r2, %r2, 16383;\nmad.wide.u32 %y, %r2, 4, %a;\n"

static const struct kernel {
    const char *name, *text;
    uint64_t races; /* at the default limits, in all */
} kernels[] = {
    {"each its own, twice",
     KERNEL_HEAD "st.global.u32 [%x], %l;\nld.global.u32 %r3, [%x];\nret;\n}\n", 0},
    {"ordered by a barrier",
     KERNEL_HEAD NEXT_THREAD "st.global.u32 [%x], %l;\nbar.sync 0;\nld.global.u32 %r3, [%y];\n"
                             "ret;\n}\n",
     0},
    {"no barrier",
     KERNEL_HEAD NEXT_THREAD "st.global.u32 [%x], %l;\nld.global.u32 %r3, [%y];\nret;\n}\n", WORDS},
    {"bytes of unlike threads",
     KERNEL_HEAD NEXT_THREAD
     "st.global.u8 [%x], %l;\nst.global.u8 [%x+2], %l;\nld.global.u8 %r3, [%y];\nret;\n}\n",
     WORDS},
    {"read by the next block",
     KERNEL_HEAD NEXT_BLOCK "st.global.u32 [%x], %l;\nld.global.u32 %r3, [%y];\nret;\n}\n", WORDS},
    {"chained readers",
     KERNEL_HEAD NEXT_BLOCK "membar.gl;\nld.global.u32 %r3, [%y];\nld.global.u32 %r4, [%x];\n"
                            "bar.sync 0;\nst.global.u32 [%x], %l;\nret;\n}\n",
     WORDS},
};

static const struct step {
    const char *name;
    struct sim_limits limits;
    bool complete;
} steps[] = {
    {"recycled", {1 << 13, 1 << 15, 1 << 10, ALL_SLICES}, true},
    {"a few slices", {1 << 10, 1 << 15, 1 << 10, ALL_SLICES}, true},
    {"a slice a page", {1 << 9, 1 << 15, 1 << 10, ALL_SLICES}, true},
    {"too many slices", {1 << 9, 1 << 15, 1 << 10, 2}, false},
    {"one slice", {1 << 9, 1 << 15, 1 << 10, 1}, false},
};

static struct engine_result run(const char *text, unsigned blocks, unsigned threads,
                                unsigned host_threads, uint64_t seed,
                                const struct sim_limits *limits) {
    cleanup_free uint32_t *data = mem_calloc(WORDS, sizeof *data);
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = WORDS};
    struct engine_launch launch = {.ptx = text,
                                   .ptx_length = strlen(text),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {blocks, 1, 1},
                                   .block = {threads, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = WORDS * sizeof *data,
                                   .seed = seed,
                                   .threads = host_threads};
    struct engine_result result;
    sim_run_limited(&launch, limits, &result);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    return result;
}

static uint64_t count_of(const struct engine_result *result, enum hazard_kind kind) {
    uint64_t count = 0;
    for (size_t i = 0; i < result->hazard_count; i++)
        count += result->hazards[i].kind == kind ? result->hazards[i].count : 0;
    return count;
}

static void assert_same(const char *kernel, const char *step, const struct engine_result *a,
                        const struct engine_result *b) {
    bool same = a->hazard_count == b->hazard_count &&
                memcmp(&a->counters, &b->counters, sizeof a->counters) == 0;
    for (size_t i = 0; same && i < a->hazard_count; i++)
        if (a->hazards[i].kind != b->hazards[i].kind ||
            a->hazards[i].severity != b->hazards[i].severity ||
            a->hazards[i].count != b->hazards[i].count ||
            strcmp(a->hazards[i].message, b->hazards[i].message) != 0 ||
            memcmp(a->hazards[i].threads, b->hazards[i].threads, sizeof a->hazards[i].threads) != 0)
            same = false;
    for (size_t i = 0; !same && (i < a->hazard_count || i < b->hazard_count); i++)
        print_message("%llu times %s\n%llu times %s\n",
                      i < a->hazard_count ? (unsigned long long)a->hazards[i].count : 0,
                      i < a->hazard_count ? a->hazards[i].message : "nothing",
                      i < b->hazard_count ? (unsigned long long)b->hazards[i].count : 0,
                      i < b->hazard_count ? b->hazards[i].message : "nothing");
    if (!same)
        fail_msg("%s, %s: other results", kernel, step);
}

static void run_steps(const struct kernel *kernel, uint64_t seed) {
    struct engine_result all = run(kernel->text, BLOCKS, THREADS, 1, seed, &sim_default_limits);
    assert_int_equal(count_of(&all, HAZARD_GLOBAL_RACE), kernel->races);
    assert_int_equal(count_of(&all, HAZARD_UNSUPPORTED), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(steps); i++) {
        const struct step *step = &steps[i];
        struct engine_result one = run(kernel->text, BLOCKS, THREADS, 1, seed, &step->limits);
        struct engine_result three = run(kernel->text, BLOCKS, THREADS, 3, seed, &step->limits);
        assert_same(kernel->name, step->name, &one, &three);
        if (step->complete)
            assert_same(kernel->name, step->name, &all, &one);
        if (count_of(&one, HAZARD_UNSUPPORTED) != !step->complete)
            fail_msg("%s, %s: %s", kernel->name, step->name,
                     step->complete ? "said to be incomplete" : "not said to be incomplete");
        if (count_of(&one, HAZARD_GLOBAL_RACE) > kernel->races)
            fail_msg("%s, %s: a race is made up", kernel->name, step->name);
        engine_result_free(&one);
        engine_result_free(&three);
    }
    engine_result_free(&all);
}

static void no_race_is_lost_or_made_up(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(kernels); i++)
        run_steps(&kernels[i], 0);
}

static void slices_tell_the_same_in_other_orders(void **state) {
    (void)state;
    for (size_t i = 2; i < ARRAY_LENGTH(kernels); i++)
        run_steps(&kernels[i], 77);
}

/* After a barrier of the grid, older cells are recognised by their numbers until numbers are given
 * out again. This may happen between any two accesses, also just before the one that races. */
#define AT_BARRIER                                                                                 \
    PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%x;\n.reg .u32 %%l, %%r<10>;\n" \
             ".reg .pred %%p;\nld.param.u64 %%a, [p];\nmov.u32 %%l, %%tid.x;\n"                    \
             "mov.u32 %%r1, %%envreg1;\nmad.wide.u32 %%x, %%l, 4, %%a;\nmov.u32 %%r2, 0;\n"        \
             "before:\nst.global.u32 [%%x], %%l;\nbar.warp.sync -1;\nadd.u64 %%x, %%x, 128;\n"     \
             "add.u32 %%r2, %%r2, 1;\nsetp.lt.u32 %%p, %%r2, 30;\n@%%p bra before;\n"              \
             "mov.u64 %%x, 0x5000000000;\nsetp.eq.u32 %%p, %%l, 0;\n"                              \
             "@%%p atom.global.add.u32 %%r3, [%%x], 1;\nbar.sync 0;\n"                             \
             "mad.wide.u32 %%x, %%l, 4, %%a;\nmov.u32 %%r2, 0;\n"                                  \
             "behind:\nst.global.u32 [%%x], %%l;\nbar.warp.sync -1;\nadd.u64 %%x, %%x, 128;\n"     \
             "add.u32 %%r2, %%r2, 1;\nsetp.lt.u32 %%p, %%r2, %u;\n@%%p bra behind;\n"              \
             "shr.u32 %%r4, %%l, 1;\nmad.wide.u32 %%x, %%r4, 4, %%a;\nadd.u64 %%x, %%x, 32768;\n"  \
             "st.global.u32 [%%x], %%l;\nret;\n}\n"

static void recycling_at_an_access_loses_no_race(void **state) {
    (void)state;
    const struct sim_limits few = {256, 1 << 15, 1 << 10, ALL_SLICES};
    for (unsigned padding = 1; padding < 80; padding++) {
        cleanup_free char *text = mem_printf(AT_BARRIER, padding);
        struct engine_result result = run(text, 1, 32, 1, 0, &few);
        if (count_of(&result, HAZARD_GLOBAL_RACE) != 16 || result.hazard_count != 1)
            fail_msg("after %u accesses: %zu hazards, %llu races", padding, result.hazard_count,
                     (unsigned long long)count_of(&result, HAZARD_GLOBAL_RACE));
        engine_result_free(&result);
    }
}

/* Every warp reads every word of shared memory, each in an order of its own, in a kernel that must
 * remember all of them; one thread writes two words at the end. */
#define SHARED_READERS                                                                             \
    KERNEL_HEAD "membar.gl;\nsetp.lt.u32 %p, %l, 256;\nmov.u64 %x, s;\n"                           \
                "mad.wide.u32 %y, %l, 4, %x;\n@%p st.shared.u32 [%y], %l;\nbar.sync 0;\n"          \
                "shr.u32 %r5, %l, 5;\nmad.lo.u32 %r5, %r5, 5, %l;\nmov.u32 %r2, 0;\n"              \
                "again:\nmad.lo.u32 %r6, %r2, 32, %r5;\nand.b32 %r6, %r6, 255;\n"                  \
                "mad.wide.u32 %y, %r6, 4, %x;\nld.shared.u32 %r3, [%y];\n"                         \
                "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, 8;\n@%p bra again;\n"                  \
                "setp.eq.u32 %p, %l, 77;\n@%p st.shared.u32 [%x], %l;\n"                           \
                "@%p st.shared.u32 [%x+512], %l;\nret;\n}\n"

static void records_of_shared_memory_run_out_aloud(void **state) {
    (void)state;
    const struct sim_limits enough = {1 << 15, 1 << 15, 1 << 10, ALL_SLICES};
    const struct sim_limits few = {1 << 15, 1200, 1 << 8, ALL_SLICES};
    struct engine_result all = run(SHARED_READERS, 1, 1024, 1, 0, &sim_default_limits);
    struct engine_result same = run(SHARED_READERS, 1, 1024, 1, 0, &enough);
    struct engine_result part = run(SHARED_READERS, 2, 1024, 1, 0, &few);
    struct engine_result again = run(SHARED_READERS, 2, 1024, 3, 0, &few);
    assert_int_equal(count_of(&all, HAZARD_SHARED_RACE), 2 * (28 + 1)); /* warps after; before */
    assert_int_equal(count_of(&all, HAZARD_UNSUPPORTED), 0);
    assert_same("shared readers", "enough", &all, &same);
    assert_int_equal(count_of(&part, HAZARD_UNSUPPORTED), 1);
    assert_same("shared readers", "few", &part, &again);
    engine_result_free(&all);
    engine_result_free(&same);
    engine_result_free(&part);
    engine_result_free(&again);
}

/* More hazards than a result holds must not push out that some are missing. */
static void a_full_list_still_says_that_it_is_not_all(void **state) {
    (void)state;
    struct text text = {0};
    text_append(&text, PTX_HEAD ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 p)\n{\n"
                                ".reg .u64 %a, %x, %y;\n.reg .u32 %b, %l, %r<10>;\n"
                                "ld.param.u64 %a, [p];\nmov.u32 %l, %tid.x;\n"
                                "mov.u32 %b, %ctaid.x;\nmad.lo.u32 %r1, %b, 256, %l;\n"
                                "mad.wide.u32 %x, %r1, 4, %a;\n" NEXT_THREAD);
    for (unsigned line = 1; line <= ENGINE_MAX_HAZARDS + 8; line++)
        text_printf(&text, ".loc 1 %u 1\nst.global.u32 [%%x], %%l;\nld.global.u32 %%r3, [%%y];\n",
                    line);
    text_append(&text, "ret;\n}\n");
    const struct sim_limits few = {1 << 9, 1 << 15, 1 << 10, 1};
    struct engine_result result = run(text_string(&text), BLOCKS, THREADS, 1, 0, &few);
    assert_int_equal(result.hazard_count, ENGINE_MAX_HAZARDS);
    assert_int_equal(result.hazards[0].kind, HAZARD_UNSUPPORTED);
    engine_result_free(&result);
    text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_race_is_lost_or_made_up),
        cmocka_unit_test(slices_tell_the_same_in_other_orders),
        cmocka_unit_test(recycling_at_an_access_loses_no_race),
        cmocka_unit_test(records_of_shared_memory_run_out_aloud),
        cmocka_unit_test(a_full_list_still_says_that_it_is_not_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

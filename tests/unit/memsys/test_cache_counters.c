/* Launches with a device profile: what the caches count on patterns small enough to follow by hand,
 * and how well a sample of blocks stands for all of them. */
#include "tests/support/launch.h"

#include "grader/exercise/device.h"

#include <math.h>

enum { BUFFER_WORDS = 1 << 16 };

static struct device_profile h200(void) {
    struct device_profile device;
    struct error error = {0};
    if (device_load("h200", &device, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return device;
}

struct setting {
    struct dim3 grid, block;
    unsigned threads;
    uint64_t sample;
    struct engine_fill fill;
    double l2_bytes; /* 0: the device's */
    uint64_t words;  /* of the buffer, made on demand; 0: BUFFER_WORDS */
    bool no_device;
    bool faulty; /* the kernel has a hazard */
};

static struct engine_result run(const char *body, const struct setting *setting) {
    static unsigned char data[4 * BUFFER_WORDS];
    struct device_profile device = h200();
    if (setting->l2_bytes > 0)
        device.l2_bytes = setting->l2_bytes;
    struct text ptx = {0};
    memset(data, 0, sizeof data);
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%x, %%y;\n"
                         ".reg .u32 %%l, %%b, %%n, %%i, %%r<10>;\n.reg .pred %%p, %%q;\n"
                         "ld.param.u64 %%a, [p];\nmov.u32 %%l, %%tid.x;\nmov.u32 %%b, %%ctaid.x;\n"
                         "mov.u32 %%n, %%ntid.x;\nmad.lo.u32 %%i, %%b, %%n, %%l;\n%s\nret;\n}\n",
                body);
    struct engine_argument buffer = {.is_buffer = true,
                                     .type = ELEMENT_u32,
                                     .name = "a",
                                     .count = setting->words ? setting->words : BUFFER_WORDS,
                                     .fill = setting->fill};
    struct engine_launch launch = {.ptx = text_string(&ptx),
                                   .ptx_length = ptx.length,
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = setting->grid,
                                   .block = setting->block,
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .budget = 100000000,
                                   .threads = setting->threads,
                                   .no_checks = true,
                                   .device = setting->no_device ? NULL : &device,
                                   .sample_budget = setting->sample};
    struct engine_result result;
    sim_run(&launch, &result);
    if (result.end != ENGINE_COMPLETED || (result.hazard_count && !setting->faulty))
        fail_msg("%s", result.hazard_count ? result.hazards[0].message : result.message);
    text_free(&ptx);
    return result;
}

static const struct setting one_warp = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

struct row {
    const char *name, *body, *expected;
};

/* One warp; %l is the lane. */
static const struct row rows[] = {
    {"a line that is loaded twice",
     "mad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x];\nld.global.u32 %r1, [%x];",
     "l1_sectors=8 l1_hits=4 l2_sectors=4 l2_hits=0 dram_read_sectors=4 dram_write_sectors=0 "
     "ideal_bytes=128 l1_hit_rate=0.5 l2_hit_rate=0"},
    {"one sector fetches its neighbour from device memory, not into the L1",
     "ld.global.u32 %r1, [%a];\nld.global.u32 %r1, [%a+32];\nld.global.u32 %r1, [%a+64];",
     "l1_sectors=3 l1_hits=0 l2_sectors=3 l2_hits=1 dram_read_sectors=4 ideal_bytes=12"},
    {"a store goes through and is found again",
     "mad.wide.u32 %x, %l, 4, %a;\nst.global.u32 [%x], %l;\nld.global.u32 %r1, [%x];\n"
     "st.global.u32 [%x], %l;",
     "l1_sectors=12 l1_hits=8 l2_sectors=8 l2_hits=8 dram_read_sectors=0 dram_write_sectors=0 "
     "ideal_bytes=128"},
    {"bytes that are read first and written then count twice",
     "mad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x];\nst.global.u32 [%x+64], %l;\n"
     "ld.global.u32 %r1, [%x+128];",
     "ideal_bytes=320 dram_read_sectors=6 l1_sectors=12 l1_hits=4 global_load_requests=2"},
    {"a column: each line for one word",
     "mad.wide.u32 %x, %l, 1024, %a;\nld.global.u32 %r1, [%x];\nld.global.u32 %r1, [%x+4];",
     "l1_sectors=64 l1_hits=32 l2_sectors=32 l2_hits=0 dram_read_sectors=64 ideal_bytes=256 "
     "dram_bytes=2048 dram_excess=8"},
    {"an ordered load asks the L2", "ld.global.u32 %r1, [%a];\nld.volatile.global.u32 %r1, [%a];",
     "l1_sectors=2 l1_hits=0 l2_sectors=2 l2_hits=1"},
    {"a load that passes the L1 by asks the L2",
     "ld.global.u32 %r1, [%a];\nld.global.cg.u32 %r1, [%a];\nld.global.cg.u32 %r1, [%a];",
     "l1_sectors=3 l1_hits=0 l2_sectors=3 l2_hits=2"},
    {"local memory lies lane by lane",
     ".local .align 16 .b8 t[64];\nst.local.u32 [t], %l;\nst.local.u32 [t+4], %l;\n"
     "ld.local.u32 %r1, [t];",
     "l1_sectors=12 l1_hits=4 l2_sectors=8 ideal_bytes=0"},
    {"atomics go to the L2, lanes on one address one after the other",
     "shr.u32 %r1, %l, 3;\nmad.wide.u32 %x, %r1, 4, %a;\nred.global.add.u32 [%x], 1;\n"
     "setp.lt.u32 %p, %l, 7;\n@%p red.global.add.u32 [%a], 1;",
     "global_atomic_requests=2 global_atomic_lanes=39 global_atomic_conflicts=34 "
     "global_atomic_passes=15 global_atomic_sectors=2 l1_hits=0 l2_sectors=2 l2_hits=1 "
     "dram_read_sectors=2"},
    {"shared atomics",
     ".shared .align 4 .b32 s[32];\nmov.u64 %x, s;\nmad.wide.u32 %x, %l, 4, %x;\n"
     "st.shared.u32 [%x], 0;\nbar.warp.sync -1;\nmov.u64 %x, s;\nand.b32 %r1, %l, 1;\n"
     "mad.wide.u32 %x, %r1, 4, %x;\natom.shared.add.u32 %r2, [%x], 1;",
     "shared_atomic_conflicts=30 shared_atomic_passes=16 l1_sectors=0"},
};

static void expect(const char *name, const struct counters *counters, const char *wanted) {
    cleanup_free char *expected = mem_strdup(wanted);
    char *rest = expected;
    for (char *pair = strtok_r(rest, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(pair, '=');
        double value;
        *equals = '\0';
        if (!metric_evaluate(counters, pair, &value))
            fail_msg("%s: there is no %s", name, pair);
        if (value != strtod(equals + 1, NULL))
            fail_msg("%s: %s is %.17g, not %s", name, pair, value, equals + 1);
    }
}

static void test_caches(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct engine_result result = run(rows[i].body, &one_warp);
        expect(rows[i].name, &result.counters, rows[i].expected);
        engine_result_free(&result);
    }
}

/* What is beyond the L1 comes again; what is beyond the L2 goes to device memory when it is dirty.
 */
static void test_capacity(void **state) {
    (void)state;
    static const char sweep[] = "mov.u32 %r2, 0;\nagain:\nmov.u32 %r1, 0;\nnext:\n"
                                "mad.lo.u32 %r3, %r1, 32, %l;\nmad.wide.u32 %x, %r3, 4, %a;\n"
                                "ld.global.u32 %r4, [%x];\nadd.u32 %r1, %r1, 1;\n"
                                "setp.lt.u32 %p, %r1, %%u;\n@%p bra next;\nadd.u32 %r2, %r2, 1;\n"
                                "setp.lt.u32 %p, %r2, 2;\n@%p bra again;";
    struct text body = {0};
    text_append(&body, sweep);
    char *number = strstr(body.data, "%%u");
    memcpy(number, "512", 3); /* lines: 64 KiB, a quarter of the L1 */
    struct engine_result result = run(text_string(&body), &one_warp);
    expect("64 KiB twice", &result.counters, "l1_sectors=4096 l1_hits=2048 dram_read_sectors=2048");
    engine_result_free(&result);
    text_free(&body);
}

static const char guarded_copy[] = /* blocks at the end have less to do; half of the lanes wait for
                                      others that loop for several slices of their turn */
    "setp.ge.u32 %p, %i, 5000;\n@%p bra out;\nand.b32 %r5, %l, 1;\nmul.lo.u32 %r5, %r5, "
    "20;\nmov.u32 %r2, 0;\nagain:\n"
    "mad.wide.u32 %x, %i, 4, %a;\nld.global.u32 %r1, [%x];\nadd.u32 %r2, %r2, 1;\n"
    "setp.le.u32 %q, %r2, %r5;\n@%q bra again;\nst.global.u32 [%x], %r1;\nout:";

/* Counters that need no caches do not depend on how blocks and warps are interleaved. */
static void test_same_counters_as_without_device(void **state) {
    (void)state;
    struct setting with = {.grid = {40, 1, 1}, .block = {128, 1, 1}}, without = with;
    without.no_device = true;
    struct engine_result a = run(guarded_copy, &with), b = run(guarded_copy, &without);
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        if (!counter_infos[i].needs_device &&
            counter_value(&a.counters, i) != counter_value(&b.counters, i))
            fail_msg("%s: %llu with a device, %llu without", counter_infos[i].name,
                     (unsigned long long)counter_value(&a.counters, i),
                     (unsigned long long)counter_value(&b.counters, i));
    assert_true(a.counters.divergent_branches > 0);
    engine_result_free(&a);
    engine_result_free(&b);
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    for (unsigned sampled = 0; sampled < 2; sampled++) {
        struct setting one = {.grid = {500, 1, 1}, .block = {64, 1, 1}, .threads = 1}, two = one;
        one.sample = two.sample = sampled ? 100000 : 0;
        two.threads = 2;
        struct engine_result a = run(guarded_copy, &one), b = run(guarded_copy, &two);
        assert_memory_equal(&a.counters, &b.counters, sizeof a.counters);
        assert_true(a.profile.blocks_simulated == b.profile.blocks_simulated);
        engine_result_free(&a);
        engine_result_free(&b);
    }
}

static void expect_close(const struct counters *sample, const struct counters *full, size_t index,
                         double share) {
    double a = (double)counter_value(sample, index), b = (double)counter_value(full, index);
    if (a < b * (1 - share) - 1 || a > b * (1 + share) + 1)
        fail_msg("%s: %.0f by the sample, %.0f in all", counter_infos[index].name, a, b);
}

/* Every counter of a sample, against all blocks; the first and last blocks differ from the others.
 */
static void test_sample(void **state) {
    (void)state;
    static const struct dim3 grids[] = {{400, 1, 1}, {25, 20, 1}, {9, 7, 5}};
    static const char body[] = /* the first column of blocks stores twice */
        "mov.u32 %r6, %ctaid.z;\nmov.u32 %r7, %nctaid.y;\nmov.u32 %r8, %ctaid.y;\n"
        "mad.lo.u32 %r6, %r6, %r7, %r8;\nmov.u32 %r7, %nctaid.x;\nmad.lo.u32 %r6, %r6, %r7, %b;\n"
        "mad.lo.u32 %i, %r6, %n, %l;\nmad.wide.u32 %x, %i, 4, %a;\nld.global.u32 %r1, [%x];\n"
        "st.global.u32 [%x], %r1;\nsetp.ne.u32 %p, %b, 0;\n@%p bra out;\nst.global.u32 [%x], %l;\n"
        "out:";
    for (size_t i = 0; i < ARRAY_LENGTH(grids); i++) {
        struct setting all = {.grid = grids[i], .block = {64, 1, 1}}, some = all;
        some.sample = 20000;
        struct engine_result a = run(body, &some), b = run(body, &all);
        assert_true(a.profile.blocks_simulated < a.profile.blocks);
        assert_true(b.profile.blocks_simulated == b.profile.blocks &&
                    profile_largest_error(b.profile.errors) == 0);
        /* blocks of a stratum are alike */
        assert_true(profile_largest_error(a.profile.errors) == 0);
        for (size_t c = 0; c < COUNTER_COUNT; c++)
            if (!counter_infos[c].needs_device)
                expect_close(&a.counters, &b.counters, c, 0);
        expect_close(&a.counters, &b.counters, COUNTER_INDEX_l1_sectors, 0);
        expect_close(&a.counters, &b.counters, COUNTER_INDEX_dram_read_sectors, 0.01);
        expect_close(&a.counters, &b.counters, COUNTER_INDEX_ideal_bytes, 0.01);
        engine_result_free(&a);
        engine_result_free(&b);
    }
}

/* Blocks that differ at random: the error is stated, and the truth lies within some of it. */
static void test_sample_error(void **state) {
    (void)state;
    static const char body[] = /* 1 to 16 passes by a hash of the block's number */
        "mul.lo.u32 %r5, %b, 2654435761;\nshr.u32 %r5, %r5, 28;\nmov.u32 %r2, 0;\nagain:\n"
        "mad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x];\nadd.u32 %r2, %r2, 1;\n"
        "setp.le.u32 %q, %r2, %r5;\n@%q bra again;";
    struct setting all = {.grid = {2000, 1, 1}, .block = {64, 1, 1}}, some = all;
    some.sample = 400000;
    struct engine_result a = run(body, &some), b = run(body, &all);
    double truth = (double)b.counters.warp_instructions;
    double error = (double)a.counters.warp_instructions / truth - 1;
    double stated = a.profile.errors[SAMPLED_warp_instructions];
    assert_true(stated > 0.01 && stated < 0.2);
    if (fabs(error) > 4 * stated)
        fail_msg("off by %g, with a standard error of %g", error, stated);
    /* all blocks load the same line: what another block has fetched is not fetched again */
    assert_true(a.counters.ideal_bytes <= 4 * BUFFER_WORDS);
    engine_result_free(&a);
    engine_result_free(&b);
}

/* A word of the hash of %r3 and a seed, in %r4; each block loops %r2 from 0. */
#define HASH                                                                                       \
    "add.u32 %%r4, %%r3, %u;\nmul.lo.u32 %%r4, %%r4, 2654435761;\nshr.u32 %%r6, %%r4, 15;\n"       \
    "xor.b32 %%r4, %%r4, %%r6;\nmul.lo.u32 %%r4, %%r4, 2246822519;\nshr.u32 %%r6, %%r4, 13;\n"     \
    "xor.b32 %%r4, %%r4, %%r6;\nmul.lo.u32 %%r4, %%r4, 3266489917;\nshr.u32 %%r4, %%r4, 16;\n"

static const struct {
    const char *name, *body;
    uint64_t sample;
    double l2_bytes;
    bool known[3]; /* figures that chance has no part in */
} chance_bodies[] = {
    {"each block reads 1 to 16 pairs of sectors of its own",
     "mov.u32 %%r3, %%b;\n" HASH "and.b32 %%r5, %%r4, 15;\nmov.u32 %%r2, 0;\nagain:\n"
     "mad.lo.u32 %%r1, %%b, 16, %%r2;\nmad.wide.u32 %%x, %%r1, 64, %%a;\n"
     "ld.global.u32 %%r1, [%%x];\nadd.u32 %%r2, %%r2, 1;\nsetp.le.u32 %%q, %%r2, %%r5;\n"
     "@%%q bra again;",
     200000,
     0,
     {[2] = true}},
    {"blocks read pairs of sectors at random, of which others read some",
     "mov.u32 %%r2, 0;\nagain:\nmad.lo.u32 %%r3, %%b, 16, %%r2;\n" HASH
     "shr.u32 %%r4, %%r4, 4;\nmad.wide.u32 %%x, %%r4, 64, %%a;\nld.global.u32 %%r1, [%%x];\n"
     "add.u32 %%r2, %%r2, 1;\nsetp.lt.u32 %%q, %%r2, 16;\n@%%q bra again;",
     600000,
     0,
     {false}},
    {"1 to 16 such pairs, and an L2 that holds a sixteenth of them",
     "mov.u32 %%r3, %%b;\n" HASH "and.b32 %%r5, %%r4, 15;\nmov.u32 %%r2, 0;\nagain:\n"
     "mad.lo.u32 %%r3, %%b, 16, %%r2;\n" HASH
     "shr.u32 %%r4, %%r4, 4;\nmad.wide.u32 %%x, %%r4, 64, %%a;\nld.global.u32 %%r1, [%%x];\n"
     "add.u32 %%r2, %%r2, 1;\nsetp.le.u32 %%q, %%r2, %%r5;\n@%%q bra again;",
     200000,
     16384,
     {false}},
};

/* How far estimates of a figure are from the truth, over many launches, and how far they should be.
 */
struct spread {
    double sum, squares, stated;
};

static void add_difference(struct spread *spread, double difference, double stated) {
    spread->sum += difference;
    spread->squares += difference * difference;
    spread->stated += stated * stated;
}

/* The root of the mean square of what chance does over that of the errors stated. */
static double surprise(const struct spread *spread, double launches) {
    double variance = (spread->squares - spread->sum * spread->sum / launches) / (launches - 1);
    return sqrt(variance / (spread->stated / launches));
}

/* What depends on memory that blocks share: over many launches chance does what the errors say, to
 * a factor of two. */
static void test_sample_error_of_memory(void **state) {
    (void)state;
    static const struct {
        const char *metric;
        enum sampled_figure figure;
    } figures[] = {{"dram_bytes", SAMPLED_dram_bytes},
                   {"ideal_bytes", SAMPLED_ideal_bytes},
                   {"l2_hit_rate", SAMPLED_l2_hit_rate}};
    enum { SEEDS = 24 };
    for (size_t i = 0; i < ARRAY_LENGTH(chance_bodies); i++) {
        struct spread spreads[ARRAY_LENGTH(figures)] = {{0}};
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            struct setting all = {.grid = {256, 1, 1}, .block = {64, 1, 1}}, some = all;
            all.l2_bytes = some.l2_bytes = chance_bodies[i].l2_bytes;
            some.sample = chance_bodies[i].sample;
            struct text body = {0};
            text_printf(&body, chance_bodies[i].body, 7919 * seed, 7919 * seed);
            struct engine_result a = run(text_string(&body), &some);
            struct engine_result b = run(text_string(&body), &all);
            assert_int_equal(a.profile.sampling, SAMPLING_sampled);
            for (size_t f = 0; f < ARRAY_LENGTH(figures); f++) {
                double guess = 0, truth = 0;
                metric_evaluate(&a.counters, figures[f].metric, &guess);
                metric_evaluate(&b.counters, figures[f].metric, &truth);
                double unit = figures[f].figure == SAMPLED_l2_hit_rate ? 1 : truth;
                add_difference(&spreads[f], (guess - truth) / unit,
                               a.profile.errors[figures[f].figure]);
            }
            text_free(&body);
            engine_result_free(&a);
            engine_result_free(&b);
        }
        for (size_t f = 0; f < ARRAY_LENGTH(figures); f++) {
            double found = surprise(&spreads[f], SEEDS);
            if (chance_bodies[i].known[f] ? spreads[f].stated > 0 : !(found > 0.5 && found < 2))
                fail_msg("%s: %s spreads %g times what is stated", chance_bodies[i].name,
                         figures[f].metric, found);
        }
    }
}

/* Device memory gives pairs of sectors; a hit is of what was asked for. */
static void test_hits_of_a_sample_are_of_sectors_asked_for(void **state) {
    (void)state;
    static const char body[] = /* pairs of sectors, half of which are those of the block before */
        "mad.lo.u32 %r1, %b, 32, %l;\nmad.wide.u32 %x, %r1, 64, %a;\nld.global.u32 %r2, [%x];";
    struct setting all = {.grid = {120, 1, 1}, .block = {64, 1, 1}}, some = all;
    some.sample = 7200;
    struct engine_result a = run(body, &some), b = run(body, &all);
    double sampled, whole;
    metric_evaluate(&a.counters, "l2_hit_rate", &sampled);
    metric_evaluate(&b.counters, "l2_hit_rate", &whole);
    assert_int_equal(a.profile.sampling, SAMPLING_sampled);
    assert_true(whole > 0.45 && whole < 0.55);
    if (fabs(sampled - whole) > 0.15)
        fail_msg("%g of sectors hit by the sample, %g in all", sampled, whole);
    engine_result_free(&a);
    engine_result_free(&b);
}

/* Blocks that share data in part of a buffer: what the grid touches is not what one block touches
 * times their number. */
static const struct {
    const char *name, *body;
    double share; /* that a sample may be off by */
} shared_bodies[] = {
    {"all blocks read one table, which is a sixteenth of the buffer",
     "mov.u32 %r2, 0;\nagain:\nmad.lo.u32 %r3, %r2, %n, %l;\nmad.wide.u32 %x, %r3, 4, %a;\n"
     "ld.global.u32 %r1, [%x];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %q, %r2, 64;\n"
     "@%q bra again;",
     0.01},
    {"a table, and words of each block's own",
     "mov.u32 %r2, 0;\nagain:\nmad.lo.u32 %r3, %r2, %n, %l;\nmad.wide.u32 %x, %r3, 4, %a;\n"
     "ld.global.u32 %r1, [%x];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %q, %r2, 16;\n"
     "@%q bra again;\nmad.wide.u32 %x, %i, 4, %a;\nst.global.u32 [%x+65536], %r1;\n"
     "ld.global.u32 %r1, [%x+131072];",
     0.02},
    {"each block's first half is its neighbour's second",
     "mov.u32 %r1, 32;\nmad.lo.u32 %r1, %b, %r1, %l;\nmad.wide.u32 %x, %r1, 4, %a;\n"
     "ld.global.u32 %r1, [%x];",
     0.35},
    {"blocks share sectors, and no word of them",
     "mov.u32 %r1, %nctaid.x;\nmad.lo.u32 %r1, %l, %r1, %b;\nmad.wide.u32 %x, %r1, 4, %a;\n"
     "ld.global.u32 %r2, [%x];\nst.global.u32 [%x+131072], %r2;",
     0.2},
    {"blocks take turns on a table that each of them walks three times",
     "mov.u32 %r2, 0;\nagain:\nrem.u32 %r3, %r2, 50;\nmad.lo.u32 %r3, %r3, %n, %l;\n"
     "mad.wide.u32 %x, %r3, 4, %a;\nld.global.u32 %r1, [%x];\nadd.u32 %r2, %r2, 1;\n"
     "setp.lt.u32 %q, %r2, 150;\n@%q bra again;",
     0.01},
};

static void test_sample_of_shared_data(void **state) {
    (void)state;
    static const size_t judged[] = {COUNTER_INDEX_dram_read_sectors, COUNTER_INDEX_ideal_bytes,
                                    COUNTER_INDEX_l1_sectors};
    for (size_t i = 0; i < ARRAY_LENGTH(shared_bodies); i++) {
        struct setting all = {.grid = {400, 1, 1}, .block = {64, 1, 1}}, some = all;
        some.sample = 1;
        struct engine_result a = run(shared_bodies[i].body, &some); /* the least that there is */
        assert_true(a.profile.blocks_simulated < 10);
        some.sample = a.counters.thread_instructions / 8;
        engine_result_free(&a);
        a = run(shared_bodies[i].body, &some);
        struct engine_result b = run(shared_bodies[i].body, &all);
        assert_true(a.profile.blocks_simulated < 60);
        assert_int_equal(a.profile.sampling, SAMPLING_sampled);
        assert_int_equal(b.profile.sampling, SAMPLING_not_asked);
        for (size_t c = 0; c < ARRAY_LENGTH(judged); c++)
            expect_close(&a.counters, &b.counters, judged[c], shared_bodies[i].share);
        engine_result_free(&a);
        engine_result_free(&b);
    }
}

/* The words of a large buffer are watched in part. */
static void test_sample_of_words_of_a_large_buffer(void **state) {
    (void)state;
    static const char body[] = /* 16 words a thread; neighbours belong to other blocks */
        "mov.u32 %r1, %nctaid.x;\nmov.u32 %r2, 0;\nagain:\nmad.lo.u32 %r3, %r2, %n, %l;\n"
        "mad.lo.u32 %r3, %r3, %r1, %b;\nmad.wide.u32 %x, %r3, 4, %a;\nld.global.u32 %r4, [%x];\n"
        "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %q, %r2, 16;\n@%q bra again;";
    struct setting all = {
        .grid = {2048, 1, 1}, .block = {64, 1, 1}, .words = 1 << 21, .fill.kind = ENGINE_FILL_ZERO};
    struct setting some = all;
    some.sample = 800000;
    struct engine_result a = run(body, &some), b = run(body, &all);
    assert_true(a.profile.blocks_simulated < 400 && b.counters.ideal_bytes == 8 << 20);
    expect_close(&a.counters, &b.counters, COUNTER_INDEX_ideal_bytes, 0.02);
    engine_result_free(&a);
    engine_result_free(&b);
}

/* A buffer larger than the L2, whose sectors are read by blocks all over the grid: what another
 * block has read is not there any more, or only by chance. */
static void test_sample_of_data_that_the_l2_loses(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "brev.b32 %r1, %i;\nshr.u32 %r1, %r1, 16;\nmad.wide.u32 %x, %r1, 4, %a;\n"
        "ld.global.cg.u32 %r2, [%x];",
        "mul.lo.u32 %r1, %i, 2654435761;\nshr.u32 %r2, %r1, 15;\nxor.b32 %r1, %r1, %r2;\n"
        "mul.lo.u32 %r1, %r1, 2246822519;\nshr.u32 %r1, %r1, 16;\n"
        "mad.wide.u32 %x, %r1, 4, %a;\nld.global.cg.u32 %r2, [%x];",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(bodies); i++) {
        struct setting all = {.grid = {1024, 1, 1}, .block = {64, 1, 1}, .l2_bytes = 65536};
        struct setting some = all;
        some.sample = 100000;
        struct engine_result a = run(bodies[i], &some), b = run(bodies[i], &all);
        assert_true(a.profile.blocks_simulated < 300);
        assert_true(b.counters.dram_read_sectors > 2 * BUFFER_WORDS / 8); /* again and again */
        expect_close(&a.counters, &b.counters, COUNTER_INDEX_dram_read_sectors, 0.2);
        engine_result_free(&a);
        engine_result_free(&b);
    }
}

/* The maps of what was touched end with the allocation: an address past it is a hazard, and
 * nothing else of the process changes. */
static void test_nothing_is_counted_outside_of_an_allocation(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "add.u64 %x, %a, 0x3000000000;\nmad.wide.u32 %x, %l, 4, %x;\nst.global.u32 [%x], %l;",
        "add.u64 %x, %a, 0x3000000000;\nmad.wide.u32 %x, %l, 64, %x;\nld.global.u32 %r1, [%x];",
        "add.u64 %x, %a, 0x3000000000;\nmad.wide.u32 %x, %l, 64, %x;\nred.global.add.u32 [%x], 1;",
    };
    for (size_t i = 0; i < 2 * ARRAY_LENGTH(bodies); i++) {
        struct setting setting = {.grid = {300, 1, 1}, .block = {32, 1, 1}, .faulty = true};
        setting.sample = i % 2 ? 1000 : 0;
        struct engine_result result = run(bodies[i / 2], &setting);
        assert_true(result.hazard_count > 0);
        assert_int_equal(result.hazards[0].kind, HAZARD_OUT_OF_BOUNDS);
        assert_int_equal(result.counters.ideal_bytes, 0);
        assert_int_equal(result.counters.l2_sectors, 0);
        engine_result_free(&result);
    }
    /* of an access that begins within, what lies within */
    struct setting setting = one_warp;
    setting.faulty = true;
    struct engine_result result = run("mad.wide.u32 %x, %l, 4, %a;\nadd.u64 %x, %x, 262080;\n"
                                      "ld.global.u32 %r1, [%x];",
                                      &setting);
    assert_int_equal(result.hazards[0].kind, HAZARD_OUT_OF_BOUNDS);
    assert_int_equal(result.counters.l1_sectors, 2);
    engine_result_free(&result);
}

/* A block that waits for others, or takes work by a counter, cannot be left out. */
static void test_dependent_blocks_are_all_simulated(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "atom.global.add.u32 %r1, [%a], 1;\nmad.wide.u32 %x, %r1, 4, %a;\nst.global.u32 [%x], %r1;",
        "st.global.u32 [%a+4], %l;\nmembar.gl;\nld.global.u32 %r1, [%a+4];",
        "ld.volatile.global.u32 %r1, [%a];",
    };
    struct setting setting = {.grid = {300, 1, 1}, .block = {32, 1, 1}, .sample = 1000};
    for (size_t i = 0; i < ARRAY_LENGTH(bodies); i++) {
        struct engine_result result = run(bodies[i], &setting);
        assert_true(result.profile.blocks_simulated == 300);
        assert_int_equal(result.profile.sampling, SAMPLING_dependent);
        engine_result_free(&result);
    }
    struct engine_result result = run("red.global.add.u32 [%a], 1;\nbar.sync 0;", &setting);
    assert_true(result.profile.blocks_simulated < 300); /* sums change no block's way */
    engine_result_free(&result);
    setting.grid.x = 3;
    result = run("red.global.add.u32 [%a], 1;", &setting);
    assert_int_equal(result.profile.sampling, SAMPLING_small);
    engine_result_free(&result);
}

/* Elements made on demand are those of the rule, wherever the first access falls. */
static void test_buffers_on_demand(void **state) {
    (void)state;
    static const char body[] = /* counts the words that are not their index, word by word and as a
                                  column; the counter is the number of divergent ways */
        "mad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x+8000];\nadd.u32 %r2, %l, 2000;\n"
        "setp.ne.u32 %p, %r1, %r2;\n@%p st.global.u32 [%a], %r1;\nmul.lo.u32 %r3, %l, 2000;\n"
        "mad.wide.u32 %x, %r3, 4, %a;\nld.global.u32 %r1, [%x];\nsetp.ne.u32 %p, %r1, %r3;\n"
        "@%p st.global.u32 [%a], %r1;\natom.global.add.u32 %r1, [%a+240000], 0;\n"
        "setp.lt.u32 %p, %r1, 60000;\n@%p st.global.u32 [%a], %r1;";
    struct setting setting = one_warp;
    setting.fill = (struct engine_fill){.kind = ENGINE_FILL_IOTA};
    struct engine_result result = run(body, &setting);
    assert_int_equal(result.counters.global_store_requests, 0);
    engine_result_free(&result);
    setting.fill = (struct engine_fill){.kind = ENGINE_FILL_ZERO};
    result = run(body, &setting);
    assert_int_equal(result.counters.global_store_requests, 3);
    engine_result_free(&result);
    setting.fill = (struct engine_fill){.kind = ENGINE_FILL_INTEGERS, .low = 3, .high = 9};
    result = run("mad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x];\nsetp.lt.u32 %p, %r1, 3;\n"
                 "@%p st.global.u32 [%a], %r1;\nsetp.gt.u32 %p, %r1, 9;\n"
                 "@%p st.global.u32 [%a], %r1;\nsetp.eq.u32 %p, %r1, 9;\n"
                 "@%p red.global.add.u32 [%a], 1;\nsetp.eq.u32 %p, %r1, 3;\n"
                 "@%p red.global.add.u32 [%a], 1;",
                 &setting);
    assert_int_equal(result.counters.global_store_requests, 0);
    assert_int_equal(result.counters.global_atomic_requests, 2);
    engine_result_free(&result);
}

/* Blocks that are tried, to know what a block costs, change what they find; the launch finds it as
 * it was, whether all of them are executed in the end or some. */
static void test_tried_blocks_leave_no_trace(void **state) {
    (void)state;
    static const char body[] = "mad.wide.u32 %x, %i, 4, %a;\nld.global.u32 %r1, [%x];\n"
                               "setp.eq.u32 %p, %r1, %i;\n@%p st.global.u32 [%x], 99999;";
    struct setting setting = {
        .grid = {64, 1, 1}, .block = {256, 1, 1}, .fill.kind = ENGINE_FILL_IOTA};
    static const uint64_t samples[] = {1 << 30, 100000};
    for (size_t i = 0; i < ARRAY_LENGTH(samples); i++) {
        setting.sample = samples[i];
        struct engine_result result = run(body, &setting);
        assert_int_equal(result.profile.sampling, i ? SAMPLING_sampled : SAMPLING_small);
        assert_int_equal(result.counters.global_store_requests, 64 * 8);
        engine_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caches),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_same_counters_as_without_device),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_sample_error),
        cmocka_unit_test(test_sample_error_of_memory),
        cmocka_unit_test(test_hits_of_a_sample_are_of_sectors_asked_for),
        cmocka_unit_test(test_sample_of_shared_data),
        cmocka_unit_test(test_sample_of_words_of_a_large_buffer),
        cmocka_unit_test(test_sample_of_data_that_the_l2_loses),
        cmocka_unit_test(test_nothing_is_counted_outside_of_an_allocation),
        cmocka_unit_test(test_dependent_blocks_are_all_simulated),
        cmocka_unit_test(test_buffers_on_demand),
        cmocka_unit_test(test_tried_blocks_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

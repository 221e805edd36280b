/* Counters against numbers worked out by hand from the definitions: a global request touches the
 * distinct 32-byte segments of its lanes; a shared one needs, for each group of lanes, as many
 * passes as the fullest bank has distinct words. */
#include "tests/support/launch.h"

struct pattern {
    const char *name, *type;      /* "u32", "v2.u32" ... */
    unsigned base, stride, shift; /* the address is base + (lane >> shift) * stride */
    unsigned lanes;
    uint64_t load, store; /* sectors or wavefronts */
    uint64_t load_conflicts, store_conflicts;
};

static struct engine_result run_pattern(const struct pattern *pattern, bool shared, bool store) {
    const char *dot = strrchr(pattern->type, '.');
    const char *element = dot ? dot + 1 : pattern->type;
    unsigned count = dot ? (unsigned)(pattern->type[1] - '0') : 1;
    char list[64] = "%r1";
    if (count > 1)
        snprintf(list, sizeof list, count == 2 ? "{%%%c1, %%%c2}" : "{%%%c1, %%%c2, %%%c3, %%%c4}",
                 element[1] == '6' ? 'w' : 'r', element[1] == '6' ? 'w' : 'r', 'r', 'r');
    else if (element[1] == '6')
        snprintf(list, sizeof list, "%%w1");
    char access[128], body[1024];
    const char *space = shared ? "shared" : "global";
    if (store)
        snprintf(access, sizeof access, "st.%s.%s [%%x], %s;", space, pattern->type, list);
    else
        snprintf(access, sizeof access, "ld.%s.%s %s, [%%x];", space, pattern->type, list);
    snprintf(body, sizeof body,
             ".shared .align 128 .b8 s[8192];\n%s\nshr.u32 %%r9, %%l, %u;\n"
             "mad.wide.u32 %%x, %%r9, %u, %%x;\nadd.u64 %%x, %%x, %u;\n"
             "setp.lt.u32 %%p, %%l, %u;\n@%%p %s",
             shared ? "mov.u64 %x, s;" : "mov.u64 %x, %a;", pattern->shift, pattern->stride,
             pattern->base, pattern->lanes, access);
    return launch_body(body, 1, 32);
}

static const struct pattern global_patterns[] = {
    {"bytes side by side", "u8", 0, 1, 0, 32, 1, 1},
    {"bytes across a sector's end", "u8", 1, 1, 0, 32, 2, 2},
    {"shorts", "u16", 0, 2, 0, 32, 2, 2},
    {"shorts from an odd place", "u16", 2, 2, 0, 32, 3, 3},
    {"words", "u32", 0, 4, 0, 32, 4, 4},
    {"words from the next word", "u32", 4, 4, 0, 32, 5, 5},
    {"words from the next sector", "u32", 32, 4, 0, 32, 4, 4},
    {"every second word", "u32", 0, 8, 0, 32, 8, 8},
    {"one field of three", "u32", 0, 12, 0, 32, 12, 12},
    {"a column", "u32", 0, 128, 0, 32, 32, 32},
    {"one word for all", "u32", 0, 0, 0, 32, 1, 1},
    {"pairs of lanes", "u32", 0, 4, 1, 32, 2, 2},
    {"half of the lanes", "u32", 0, 4, 0, 16, 2, 2},
    {"one lane", "u32", 0, 4, 0, 1, 1, 1},
    {"no lane", "u32", 0, 4, 0, 0, 0, 0},
    {"doubles", "u64", 0, 8, 0, 32, 8, 8},
    {"doubles from the next one", "u64", 8, 8, 0, 32, 9, 9},
    {"pairs of words", "v2.u32", 0, 8, 0, 32, 8, 8},
    {"fours of words", "v4.u32", 0, 16, 0, 32, 16, 16},
    {"fours from the next one", "v4.u32", 16, 16, 0, 32, 17, 17},
    {"fours far apart", "v4.u32", 0, 64, 0, 32, 32, 32},
    {"pairs of doubles", "v2.u64", 0, 16, 0, 32, 16, 16},
};

static void test_global_sectors(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(global_patterns); i++)
        for (unsigned store = 0; store < 2; store++) {
            const struct pattern *pattern = &global_patterns[i];
            struct engine_result result = run_pattern(pattern, false, store);
            const struct counters *got = &result.counters;
            uint64_t sectors = store ? got->global_store_sectors : got->global_load_sectors;
            uint64_t requests = store ? got->global_store_requests : got->global_load_requests;
            if (sectors != (store ? pattern->store : pattern->load) ||
                requests != (pattern->lanes > 0) || (result.hazard_count && !store))
                fail_msg("%s (%s): %llu sectors, %llu requests, %zu hazards", pattern->name,
                         store ? "store" : "load", (unsigned long long)sectors,
                         (unsigned long long)requests, result.hazard_count);
            assert_int_equal(store ? got->global_load_requests : got->global_store_requests, 0);
            engine_result_free(&result);
        }
}

static const struct pattern shared_patterns[] = {
    {"bytes", "u8", 0, 1, 0, 32, 1, 1, 0, 0},
    {"shorts", "u16", 0, 2, 0, 32, 1, 1, 0, 0},
    {"words", "u32", 0, 4, 0, 32, 1, 1, 0, 0},
    {"words from the next word", "u32", 4, 4, 0, 32, 1, 1, 0, 0},
    {"every second word", "u32", 0, 8, 0, 32, 2, 2, 1, 1},
    {"every third word", "u32", 0, 12, 0, 32, 1, 1, 0, 0},
    {"every sixteenth word", "u32", 0, 64, 0, 32, 16, 16, 15, 15},
    {"a column of 32 words", "u32", 0, 128, 0, 32, 32, 32, 31, 31},
    {"a column of 33 words", "u32", 0, 132, 0, 32, 1, 1, 0, 0},
    {"one word for all", "u32", 0, 0, 0, 32, 1, 1, 0, 0},
    {"eight lanes of a column", "u32", 0, 128, 0, 8, 8, 8, 7, 7},
    {"doubles: two groups", "u64", 0, 8, 0, 32, 2, 2, 0, 0},
    {"every second double", "u64", 0, 16, 0, 32, 4, 4, 2, 2},
    {"pairs of lanes at one double: loads merge", "u64", 0, 8, 1, 32, 1, 2, 0, 0},
    {"one double for all", "u64", 0, 0, 0, 32, 1, 2, 0, 0},
    {"fours: four groups", "v4.u32", 0, 16, 0, 32, 4, 4, 0, 0},
    {"every second four", "v4.u32", 0, 32, 0, 32, 8, 8, 4, 4},
    {"pairs of lanes at one four", "v4.u32", 0, 16, 1, 32, 2, 4, 0, 0},
    {"one four for all", "v4.u32", 0, 0, 0, 32, 2, 4, 0, 0},
    {"a half-warp of doubles", "u64", 0, 8, 0, 16, 1, 1, 0, 0},
};

static void test_shared_wavefronts(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(shared_patterns); i++)
        for (unsigned store = 0; store < 2; store++) {
            const struct pattern *pattern = &shared_patterns[i];
            struct engine_result result = run_pattern(pattern, true, store);
            const struct counters *got = &result.counters;
            uint64_t passes = store ? got->shared_store_wavefronts : got->shared_load_wavefronts;
            uint64_t conflicts = store ? pattern->store_conflicts : pattern->load_conflicts;
            if (passes != (store ? pattern->store : pattern->load) ||
                got->shared_bank_conflicts != conflicts)
                fail_msg("%s (%s): %llu wavefronts, %llu conflicts", pattern->name,
                         store ? "store" : "load", (unsigned long long)passes,
                         (unsigned long long)got->shared_bank_conflicts);
            assert_int_equal(got->global_load_sectors + got->global_store_sectors, 0);
            engine_result_free(&result);
        }
}

/* Two blocks of 48 threads: four warps, two of them half full. */
static void test_instructions(void **state) {
    (void)state;
    struct engine_result result = launch_body("cvt.rn.f32.u32 %f1, %l;\n"
                                              "fma.rn.f32 %f2, %f1, %f1, %f1;\n"
                                              "add.f32 %f2, %f2, %f1;\n"
                                              "bar.sync 0;",
                                              2, 48);
    assert_int_equal(result.counters.warp_instructions, 4 * 7);
    assert_int_equal(result.counters.thread_instructions, 96 * 7);
    assert_int_equal(result.counters.flops, 96 * 3);
    assert_int_equal(result.counters.barriers, 4);
    assert_int_equal(result.counters.divergent_branches, 0);
    engine_result_free(&result);
}

static void test_atomics(void **state) {
    (void)state;
    struct engine_result result = launch_body("atom.global.add.u32 %r1, [%a], 1;\n"
                                              "setp.lt.u32 %p, %l, 40;\n"
                                              "@%p red.global.add.u32 [%a+4], 1;\n"
                                              "setp.lt.u32 %p, %l, 0;\n"
                                              "@%p red.global.add.u32 [%a+8], 1;",
                                              1, 64);
    assert_int_equal(result.counters.atomic_requests, 4);
    assert_int_equal(result.counters.global_load_requests, 0);
    engine_result_free(&result);
}

/* A generic address counts as what it points to. */
static void test_generic(void **state) {
    (void)state;
    struct engine_result result = launch_body(".shared .align 4 .b32 s[32];\n"
                                              "mov.u64 %x, s;\ncvta.shared.u64 %x, %x;\n"
                                              "mad.wide.u32 %x, %l, 4, %x;\nst.u32 [%x], %l;\n"
                                              "ld.u32 %r1, [%x];\nmad.wide.u32 %y, %l, 4, %a;\n"
                                              "st.u32 [%y], %r1;",
                                              1, 32);
    assert_int_equal(result.counters.shared_store_wavefronts, 1);
    assert_int_equal(result.counters.shared_load_wavefronts, 1);
    assert_int_equal(result.counters.global_store_sectors, 4);
    assert_int_equal(result.counters.global_load_sectors, 0);
    engine_result_free(&result);
}

/* What a line did, and the line of the submission for code inlined from a header. */
static void test_lines(void **state) {
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 p)\n{\n.reg .u64 a, x;\n.reg .u32 l, r;\n"
        ".loc 1 3 5\nld.param.u64 a, [p];\nmov.u32 l, %tid.x;\n"
        ".loc 1 4 9\nmad.wide.u32 x, l, 4, a;\nld.global.u32 r, [x];\n"
        ".loc 2 77 1, function_name name, inlined_at 1 6 2\nst.global.u32 [x], r;\n"
        ".loc 1 0 0\nadd.u32 r, r, 1;\n"
        ".loc 1 7 1\nret;\n}\n"
        ".file 1 \"/tmp/k.cu\"\n.file 2 \"/usr/include/header.h\"\n.section .debug_str\n{\nname:\n"
        ".b8 1\n}\n";
    struct engine_result result = launch_text(ptx, 2, 64, NULL);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    static const struct {
        unsigned line, instructions, loads, stores;
    } wanted[] = {{3, 2, 0, 0}, {4, 2, 16, 0}, {6, 2, 0, 16}, {7, 1, 0, 0}};
    assert_int_equal(result.line_count, ARRAY_LENGTH(wanted));
    for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
        const struct line_counters *line = &result.lines[i];
        assert_string_equal(line->file, "k.cu");
        assert_int_equal(line->line, wanted[i].line);
        assert_int_equal(line->counters.thread_instructions, 128 * wanted[i].instructions);
        assert_int_equal(line->counters.global_load_sectors, wanted[i].loads);
        assert_int_equal(line->counters.global_store_sectors, wanted[i].stores);
    }
    engine_result_free(&result);
}

/* Arrays that ptxas keeps in registers are no memory, but what is wrong with them still is. */
static void test_arrays_in_registers(void **state) {
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k()\n{\n.local .align 16 .b8 t[64];\n.reg .u64 x, y;\n.reg .u32 l, r;\n"
        "mov.u32 l, %tid.x;\nmov.u64 x, t;\nmad.wide.u32 y, l, 4, x;\nst.local.u32 [y], l;\n"
        "cvta.local.u64 x, x;\nst.u32 [x], l;\nld.u32 r, [x];\nret;\n}\n";
    for (unsigned in_registers = 0; in_registers < 2; in_registers++) {
        struct engine_launch launch = {.ptx = ptx,
                                       .ptx_length = sizeof ptx - 1,
                                       .kernel = "k",
                                       .file_name = "k.cu",
                                       .grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .threads = 1,
                                       .arrays_in_registers = in_registers};
        struct engine_result result;
        sim_run(&launch, &result);
        assert_int_equal(result.end, ENGINE_COMPLETED);
        assert_int_equal(result.counters.local_store_requests, in_registers ? 0 : 2);
        assert_int_equal(result.counters.local_load_sectors, in_registers ? 0 : 4);
        assert_int_equal(result.counters.global_store_requests, 0);
        assert_int_equal(result.hazard_count, 1);
        assert_int_equal(result.hazards[0].kind, HAZARD_OUT_OF_BOUNDS);
        assert_int_equal(result.hazards[0].count, 16);
        engine_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_global_sectors),
        cmocka_unit_test(test_shared_wavefronts),
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_generic),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_arrays_in_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

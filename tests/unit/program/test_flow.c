/* Divergence and reconvergence, seen through exact counts of instructions: a warp that meets again
 * executes what follows once, one that does not executes it once for each part. Every launch has
 * three instructions around its body: two before it and the return. */
#include "tests/support/launch.h"

struct flow_case {
    const char *name, *body;
    unsigned threads;
    uint64_t warp_instructions, thread_instructions, divergent;
};

static const struct flow_case cases[] = {
    {"uniform branch",
     "setp.lt.u32 %p, %l, 99;\n@%p bra $a;\nmov.u32 %r1, 1;\n$a:\nmov.u32 %r2, 2;", 32, 3 + 3,
     32 * 6, 0},
    {"uniform by warps",
     "setp.lt.u32 %p, %l, 32;\n@%p bra $a;\nmov.u32 %r1, 1;\n$a:\nmov.u32 %r2, 2;", 64, 2 * 6 + 1,
     64 * 6 + 32, 0},
    {"if", "setp.lt.u32 %p, %l, 9;\n@%p bra $a;\nmov.u32 %r1, 1;\n$a:\nmov.u32 %r2, 2;", 32, 3 + 4,
     32 * 6 + 23, 1},
    {"if and else",
     "setp.lt.u32 %p, %l, 9;\n@%p bra $a;\nmov.u32 %r1, 1;\nmov.u32 %r1, 2;\nbra $b;\n"
     "$a:\nmov.u32 %r2, 2;\n$b:\nmov.u32 %r3, 3;",
     32, 3 + 7, 32 * (3 + 3) + 23 * 3 + 9, 1},
    {"nested ifs",
     "setp.lt.u32 %p, %l, 16;\nsetp.lt.u32 %q, %l, 8;\n@!%p bra $end;\n@!%q bra $inner;\n"
     "mov.u32 %r1, 1;\n$inner:\nmov.u32 %r2, 1;\n$end:\nmov.u32 %r3, 1;",
     32, 3 + 7, 32 * 7 + 16 * 2 + 8, 2},
    {"guarded instructions do not diverge",
     "setp.lt.u32 %p, %l, 16;\n@%p mov.u32 %r1, 1;\n@!%p mov.u32 %r1, 2;", 32, 3 + 3, 32 * 6, 0},
    /* lane n goes round n times: one lane leaves each turn, the last two turns do not split */
    {"loop of different lengths",
     "mov.u32 %r1, 0;\n$loop:\nsetp.ge.u32 %p, %r1, %l;\n@%p bra $end;\nadd.u32 %r1, %r1, 1;\n"
     "bra $loop;\n$end:\nmov.u32 %r2, 2;",
     32, 3 + 1 + 31 * 4 + 2 + 1, 32 * 5 + 496 * 4 + 32 * 2, 31},
    /* lanes 0..7 break in the first turn, the others go round three times */
    {"loop with a break",
     "mov.u32 %r1, 0;\n$loop:\nsetp.lt.u32 %p, %l, 8;\n@%p bra $end;\nadd.u32 %r1, %r1, 1;\n"
     "setp.lt.u32 %q, %r1, 3;\n@%q bra $loop;\n$end:\nmov.u32 %r2, 2;",
     32, 3 + 1 + 3 * 5 + 1, 32 * 5 + 8 * 2 + 24 * 15, 1},
    {"some lanes return early", "setp.lt.u32 %p, %l, 8;\n@%p ret;\nmov.u32 %r1, 1;", 32, 3 + 3,
     32 * 4 + 24 * 2, 0},
};

static void test_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const struct flow_case *test = &cases[i];
        struct engine_result result = launch_body(test->body, 1, test->threads);
        const struct counters *got = &result.counters;
        if (got->warp_instructions != test->warp_instructions ||
            got->thread_instructions != test->thread_instructions ||
            got->divergent_branches != test->divergent)
            fail_msg("%s: %llu warp instructions (not %llu), %llu thread instructions (not %llu), "
                     "%llu divergent branches (not %llu)",
                     test->name, (unsigned long long)got->warp_instructions,
                     (unsigned long long)test->warp_instructions,
                     (unsigned long long)got->thread_instructions,
                     (unsigned long long)test->thread_instructions,
                     (unsigned long long)got->divergent_branches,
                     (unsigned long long)test->divergent);
        engine_result_free(&result);
    }
}

/* Lanes that call different functions through a pointer all come back. */
static void test_indirect_call(void **state) {
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".func one()\n{\n.reg .b32 r;\nmov.u32 r, 1;\nret;\n}\n"
        ".func two()\n{\n.reg .b32 r;\nmov.u32 r, 2;\nret;\n}\n"
        ".visible .entry k()\n{\n.reg .u64 f, g;\n.reg .u32 l;\n.reg .pred p;\n"
        "mov.u32 l, %tid.x;\nmov.u64 f, one;\nmov.u64 g, two;\nsetp.lt.u32 p, l, 5;\n"
        "selp.b64 f, f, g, p;\ncall f, t;\nt: .callprototype _ ();\nmov.u32 l, 1;\nret;\n}\n";
    struct engine_result result = launch_text(ptx, 1, 32, NULL);
    if (result.end != ENGINE_COMPLETED || result.hazard_count)
        fail_msg("%s", result.hazard_count ? result.hazards[0].message : result.message);
    assert_int_equal(result.counters.thread_instructions, 32 * (5 + 1 + 2 + 2) + 27);
    engine_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_indirect_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

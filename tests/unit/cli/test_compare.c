/* The table of `compare`, from reports made by hand: nothing wider than 80 columns, what only one
 * of them has is a dash, and what a name holds reaches no terminal. */
#include "grader/cli/learn/compare_text.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void test_table(void **state) {
    (void)state;
    struct hazard race = {.kind = HAZARD_SHARED_RACE, .severity = SEVERITY_ERROR};
    struct line_counters lines[] = {{.line = 3, .counters = {.warp_instructions = 30}},
                                    {.line = 4, .counters = {.warp_instructions = 20}}};
    struct report_case a_cases[] = {{.name = (char *)"one", .verdict = VERDICT_PASS},
                                    {.name = (char *)"two\033[2J",
                                     .verdict = VERDICT_HAZARD,
                                     .hazards = &race,
                                     .hazard_count = 1},
                                    {.name = (char *)"speed", .verdict = VERDICT_SKIPPED}};
    struct report_case b_cases[] = {
        {.name = (char *)"one", .verdict = VERDICT_PASS},
        {.name = (char *)"two\033[2J", .verdict = VERDICT_PASS},
        {.name = (char *)"speed",
         .verdict = VERDICT_TOO_SLOW,
         .time = {.present = true, .median_ms = 0.25, .ratio_to_reference = 2},
         .speed = {.present = true,
                   .device_name = (char *)"NVIDIA T4",
                   .limiter = (char *)"L2-cache-bound: 98 % of the modelled time",
                   .registers = 32,
                   .occupancy = 0.5,
                   .lines = lines,
                   .line_count = 2}}};
    struct report a = {.exercise = (char *)"dot",
                       .file = (char *)"a.cu",
                       .score = 40,
                       .max_score = 100,
                       .cases = a_cases,
                       .case_count = 3};
    struct report b = {.exercise = (char *)"dot",
                       .file = (char *)"a/very/long/path/to/some/submission/b.cu",
                       .score = 85,
                       .max_score = 100,
                       .passed = true,
                       .cases = b_cases,
                       .case_count = 3};
    cleanup_text struct text out = {0};
    struct terminal t = {.out = &out, .width = 80};
    compare_write_text(&t, &a, &b);
    assert_string_equal(
        text_string(&out),
        "dot\n"
        "                            a.cu                  …ome/submission/b.cu  B / A\n"
        "  points                    40 of 100             85 of 100\n"
        "  cases that pass           1 / 3                 2 / 3\n"
        "\n"
        "cases that differ\n"
        "  two\\x1b[2J                shared-race           passed\n"
        "  speed                     skipped               too slow\n"
        "\n"
        "the speed case, on a simulated NVIDIA T4\n"
        "  time, ms                  -                     0.25\n"
        "  time / tuned kernel's     -                     2\n"
        "  warp instructions         -                     50\n"
        "  registers per thread      -                     32\n"
        "  occupancy, %              -                     50\n"
        "  limiter                   -                     L2-cache-bound\n");
    text_clear(&out);
    compare_write_text(&t, &b, &b);
    assert_non_null(strstr(text_string(&out), "every case ends the same in both"));
    assert_non_null(strstr(text_string(&out), "50                    50                    1\n"));
    text_clear(&out);
    compare_write_text(&t, &a, &a);
    assert_non_null(strstr(text_string(&out), "neither was profiled"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

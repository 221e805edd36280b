/* Hazards with one cause are one finding. */
#include "reports/hazards.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hazard race(unsigned line, unsigned other_line, const char *variable,
                          enum hazard_fix fix) {
    struct hazard hazard = {.kind = HAZARD_SHARED_RACE,
                            .severity = SEVERITY_ERROR,
                            .line = line,
                            .other_line = other_line,
                            .count = 10,
                            .fix = fix,
                            .file = "k.cu",
                            .other_file = "k.cu"};
    snprintf(hazard.variable, sizeof hazard.variable, "%s", variable);
    return hazard;
}

static void lines_of_one_variable_are_one_finding(void **state) {
    (void)state;
    const struct hazard hazards[] = {
        race(12, 12, "s[3]", FIX_BLOCK_BARRIER), race(12, 18, "s[4]", FIX_BLOCK_BARRIER),
        race(17, 12, "s[0][1]", FIX_BLOCK_BARRIER), race(20, 18, "s", FIX_BLOCK_BARRIER)};
    cleanup_text struct text out = {0};
    report_hazards_text(hazards, ARRAY_LENGTH(hazards), "k.cu", NULL, 0, false, &out);
    assert_non_null(
        strstr(text_string(&out), "shared-race at k.cu:12, also lines 17, 18 and 20\n"));
    assert_null(strstr(strstr(text_string(&out), "shared-race at") + 1, "shared-race at"));
}

static void other_variables_and_other_fixes_stay_apart(void **state) {
    (void)state;
    struct hazard hazards[] = {race(12, 17, "s[3]", FIX_BLOCK_BARRIER),
                               race(12, 18, "t[3]", FIX_BLOCK_BARRIER),
                               race(12, 19, "s[3]", FIX_ATOMIC_UPDATE),
                               race(12, 20, "s[3]", FIX_BLOCK_BARRIER),
                               race(1, 2, "", FIX_OF_PAGE),
                               race(1, 3, "", FIX_OF_PAGE)};
    hazards[3].severity = SEVERITY_WARNING;
    struct merged_hazard *merged;
    size_t count;
    hazards_merge_list(hazards, ARRAY_LENGTH(hazards), &merged, &count);
    assert_int_equal(count, ARRAY_LENGTH(hazards));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(merged[i].also_count, 0);
    free(merged);
}

/* A barrier of the block, as soon as one pair of threads is of two warps. */
static void one_pair_across_warps_asks_for_the_barrier_of_the_block(void **state) {
    (void)state;
    const struct hazard hazards[] = {race(12, 17, "s[3]", FIX_WARP_BARRIER),
                                     race(12, 18, "s[40]", FIX_BLOCK_BARRIER)};
    cleanup_text struct text out = {0};
    report_hazards_text(hazards, 1, "k.cu", NULL, 0, false, &out);
    assert_non_null(strstr(text_string(&out), "__syncwarp()"));
    text_clear(&out);
    report_hazards_text(hazards, 2, "k.cu", NULL, 0, false, &out);
    assert_null(strstr(text_string(&out), "__syncwarp()"));
    assert_non_null(strstr(text_string(&out), "__syncthreads()"));
}

static void many_lines_are_kept_in_order(void **state) {
    (void)state;
    struct hazard hazards[50];
    struct merged_hazard *merged;
    size_t count;
    for (unsigned i = 0; i < ARRAY_LENGTH(hazards); i++)
        hazards[i] = race(100, 99 - i, "s[3]", FIX_BLOCK_BARRIER);
    hazards_merge_list(hazards, ARRAY_LENGTH(hazards), &merged, &count);
    assert_int_equal(count, 1);
    assert_int_equal(merged->count, 500);
    assert_int_equal(merged->also_count, MOST_ALSO_LINES);
    for (unsigned i = 0; i < MOST_ALSO_LINES; i++)
        assert_int_equal(merged->also_lines[i], 50 + i);
    free(merged);
}

/* The one of most cases first; the exercise's hint before the fix. */
static void most_cases_come_first_and_hints_before_fixes(void **state) {
    (void)state;
    struct hazard both[] = {race(5, 6, "a[0]", FIX_BLOCK_BARRIER),
                            race(9, 10, "b[0]", FIX_BLOCK_BARRIER)};
    struct hazard one[] = {race(9, 11, "b[7]", FIX_BLOCK_BARRIER)};
    char hint[] = "Who writes b?";
    struct report_case cases[] = {
        {.verdict = VERDICT_HAZARD, .hazards = both, .hazard_count = 2},
        {.verdict = VERDICT_HAZARD, .hazards = one, .hazard_count = 1, .hint = hint}};
    const struct report report = {.cases = cases, .case_count = 2};
    struct merged_hazard *merged;
    size_t count;
    hazards_merge(&report, &merged, &count);
    assert_int_equal(count, 2);
    assert_int_equal(merged[0].first->line, 9);
    assert_int_equal(merged[0].case_count, 2);
    assert_int_equal(merged[0].also_lines[0], 11);
    assert_int_equal(merged[1].case_count, 1);
    cleanup_text struct text out = {0};
    const struct terminal t = {.out = &out, .width = TERMINAL_WIDTH};
    hazards_print(&t, &merged[0], 2, "k.cu", NULL, 0);
    const char *said = strstr(text_string(&out), hint), *fix = strstr(text_string(&out), "fix ");
    assert_true(said && fix && said < fix);
    free(merged);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_one_variable_are_one_finding),
        cmocka_unit_test(other_variables_and_other_fixes_stay_apart),
        cmocka_unit_test(one_pair_across_warps_asks_for_the_barrier_of_the_block),
        cmocka_unit_test(many_lines_are_kept_in_order),
        cmocka_unit_test(most_cases_come_first_and_hints_before_fixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Hazards with one cause are one finding. */
#include "reports/hazards.h"
#include "reports/message.h"

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
    report_hazards_text(hazards, ARRAY_LENGTH(hazards), "k.cu", NULL, 0, LANGUAGE_EN, false, &out);
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
    report_hazards_text(hazards, 1, "k.cu", NULL, 0, LANGUAGE_EN, false, &out);
    assert_non_null(strstr(text_string(&out), "__syncwarp()"));
    text_clear(&out);
    report_hazards_text(hazards, 2, "k.cu", NULL, 0, LANGUAGE_EN, false, &out);
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
    hazards_print(&t, &merged[0], 2, &(struct hazards_look){.file = "k.cu"});
    const char *said = strstr(text_string(&out), hint), *fix = strstr(text_string(&out), "fix ");
    assert_true(said && fix && said < fix);
    free(merged);
}

static size_t joined(struct merged_hazard *merged, size_t count) {
    hazards_join(merged, &count);
    return count;
}

static struct hazard of_kind(enum hazard_kind kind, unsigned line, const char *variable) {
    struct hazard hazard = race(line, 0, variable, FIX_OF_PAGE);
    hazard.kind = kind;
    return hazard;
}

/* Two tiles that are filled in lines of their own, read in one, with one barrier missing. */
static void one_missing_barrier_is_one_cause(void **state) {
    (void)state;
    const struct hazard a = race(10, 14, "a", FIX_BLOCK_BARRIER),
                        b = race(11, 14, "b", FIX_BLOCK_BARRIER),
                        elsewhere = race(20, 24, "c", FIX_BLOCK_BARRIER),
                        atomic = race(10, 14, "d", FIX_ATOMIC_UPDATE);
    struct merged_hazard merged[] = {{&a, a.fix, NULL, 9, 100, {0}, 0},
                                     {&b, b.fix, NULL, 9, 90, {0}, 0},
                                     {&elsewhere, elsewhere.fix, NULL, 9, 80, {0}, 0},
                                     {&atomic, atomic.fix, NULL, 9, 70, {0}, 0}};
    assert_int_equal(joined(merged, ARRAY_LENGTH(merged)), 3);
    assert_int_equal(merged[0].also_count, 1);
    assert_int_equal(merged[0].also_lines[0], 11);
    assert_ptr_equal(merged[1].first, &elsewhere);
    assert_ptr_equal(merged[2].first, &atomic);
}

/* Two tiles and one barrier: that the first is read by the warp that writes it, does not help the
 * other one. */
static void joined_findings_ask_for_the_barrier_of_the_block(void **state) {
    (void)state;
    const struct hazard rows = race(10, 14, "rows", FIX_WARP_BARRIER),
                        columns = race(11, 14, "columns", FIX_BLOCK_BARRIER);
    struct merged_hazard merged[] = {{&rows, rows.fix, NULL, 9, 100, {0}, 0},
                                     {&columns, columns.fix, NULL, 9, 90, {0}, 0}};
    assert_int_equal(joined(merged, ARRAY_LENGTH(merged)), 1);
    assert_int_equal(merged[0].fix, FIX_BLOCK_BARRIER);
}

/* One `if` is missing where two arrays are left as often, in the same cases. */
static void one_missing_check_is_one_cause(void **state) {
    (void)state;
    const struct hazard in = of_kind(HAZARD_OUT_OF_BOUNDS, 7, "in[4]"),
                        out = of_kind(HAZARD_OUT_OF_BOUNDS, 9, "out[4]");
    char hint[] = "Which thread has no element?";
    struct merged_hazard merged[] = {{&in, FIX_OF_PAGE, NULL, 3, 60, {0}, 0},
                                     {&out, FIX_OF_PAGE, hint, 3, 60, {0}, 0}};
    struct merged_hazard others[] = {merged[0], merged[1]};
    assert_int_equal(joined(merged, 2), 1);
    assert_int_equal(merged[0].also_lines[0], 9);
    assert_string_equal(merged[0].hint, hint);
    others[1].count = 61;
    assert_int_equal(joined(others, 2), 2);
}

/* What is read before it was written is read too early, where the two race. */
static void an_early_read_belongs_to_its_race(void **state) {
    (void)state;
    const struct hazard a = race(10, 14, "s[1]", FIX_BLOCK_BARRIER),
                        early = of_kind(HAZARD_UNINITIALIZED_READ, 14, "s[3]"),
                        other = of_kind(HAZARD_UNINITIALIZED_READ, 14, "t[3]");
    struct merged_hazard merged[] = {{&a, a.fix, NULL, 9, 100, {0}, 0},
                                     {&early, FIX_OF_PAGE, NULL, 2, 5, {0}, 0},
                                     {&other, FIX_OF_PAGE, NULL, 2, 5, {0}, 0}};
    assert_int_equal(joined(merged, 3), 2);
    assert_ptr_equal(merged[1].first, &other);
}

/* Values that happen to be equal make a warning of the same mistake. */
static void a_warning_belongs_to_its_error(void **state) {
    (void)state;
    struct hazard a = race(19, 22, "s[1]", FIX_ATOMIC_UPDATE),
                  b = race(22, 23, "s[0]", FIX_ONE_WRITER);
    b.severity = SEVERITY_WARNING;
    struct merged_hazard merged[] = {{&a, a.fix, NULL, 9, 100, {0}, 0},
                                     {&b, b.fix, NULL, 9, 90, {0}, 0}};
    assert_int_equal(joined(merged, 2), 1);
    assert_int_equal(merged[0].also_lines[0], 23);
}

static void a_line_is_cut_at_the_width(void **state) {
    (void)state;
    struct hazard hazard = of_kind(HAZARD_OUT_OF_BOUNDS, 7, "in[4]");
    snprintf(hazard.message, sizeof hazard.message,
             "read of 4 bytes at index 256 of `in`, which has 8 x 32 elements");
    const struct merged_hazard merged = {&hazard, FIX_OF_PAGE, NULL, 3, 60, {0}, 0};
    cleanup_text struct text out = {0};
    const struct terminal narrow = {.out = &out, .width = 60};
    hazards_print_line(&narrow, &merged, 9);
    assert_string_equal(text_string(&out),
                        "\u2717 out-of-bounds at k.cu:7, in 3 of 9 cases: read of 4 bytes\u2026\n");
    text_clear(&out);
    const struct terminal narrower = {.out = &out, .width = 50};
    hazards_print_line(&narrower, &merged, 9);
    assert_string_equal(text_string(&out), "\u2717 out-of-bounds at k.cu:7, in 3 of 9 cases\n");
}

/* Its sentence is made anew of the hazard's data: the grader's note must not get lost. */
static void a_chinese_hazard_keeps_its_note(void **state) {
    (void)state;
    struct hazard hazard = {.kind = HAZARD_BLOCK_ORDER};
    cleanup_text struct text out = {0};
    snprintf(hazard.message, sizeof hazard.message, "what the engine says %s",
             WORDS(LANGUAGE_ZH, seen_in_other_order));
    hazards_append_message(&out, LANGUAGE_ZH, &hazard);
    assert_non_null(strstr(text_string(&out), WORDS(LANGUAGE_ZH, seen_in_other_order)));
    assert_null(strstr(text_string(&out), "engine"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_one_variable_are_one_finding),
        cmocka_unit_test(other_variables_and_other_fixes_stay_apart),
        cmocka_unit_test(one_pair_across_warps_asks_for_the_barrier_of_the_block),
        cmocka_unit_test(many_lines_are_kept_in_order),
        cmocka_unit_test(most_cases_come_first_and_hints_before_fixes),
        cmocka_unit_test(one_missing_barrier_is_one_cause),
        cmocka_unit_test(joined_findings_ask_for_the_barrier_of_the_block),
        cmocka_unit_test(one_missing_check_is_one_cause),
        cmocka_unit_test(an_early_read_belongs_to_its_race),
        cmocka_unit_test(a_warning_belongs_to_its_error),
        cmocka_unit_test(a_line_is_cut_at_the_width),
        cmocka_unit_test(a_chinese_hazard_keeps_its_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

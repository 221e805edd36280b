/* Points, gates, the pass mark, and the words of the first line. */
#include "grader/judge/score.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct exercise exercise_with(double correctness, double boundary, double generated) {
    struct exercise exercise = {.pass_mark_percent = 60};
    exercise.points[GROUP_CORRECTNESS] = correctness;
    exercise.points[GROUP_BOUNDARY] = boundary;
    exercise.points[GROUP_GENERATED] = generated;
    return exercise;
}

/* "ppw|pp|p": a letter a case (p pass, w wrong, h hazard, n nondeterministic, t time limit, c
 * crash, s skipped), a bar between groups. Case i is named "ci". */
static struct report *report_with(const char *verdicts, size_t totals[GROUP_COUNT]) {
    struct report *report = mem_zalloc(sizeof *report);
    size_t capacity = 0;
    unsigned group = 0;
    memset(totals, 0, GROUP_COUNT * sizeof *totals);
    for (; *verdicts; verdicts++) {
        if (*verdicts == '|') {
            group++;
            continue;
        }
        struct report_case *the_case = mem_push(&report->cases, &report->case_count, &capacity);
        totals[group]++;
        the_case->name = mem_printf("c%zu", report->case_count - 1);
        the_case->group = mem_strdup(case_group_names[group]);
        the_case->verdict = *verdicts == 'p'   ? VERDICT_PASS
                            : *verdicts == 'w' ? VERDICT_WRONG_ANSWER
                            : *verdicts == 'h' ? VERDICT_HAZARD
                            : *verdicts == 't' ? VERDICT_TIME_LIMIT
                            : *verdicts == 'c' ? VERDICT_CRASH
                            : *verdicts == 'n' ? VERDICT_NONDETERMINISTIC
                                               : VERDICT_SKIPPED;
        if (*verdicts != 'h' && *verdicts != 't')
            continue;
        the_case->hazard_count = 1;
        the_case->hazards = mem_calloc(1, sizeof *the_case->hazards);
        the_case->hazards[0].kind =
            *verdicts == 'h' ? HAZARD_OUT_OF_BOUNDS : HAZARD_INSTRUCTION_BUDGET;
        the_case->hazards[0].line = 23;
    }
    return report;
}

static void points_are_split_over_the_cases_of_a_group(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(40, 30, 30);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("pppp|pwp|ppw", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == 80 && report->max_score == 100);
    assert_true(report->cases[4].max_score == 10 && report->cases[5].score == 0);
    assert_int_equal(report->group_count, 3);
    assert_string_equal(report->groups[1].name, "boundary");
    assert_int_equal(report->groups[1].passed_count, 2);
    assert_true(report->passed);
    assert_int_equal(report->verdict, VERDICT_WRONG_ANSWER);
    assert_string_equal(report->message, "80 of 100: 8 of 10 cases pass; wrong answer in 2 cases");
    report_free(report);
}

static void thirds_add_up_to_the_whole(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(33.3, 0, 66.7);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("ppp||ppppppp", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == report->max_score);
    assert_string_equal(report->message, "100 of 100: all 10 cases pass");
    report_free(report);
}

static void message_names_hazard_line_and_group(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(50, 50, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("ppp|hhhppp", totals);
    score_report(&exercise, totals, report);
    assert_string_equal(report->message,
                        "75 of 100: 6 of 9 cases pass; out-of-bounds at line 23 in 3 boundary "
                        "cases");
    report_free(report);
}

static void gate_caps_and_says_so(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(50, 50, 0);
    struct exercise_gate gates[] = {
        {.condition = GATE_HAZARD, .cap_percent = 50},
        {.condition = (enum gate_condition)GROUP_CORRECTNESS, .cap_percent = 10}};
    exercise.gates = gates;
    exercise.gate_count = 2;
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("pppp|ppph", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == 50);
    assert_false(report->passed);
    assert_string_equal(report->cap_reason,
                        "at most 50 of 100 while a case has a memory or synchronisation error");
    report_free(report);
    report = report_with("pppw|pppp", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == 10);
    assert_non_null(strstr(report->message, "while not every correctness case passes"));
    report_free(report);
}

/* Without the gate it would be 95 of 100: the tail of one size forgotten. */
static void wrong_kernel_does_not_pass_by_its_right_cases(void **state) {
    (void)state;
    static const struct {
        const char *verdicts;
        double score;
        const char *reason; /* NULL: no cap */
    } rows[] = {
        {"pppp|pppppppppw", 59, "at most 59 of 100 while the case c13 fails"},
        {"pppp|pppppppppt", 59, "at most 59 of 100 while the case c13 fails"},
        {"pppp|pppppppwpn", 59, "at most 59 of 100 while the cases c11 and c13 fail"},
        {"pppp|pppppppwww", 59, "at most 59 of 100 while the cases c11, c12 and c13 fail"},
        {"pppp|ppppppwwww", 59, "at most 59 of 100 while the cases c10, c11, c12 and 1 more fail"},
        {"pppp|ppppppppps", 59, "at most 59 of 100 while the case c13 fails"},
        {"pppp|pppppppppp", 100, NULL},
    };
    struct exercise exercise = exercise_with(50, 50, 0);
    struct exercise_gate gate = {.condition = GATE_RIGHT, .cap_percent = 59};
    exercise.gates = &gate;
    exercise.gate_count = 1;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        size_t totals[GROUP_COUNT];
        struct report *report = report_with(rows[i].verdicts, totals);
        score_report(&exercise, totals, report);
        assert_true(report->score == rows[i].score);
        assert_int_equal(report->passed, !rows[i].reason);
        assert_int_equal(report->cap_reason != NULL, rows[i].reason != NULL);
        if (rows[i].reason) {
            assert_string_equal(report->cap_reason, rows[i].reason);
            assert_true(report->cap == rows[i].score);
        }
        report_free(report);
    }
}

static void essential_case_costs_what_the_exercise_says(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(50, 50, 0);
    struct exercise_gate gates[] = {{.condition = GATE_RIGHT, .cap_percent = 59},
                                    {.condition = GATE_ESSENTIAL, .cap_percent = 30}};
    exercise.gates = gates;
    exercise.gate_count = 2;
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("pppp|pppw", totals);
    report->cases[7].essential = true;
    score_report(&exercise, totals, report);
    assert_true(report->score == 30 && report->cap == 30);
    assert_string_equal(report->cap_reason, "at most 30 of 100 while the essential case c7 fails");
    report_free(report);
    report = report_with("pppp|pppw", totals);
    report->cases[6].essential = true;
    score_report(&exercise, totals, report);
    assert_true(report->score == 59);
    report_free(report);
}

static void crash_is_a_hazard_to_a_gate_and_a_wrong_answer_is_not(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(50, 50, 0);
    struct exercise_gate gate = {.condition = GATE_HAZARD, .cap_percent = 30};
    exercise.gates = &gate;
    exercise.gate_count = 1;
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("pppp|pppc", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == 30);
    report_free(report);
    report = report_with("pppp|pppw", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == 87.5);
    report_free(report);
}

static void hazards_at_two_lines_are_two_problems(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(100, 0, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("hhp", totals);
    report->cases[1].hazards[0].line = 30;
    score_report(&exercise, totals, report);
    assert_non_null(strstr(report->message, "at line 23 in 1 correctness case; out-of-bounds at "
                                            "line 30 in 1 correctness case"));
    report_free(report);
}

static void gate_that_lowers_nothing_is_not_mentioned(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(50, 50, 0);
    struct exercise_gate gate = {.condition = GATE_HAZARD, .cap_percent = 50};
    exercise.gates = &gate;
    exercise.gate_count = 1;
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("hh|hp", totals);
    score_report(&exercise, totals, report);
    assert_true(report->score == 25);
    assert_null(report->cap_reason);
    report_free(report);
}

static void selection_is_scored_out_of_its_own_points(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(40, 60, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("|p", totals);
    totals[GROUP_CORRECTNESS] = 4;
    totals[GROUP_BOUNDARY] = 3;
    score_report(&exercise, totals, report);
    assert_true(report->score == 20 && report->max_score == 20);
    assert_int_equal(report->group_count, 1);
    assert_string_equal(report->message, "20 of 20: the 1 case passes (selected from 7)");
    report_free(report);
}

static void build_failure_is_zero_and_says_why(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(100, 0, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("ss", totals);
    report->cases[0].verdict = report->cases[1].verdict = VERDICT_COMPILE_ERROR;
    report->build_message = mem_strdup("dot.cu has 2 errors");
    score_report(&exercise, totals, report);
    assert_true(report->score == 0 && !report->passed);
    assert_int_equal(report->verdict, VERDICT_COMPILE_ERROR);
    assert_string_equal(report->message, "0 of 100: dot.cu has 2 errors");
    report_free(report);
}

static void worst_verdict_and_many_problems(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(100, 0, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("pwhtcs", totals);
    score_report(&exercise, totals, report);
    assert_int_equal(report->verdict, VERDICT_CRASH);
    assert_string_equal(report->message,
                        "16.66 of 100: 1 of 6 cases pass; wrong answer in 1 correctness case; "
                        "out-of-bounds at line 23 in 1 correctness case; does not end, stopped at "
                        "line 23 in 1 correctness case; and 2 more problems");
    report_free(report);
}

/* 36.66 beside 36.67 of the same report: two functions wrote points. */
static void message_rounds_points_as_the_reports_do(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(100, 0, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("ppw", totals);
    score_report(&exercise, totals, report);
    cleanup_text struct text points = {0};
    report_append_points(&points, report->score);
    assert_string_equal(text_string(&points), "66.66");
    assert_memory_equal(report->message, "66.66 of 100: ", 14);
    report_free(report);
}

static void skipped_cases_say_why(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(100, 0, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("ps", totals);
    report->cases[1].message = mem_strdup("not run: a reason");
    score_report(&exercise, totals, report);
    assert_string_equal(report->message, "50 of 100: 1 of 2 cases pass; skipped in 1 correctness "
                                         "case (not run: a reason)");
    report_free(report);
}

static void warning_does_not_cost_points_but_is_told(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(100, 0, 0);
    size_t totals[GROUP_COUNT];
    struct report *report = report_with("ph", totals);
    report->cases[1].verdict = VERDICT_PASS;
    report->cases[1].hazards[0].severity = SEVERITY_WARNING;
    score_report(&exercise, totals, report);
    assert_string_equal(report->message, "100 of 100: all 2 cases pass; warning: out-of-bounds at "
                                         "line 23 in 1 case");
    report_free(report);
}

/* A correct case and a speed case with two thresholds of 10 points each. */
static struct report *speed_report(size_t totals[GROUP_COUNT], enum verdict verdict,
                                   const enum report_threshold_state states[2],
                                   const double scores[2]) {
    struct report *report = report_with("p|||s", totals);
    struct report_case *speed = &report->cases[1];
    speed->verdict = verdict;
    speed->speed.present = states != NULL;
    speed->message = mem_strdup("a reason");
    if (!states)
        return report;
    speed->speed.threshold_count = 2;
    speed->speed.thresholds = mem_calloc(2, sizeof *speed->speed.thresholds);
    for (size_t i = 0; i < 2; i++)
        speed->speed.thresholds[i] =
            (struct report_threshold){.state = states[i], .score = scores[i], .max_score = 10};
    return report;
}

struct speed_row {
    enum verdict verdict;
    bool reached; /* the thresholds were */
    enum report_threshold_state states[2];
    double scores[2];
    double score, max_score; /* of everything */
    enum verdict worst;
    const char *message;
};

static const struct speed_row speed_rows[] = {
    {VERDICT_PASS,
     true,
     {THRESHOLD_MET, THRESHOLD_MET},
     {10, 10},
     100,
     100,
     VERDICT_PASS,
     "100 of 100: all 2 cases pass; 20 of 20 points for speed: a reason"},
    {VERDICT_PASS,
     true,
     {THRESHOLD_MET, THRESHOLD_PART},
     {10, 4},
     94,
     100,
     VERDICT_PASS,
     "94 of 100: all 2 cases pass; 14 of 20 points for speed: a reason"},
    {VERDICT_TOO_SLOW,
     true,
     {THRESHOLD_MET, THRESHOLD_MISSED},
     {10, 0},
     90,
     100,
     VERDICT_TOO_SLOW,
     "90 of 100: 1 of 2 cases pass; a target is missed: a reason"},
    /* what cannot be decided counts on neither side */
    {VERDICT_PASS,
     true,
     {THRESHOLD_MET, THRESHOLD_UNDECIDED},
     {10, 0},
     90,
     90,
     VERDICT_PASS,
     "90 of 90: all 2 cases pass; 10 of 10 points for speed: a reason"},
    {VERDICT_SKIPPED,
     true,
     {THRESHOLD_UNDECIDED, THRESHOLD_UNDECIDED},
     {0, 0},
     80,
     80,
     VERDICT_PASS,
     "80 of 80: 1 of 2 cases pass"},
    /* a kernel that did not get that far loses them all */
    {VERDICT_SKIPPED, false, {0}, {0}, 80, 100, VERDICT_SKIPPED, "80 of 100: 1 of 2 cases pass"},
    {VERDICT_TIME_LIMIT,
     false,
     {0},
     {0},
     80,
     100,
     VERDICT_TIME_LIMIT,
     "80 of 100: 1 of 2 cases pass; does not end in time in 1 speed case"},
};

static void thresholds_have_points_of_their_own(void **state) {
    (void)state;
    struct exercise exercise = exercise_with(80, 0, 0);
    exercise.points[GROUP_SPEED] = 20;
    for (size_t i = 0; i < ARRAY_LENGTH(speed_rows); i++) {
        const struct speed_row *row = &speed_rows[i];
        size_t totals[GROUP_COUNT];
        struct report *report =
            speed_report(totals, row->verdict, row->reached ? row->states : NULL, row->scores);
        score_report(&exercise, totals, report);
        if (report->score != row->score || report->max_score != row->max_score ||
            report->verdict != row->worst || strcmp(report->message, row->message) != 0)
            fail_msg("row %zu: %g of %g, %s: %s", i, report->score, report->max_score,
                     verdict_infos[report->verdict].name, report->message);
        report_free(report);
    }
}

static void only_a_wrong_speed_case_caps(void **state) {
    (void)state;
    static const struct {
        enum verdict verdict;
        bool caps;
    } rows[] = {{VERDICT_PASS, false},        {VERDICT_TOO_SLOW, false},
                {VERDICT_SKIPPED, false},     {VERDICT_INTERNAL_ERROR, false},
                {VERDICT_WRONG_ANSWER, true}, {VERDICT_HAZARD, true},
                {VERDICT_TIME_LIMIT, true},   {VERDICT_NONDETERMINISTIC, true},
                {VERDICT_MEMORY_LIMIT, true}};
    struct exercise exercise = exercise_with(80, 0, 0);
    struct exercise_gate gate = {.condition = GATE_RIGHT, .cap_percent = 59};
    exercise.points[GROUP_SPEED] = 20;
    exercise.gates = &gate;
    exercise.gate_count = 1;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        size_t totals[GROUP_COUNT];
        struct report *report = speed_report(totals, rows[i].verdict, NULL, NULL);
        score_report(&exercise, totals, report);
        if ((report->cap_reason != NULL) != rows[i].caps || report->passed == rows[i].caps)
            fail_msg("%s: %s", verdict_infos[rows[i].verdict].name, report->message);
        report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_split_over_the_cases_of_a_group),
        cmocka_unit_test(thirds_add_up_to_the_whole),
        cmocka_unit_test(message_names_hazard_line_and_group),
        cmocka_unit_test(gate_caps_and_says_so),
        cmocka_unit_test(wrong_kernel_does_not_pass_by_its_right_cases),
        cmocka_unit_test(essential_case_costs_what_the_exercise_says),
        cmocka_unit_test(only_a_wrong_speed_case_caps),
        cmocka_unit_test(crash_is_a_hazard_to_a_gate_and_a_wrong_answer_is_not),
        cmocka_unit_test(hazards_at_two_lines_are_two_problems),
        cmocka_unit_test(gate_that_lowers_nothing_is_not_mentioned),
        cmocka_unit_test(selection_is_scored_out_of_its_own_points),
        cmocka_unit_test(build_failure_is_zero_and_says_why),
        cmocka_unit_test(worst_verdict_and_many_problems),
        cmocka_unit_test(message_rounds_points_as_the_reports_do),
        cmocka_unit_test(skipped_cases_say_why),
        cmocka_unit_test(warning_does_not_cost_points_but_is_told),
        cmocka_unit_test(thresholds_have_points_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

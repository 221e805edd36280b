/* The order of decisions on one case, with evidence made by hand: y[2] and an input x[2]. */
#include "grader/judge/judge.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { X, Y, PARAMS, X_AT = 0, Y_AT = 256, DATA = 512 };

struct fixture {
    struct exercise exercise;
    struct exercise_param params[PARAMS];
    struct exercise_hint hints[2];
    struct engine_argument arguments[PARAMS], reference_arguments[PARAMS];
    size_t magnitudes[PARAMS];
    int64_t lengths[PARAMS];
    struct plan_launch launch, reference_launch;
    struct engine_result result;
    struct hazard hazards[4];
    char before[DATA], after[DATA], expected[DATA];
    struct report_case verdict;
};

static void set_float(char *data, size_t at, size_t index, float value) {
    element_from_double(ELEMENT_f32, data + at, index, (double)value);
}

static int set_up(void **state) {
    struct fixture *f = mem_zalloc(sizeof *f);
    f->params[X] =
        (struct exercise_param){.name = (char *)"x", .type = ELEMENT_f32, .role = ROLE_IN};
    f->params[Y] = (struct exercise_param){.name = (char *)"y",
                                           .type = ELEMENT_f32,
                                           .role = ROLE_OUT,
                                           .tolerance = {.kind = TOLERANCE_EXACT}};
    f->exercise = (struct exercise){
        .id = (char *)"fixture", .params = f->params, .param_count = PARAMS, .hints = f->hints};
    f->arguments[X] = (struct engine_argument){.is_buffer = true,
                                               .type = ELEMENT_f32,
                                               .name = "x",
                                               .count = 2,
                                               .shape = {2},
                                               .rank = 1,
                                               .read_only = true,
                                               .data_offset = X_AT};
    f->arguments[Y] = f->arguments[X];
    snprintf(f->arguments[Y].name, sizeof f->arguments[Y].name, "y");
    f->arguments[Y].read_only = false;
    f->arguments[Y].data_offset = Y_AT;
    memcpy(f->reference_arguments, f->arguments, sizeof f->arguments);
    f->reference_arguments[Y].type = ELEMENT_f64;
    f->magnitudes[X] = f->magnitudes[Y] = SIZE_MAX;
    f->launch = (struct plan_launch){
        .arguments = f->arguments, .argument_count = PARAMS, .data_length = DATA};
    f->reference_launch = f->launch;
    f->reference_launch.arguments = f->reference_arguments;
    f->launch.magnitudes = f->reference_launch.magnitudes = f->magnitudes;
    f->launch.lengths = f->reference_launch.lengths = f->lengths;
    for (size_t i = 0; i < 2; i++) {
        set_float(f->before, X_AT, i, 3);
        set_float(f->after, X_AT, i, 3);
        set_float(f->after, Y_AT, i, (float)i + 1);
        element_from_double(ELEMENT_f64, f->expected + Y_AT, i, (double)i + 1);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    struct report *report = mem_zalloc(sizeof *report);
    report->cases = mem_dup(&f->verdict, sizeof f->verdict);
    report->case_count = 1;
    report_free(report);
    free(f);
    return 0;
}

static void add_hazard(struct fixture *f, enum hazard_kind kind, enum hazard_severity severity,
                       unsigned line) {
    struct hazard *hazard = &f->hazards[f->result.hazard_count++];
    *hazard = (struct hazard){.kind = kind, .severity = severity, .line = line, .count = 1};
    snprintf(hazard->message, sizeof hazard->message, "details");
    f->result.hazards = f->hazards;
}

static struct judge_evidence evidence_of(struct fixture *f) {
    return (struct judge_evidence){.exercise = &f->exercise,
                                   .launch = &f->launch,
                                   .result = &f->result,
                                   .before = f->before,
                                   .after = f->after,
                                   .reference_launch = &f->reference_launch,
                                   .expected = f->expected};
}

static void judge(struct fixture *f) {
    struct judge_evidence evidence = evidence_of(f);
    judge_case(&evidence, &f->verdict);
}

static void judge_other(struct fixture *f) {
    struct judge_evidence evidence = evidence_of(f);
    judge_other_schedule(&evidence, &f->verdict);
}

static void right_and_clean_passes(void **state) {
    struct fixture *f = *state;
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_PASS);
    assert_null(f->verdict.message);
    assert_true(f->verdict.has_counters);
    assert_false(f->verdict.difference.present);
}

static void wrong_element_is_shown(void **state) {
    struct fixture *f = *state;
    set_float(f->after, Y_AT, 1, 7);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_WRONG_ANSWER);
    assert_string_equal(f->verdict.message, "1 of 2 elements of y is wrong; the first is y[1]");
    assert_string_equal(f->verdict.difference.output, "y");
    assert_string_equal(f->verdict.difference.index, "[1]");
    assert_true(f->verdict.difference.expected == 2 && f->verdict.difference.actual == 7);
    assert_string_equal(f->verdict.tolerance, "y: exact, the result in double rounded once to f32");
}

static void bound_is_told_in_words(void **state) {
    struct fixture *f = *state;
    static const struct {
        double relative, absolute;
        const char *text;
    } rows[] = {{1e-5, 1e-6, "y: within 1e-06 + (1e-05 * |expected|)"},
                {1e-5, 0, "y: within 1e-05 * |expected|"},
                {0, 0.25, "y: within 0.25"}};
    set_float(f->after, Y_AT, 1, 7);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f->params[Y].tolerance = (struct exercise_tolerance){
            .kind = TOLERANCE_NEAR, .relative = rows[i].relative, .absolute = rows[i].absolute};
        judge(f);
        assert_string_equal(f->verdict.tolerance, rows[i].text);
        judge_reset(&f->verdict);
    }
    f->params[Y].tolerance = (struct exercise_tolerance){.kind = TOLERANCE_DOT, .factor = 2};
    f->lengths[Y] = 16384;
    f->magnitudes[Y] = Y; /* here each is a sum of terms of one sign */
    judge(f);
    assert_string_equal(f->verdict.tolerance,
                        "y: a sum of 16384 terms: within 2 * 16384 * 2^-24 * sum(|term|)");
}

static void output_that_is_never_written(void **state) {
    struct fixture *f = *state;
    uint32_t poison = (uint32_t)plan_poison(ELEMENT_f32);
    memcpy(f->after + Y_AT, &poison, 4);
    memcpy(f->after + Y_AT + 4, &poison, 4);
    judge(f);
    assert_string_equal(f->verdict.message, "the kernel writes no element of y");
    assert_true(f->verdict.difference.never_written);
}

static void element_that_equals_the_poison_is_asked_about(void **state) {
    struct fixture *f = *state;
    uint32_t poison = (uint32_t)plan_poison(ELEMENT_f32);
    struct judge_evidence evidence = evidence_of(f);
    assert_false(judge_asks_again(&evidence));
    set_float(f->after, Y_AT, 1, 7);
    assert_false(judge_asks_again(&evidence));
    memcpy(f->after + Y_AT, &poison, 4);
    assert_true(judge_asks_again(&evidence));
    unsigned char again[sizeof f->after];
    memcpy(again, f->after, sizeof again); /* it writes the same over whatever stands there */
    evidence.again = again;
    judge_case(&evidence, &f->verdict);
    assert_string_equal(f->verdict.message, "all 2 elements of y are wrong; the first is y[0]");
    assert_false(f->verdict.difference.never_written);
    add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 9);
    assert_false(judge_asks_again(&evidence));
}

static void changed_input_is_a_wrong_answer(void **state) {
    struct fixture *f = *state;
    set_float(f->after, X_AT, 1, 4);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_WRONG_ANSWER);
    assert_string_equal(f->verdict.message, "the kernel changed its input x at x[1]");
}

static void hazard_comes_before_the_result(void **state) {
    struct fixture *f = *state;
    set_float(f->after, Y_AT, 1, 7);
    add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 9);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_string_equal(f->verdict.message, "out-of-bounds at line 9: details");
}

static void warning_does_not_fail_a_case(void **state) {
    struct fixture *f = *state;
    f->exercise.checks[HAZARD_GLOBAL_RACE] = CHECK_WARNING;
    add_hazard(f, HAZARD_GLOBAL_RACE, SEVERITY_WARNING, 9);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_PASS);
    assert_int_equal(f->verdict.hazard_count, 1);
}

static void checks_decide_also_where_the_engine_only_warns(void **state) {
    struct fixture *f = *state;
    add_hazard(f, HAZARD_BARRIER_DIVERGENCE, SEVERITY_WARNING, 9);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_int_equal(f->verdict.hazards[0].severity, SEVERITY_ERROR);
}

static void race_of_equal_values_is_what_the_exercise_says(void **state) {
    static const struct {
        enum check_level race, same_value;
        enum hazard_severity engine;
        enum verdict verdict;
        size_t kept;
    } rows[] = {{CHECK_ERROR, CHECK_WARNING, SEVERITY_WARNING, VERDICT_PASS, 1},
                {CHECK_ERROR, CHECK_WARNING, SEVERITY_ERROR, VERDICT_HAZARD, 1},
                {CHECK_ERROR, CHECK_ERROR, SEVERITY_WARNING, VERDICT_HAZARD, 1},
                {CHECK_ERROR, CHECK_IGNORE, SEVERITY_WARNING, VERDICT_PASS, 0},
                {CHECK_WARNING, CHECK_ERROR, SEVERITY_WARNING, VERDICT_PASS, 1},
                {CHECK_IGNORE, CHECK_ERROR, SEVERITY_WARNING, VERDICT_PASS, 0}};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        judge_reset(&f->verdict);
        f->result.hazard_count = 0;
        f->exercise.checks[HAZARD_SHARED_RACE] = rows[i].race;
        f->exercise.same_value_race = rows[i].same_value;
        add_hazard(f, HAZARD_SHARED_RACE, rows[i].engine, 9);
        judge(f);
        assert_int_equal(f->verdict.verdict, rows[i].verdict);
        assert_int_equal(f->verdict.hazard_count, rows[i].kept);
    }
}

static void checks_turn_errors_into_warnings_or_nothing(void **state) {
    struct fixture *f = *state;
    f->exercise.checks[HAZARD_UNINITIALIZED_READ] = CHECK_WARNING;
    f->exercise.checks[HAZARD_MISALIGNED] = CHECK_IGNORE;
    add_hazard(f, HAZARD_UNINITIALIZED_READ, SEVERITY_ERROR, 1);
    add_hazard(f, HAZARD_MISALIGNED, SEVERITY_ERROR, 2);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_PASS);
    assert_int_equal(f->verdict.hazard_count, 1);
    assert_int_equal(f->verdict.hazards[0].severity, SEVERITY_WARNING);
}

static void error_is_found_behind_a_downgraded_one(void **state) {
    struct fixture *f = *state;
    f->exercise.checks[HAZARD_UNINITIALIZED_READ] = CHECK_WARNING;
    add_hazard(f, HAZARD_UNINITIALIZED_READ, SEVERITY_ERROR, 1);
    add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 5);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_int_equal(f->verdict.hazards[0].kind, HAZARD_OUT_OF_BOUNDS);
}

static void fatal_hazards_have_their_own_verdicts(void **state) {
    static const struct {
        enum hazard_kind kind;
        enum verdict verdict;
    } rows[] = {{HAZARD_TRAP, VERDICT_CRASH},
                {HAZARD_STACK_OVERFLOW, VERDICT_CRASH},
                {HAZARD_INSTRUCTION_BUDGET, VERDICT_TIME_LIMIT},
                {HAZARD_UNSUPPORTED, VERDICT_SKIPPED}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        void *fresh;
        set_up(&fresh);
        struct fixture *f = fresh;
        f->exercise.checks[rows[i].kind] = CHECK_IGNORE; /* cannot be ignored */
        add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 3);
        add_hazard(f, rows[i].kind, SEVERITY_ERROR, 9);
        judge(f);
        assert_int_equal(f->verdict.verdict, rows[i].verdict);
        assert_int_equal(judge_is_undecided(&f->verdict), rows[i].kind == HAZARD_UNSUPPORTED);
        tear_down(&fresh);
    }
    (void)state;
}

static void lowest_row_decides_between_fatal_hazards(void **state) {
    static const enum hazard_kind kinds[] = {HAZARD_INSTRUCTION_BUDGET, HAZARD_STACK_OVERFLOW,
                                             HAZARD_TRAP, HAZARD_UNSUPPORTED};
    for (size_t i = 1; i < ARRAY_LENGTH(kinds); i++) {
        void *fresh;
        set_up(&fresh);
        struct fixture *f = fresh;
        for (size_t j = 0; j <= i; j++)
            add_hazard(f, kinds[j], SEVERITY_ERROR, 3 + (unsigned)j);
        judge(f);
        assert_int_equal(f->verdict.verdict, verdict_of_hazard(kinds[i]));
        assert_int_equal(strncmp(f->verdict.message, hazard_infos[kinds[i]].lead,
                                 strlen(hazard_infos[kinds[i]].lead)),
                         0);
        tear_down(&fresh);
    }
    (void)state;
}

static void workers_end_decides_first(void **state) {
    static const struct {
        enum engine_end end;
        enum verdict verdict;
    } rows[] = {{ENGINE_REFUSED, VERDICT_SKIPPED},
                {ENGINE_CRASHED, VERDICT_INTERNAL_ERROR},
                {ENGINE_TIME_LIMIT, VERDICT_TIME_LIMIT},
                {ENGINE_MEMORY_LIMIT, VERDICT_MEMORY_LIMIT},
                {ENGINE_OUTPUT_LIMIT, VERDICT_OUTPUT_LIMIT}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        void *fresh;
        set_up(&fresh);
        struct fixture *f = fresh;
        f->result.end = rows[i].end;
        snprintf(f->result.message, sizeof f->result.message, "why");
        judge(f);
        assert_int_equal(f->verdict.verdict, rows[i].verdict);
        assert_non_null(strstr(f->verdict.message, "why"));
        assert_false(f->verdict.has_counters);
        tear_down(&fresh);
    }
    (void)state;
}

/* "does not end, stopped at line 3" named an uninitialized read before the loop. */
static void what_ended_the_kernel_comes_first(void **state) {
    struct fixture *f = *state;
    add_hazard(f, HAZARD_UNINITIALIZED_READ, SEVERITY_ERROR, 3);
    add_hazard(f, HAZARD_INSTRUCTION_BUDGET, SEVERITY_ERROR, 9);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_TIME_LIMIT);
    assert_int_equal(f->verdict.hazards[0].kind, HAZARD_INSTRUCTION_BUDGET);
    assert_int_equal(f->verdict.hazards[1].kind, HAZARD_UNINITIALIZED_READ);
}

static void refused_launch_is_the_hazard_it_reports(void **state) {
    struct fixture *f = *state;
    f->result.end = ENGINE_REFUSED;
    add_hazard(f, HAZARD_INVALID_LAUNCH, SEVERITY_ERROR, 0);
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_string_equal(f->verdict.message, "invalid-launch: details");
}

static void hint_for_the_hazard_before_the_general_one(void **state) {
    struct fixture *f = *state;
    f->hints[0] =
        (struct exercise_hint){.verdict = VERDICT_HAZARD, .text = {(char *)"general", NULL}};
    f->hints[1] = (struct exercise_hint){.verdict = VERDICT_HAZARD,
                                         .has_hazard = true,
                                         .hazard = HAZARD_OUT_OF_BOUNDS,
                                         .text = {(char *)"special", NULL}};
    f->exercise.hint_count = 2;
    add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 9);
    judge(f);
    assert_string_equal(f->verdict.hint, "special");
}

/* The first hazard is the one that is shown, whatever the order of the hints. */
static void hint_for_the_first_hazard(void **state) {
    struct fixture *f = *state;
    f->hints[0] = (struct exercise_hint){.verdict = VERDICT_HAZARD,
                                         .has_hazard = true,
                                         .hazard = HAZARD_UNINITIALIZED_READ,
                                         .text = {(char *)"second", NULL}};
    f->hints[1] = (struct exercise_hint){.verdict = VERDICT_HAZARD,
                                         .has_hazard = true,
                                         .hazard = HAZARD_SHARED_RACE,
                                         .text = {(char *)"first", NULL}};
    f->exercise.hint_count = 2;
    add_hazard(f, HAZARD_SHARED_RACE, SEVERITY_ERROR, 3);
    add_hazard(f, HAZARD_UNINITIALIZED_READ, SEVERITY_ERROR, 4);
    judge(f);
    assert_string_equal(f->verdict.hint, "first");
}

static void printed_output_is_kept(void **state) {
    struct fixture *f = *state;
    text_append(&f->result.printed, "hello");
    f->result.printed_cut = true;
    judge(f);
    assert_string_equal(f->verdict.printed, "hello\n[...]");
    text_free(&f->result.printed);
}

static void other_extents_of_the_reference_are_not_compared(void **state) {
    struct fixture *f = *state;
    f->reference_arguments[Y].count = 1;
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_INTERNAL_ERROR);
}

static void index_text_follows_the_shape(void **state) {
    (void)state;
    struct engine_argument argument = {.shape = {18, 5, 2}, .rank = 3};
    char *text = judge_index_text(&argument, 17 * 10 + 3 * 2 + 1);
    assert_string_equal(text, "[17, 3, 1]");
    free(text);
    argument.rank = 1;
    text = judge_index_text(&argument, 88);
    assert_string_equal(text, "[88]");
    free(text);
    argument.count = 1;
    text = judge_index_text(&argument, 0);
    assert_string_equal(text, "");
    free(text);
}

/* ---- the same launch once more ---- */

static void right_then_wrong_depends_on_the_order(void **state) {
    struct fixture *f = *state;
    f->hints[0] = (struct exercise_hint){.verdict = VERDICT_NONDETERMINISTIC,
                                         .text = {(char *)"who is first?"}};
    f->exercise.hint_count = 1;
    judge(f);
    set_float(f->after, Y_AT, 1, 7);
    judge_other(f);
    assert_int_equal(f->verdict.verdict, VERDICT_NONDETERMINISTIC);
    assert_non_null(strstr(f->verdict.message, "right in the natural one, wrong in another (1 of 2 "
                                               "elements of y is wrong; the first is y[1])"));
    assert_string_equal(f->verdict.hint, "who is first?");
    assert_true(f->verdict.difference.present && f->verdict.difference.actual == 7);
    assert_non_null(f->verdict.tolerance);
    set_float(f->after, Y_AT, 1, 2);
    judge_other(f); /* a third that is right again */
    assert_int_equal(f->verdict.verdict, VERDICT_NONDETERMINISTIC);
}

static void wrong_then_right_depends_on_the_order(void **state) {
    struct fixture *f = *state;
    set_float(f->after, Y_AT, 1, 7);
    judge(f);
    set_float(f->after, Y_AT, 1, 2);
    judge_other(f);
    assert_int_equal(f->verdict.verdict, VERDICT_NONDETERMINISTIC);
    assert_non_null(strstr(f->verdict.message, "wrong in the natural one, right in another (1 of"));
    assert_true(f->verdict.difference.present && f->verdict.difference.actual == 7);
}

static void wrong_on_both_orders_is_a_wrong_answer(void **state) {
    struct fixture *f = *state;
    set_float(f->after, Y_AT, 1, 7);
    judge(f);
    set_float(f->after, Y_AT, 0, 8);
    judge_other(f);
    assert_int_equal(f->verdict.verdict, VERDICT_WRONG_ANSWER);
    assert_true(f->verdict.difference.actual == 7);
}

static void hazards_of_other_orders_count(void **state) {
    struct fixture *f = *state;
    add_hazard(f, HAZARD_SHARED_RACE, SEVERITY_WARNING, 3);
    f->exercise.checks[HAZARD_SHARED_RACE] = CHECK_WARNING;
    judge(f);
    assert_int_equal(f->verdict.verdict, VERDICT_PASS);
    add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 9);
    judge_other(f);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_int_equal(f->verdict.hazard_count, 2);
    assert_int_equal(f->verdict.hazards[0].kind, HAZARD_OUT_OF_BOUNDS);
    assert_non_null(strstr(f->verdict.hazards[0].message, "another order"));
    assert_null(strstr(f->verdict.hazards[1].message, "another order"));
    assert_non_null(strstr(f->verdict.message, "out-of-bounds at line 9: details (seen when"));
}

static void kernel_that_does_not_end_in_another_order_does_not_end(void **state) {
    struct fixture *f = *state;
    judge(f);
    f->result.end = ENGINE_TIME_LIMIT;
    snprintf(f->result.message, sizeof f->result.message, "it had not ended");
    judge_other(f);
    assert_int_equal(f->verdict.verdict, VERDICT_TIME_LIMIT);
    assert_non_null(strstr(f->verdict.message, "it had not ended (seen when"));
}

static void unoptimised_build_adds_reads_of_what_is_unset(void **state) {
    struct fixture *f = *state;
    struct judge_evidence evidence = evidence_of(f);
    judge(f);
    add_hazard(f, HAZARD_UNINITIALIZED_READ, SEVERITY_ERROR, 4);
    judge_unoptimised(&evidence, &f->verdict);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_non_null(strstr(f->verdict.hazards[0].message, "unoptimised build"));
}

static void unoptimised_build_adds_races_and_accesses_only(void **state) {
    struct fixture *f = *state;
    struct judge_evidence evidence = evidence_of(f);
    judge(f);
    set_float(f->after, Y_AT, 0, 9); /* its result does not count */
    f->result.end = ENGINE_TIME_LIMIT;
    add_hazard(f, HAZARD_BARRIER_DIVERGENCE, SEVERITY_ERROR, 4);
    add_hazard(f, HAZARD_INSTRUCTION_BUDGET, SEVERITY_ERROR, 4);
    add_hazard(f, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, 0); /* somewhere in a library */
    judge_unoptimised(&evidence, &f->verdict);
    assert_int_equal(f->verdict.verdict, VERDICT_PASS);
    assert_int_equal(f->verdict.hazard_count, 0);
    add_hazard(f, HAZARD_SHARED_RACE, SEVERITY_ERROR, 6);
    judge_unoptimised(&evidence, &f->verdict);
    assert_int_equal(f->verdict.verdict, VERDICT_HAZARD);
    assert_int_equal(f->verdict.hazard_count, 1);
    assert_string_equal(f->verdict.message, "shared-race at line 6: details (seen in the "
                                            "unoptimised build; the optimiser hides it)");
}

static void exercise_decides_what_the_unoptimised_build_may_add(void **state) {
    struct fixture *f = *state;
    struct judge_evidence evidence = evidence_of(f);
    f->exercise.checks[HAZARD_SHARED_RACE] = CHECK_WARNING;
    f->exercise.checks[HAZARD_GLOBAL_RACE] = CHECK_IGNORE;
    judge(f);
    add_hazard(f, HAZARD_SHARED_RACE, SEVERITY_ERROR, 6);
    add_hazard(f, HAZARD_GLOBAL_RACE, SEVERITY_ERROR, 7);
    judge_unoptimised(&evidence, &f->verdict);
    assert_int_equal(f->verdict.verdict, VERDICT_PASS);
    assert_int_equal(f->verdict.hazard_count, 1);
    assert_int_equal(f->verdict.hazards[0].severity, SEVERITY_WARNING);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(right_and_clean_passes),
        TEST(wrong_element_is_shown),
        TEST(bound_is_told_in_words),
        TEST(output_that_is_never_written),
        TEST(element_that_equals_the_poison_is_asked_about),
        TEST(changed_input_is_a_wrong_answer),
        TEST(hazard_comes_before_the_result),
        TEST(warning_does_not_fail_a_case),
        TEST(checks_decide_also_where_the_engine_only_warns),
        TEST(race_of_equal_values_is_what_the_exercise_says),
        TEST(checks_turn_errors_into_warnings_or_nothing),
        TEST(error_is_found_behind_a_downgraded_one),
        cmocka_unit_test(fatal_hazards_have_their_own_verdicts),
        cmocka_unit_test(lowest_row_decides_between_fatal_hazards),
        cmocka_unit_test(workers_end_decides_first),
        TEST(what_ended_the_kernel_comes_first),
        TEST(refused_launch_is_the_hazard_it_reports),
        TEST(hint_for_the_hazard_before_the_general_one),
        TEST(hint_for_the_first_hazard),
        TEST(printed_output_is_kept),
        TEST(other_extents_of_the_reference_are_not_compared),
        cmocka_unit_test(index_text_follows_the_shape),
        TEST(right_then_wrong_depends_on_the_order),
        TEST(wrong_then_right_depends_on_the_order),
        TEST(wrong_on_both_orders_is_a_wrong_answer),
        TEST(hazards_of_other_orders_count),
        TEST(kernel_that_does_not_end_in_another_order_does_not_end),
        TEST(unoptimised_build_adds_reads_of_what_is_unset),
        TEST(unoptimised_build_adds_races_and_accesses_only),
        TEST(exercise_decides_what_the_unoptimised_build_may_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which of several hypotheses is named: a vector y = 2 x, in cases of several sizes, beside wrong
 * solutions that give the same or not. */
#include "grader/diagnose/diagnose.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

static struct exercise_param params[] = {
    {.name = "x", .type = ELEMENT_f32, .role = ROLE_IN, .rank = 1},
    {.name = "y",
     .type = ELEMENT_f32,
     .role = ROLE_OUT,
     .rank = 1,
     .tolerance = {.kind = TOLERANCE_EXACT}},
};
static struct exercise_mutant mutants[] = {
    {.name = "tail", .description = "the rest is forgotten", .cause = CAUSE_TAIL},
    {.name = "last", .description = "n - 1", .cause = CAUSE_LAST_LEFT_OUT},
    {.name = "odd", .description = "an odd mistake"},
};
static const struct exercise exercise = {
    .params = params, .param_count = 2, .mutants = mutants, .mutant_count = 3};

/* A case of n elements: what goes in, what comes out, and what should. */
struct one_case {
    struct engine_argument arguments[2], reference_arguments[2];
    struct plan_launch launch, reference;
    size_t magnitudes[2];
    int64_t lengths[2];
    struct {
        float x[MOST], y[MOST];
    } before, after;
    struct {
        float x[MOST];
        double y[MOST];
    } expected;
    struct view_evidence evidence;
};

static void begin(struct one_case *c, unsigned n) {
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < 2; i++) {
        c->magnitudes[i] = SIZE_MAX;
        c->arguments[i] = (struct engine_argument){.is_buffer = true,
                                                   .type = ELEMENT_f32,
                                                   .count = n,
                                                   .shape = {n},
                                                   .rank = 1,
                                                   .data_offset = i * sizeof c->before.x};
        c->reference_arguments[i] = c->arguments[i];
    }
    c->reference_arguments[1].type = ELEMENT_f64;
    c->launch = (struct plan_launch){.grid = {1, 1, 1},
                                     .block = {8, 1, 1},
                                     .arguments = c->arguments,
                                     .argument_count = 2,
                                     .magnitudes = c->magnitudes,
                                     .lengths = c->lengths};
    c->reference = c->launch;
    c->reference.arguments = c->reference_arguments;
    for (unsigned i = 0; i < n; i++) {
        uint64_t poison = plan_poison(ELEMENT_f32);
        c->before.x[i] = (float)(i * i % 17) + 1.25f;
        memcpy(&c->before.y[i], &poison, sizeof c->before.y[i]);
        c->expected.y[i] = 2.0 * c->before.x[i];
    }
    c->after = c->before;
    c->evidence = (struct view_evidence){.exercise = &exercise,
                                         .launch = &c->launch,
                                         .before = &c->before,
                                         .after = &c->after,
                                         .reference_launch = &c->reference,
                                         .expected = &c->expected};
}

/* The submission writes the first `written` elements. */
static void write_first(struct one_case *c, unsigned written) {
    for (unsigned i = 0; i < written; i++)
        c->after.y[i] = (float)c->expected.y[i];
}

struct fixture {
    struct diagnosis diagnosis;
    struct one_case cases[2];
    struct report_cause cause;
};

/* Leaves out the rest after whole blocks of 8, in a case of 25 and one of 30 elements. */
static int set_up(void **state) {
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    diagnosis_begin(&exercise, false, &fixture->diagnosis);
    begin(&fixture->cases[0], 25);
    begin(&fixture->cases[1], 30);
    for (unsigned i = 0; i < 2; i++)
        write_first(&fixture->cases[i], 24);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    diagnosis_free(&fixture->diagnosis);
    free(fixture->cause.id);
    free(fixture->cause.text);
    free(fixture->cause.evidence);
    free(fixture);
    return 0;
}

static void look(struct fixture *fixture, unsigned index) {
    static const char *const names[] = {"small", "large"};
    assert_true(diagnosis_look(&fixture->diagnosis, names[index], &fixture->cases[index].evidence));
}

static bool conclude(struct fixture *fixture) {
    return diagnosis_conclude(&fixture->diagnosis, LANGUAGE_EN, "small", &fixture->cause);
}

static void test_one_case_is_too_little(void **state) {
    struct fixture *fixture = *state;
    look(fixture, 0);
    assert_true(conclude(fixture));
    assert_string_equal(fixture->cause.id, "last-left-out"); /* the rest is one element */
}

static void test_the_second_case_decides(void **state) {
    struct fixture *fixture = *state;
    look(fixture, 0);
    look(fixture, 1);
    assert_true(conclude(fixture));
    assert_string_equal(fixture->cause.id, "missing-tail");
    assert_false(fixture->cause.is_mistake);
    assert_non_null(strstr(fixture->cause.evidence, "in case large: the elements of y from 24 on"));
}

static void test_mistake_before_pattern(void **state) {
    struct fixture *fixture = *state;
    look(fixture, 0);
    look(fixture, 1);
    fixture->diagnosis.mistakes[0] = true;
    assert_true(conclude(fixture));
    assert_true(fixture->cause.is_mistake);
    assert_string_equal(fixture->cause.text, "the rest is forgotten");
    assert_string_equal(fixture->cause.id, "missing-tail");
    assert_non_null(strstr(fixture->cause.evidence, "2 cases"));
}

static void test_mistake_with_another_cause(void **state) {
    struct fixture *fixture = *state;
    look(fixture, 0);
    look(fixture, 1);
    fixture->diagnosis.mistakes[1] = true; /* by chance */
    assert_true(conclude(fixture));
    assert_false(fixture->cause.is_mistake);
    assert_string_equal(fixture->cause.id, "missing-tail");
}

static void test_mistakes_that_disagree(void **state) {
    struct fixture *fixture = *state;
    look(fixture, 0);
    look(fixture, 1);
    fixture->diagnosis.mistakes[0] = fixture->diagnosis.mistakes[2] = true;
    assert_true(conclude(fixture));
    assert_false(fixture->cause.is_mistake);
}

static void test_mistake_without_a_name(void **state) {
    struct fixture *fixture = *state;
    look(fixture, 0);
    fixture->diagnosis.mistakes[2] = true;
    assert_true(conclude(fixture));
    assert_null(fixture->cause.id);
    assert_string_equal(fixture->cause.text, "an odd mistake");
}

static void test_nothing_shown(void **state) {
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 25; i++)
        fixture->cases[0].after.y[i] = (float)(i * i % 5) * 1.37f - 1000.21f;
    look(fixture, 0);
    assert_false(conclude(fixture));
    assert_false(fixture->cause.present);
    assert_true(diagnosis_is_open(&fixture->diagnosis));
}

static void test_a_right_case_has_nothing_to_look_at(void **state) {
    struct fixture *fixture = *state;
    write_first(&fixture->cases[0], 25);
    assert_false(diagnosis_look(&fixture->diagnosis, "small", &fixture->cases[0].evidence));
    assert_int_equal(fixture->diagnosis.case_count, 0);
}

/* The reference on inputs that have changed places, say, or lost their fractions. */
static void test_experiment(void **state) {
    struct fixture *fixture = *state;
    struct diagnosis *diagnosis = &fixture->diagnosis;
    struct one_case *c = &fixture->cases[0];
    for (unsigned i = 0; i < 25; i++)
        c->after.y[i] = (float)(2 * (int)c->before.x[i]) + 0.5f * (float)(i % 2);
    look(fixture, 0);
    __typeof__(c->expected) given = c->expected;
    for (unsigned i = 0; i < 25; i++)
        given.y[i] = c->after.y[i];
    for (size_t i = 0; i < diagnosis->experiment_count; i++)
        diagnosis_try(diagnosis, i, "small", &c->evidence,
                      diagnosis->experiments[i].change == CHANGE_WHOLE ? (void *)&given
                                                                       : (void *)&c->expected);
    assert_true(conclude(fixture));
    assert_string_equal(fixture->cause.id, "integer-arithmetic");
    assert_string_equal(fixture->cause.evidence,
                        "a right kernel gives the same where x has lost its fractions");
}

/* Wrong in the same elements, with nearly the same values. */
static void test_same_as_another(void **state) {
    struct fixture *fixture = *state;
    struct one_case *c = &fixture->cases[1];
    __typeof__(c->after) other = c->after;
    for (unsigned i = 24; i < 30; i++) {
        c->after.y[i] = 100;
        other.y[i] = 102;
    }
    assert_true(view_is_the_same(&c->evidence, &c->launch, &other));
    other.y[29] = 150;
    assert_false(view_is_the_same(&c->evidence, &c->launch, &other));
    other.y[29] = (float)c->expected.y[29];
    assert_false(view_is_the_same(&c->evidence, &c->launch, &other));
}

static void test_chinese(void **state) {
    struct fixture *fixture = *state;
    diagnosis_name(CAUSE_TAIL, LANGUAGE_ZH, NULL, &fixture->cause);
    assert_string_equal(fixture->cause.text, cause_infos[CAUSE_TAIL].zh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_case_is_too_little, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_second_case_decides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistake_before_pattern, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistake_with_another_cause, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistakes_that_disagree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistake_without_a_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_right_case_has_nothing_to_look_at, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_experiment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_as_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_chinese, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

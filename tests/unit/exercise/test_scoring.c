/* What an exercise says of points and bounds: gates, the defaults of those that it leaves out, and
 * tolerances. */
#include "tests/unit/exercise/sample.h"

/* What replaces both gates of the good file, and the caps of `right` and `essential` then. */
static const struct {
    const char *gates;
    double right, essential;
} own_gates[] = {
    {"[{unless: right, cap: 80}]", 80, 50},
    {"[{unless: essential, cap: 0}]", 59, 0},
    {"[]", 59, 50},
    {"[]\n  pass_mark: 75.5", 74.5, 65.5},
    {"[]\n  pass_mark: 0.5", 0, 0},
};

static void file_decides_what_caps_a_wrong_kernel(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(own_gates); i++) {
        cleanup_free char *yaml = with_piece(
            "[{unless: correctness, cap: 50}, {when: hazard, cap: 60}]", own_gates[i].gates);
        struct exercise *exercise = load_well(yaml);
        double caps[GATE_HAZARD + 1] = {[GATE_RIGHT] = -1, [GATE_ESSENTIAL] = -1};
        assert_int_equal(exercise->gate_count, 2);
        for (size_t j = 0; j < exercise->gate_count; j++)
            caps[exercise->gates[j].condition] = exercise->gates[j].cap_percent;
        assert_true(caps[GATE_RIGHT] == own_gates[i].right);
        assert_true(caps[GATE_ESSENTIAL] == own_gates[i].essential);
        exercise_free(exercise);
    }
}

static void gate_for_essential_cases_needs_one(void **state) {
    (void)state;
    cleanup_free char *yaml = with_piece("unless: correctness", "unless: essential");
    memset(strstr(yaml, "essential: true"), ' ', strlen("essential: true"));
    struct exercise *exercise;
    struct error error = {0};
    assert_int_equal(load(yaml, &exercise, &error), STATUS_INVALID);
    assert_string_equal(error.message, "no case is essential");
    assert_non_null(strstr(error.hint, "essential: true"));
}

static void loads_a_relative_and_an_absolute_bound(void **state) {
    (void)state;
    static const struct {
        const char *yaml;
        double relative, absolute;
    } rows[] = {
        {"{rel: 1e-5, abs: 1e-6}", 1e-5, 1e-6}, {"{rel: 1e-5}", 1e-5, 0}, {"{abs: 0.25}", 0, 0.25}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_free char *yaml = with_piece("{dot: {length: n}}", rows[i].yaml);
        struct exercise *exercise = load_well(yaml);
        const struct exercise_tolerance *tolerance = &exercise->params[0].tolerance;
        assert_int_equal(tolerance->kind, TOLERANCE_NEAR);
        assert_true(tolerance->relative == rows[i].relative);
        assert_true(tolerance->absolute == rows[i].absolute);
        exercise_free(exercise);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_decides_what_caps_a_wrong_kernel),
        cmocka_unit_test(gate_for_essential_cases_needs_one),
        cmocka_unit_test(loads_a_relative_and_an_absolute_bound),
    };
    return cmocka_run_group_tests_name("scoring", tests, set_up, tear_down);
}

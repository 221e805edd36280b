/* What a student can learn of a hidden case: its group, its points and that it did not pass.
 *
 * Of each report of the golden files two are made that differ in all else that hidden cases have,
 * in the seed and in what the report says of them; after hiding, every format of both is the same
 * to the byte. So a field that somebody adds leaks nowhere, or this test fails. */
#include "tests/golden/fixtures.h"

#include "grader/batch/batch_private.h"
#include "reports/class/class_found.h"
#include "reports/stored/stored.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static const char marker[] = "K1rschkern";

static struct report *read_json(const char *text) {
    struct stored_reports stored = {0};
    struct error error;
    if (stored_read(text, strlen(text), NULL, &stored, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    struct report *report = stored.reports[0];
    stored.reports[0] = NULL;
    stored.count = 0;
    stored_free(&stored);
    return report;
}

static char *json_of(const struct report *report) {
    const struct report_options look = {0};
    struct text out = {0};
    assert_int_equal(report_format_find("json")->write(&report, 1, &look, &out, NULL), STATUS_OK);
    return text_steal(&out);
}

static void set_text(json_t *object, const char *key, const char *value) {
    json_object_set_new(object, key, json_string(value));
}

/* All that the case has besides group, verdict and points becomes something else. */
static void make_other(json_t *item, size_t number) {
    static const char *const nothing[] = {
        "hint", "first_difference", "tolerance", "counters", "time", "speed", "printed"};
    static const char *const absent[] = {"cause", "findings", "launch", "engine"};
    json_t *name = json_sprintf("%s-%zu", marker, number);
    json_object_set_new(item, "name", name);
    json_object_set_new(item, "sizes", json_pack("{s:i}", marker, 7318));
    set_text(item, "message", marker);
    json_object_set_new(item, "hazards", json_array());
    for (size_t i = 0; i < ARRAY_LENGTH(nothing); i++)
        json_object_set_new(item, nothing[i], json_null());
    for (size_t i = 0; i < ARRAY_LENGTH(absent); i++)
        json_object_del(item, absent[i]);
}

/* The other report of the pair. */
static struct report *other_of(const char *text, const struct course *course) {
    json_t *root = json_loads(text, JSON_ALLOW_NUL, NULL), *cases = json_object_get(root, "cases"),
           *item;
    size_t i;
    json_object_set_new(root, "seed", json_integer(7318));
    if (json_is_null(json_object_get(root, "build"))) /* else it says nothing of cases */
        set_text(root, "message", marker);
    if (!json_is_null(json_object_get(root, "cap_reason")))
        set_text(root, "cap_reason", marker);
    json_array_foreach(cases, i, item) {
        if (course_hides_case(course, 0, json_string_value(json_object_get(item, "group")),
                              json_string_value(json_object_get(item, "name"))))
            make_other(item, i);
    }
    cleanup_free char *changed = json_dumps(root, 0);
    json_decref(root);
    return read_json(changed);
}

static void assert_same(const char *fixture, const char *format, const struct text *left,
                        const struct text *right) {
    if (strcmp(text_string(left), text_string(right)) != 0)
        fail_msg("%s tells hidden cases of %s apart:\n%s\n----\n%s", format, fixture,
                 text_string(left), text_string(right));
    assert_null(strstr(text_string(right), marker));
}

static void assert_alike(const char *fixture, const struct report *left,
                         const struct report *right) {
    const struct report_options look = {.verbose = true, .times = true};
    for (size_t i = 0; i < report_format_count; i++) {
        cleanup_text struct text a = {0}, b = {0};
        report_formats[i].write(&left, 1, &look, &a, NULL);
        report_formats[i].write(&right, 1, &look, &b, NULL);
        assert_same(fixture, report_formats[i].name, &a, &b);
    }
}

/* What the text for the student and the mail are made of. */
static void append_found(const struct report *report, struct text *out) {
    struct class_cell cell = {.state = CLASS_GRADED};
    struct class_found found;
    class_found_take(report, &cell, &found);
    const char *const strings[] = {cell.message, cell.next,    cell.cause,  cell.cause_text,
                                   cell.file,    cell.excerpt, cell.hazard, cell.verdict};
    for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
        text_printf(out, "%s\n", strings[i] ? strings[i] : "-");
    text_printf(out, "%u %u %g\n", cell.line, cell.excerpt_line, cell.ratio_to_tuned);
    class_found_free(&found);
}

static void check(const struct fixture *fixture, const struct course *course, size_t *pairs) {
    struct report *report = fixture->make();
    cleanup_free char *text = json_of(report);
    struct report *one = read_json(text), *other = other_of(text, course);
    if (batch_hides(course, 0, one)) {
        cleanup_text struct text a = {0}, b = {0};
        batch_hide_cases(course, 0, one);
        batch_hide_cases(course, 0, other);
        assert_alike(fixture->name, one, other);
        append_found(one, &a);
        append_found(other, &b);
        assert_same(fixture->name, "class", &a, &b);
        cleanup_free char *stored = json_of(one); /* as `report` reads it back */
        struct report *back = read_json(stored);
        assert_alike(fixture->name, one, back);
        assert_true(back->withholds_seed);
        report_free(back);
        ++*pairs;
    }
    report_free(one);
    report_free(other);
    report_free(report);
}

static void no_format_tells_a_hidden_case(void **state) {
    (void)state;
    static const char *const hidden[] = {"*", "boundary", "*[0-9]*", "speed", "[a-m]*"};
    struct course_exercise exercise = {0};
    for (size_t h = 0; h < ARRAY_LENGTH(hidden); h++) {
        char *patterns[] = {(char *)(uintptr_t)hidden[h], (char *)(uintptr_t) "K1rschkern-*"};
        struct course course = {.exercises = &exercise,
                                .exercise_count = 1,
                                .visibility = {.patterns = patterns, .count = 2}};
        size_t pairs = 0;
        for (size_t i = 0; i < fixture_count; i++)
            check(&fixtures[i], &course, &pairs);
        if (pairs < 3)
            fail_msg("%s hides something of %zu reports only", hidden[h], pairs);
    }
}

/* A cause is shown with one case, and may have been seen in another. */
static void evidence_of_a_hidden_case_goes(void **state) {
    (void)state;
    static const char *const evidence[] = {"in case K1rschkern: y[7318] is 0",
                                           "用例 K1rschkern：y[7318] 为 0", "y[1] is 0"};
    char *pattern = (char *)(uintptr_t)marker;
    struct course_exercise exercise = {0};
    const struct course course = {.exercises = &exercise,
                                  .exercise_count = 1,
                                  .visibility = {.patterns = &pattern, .count = 1}};
    for (size_t i = 0; i < ARRAY_LENGTH(evidence); i++) {
        struct report *report = fixture_last_column();
        assert_true(report->case_count > 1);
        free(report->cases[1].name);
        report->cases[1].name = mem_strdup(marker);
        free(report->cases[0].cause.id);
        free(report->cases[0].cause.text);
        free(report->cases[0].cause.evidence);
        report->cases[0].cause = (struct report_cause){.present = true,
                                                       .id = mem_strdup("missing-tail"),
                                                       .text = mem_strdup("a tail"),
                                                       .evidence = mem_strdup(evidence[i])};
        batch_hide_cases(&course, 0, report);
        cleanup_free char *json = json_of(report);
        assert_null(strstr(json, marker));
        assert_int_equal(strstr(json, "7318") != NULL, false);
        assert_int_equal(strstr(json, "y[1] is 0") != NULL, i == 2);
        report_free(report);
    }
}

/* The command is one that the student can run. */
static void the_command_names_no_seed(void **state) {
    (void)state;
    char *pattern = (char *)(uintptr_t) "*";
    struct course_exercise exercise = {0};
    const struct course course = {.exercises = &exercise,
                                  .exercise_count = 1,
                                  .visibility = {.patterns = &pattern, .count = 1}};
    struct report *report = fixture_race();
    batch_hide_cases(&course, 0, report);
    for (size_t i = 0; i < report_format_count; i++) {
        const struct report *one = report;
        const char *format = report_formats[i].name;
        const struct report_options look = {0};
        cleanup_text struct text out = {0};
        report_formats[i].write(&one, 1, &look, &out, NULL);
        assert_null(strstr(text_string(&out), "--seed"));
        assert_null(strstr(text_string(&out), "seed 0"));
        assert_null(strstr(text_string(&out), "--cases hidden"));
        if (strcmp(format, "text") == 0 || strcmp(format, "html") == 0)
            assert_non_null(strstr(text_string(&out), "warpgrade grade -e "));
    }
    report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_format_tells_a_hidden_case),
        cmocka_unit_test(evidence_of_a_hidden_case_goes),
        cmocka_unit_test(the_command_names_no_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

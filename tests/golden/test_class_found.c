/* What a report says in a cell of the class report. */
#include "tests/golden/fixtures.h"

#include "reports/class/class_found.h"
#include "reports/html/focus.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void take(const char *name, struct class_cell *cell, struct class_found *found) {
    const struct fixture *fixture = fixture_find(name);
    assert_non_null(fixture);
    struct report *report = fixture->make();
    *cell = (struct class_cell){.state = CLASS_GRADED};
    class_found_take(report, cell, found);
    assert_true(cell->score == report->score);
    assert_int_equal(cell->passed, report->passed);
    report_free(report);
}

static size_t count_lines(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void test_hazard(void **state) {
    (void)state;
    struct class_cell cell;
    struct class_found found;
    take("hazards", &cell, &found);
    assert_string_equal(cell.hazard, "barrier-divergence");
    assert_string_equal(cell.next, "Every thread of the block must reach every barrier.");
    assert_string_equal(cell.file, "dot.cu");
    assert_int_equal(cell.line, 12);
    assert_int_equal(cell.excerpt_line, 9);
    assert_non_null(strstr(cell.excerpt, "__syncthreads"));
    assert_int_equal(count_lines(cell.excerpt), 6);
    assert_non_null(strstr(cell.message, "wait at this barrier"));
    class_found_free(&found);
}

/* A line of another file has that file's name, and no line of the submission is quoted for it. */
static void test_other_file(void **state) {
    (void)state;
    struct report *report = fixture_find("hazards")->make();
    for (size_t i = 0; i < report->case_count; i++)
        for (size_t j = 0; j < report->cases[i].hazard_count; j++)
            strcpy(report->cases[i].hazards[j].file, "helper.cuh");
    struct class_cell cell = {0};
    struct class_found found;
    class_found_take(report, &cell, &found);
    assert_string_equal(cell.file, "helper.cuh");
    assert_int_equal(cell.line, 12);
    assert_null(cell.excerpt);
    class_found_free(&found);
    report_free(report);
}

static void test_compile_error(void **state) {
    (void)state;
    struct class_cell cell;
    struct class_found found;
    take("compile-error", &cell, &found);
    assert_string_equal(cell.verdict, "compile-error");
    assert_null(cell.hazard);
    assert_string_equal(cell.message, "identifier \"blokIdx\" is undefined");
    assert_string_equal(cell.file, "students/alice/dot.cu");
    assert_int_equal(cell.line, 6);
    assert_non_null(strstr(cell.next, "blockIdx"));
    class_found_free(&found);
}

static void test_right(void **state) {
    (void)state;
    struct class_cell cell;
    struct class_found found;
    take("pass", &cell, &found);
    assert_string_equal(cell.verdict, "pass");
    assert_null(cell.hazard);
    assert_null(cell.next);
    assert_null(cell.excerpt);
    class_found_free(&found);
}

static void test_speed(void **state) {
    (void)state;
    struct class_cell cell;
    struct class_found found;
    take("pictured-speed", &cell, &found);
    assert_true(cell.ratio_to_tuned > 1);
    assert_non_null(cell.limiter);
    class_found_free(&found);
    take("wrong", &cell, &found); /* whose speed says nothing */
    assert_true(cell.ratio_to_tuned == 0);
    class_found_free(&found);
}

/* The same next step as on the report's own page, in all fixtures. */
static void test_same_next_step(void **state) {
    (void)state;
    for (size_t i = 0; i < fixture_count; i++) {
        struct report *report = fixtures[i].make();
        const struct html h = {.report = report};
        struct class_cell cell = {0};
        struct class_found found;
        class_found_take(report, &cell, &found);
        if (cell.next && language_from_name(report->language) == LANGUAGE_EN)
            assert_true(html_is_next(&h, cell.next));
        class_found_free(&found);
        report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hazard),        cmocka_unit_test(test_other_file),
        cmocka_unit_test(test_compile_error), cmocka_unit_test(test_right),
        cmocka_unit_test(test_speed),         cmocka_unit_test(test_same_next_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What of a report stands on a screen that is too low for it. */
#include "grader/cli/learn/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect_cut(const char *text, unsigned rows, unsigned columns, const char *expected) {
    cleanup_text struct text out = {0};
    screen_cut(text, rows, columns, LANGUAGE_EN, &out);
    assert_string_equal(text_string(&out), expected);
}

static void what_fits_is_whole(void **state) {
    (void)state;
    expect_cut("", 3, 80, "");
    expect_cut("a\nb\nc\n", 3, 80, "a\nb\nc\n");
    expect_cut("a\nb\nc", 3, 80, "a\nb\nc");
    expect_cut("1234\n1234\n", 2, 4, "1234\n1234\n");
}

static void the_last_row_counts_what_is_left_out(void **state) {
    (void)state;
    expect_cut("a\nb\nc\nd\n", 3, 80, "a\nb\n... 2 more lines than this window shows\n");
    expect_cut("a\nb\n", 1, 80, "... 2 more lines than this window shows\n");
    expect_cut("a\nb\n", 0, 80, "... 2 more lines than this window shows\n");
    cleanup_text struct text out = {0};
    screen_cut("a\nb\nc\n", 2, 80, LANGUAGE_ZH, &out);
    assert_string_equal(text_string(&out), "a\n……还有 2 行，窗口里放不下\n");
}

static void a_wrapped_line_takes_its_rows(void **state) {
    (void)state;
    assert_int_equal(screen_rows("12345\n1", 4), 2);
    assert_int_equal(screen_rows("中文字", 4), 2);
    assert_int_equal(screen_rows("", 4), 1);
    expect_cut("a\n12345\nb\n", 3, 4, "a\n... 2 more lines than this window shows\n");
}

static void colours_take_no_column(void **state) {
    (void)state;
    assert_int_equal(screen_rows("\033[1;31m1234\033[0m\n", 4), 1);
    assert_int_equal(screen_rows("\033[1;31m1234\033[0m5", 4), 2);
    assert_int_equal(screen_rows("1234\033[", 4), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_whole),
        cmocka_unit_test(the_last_row_counts_what_is_left_out),
        cmocka_unit_test(a_wrapped_line_takes_its_rows),
        cmocka_unit_test(colours_take_no_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

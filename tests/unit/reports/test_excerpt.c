/* Excerpts and errors for the terminal: what is marked, what is cut, what cannot get through. */
#include "reports/report.h"
#include "reports/terminal.h"
#include "reports/utf8.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_excerpt(const char *source, unsigned line, unsigned column, unsigned context,
                           const char *expected) {
    cleanup_text struct text out = {0};
    report_excerpt(source, strlen(source), line, column, context, false, &out);
    assert_string_equal(text_string(&out), expected);
}

static void test_excerpts(void **state) {
    (void)state;
    expect_excerpt("a\nbb\nccc\n", 2, 2, 1,
                   "    1 | a\n"
                   "  > 2 | bb\n"
                   "      |  ^\n"
                   "    3 | ccc\n");
    expect_excerpt("a\nbb\n", 2, 0, 0, "  > 2 | bb\n");
    expect_excerpt("a\n\nb\n", 2, 1, 1,
                   "    1 | a\n"
                   "  > 2 |\n"
                   "      | ^\n"
                   "    3 | b\n");
    /* tabs and wide characters move the caret by what they take */
    expect_excerpt("\tx = 1;\n", 1, 2, 0, "  > 1 |     x = 1;\n      |     ^\n");
    expect_excerpt("/* \u77e9 */ x\n", 1, 11, 0, "  > 1 | /* \u77e9 */ x\n      |          ^\n");
    expect_excerpt("a\r\nb\r\n", 2, 1, 0, "  > 2 | b\n      | ^\n");
    /* no newline at the end, column past the end */
    expect_excerpt("abc", 1, 4, 0, "  > 1 | abc\n      |    ^\n");
    expect_excerpt("abc", 1, 5, 0, "  > 1 | abc\n");
    /* escapes are made visible, and counted */
    expect_excerpt("\x1b[0m x", 1, 6, 0, "  > 1 | \\x1b[0m x\n      |         ^\n");
    /* outside the source: nothing */
    expect_excerpt("abc\n", 2, 1, 3, "");
    expect_excerpt("abc\n", 0, 1, 3, "");
    expect_excerpt("", 1, 1, 3, "");
    expect_excerpt("abc\n", 4294967295u, 4294967295u, 4294967295u, "");
    expect_excerpt("abc\n", 1, 4294967295u, 4294967295u, "  > 1 | abc\n");
}

static void test_distant_marks(void **state) {
    (void)state;
    cleanup_text struct text out = {0}, source = {0};
    for (int i = 1; i <= 12; i++)
        text_printf(&source, "line %d\n", i);
    const struct terminal t = {.out = &out, .width = 80};
    const struct excerpt_mark marks[] = {{.line = 2, .column = 3, .context = 1},
                                         {.line = 11, .context = 1}};
    terminal_excerpt(&t, source.data, source.length, marks, 2);
    assert_string_equal(text_string(&out), "     1 | line 1\n"
                                           "  >  2 | line 2\n"
                                           "       |   ^\n"
                                           "     3 | line 3\n"
                                           "    ...\n"
                                           "    10 | line 10\n"
                                           "  > 11 | line 11\n"
                                           "    12 | line 12\n");
}

/* A line of 100,000 characters takes one line of the terminal, with its caret below the place. */
static void test_long_lines_are_cut(void **state) {
    (void)state;
    cleanup_text struct text source = {0};
    text_append_repeated(&source, 'x', 50000);
    text_append_char(&source, '!');
    text_append_repeated(&source, 'y', 50000);
    const unsigned columns[] = {0, 1, 50001, 100001};
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
        cleanup_text struct text out = {0};
        report_excerpt(source.data, source.length, 1, columns[i], 0, false, &out);
        char *end = strchr(out.data, '\n');
        assert_non_null(end);
        assert_true(utf8_columns(out.data, (size_t)(end - out.data)) <= TERMINAL_WIDTH);
        if (columns[i] != 50001)
            continue;
        size_t caret = (size_t)(strchr(end + 1, '^') - (end + 1));
        const char *bang = strchr(out.data, '!');
        assert_non_null(bang);
        assert_int_equal(utf8_columns(out.data, (size_t)(bang - out.data)), caret);
    }
}

static void test_error_text(void **state) {
    (void)state;
    struct error error = {0};
    error_set(&error, STATUS_INVALID, "unknown key %s", "tpye");
    error_hint(&error, "did you mean type?");
    error_place(&error, "exercise.yaml", 12, 3, NULL, 0);
    snprintf(error.excerpt, sizeof error.excerpt, "  tpye: f32");
    cleanup_text struct text out = {0}, color = {0}, plain = {0};
    report_error_text(&error, false, &out);
    assert_string_equal(text_string(&out), "exercise.yaml:12:3: error: unknown key tpye\n"
                                           "  > 12 |   tpye: f32\n"
                                           "       |   ^\n"
                                           "hint: did you mean type?\n");
    report_error_text(&error, true, &color);
    assert_non_null(strstr(text_string(&color), "\x1b[1;31merror: \x1b[0m"));
    error_set(&error, STATUS_INVALID, "no such file: %s", "\x1b]0;x\x07.cu");
    report_error_text(&error, false, &plain);
    assert_string_equal(text_string(&plain), "error: no such file: \\x1b]0;x\\x07.cu\n");
}

/* A #line of the submission names any file it likes: the submission's own lines must not be shown
 * as that file's, nor the other way round. */
static void test_lines_of_other_files_are_not_quoted(void **state) {
    (void)state;
    static const struct {
        const char *file, *other_file;
        const char *quoted, *not_quoted;
    } rows[] = {
        {"a.cu", "", "> 2 | own", "4 |"},   {"passwd", "a.cu", "> 4 | fourth", "2 |"},
        {"passwd", "b.cu", "trap", " | "},  {"cuda_fp16.h", "a.hpp", "trap", " | "},
        {"", "passwd", "> 2 | own", "4 |"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct hazard hazard = {.kind = HAZARD_TRAP, .line = 2, .other_line = 4};
        snprintf(hazard.file, sizeof hazard.file, "%s", rows[i].file);
        snprintf(hazard.other_file, sizeof hazard.other_file, "%s", rows[i].other_file);
        if (!rows[i].other_file[0])
            hazard.other_line = 0;
        cleanup_text struct text out = {0};
        static const char source[] = "first\nown\nthird\nfourth\n";
        report_hazards_text(&hazard, 1, "folder/a.cu", source, strlen(source), LANGUAGE_EN, false,
                            &out);
        assert_non_null(strstr(text_string(&out), rows[i].quoted));
        assert_null(strstr(text_string(&out), rows[i].not_quoted));
    }
}

static void expect_wrap(const char *string, unsigned width, size_t column, size_t indent,
                        const char *expected) {
    cleanup_text struct text out = {0};
    const struct terminal t = {.out = &out, .width = width};
    terminal_wrap(&t, PEN_PLAIN, string, column, indent);
    assert_string_equal(text_string(&out), expected);
}

static void test_wrapping(void **state) {
    (void)state;
    expect_wrap("one two three", 9, 0, 2, "one two\n  three\n");
    expect_wrap("one two", 10, 6, 2, "one\n  two\n");
    expect_wrap("unbreakably_long word", 8, 0, 2, "unbreakably_long\n  word\n");
    expect_wrap("a\nb\n", 80, 0, 4, "a\n    b\n");
    expect_wrap("\u4e00\u4e8c\u4e09\u56db\u3002x", 8, 0, 0, "\u4e00\u4e8c\u4e09\n\u56db\u3002x\n");
    expect_wrap("at (0, 0, 0) of", 8, 0, 0, "at\n(0, 0, 0)\nof\n");
    expect_wrap("run `a b c` now", 9, 0, 0, "run\n`a b c`\nnow\n");
    expect_wrap("", 80, 0, 0, "\n");
    expect_wrap("\x1b[2J", 80, 0, 0, "\\x1b[2J\n");
    expect_wrap("f(1, x) ` (", 80, 0, 0, "f(1, x) ` (\n");
}

static void test_cells(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    const struct terminal t = {.out = &out, .width = 80};
    terminal_cell(&t, PEN_PLAIN, "ab", 4);
    terminal_cell(&t, PEN_PLAIN, "abcdef", 4);
    terminal_cell(&t, PEN_PLAIN, "\u4e00\u4e8c\u4e09", 4);
    assert_string_equal(text_string(&out), "ab  abc\u2026\u4e00\u2026 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_excerpts),
        cmocka_unit_test(test_distant_marks),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test(test_error_text),
        cmocka_unit_test(test_lines_of_other_files_are_not_quoted),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Markdown on a terminal: each construct, hostile bytes, and every statement of the catalogue. */
#include "reports/text/markdown_text.h"
#include "reports/utf8.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "tests/source_folder.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 40 };

static void check(const char *markdown, bool color, const char *expected) {
    cleanup_text struct text out = {0};
    const struct terminal t = {.out = &out, .color = color, .width = WIDTH};
    markdown_text(&t, markdown);
    assert_string_equal(text_string(&out), expected);
}

static void blocks(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"# Title\n\nText.\n", "Title\n\u2550\u2550\u2550\u2550\u2550\n\nText.\n"},
        {"# 标题\n", "标题\n\u2550\u2550\u2550\u2550\n"},
        {"## Part\n\nText.\n", "Part\n\nText.\n"},
        {"#pragma unroll\n", "#pragma unroll\n"},
        {"one\ntwo\n\nthree\n", "one two\n\nthree\n"},
        {"a paragraph that is longer than forty columns\nare",
         "a paragraph that is longer than forty\ncolumns are\n"},
        {"```cuda\nint *a;\n\n**b** = `c`;\n```\n", "    int *a;\n\n    **b** = `c`;\n"},
        {"Text:\n\n    P[row] = M *  N\n\nmore\n", "Text:\n\n    P[row] = M *  N\n\nmore\n"},
        {"- one that is so long that it needs two lines\n- two\n  lines\n",
         "- one that is so long that it needs two\n  lines\n- two lines\n"},
        {"9. nine\n10. ten, which is long enough to be wrapped\n",
         "9. nine\n10. ten, which is long enough to be\n    wrapped\n"},
        {"- one\n  - inner, which is long enough to wrap\n- two\n",
         "- one\n  - inner, which is long enough to wrap\n- two\n"},
        {"- one\n\n  again\n\nend\n", "- one\n\n  again\n\nend\n"},
        {"-1 is no item, 2.5 neither\n", "-1 is no item, 2.5 neither\n"},
        {"", ""},
        {"```\nnever closed", "    never closed\n"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        check(rows[i][0], false, rows[i][1]);
}

static void inline_marks(void **state) {
    (void)state;
    static const char *const plain[][2] = {
        {"**What counts** is `n`.", "What counts is `n`.\n"},
        {"an *essential* case", "an essential case\n"},
        {"2 * n * 2^-24 * sum(|a * b|)", "2 * n * 2^-24 * sum(|a * b|)\n"},
        {"float *a, float *b", "float *a, float *b\n"},
        {"`a ** b` and **c", "`a ** b` and **c\n"},
        {"一个 `tile` 和**重点**。", "一个 `tile` 和重点。\n"},
        {"a `tick", "a `tick\n"},
        {"有些是*两*行", "有些是两行\n"},
        {"`one-long-name`、`another-long-name`、`third`）", /* breaks after the commas alone */
         "`one-long-name`、`another-long-name`、\n`third`）\n"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(plain); i++)
        check(plain[i][0], false, plain[i][1]);
    check("**A** `b` *c*", true, "\x1b[1mA \x1b[0m\x1b[36mb \x1b[0m\x1b[1mc\x1b[0m\n");
    check("# A **b**", true,
          "\x1b[1mA b\x1b[0m\n\x1b[2m\u2550\x1b[0m\x1b[2m\u2550\x1b[0m\x1b[2m\u2550\x1b[0m\n");
}

/* Lines of Chinese join without a space, beside a word of Latin letters with one. */
static void lines_of_chinese(void **state) {
    (void)state;
    check("线程\n束", false, "线程束\n");
    check("依据是\nSAXPY", false, "依据是 SAXPY\n");
    check("之比，\nn 个", false, "之比，n 个\n");
    check("每个线程块的线程都必须到达屏障，否则就会一直等下去。", false,
          "每个线程块的线程都必须到达屏障，否则就会\n一直等下去。\n");
}

static void tables(void **state) {
    (void)state;
    check("| a | long name |\n|---|:--|\n| `x` | 1 |\n| 线程 | |\n", false,
          "  a     long name\n"
          "  \u2500\u2500\u2500\u2500  \u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
          "  `x`   1\n"
          "  线程\n");
    check(
        "| key | what it is |\n|-|-|\n| a | a sentence that takes more than a line |\n", false,
        "  key  what it is\n"
        "  \u2500\u2500\u2500  "
        "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
        "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
        "\u2500\u2500\u2500\u2500\u2500\u2500\n"
        "  a    a sentence that takes more than a\n"
        "       line\n");
}

/* Nothing of the author's reaches the terminal as more than text; \1 and \2 are marks of our own.
 */
static void hostile_bytes(void **state) {
    (void)state;
    check("a\x1b[31mb\x01"
          "c\x02"
          "d",
          false, "a\\x1b[31mb\\x01c\\x02d\n");
    check("```\n\x1b]0;x\x07\n```\n", true, "    \x1b[36m\\x1b]0;x\\x07\x1b[0m\n");
    check("| \x1b[2J | |||\n|-\n||||||||||||||||||\n", false,
          "  \\x1b[2J\n  \u2500\u2500\u2500\u2500\u2500\u2500\u2500\n  \n");
}

static void check_line(const char *path, const char *line, size_t length, size_t width) {
    bool code = length > 4 && memcmp(line, "    ", 4) == 0;
    if (!code && utf8_columns(line, length) > width)
        fail_msg("%s: wider than %zu columns: %.*s", path, width, (int)length, line);
    if (!code && (memmem(line, length, "**", 2) || strncmp(line, "# ", 2) == 0 ||
                  strncmp(line, "## ", 3) == 0 || memmem(line, length, "|--", 3)))
        fail_msg("%s: still Markdown: %.*s", path, (int)length, line);
}

static void check_statement(const char *path, unsigned width) {
    char *markdown;
    size_t length;
    struct error error = {0};
    assert_int_equal(file_read(path, 1 << 20, &markdown, &length, &error), STATUS_OK);
    cleanup_text struct text out = {0};
    const struct terminal t = {.out = &out, .width = width};
    markdown_text(&t, markdown);
    free(markdown);
    assert_null(memchr(out.data, '\x1b', out.length));
    for (const char *line = text_string(&out); *line;) {
        const char *end = strchrnul(line, '\n');
        check_line(path, line, (size_t)(end - line), width);
        line = *end ? end + 1 : end;
    }
}

static void every_statement_fits(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob(WARPGRADE_SOURCE_DIR "/exercises/*/statement*.md", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 2);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_statement(found.gl_pathv[i], 60);
        check_statement(found.gl_pathv[i], 80);
    }
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),           cmocka_unit_test(inline_marks),
        cmocka_unit_test(lines_of_chinese), cmocka_unit_test(tables),
        cmocka_unit_test(hostile_bytes),    cmocka_unit_test(every_statement_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

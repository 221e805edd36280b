/* Cells of tables: exactly as wide as asked for, whatever is in them. */
#include "reports/terminal.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef void (*cell_function)(const struct terminal *t, enum pen pen, const char *string,
                              unsigned columns);

static void cells_have_their_width(void **state) {
    (void)state;
    static const struct {
        cell_function cell;
        const char *input;
        unsigned columns;
        const char *expected;
    } rows[] = {
        {terminal_cell, "abc", 5, "abc  "},
        {terminal_cell, "abcde", 5, "abcde"},
        {terminal_cell, "abcdef", 5, "abcd\u2026"},
        {terminal_path_cell, "abc", 5, "abc  "},
        {terminal_path_cell, "abcde", 5, "abcde"},
        {terminal_path_cell, "dir/a.cu", 5, "\u2026a.cu"},
        {terminal_path_cell, "dir/\u77e9\u9635.cu", 6, "\u2026\u9635.cu"}, /* wide: two columns */
        {terminal_path_cell, "\u77e9\u9635ab", 5, "\u2026\u9635ab"},
        {terminal_path_cell, "\u9635\u9635\u9635", 4, "\u2026\u9635 "},
        {terminal_path_cell, "", 3, "   "},
        {terminal_path_cell, "a\nb", 4, "a\\nb"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_text struct text out = {0};
        const struct terminal t = {.out = &out, .width = 100};
        rows[i].cell(&t, PEN_PLAIN, rows[i].input, rows[i].columns);
        assert_string_equal(text_string(&out), rows[i].expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_have_their_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

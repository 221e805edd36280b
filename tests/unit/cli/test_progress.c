/* The line that says how far work is. */
#include "grader/cli/progress.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void lines(void **state) {
    (void)state;
    static const struct {
        struct progress progress;
        double elapsed_ms;
        const char *expected;
    } rows[] = {
        {{.noun = "files", .total = 45}, 0, "0 of 45 files"},
        {{.noun = "files", .done = 9, .total = 45}, 20000, "9 of 45 files, about 1:20 left"},
        {{.noun = "files", .done = 1, .part_done = 1, .part_total = 2, .total = 3},
         5000,
         "1 of 3 files, about 0:05 left"},
        {{.noun = "files", .part = "cases", .part_done = 7, .part_total = 21, .total = 1},
         1000,
         "7 of 21 cases, about 0:02 left"},
        {{.noun = "files", .done = 1, .total = 200}, 60000, "1 of 200 files"}, /* too early */
        {{.noun = "files", .done = 10, .total = 200},
         240000,
         "10 of 200 files, about 1:16:00 left"},
        {{.noun = "students"}, 1, "0 of 0 students"},
        {{.noun = "files", .done = 1, .total = 2, .terminal = true},
         1000,
         "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2591\u2591\u2591\u2591"
         "\u2591"
         "\u2591\u2591\u2591\u2591\u2591  1 of 2 files, about 0:01 left"},
        {{.noun = "files", .total = 2, .width = 30, .label = "a\x1b[2Jfile-with-a-long-name.cu"},
         0,
         "0 of 2 files  a\\x1b[2Jfile-w\u2026"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_text struct text out = {0};
        progress_append(&rows[i].progress, rows[i].elapsed_ms, &out);
        assert_string_equal(text_string(&out), rows[i].expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

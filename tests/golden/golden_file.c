/* See golden_file.h. */
#include "tests/golden/golden_file.h"
#include "tests/source_folder.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t first_difference(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t i = 0, line = 1;
    for (; i < a_length && i < b_length && a[i] == b[i]; i++)
        line += a[i] == '\n';
    return line;
}

void golden_compare(const char *folder, const char *name, const char *ending,
                    const struct text *text) {
    cleanup_free char *path =
        mem_printf(WARPGRADE_SOURCE_DIR "/tests/golden/%s/%s.%s", folder, name, ending);
    struct error error = {0};
    if (getenv("WARPGRADE_UPDATE_GOLDEN")) {
        assert_int_equal(file_write(path, text_string(text), text->length, &error), STATUS_OK);
        return;
    }
    cleanup_free char *golden = NULL;
    size_t length = 0;
    if (file_read(path, 1 << 20, &golden, &length, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    if (length == text->length && memcmp(golden, text_string(text), length) == 0)
        return;
    fail_msg("%s differs from line %zu on; WARPGRADE_UPDATE_GOLDEN=1 writes it again\n%s", path,
             first_difference(golden, length, text_string(text), text->length), text_string(text));
}

void golden_cut_style(struct text *page) {
    char *start = page->length ? strstr(page->data, "<style>") : NULL;
    char *end = start ? strstr(start, "</style>") : NULL;
    if (!end)
        return;
    start += strlen("<style>");
    memmove(start, end, page->length - (size_t)(end - page->data) + 1);
    page->length -= (size_t)(end - start);
}

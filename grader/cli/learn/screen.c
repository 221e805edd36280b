/* Lines are cut as a whole, from the end: a report begins with the score and what to mend first.
 * The text is our own output, so of all control sequences only colours occur, and none reaches past
 * the end of its line. */
#include "grader/cli/learn/screen.h"

#include "reports/utf8.h"

#include <string.h>

/* Columns of a line's first `length` bytes, colours apart. */
static size_t count_columns(const char *line, size_t length) {
    size_t columns = 0;
    for (size_t at = 0; at < length;) {
        const char *escape = memchr(line + at, '\033', length - at);
        size_t plain = (escape ? (size_t)(escape - line) : length) - at;
        columns += utf8_columns(line + at, plain);
        at += plain;
        const char *end = escape ? memchr(line + at, 'm', length - at) : NULL;
        at = end ? (size_t)(end - line) + 1 : length;
    }
    return columns;
}

size_t screen_rows(const char *line, unsigned columns) {
    size_t used = count_columns(line, strcspn(line, "\n"));
    return used > columns ? (used - 1) / columns + 1 : 1;
}

static const char *next_line(const char *line) {
    const char *end = strchrnul(line, '\n');
    return *end ? end + 1 : end;
}

static size_t count_lines(const char *text) {
    size_t lines = 0;
    for (; *text; text = next_line(text))
        lines++;
    return lines;
}

/* The end of what fits into `rows`. */
static const char *find_end(const char *text, size_t rows, unsigned columns) {
    for (size_t used = 0; *text; text = next_line(text)) {
        used += screen_rows(text, columns);
        if (used > rows)
            break;
    }
    return text;
}

void screen_cut(const char *text, unsigned rows, unsigned columns, enum language language,
                struct text *out) {
    const char *end = find_end(text, rows, columns);
    if (*end)
        end = find_end(text, rows ? rows - 1 : 0, columns);
    text_append_bytes(out, text, (size_t)(end - text));
    size_t left = count_lines(end);
    if (!left)
        return;
    if (language == LANGUAGE_ZH)
        text_printf(out, "……还有 %zu 行，窗口里放不下\n", left);
    else
        text_printf(out, "... %zu more line%s than this window shows\n", left, text_plural(left));
}

/* Source excerpts: numbered lines, a mark beside the ones that matter, a caret below.
 *
 *      11 |         if (tid < i) {
 *    > 12 |             __syncthreads();
 *         |             ^
 *
 * The source is a student's: tabs are expanded, control characters made visible, and a line that is
 * too long is cut around its caret. Columns come in bytes and are turned into columns of what is
 * really shown. */
#include "reports/escape.h"
#include "reports/message.h"
#include "reports/report.h"

#include "reports/terminal.h"
#include "reports/utf8.h"
#include "sandbox/base/file.h"

#include <string.h>

enum { TAB_COLUMNS = 4, GUTTER_INDENT = 2 };

struct excerpt_line {
    const char *start;
    size_t length;
};

static size_t line_end(const char *source, size_t length, size_t start) {
    const char *newline = memchr(source + start, '\n', length - start);
    return newline ? (size_t)(newline - source) : length;
}

/* Moves *offset past the line that starts there. False at the end of the source. */
static bool next_line(const char *source, size_t length, size_t *offset,
                      struct excerpt_line *line) {
    if (*offset >= length)
        return false;
    size_t end = line_end(source, length, *offset);
    line->start = source + *offset;
    line->length = end - *offset;
    if (line->length && line->start[line->length - 1] == '\r')
        line->length--;
    *offset = end + 1;
    return true;
}

/* The line as it is shown: escaped, with tabs expanded. */
static void expand(struct text *out, const char *string, size_t length) {
    size_t column = 0;
    for (size_t i = 0; i < length;) {
        const char *tab = memchr(string + i, '\t', length - i);
        size_t end = tab ? (size_t)(tab - string) : length;
        size_t from = out->length;
        escape_terminal(out, string + i, end - i, true);
        column += utf8_columns(text_string(out) + from, out->length - from);
        if (tab) {
            size_t fill = TAB_COLUMNS - column % TAB_COLUMNS;
            text_append_repeated(out, ' ', fill);
            column += fill;
            end++;
        }
        i = end;
    }
}

/* Appends the columns [first, first + count) of a shown line. */
static void append_columns(struct text *out, const struct text *shown, size_t first, size_t count) {
    size_t column = 0;
    for (size_t i = 0; i < shown->length;) {
        struct utf8_char c = utf8_decode(shown->data + i, shown->length - i);
        unsigned width = utf8_width(c.code);
        if (column >= first && column + width <= first + count)
            text_append_bytes(out, shown->data + i, c.length);
        column += width;
        i += c.length;
    }
}

void terminal_source(const struct terminal *t, enum pen pen, const char *line, size_t length,
                     size_t columns) {
    cleanup_text struct text shown = {0}, cut = {0};
    expand(&shown, line, length);
    bool fits = utf8_columns(text_string(&shown), shown.length) <= columns;
    append_columns(&cut, &shown, 0, fits ? columns : columns - 1);
    terminal_printf(t, pen, "%s%s", text_string(&cut), fits ? "" : "\u2026");
}

bool terminal_next_line(const char *source, size_t source_length, size_t *offset, const char **line,
                        size_t *length) {
    struct excerpt_line found;
    if (!next_line(source, source_length, offset, &found))
        return false;
    *line = found.start;
    *length = found.length;
    return true;
}

static void print_gutter(const struct terminal *t, unsigned digits, unsigned line,
                         const struct excerpt_mark *mark) {
    terminal_indent(t, GUTTER_INDENT);
    if (mark)
        terminal_print(t, mark->pen, "> ");
    else
        terminal_indent(t, 2);
    if (line)
        terminal_printf(t, mark ? mark->pen : PEN_DIM, "%*u", (int)digits, line);
    else
        terminal_indent(t, digits);
    terminal_print(t, PEN_DIM, " |");
}

static void print_line(const struct terminal *t, unsigned digits, unsigned number,
                       const struct excerpt_line *line, const struct excerpt_mark *mark) {
    cleanup_text struct text shown = {0};
    expand(&shown, line->start, line->length);
    size_t total = utf8_columns(text_string(&shown), shown.length);
    size_t gutter = GUTTER_INDENT + 2 + digits + 3;
    size_t room = t->width > gutter + 20 ? t->width - gutter : 20;
    bool caret = mark && mark->column && mark->column <= line->length + 1;
    size_t caret_column = 0, first = 0;
    if (caret) {
        cleanup_text struct text before = {0};
        expand(&before, line->start, mark->column - 1);
        caret_column = utf8_columns(text_string(&before), before.length);
    }
    print_gutter(t, digits, number, mark);
    if (total <= room) {
        if (shown.length) {
            text_append_char(t->out, ' ');
            text_append_bytes(t->out, shown.data, shown.length);
        }
    } else {
        if (caret_column + 10 > room)
            first = caret_column - room / 2;
        text_append(t->out, first ? " \u2026" : " ");
        bool cut = first + room < total;
        append_columns(t->out, &shown, first ? first + 1 : 0, room - (first > 0) - cut);
        text_append(t->out, cut ? "\u2026" : "");
    }
    text_append_char(t->out, '\n');
    if (caret) {
        print_gutter(t, digits, 0, NULL);
        terminal_indent(t, 1 + caret_column - first);
        terminal_print(t, mark->pen, "^");
        text_append_char(t->out, '\n');
    }
}

static const struct excerpt_mark *mark_of(const struct excerpt_mark *marks, size_t count,
                                          unsigned line) {
    for (size_t i = 0; i < count; i++)
        if (marks[i].line == line)
            return &marks[i];
    return NULL;
}

static bool is_near(const struct excerpt_mark *marks, size_t count, unsigned line) {
    for (size_t i = 0; i < count; i++)
        if (marks[i].line && (uint64_t)line + marks[i].context >= marks[i].line &&
            line <= (uint64_t)marks[i].line + marks[i].context)
            return true;
    return false;
}

/* The number of the last line that will be shown, for the width of the gutter. 0: none. */
static unsigned last_shown(const char *source, size_t length, const struct excerpt_mark *marks,
                           size_t count) {
    unsigned number = 0, last = 0;
    bool marked = false;
    struct excerpt_line line;
    for (size_t offset = 0; next_line(source, length, &offset, &line);) {
        number++;
        marked = marked || mark_of(marks, count, number) != NULL;
        if (is_near(marks, count, number))
            last = number;
    }
    return marked ? last : 0;
}

void terminal_excerpt(const struct terminal *t, const char *source, size_t length,
                      const struct excerpt_mark *marks, size_t mark_count) {
    unsigned last = source ? last_shown(source, length, marks, mark_count) : 0;
    if (!last)
        return;
    unsigned digits = 1, number = 0, previous = 0;
    for (unsigned rest = last; rest >= 10; rest /= 10)
        digits++;
    struct excerpt_line line;
    for (size_t offset = 0; number < last && next_line(source, length, &offset, &line);) {
        number++;
        if (!is_near(marks, mark_count, number))
            continue;
        if (previous && number != previous + 1) {
            terminal_indent(t, GUTTER_INDENT + 2);
            terminal_print(t, PEN_DIM, "...\n");
        }
        previous = number;
        print_line(t, digits, number, &line, mark_of(marks, mark_count, number));
    }
}

void report_excerpt(const char *source, size_t length, unsigned line, unsigned column,
                    unsigned context, bool color, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    const struct excerpt_mark mark = {
        .line = line, .column = column, .context = context, .pen = PEN_BOLD_RED};
    terminal_excerpt(&t, source, length, &mark, 1);
}

/* The excerpt of a struct error is one line without the rest of its file. */
static void print_error_excerpt(const struct terminal *t, const struct error *error) {
    unsigned digits = 1;
    for (unsigned rest = error->line; rest >= 10; rest /= 10)
        digits++;
    const struct excerpt_line line = {.start = error->excerpt,
                                      .length = strnlen(error->excerpt, sizeof error->excerpt)};
    const struct excerpt_mark mark = {
        .line = error->line, .column = error->column, .pen = PEN_BOLD_RED};
    print_line(t, digits, error->line, &line, &mark);
}

/* After a label, and further lines under it: none of them can be taken for one of ours. */
static void print_labelled(const struct terminal *t, enum pen pen, const char *label,
                           const char *string, size_t length) {
    cleanup_text struct text shown = {0};
    while (length && string[length - 1] == '\n')
        length--;
    escape_terminal(&shown, string, length, false);
    terminal_print(t, pen, label);
    for (const char *line = text_string(&shown); *line;) {
        size_t end = strcspn(line, "\n");
        if (line != text_string(&shown))
            terminal_indent(t, strlen(label));
        text_append_bytes(t->out, line, end);
        line += end;
        if (*line)
            text_append_char(t->out, *line++);
    }
    text_append_char(t->out, '\n');
}

static void print_error(const struct error *error, enum pen pen, const char *label,
                        enum language language, bool color, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    if (error->file[0]) {
        terminal_foreign(&t, PEN_BOLD, error->file);
        if (error->line)
            terminal_printf(&t, PEN_BOLD, ":%u", error->line);
        if (error->line && error->column)
            terminal_printf(&t, PEN_BOLD, ":%u", error->column);
        text_append(out, ": ");
    }
    print_labelled(&t, pen, label, error->message, strnlen(error->message, sizeof error->message));
    if (error->line && error->excerpt[0])
        print_error_excerpt(&t, error);
    if (error->hint[0])
        print_labelled(&t, PEN_CYAN, WORDS(language, hint_label), error->hint,
                       strnlen(error->hint, sizeof error->hint));
}

void report_error_text(const struct error *error, bool color, struct text *out) {
    report_error_in(error, LANGUAGE_EN, color, out);
}

void report_error_in(const struct error *error, enum language language, bool color,
                     struct text *out) {
    print_error(error, PEN_BOLD_RED, WORDS(language, error_label), language, color, out);
}

void report_warning_text(const struct error *error, bool color, struct text *out) {
    print_error(error, PEN_BOLD_YELLOW, "warning: ", LANGUAGE_EN, color, out);
}

void report_diagnostic(const struct terminal *t, const struct build_diagnostic *d, const char *path,
                       const char *source, size_t source_length) {
    const char *const names[] = {WORDS(t->language, diagnostic_error),
                                 WORDS(t->language, diagnostic_warning),
                                 WORDS(t->language, diagnostic_note)};
    static const enum pen marks[] = {PEN_BOLD_RED, PEN_BOLD_YELLOW, PEN_CYAN};
    cleanup_text struct text place = {0};
    if (d->file[0])
        text_printf(&place, "%s:", d->file);
    if (d->file[0] && d->line)
        text_printf(&place, "%u:", d->line);
    terminal_printf(t, marks[d->severity], "%s%s ", d->severity == BUILD_ERROR ? "\u2717 " : "",
                    names[d->severity]);
    terminal_foreign(t, PEN_BOLD, text_string(&place));
    size_t column =
        3 + terminal_columns(names[d->severity]) + terminal_columns(text_string(&place)) + 1;
    text_append(t->out, place.length ? " " : "");
    terminal_wrap(t, PEN_PLAIN, d->text, column, 2);
    bool own = path && strcmp(d->file, file_base_name(path)) == 0;
    const struct excerpt_mark mark = {
        .line = d->line, .column = d->column, .context = 1, .pen = marks[d->severity]};
    if (own && d->line)
        terminal_excerpt(t, source, source_length, &mark, 1);
}

void report_diagnostic_text(const struct build_diagnostic *diagnostic, const char *path,
                            const char *source, size_t source_length, enum language language,
                            bool color, struct text *out) {
    const struct terminal t = {
        .out = out, .color = color, .width = TERMINAL_WIDTH, .language = language};
    report_diagnostic(&t, diagnostic, path, source, source_length);
}

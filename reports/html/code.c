/* Lines of the submission: excerpts with marks, and what the compiler says about them. */
#include "reports/html/html.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum {
    MOST_LINE_BYTES = 400, /* of a line that is shown */
    MOST_DIAGNOSTICS = 8,
    MOST_EXCERPT_LINES = 40,
};

bool html_own_file(const struct html *h, const char *file) {
    return !file[0] || (h->report->file && strcmp(file_base_name(h->report->file), file) == 0);
}

bool html_next_line(const struct report *report, size_t *offset, struct html_line *line) {
    if (!report->source || *offset >= report->source_length)
        return false;
    const char *start = report->source + *offset;
    size_t left = report->source_length - *offset;
    const char *newline = memchr(start, '\n', left);
    line->start = start;
    line->length = newline ? (size_t)(newline - start) : left;
    *offset += line->length + 1;
    if (line->length && line->start[line->length - 1] == '\r')
        line->length--;
    return true;
}

void html_code(struct html *h, const struct html_line *line) {
    size_t shown = line->length;
    if (shown > MOST_LINE_BYTES)
        for (shown = MOST_LINE_BYTES; shown && ((unsigned char)line->start[shown] & 0xc0) == 0x80;)
            shown--;
    html_foreign_bytes(h, line->start, shown);
    if (shown < line->length)
        html_raw(h, "\u2026");
}

/* ---- excerpts -------------------------------------------------------------------------------- */

static const struct html_mark *mark_of(const struct html_mark *marks, size_t count,
                                       unsigned number) {
    for (size_t i = 0; i < count; i++)
        if (marks[i].line == number)
            return &marks[i];
    return NULL;
}

static bool is_near(const struct html_mark *marks, size_t count, unsigned number,
                    unsigned context) {
    for (size_t i = 0; i < count; i++)
        if (marks[i].line && number + context >= marks[i].line &&
            number <= (uint64_t)marks[i].line + context)
            return true;
    return false;
}

void html_excerpt(struct html *h, const struct html_mark *marks, size_t count, unsigned context) {
    struct html_line line;
    size_t offset = 0, shown = 0;
    unsigned last = 0;
    for (unsigned number = 1; html_next_line(h->report, &offset, &line); number++) {
        if (!is_near(marks, count, number, context) || shown == MOST_EXCERPT_LINES)
            continue;
        const struct html_mark *mark = mark_of(marks, count, number);
        if (!shown++)
            html_raw(h, "<pre class=\"code\" tabindex=\"0\">");
        else if (number > last + 1)
            html_raw(h, "<span class=\"gap\">\u22ee</span>");
        last = number;
        html_printf(h, "<span class=\"line %s\"><i>%u</i><span>", mark ? mark->css_class : "",
                    number);
        html_code(h, &line);
        html_raw(h, "</span>");
        if (mark && mark->note.length)
            html_tagged(h, "<em>", text_string(&mark->note), "</em>");
        html_raw(h, "</span>");
    }
    if (shown)
        html_raw(h, "</pre>\n");
}

/* ---- the compiler ---------------------------------------------------------------------------- */

static void write_diagnostic(struct html *h, const struct build_diagnostic *diagnostic) {
    static const char *const classes[] = {"bad", "warn", "off"};
    static const enum html_string names[] = {SAY_ERROR, SAY_WARNING, SAY_NOTE};
    html_printf(h, "<article class=\"card\"><h3><span class=\"tag %s\">",
                classes[diagnostic->severity]);
    html_say(h, names[diagnostic->severity], NULL);
    html_tagged(h, "</span> ", diagnostic->text, "</h3>");
    if (diagnostic->line) {
        html_raw(h, "<p class=\"soft\">");
        html_foreign(h, diagnostic->file);
        html_raw(h, " ");
        html_say(h, SAY_AT_LINE, html_number(diagnostic->line).text, NULL);
        html_raw(h, "</p>");
    }
    const struct html_mark mark = {.line = diagnostic->line,
                                   .css_class = classes[diagnostic->severity]};
    if (diagnostic->line && html_own_file(h, diagnostic->file))
        html_excerpt(h, &mark, 1, 2);
    html_raw(h, "</article>\n");
}

void html_compiler(struct html *h) {
    const struct report *report = h->report;
    size_t shown =
        report->diagnostic_count < MOST_DIAGNOSTICS ? report->diagnostic_count : MOST_DIAGNOSTICS;
    if (!shown && !report->build_message)
        return;
    html_raw(h, "<section><h2>");
    html_say(h, SAY_COMPILER_SAYS, NULL);
    html_raw(h, "</h2>\n");
    if (!shown)
        html_tagged_prose(h, "<p>", report->build_message, "</p>\n");
    for (size_t i = 0; i < shown; i++)
        write_diagnostic(h, &report->diagnostics[i]);
    if (shown < report->diagnostic_count) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_MORE_CASES, html_number(report->diagnostic_count - shown).text, NULL);
        html_raw(h, "</p>\n");
    }
    html_raw(h, "</section>\n");
}

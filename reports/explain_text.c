/* A page for the terminal: the little Markdown that pages are written in, nothing more.
 *
 * Paragraphs are filled again at the terminal's width, fenced code stays as it is, `## headings`
 * are bold and `- ` items hang. Pages are ours and are printable as they stand. */
#include "reports/explain.h"
#include "reports/terminal.h"

#include <string.h>

enum { ID_COLUMNS = 33 };

static const char *const kind_names[EXPLAIN_KIND_COUNT] = {"hazard", "verdict", "counter"};
static const char *const kind_titles[EXPLAIN_KIND_COUNT] = {
    "Hazards: what can be wrong with a kernel", "Verdicts: what a case can end with",
    "Counters: what a launch costs"};

static bool starts_with(const char *line, const char *prefix) {
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

static void flush_paragraph(const struct terminal *t, struct text *paragraph) {
    if (!paragraph->length)
        return;
    bool item = starts_with(paragraph->data, "- ");
    terminal_wrap(t, PEN_PLAIN, paragraph->data, 0, item ? 2 : 0);
    text_clear(paragraph);
}

struct body_state {
    struct text paragraph;
    bool in_code;
};

static void take_line(const struct terminal *t, struct body_state *state, const char *line,
                      size_t length) {
    if (starts_with(line, "```")) {
        flush_paragraph(t, &state->paragraph);
        state->in_code = !state->in_code;
    } else if (state->in_code) {
        terminal_indent(t, length ? 4 : 0);
        terminal_foreign_bytes(t, PEN_CYAN, line, length);
        text_append_char(t->out, '\n');
    } else if (!length) {
        flush_paragraph(t, &state->paragraph);
        text_append_char(t->out, '\n');
    } else if (starts_with(line, "## ")) {
        flush_paragraph(t, &state->paragraph);
        terminal_foreign_bytes(t, PEN_BOLD, line + 3, length - 3);
        text_append_char(t->out, '\n');
    } else {
        if (starts_with(line, "- "))
            flush_paragraph(t, &state->paragraph);
        if (state->paragraph.length)
            text_append_char(&state->paragraph, ' ');
        text_append_bytes(&state->paragraph, line, length);
    }
}

static void print_body(const struct terminal *t, const char *body) {
    struct body_state state = {0};
    for (const char *line = body; *line;) {
        const char *end = strchrnul(line, '\n');
        take_line(t, &state, line, (size_t)(end - line));
        line = *end ? end + 1 : end;
    }
    flush_paragraph(t, &state.paragraph);
    text_free(&state.paragraph);
}

static void print_labelled(const struct terminal *t, const char *label, const char *text) {
    terminal_print(t, PEN_DIM, label);
    size_t columns = terminal_columns(label);
    terminal_wrap(t, PEN_PLAIN, text, columns, columns);
}

static void print_metric(const struct terminal *t, const char *id) {
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        if (strcmp(counter_infos[i].name, id) == 0 && counter_infos[i].metric[0])
            print_labelled(t, "Nsight Compute  ", counter_infos[i].metric);
}

void explain_text(const struct explain_page *page, bool color, unsigned width, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = width ? width : TERMINAL_WIDTH};
    cleanup_text struct text summary = {0}, fix = {0}, see = {0};
    terminal_print(&t, page->kind == EXPLAIN_HAZARD ? PEN_BOLD_RED : PEN_BOLD, page->id);
    terminal_printf(&t, PEN_DIM, " (%s)", kind_names[page->kind]);
    explain_summary(page, &summary);
    text_append(out, ": ");
    terminal_wrap(&t, PEN_PLAIN, text_string(&summary),
                  strlen(page->id) + strlen(kind_names[page->kind]) + 5, 0);
    if (page->kind == EXPLAIN_COUNTER)
        print_metric(&t, page->id);
    if (explain_head(page, "fix", &fix))
        print_labelled(&t, "\u2192 fix  ", text_string(&fix));
    text_append_char(out, '\n');
    print_body(&t, page->body);
    if (explain_head(page, "see", &see)) {
        text_append_char(out, '\n');
        print_labelled(&t, "see also  ", text_string(&see));
    }
}

void explain_list_text(bool color, unsigned width, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = width ? width : TERMINAL_WIDTH};
    struct explain_page page;
    enum explain_kind kind = EXPLAIN_KIND_COUNT;
    for (size_t i = 0; explain_at(i, &page); i++) {
        if (page.kind != kind) {
            kind = page.kind;
            terminal_printf(&t, PEN_BOLD, "%s%s\n", i ? "\n" : "", kind_titles[kind]);
        }
        cleanup_text struct text summary = {0};
        explain_summary(&page, &summary);
        terminal_indent(&t, 2);
        terminal_cell(&t, PEN_CYAN, page.id, ID_COLUMNS);
        text_append_char(out, ' ');
        terminal_wrap(&t, PEN_PLAIN, text_string(&summary), ID_COLUMNS + 3, ID_COLUMNS + 3);
    }
    text_append(out, "\n`warpgrade explain ID` explains one of them.\n");
}

/* A page of `explain` for the terminal, and the list of all. */
#include "reports/explain.h"
#include "reports/message.h"
#include "reports/terminal.h"
#include "reports/text/markdown_text.h"

#include <string.h>

enum { ID_COLUMNS = 33 };

static const char *kind_name(enum language language, enum explain_kind kind) {
    return kind == EXPLAIN_HAZARD    ? WORDS(language, kind_hazard)
           : kind == EXPLAIN_VERDICT ? WORDS(language, kind_verdict)
           : kind == EXPLAIN_COUNTER ? WORDS(language, kind_counter)
           : kind == EXPLAIN_LIMITER ? WORDS(language, kind_limiter)
                                     : WORDS(language, kind_glossary);
}

static const char *kind_title(enum language language, enum explain_kind kind) {
    return kind == EXPLAIN_HAZARD    ? WORDS(language, title_hazards)
           : kind == EXPLAIN_VERDICT ? WORDS(language, title_verdicts)
           : kind == EXPLAIN_COUNTER ? WORDS(language, title_counters)
           : kind == EXPLAIN_LIMITER ? WORDS(language, title_limiters)
                                     : WORDS(language, title_glossary);
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
    const struct terminal t = {.out = out,
                               .color = color,
                               .width = width ? width : TERMINAL_WIDTH,
                               .language = page->language};
    cleanup_text struct text summary = {0}, fix = {0}, see = {0}, guide = {0};
    terminal_print(&t, page->kind == EXPLAIN_HAZARD ? PEN_BOLD_RED : PEN_BOLD, page->id);
    cleanup_text struct text kind = {0};
    text_printf(&kind, "%s%s%s%s", WORDS(t.language, open_parenthesis),
                kind_name(t.language, page->kind), WORDS(t.language, close_parenthesis),
                WORDS(t.language, colon));
    terminal_print(&t, PEN_DIM, text_string(&kind));
    explain_summary(page, &summary);
    terminal_wrap(&t, PEN_PLAIN, text_string(&summary),
                  strlen(page->id) + terminal_columns(text_string(&kind)), 0);
    if (page->kind == EXPLAIN_COUNTER)
        print_metric(&t, page->id);
    if (explain_head(page, "fix", &fix))
        print_labelled(&t, WORDS(t.language, explain_fix_label), text_string(&fix));
    text_append_char(out, '\n');
    markdown_text(&t, page->body);
    text_append_char(out, '\n');
    if (explain_head(page, "guide", &guide))
        print_labelled(&t, WORDS(t.language, explain_guide), text_string(&guide));
    if (explain_head(page, "see", &see))
        print_labelled(&t, WORDS(t.language, explain_see), text_string(&see));
}

void explain_list_text(enum language language, bool color, unsigned width, struct text *out) {
    const struct terminal t = {
        .out = out, .color = color, .width = width ? width : TERMINAL_WIDTH, .language = language};
    struct explain_page page;
    enum explain_kind kind = EXPLAIN_KIND_COUNT;
    for (size_t i = 0; explain_at(i, &page); i++) {
        if (page.kind != kind) {
            kind = page.kind;
            terminal_printf(&t, PEN_BOLD, "%s%s\n", i ? "\n" : "", kind_title(language, kind));
        }
        cleanup_text struct text summary = {0};
        explain_translate(&page, language);
        explain_summary(&page, &summary);
        terminal_indent(&t, 2);
        terminal_cell(&t, PEN_CYAN, page.id, ID_COLUMNS);
        text_append_char(out, ' ');
        terminal_wrap(&t, PEN_PLAIN, text_string(&summary), ID_COLUMNS + 3, ID_COLUMNS + 3);
    }
    text_append(out, WORDS(language, explain_one));
}

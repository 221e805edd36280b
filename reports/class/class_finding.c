/* What goes wrong in an exercise: the mistakes that most students make, each with the number of
 * them and one example, and the cases that most fail. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FINDINGS = 6, MOST_CASES = 6, MOST_LINES = 11, MOST_LINE_BYTES = 200, OPEN = 1 };

/* ---- the example ----------------------------------------------------------------------------- */

static void write_line(struct html *h, const char *line, size_t length, unsigned number,
                       bool is_marked) {
    html_printf(h, "<span class=\"line %s\"><i>%u</i><span>", is_marked ? "bad" : "", number);
    size_t shown = length;
    if (shown > MOST_LINE_BYTES)
        for (shown = MOST_LINE_BYTES; shown && ((unsigned char)line[shown] & 0xc0) == 0x80;)
            shown--;
    html_foreign_bytes(h, line, shown);
    html_raw(h, shown < length ? "\u2026</span></span>" : "</span></span>");
}

static void write_excerpt(struct html *h, const struct class_cell *cell) {
    unsigned number = cell->excerpt_line ? cell->excerpt_line : cell->line ? cell->line : 1;
    const char *line = cell->excerpt;
    html_raw(h, "<pre class=\"code\" tabindex=\"0\">");
    for (unsigned i = 0; i < MOST_LINES && *line; i++, number++) {
        size_t length = strcspn(line, "\n");
        bool has_return = length && line[length - 1] == '\r';
        write_line(h, line, length - has_return, number, number == cell->line);
        line += length + (line[length] == '\n');
    }
    html_raw(h, "</pre>\n");
}

static void append_place(const struct class_cell *cell, struct text *out) {
    text_append(out, class_is_set(cell->file) ? cell->file : "");
    if (class_is_set(cell->file) && cell->line)
        text_printf(out, ":%u", cell->line);
}

static void write_example(struct class_page *page, const struct class_finding *finding) {
    struct html *h = &page->html;
    const struct class_cell *cell = finding->example;
    const struct class_student *student = &page->report->students[finding->student];
    cleanup_text struct text place = {0}, link = {0};
    html_raw(h, "<p class=\"soft\">");
    class_say(page, CLASS_SAY_EXAMPLE, class_student_name(student), NULL);
    append_place(cell, &place);
    if (place.length)
        html_tagged(h, ", <code>", text_string(&place), "</code>");
    if (class_append_link(&link, cell->report)) {
        html_tagged(h, " · <a href=\"", text_string(&link), "\">");
        class_tagged(page, "", CLASS_SAY_REPORT, "</a>");
    }
    html_raw(h, "</p>\n");
    if (class_is_set(cell->message))
        html_tagged(h, "<p class=\"message\">", cell->message, "</p>\n");
    if (class_is_set(cell->excerpt))
        write_excerpt(h, cell);
}

/* ---- findings -------------------------------------------------------------------------------- */

static void write_heading(struct class_page *page, const struct class_finding *finding, size_t of) {
    struct html *h = &page->html;
    cleanup_text struct text what = {0};
    class_append_finding(&what, page->report->language, finding->example);
    html_tagged(h, "<span class=\"what sentence\">", text_string(&what), "</span>");
    class_share(h, "failed", finding->count, of);
    html_raw(h, "<b>");
    class_say_students(page, finding->count);
    html_raw(h, "</b>");
}

static void write_finding(struct class_page *page, const struct class_finding *finding, size_t of,
                          bool is_open) {
    struct html *h = &page->html;
    if (page->anonymous) {
        html_raw(h, "<div class=\"finding\"><p class=\"row\">");
        write_heading(page, finding, of);
        html_raw(h, "</p></div>\n");
        return;
    }
    html_printf(h, "<details class=\"finding\"%s><summary class=\"row\">", is_open ? " open" : "");
    write_heading(page, finding, of);
    html_raw(h, "</summary>\n");
    write_example(page, finding);
    html_raw(h, "</details>\n");
}

static void write_more(struct class_page *page, const struct class_facts *facts) {
    size_t students = 0;
    for (size_t i = MOST_FINDINGS; i < facts->finding_count; i++)
        students += facts->findings[i].count;
    html_raw(&page->html, "<p class=\"soft\">");
    class_say(page, CLASS_SAY_FINDINGS_MORE, html_number(facts->finding_count - MOST_FINDINGS).text,
              html_number(students).text, NULL);
    html_raw(&page->html, "</p>\n");
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* More that fail first; the exercise's order among equals. */
static int compare_cases(const void *a, const void *b) {
    const struct class_case *x = *(const struct class_case *const *)a;
    const struct class_case *y = *(const struct class_case *const *)b;
    if (x->failed != y->failed)
        return x->failed < y->failed ? 1 : -1;
    return (x > y) - (x < y);
}

void class_cases(struct class_page *page, size_t number) {
    struct html *h = &page->html;
    const struct class_exercise *exercise = &page->report->exercises[number];
    const struct class_case **sorted = mem_calloc(exercise->case_count + 1, sizeof *sorted);
    for (size_t i = 0; i < exercise->case_count; i++)
        sorted[i] = &exercise->cases[i];
    qsort(sorted, exercise->case_count, sizeof *sorted, compare_cases);
    bool any = exercise->case_count && sorted[0]->failed;
    if (any)
        class_tagged(page, "<div class=\"side\"><h4>", CLASS_SAY_CASES,
                     "</h4><ul class=\"rows\">\n");
    for (size_t i = 0; any && i < exercise->case_count && i < MOST_CASES && sorted[i]->failed;
         i++) {
        html_tagged(h, "<li><span class=\"mono\">", sorted[i]->name, "</span>");
        class_share(h, "failed", sorted[i]->failed, sorted[i]->ran);
        html_raw(h, "<b>");
        class_say(page, CLASS_SAY_CASE_FAILED, html_number(sorted[i]->failed).text,
                  html_number(sorted[i]->ran).text, NULL);
        html_raw(h, "</b></li>\n");
    }
    html_raw(h, any ? "</ul></div>\n" : "");
    free(sorted);
}

void class_findings(struct class_page *page, size_t number) {
    const struct class_facts *facts = &page->sum.exercises[number];
    if (facts->finding_count) {
        class_tagged(page, "<div class=\"wrong\"><h4>", CLASS_SAY_FINDINGS, "</h4>\n");
        for (size_t i = 0; i < facts->finding_count && i < MOST_FINDINGS; i++)
            write_finding(page, &facts->findings[i], facts->graded, i < OPEN);
        if (facts->finding_count > MOST_FINDINGS)
            write_more(page, facts);
        html_raw(&page->html, "</div>\n");
    }
}

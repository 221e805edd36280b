/* Every case, a row each: those that failed first, the others behind a line that opens. */
#include "reports/html/html.h"

#include "reports/text/text_case.h"
#include "sandbox/base/memory.h"

enum { MOST_ROWS = 200, FIRST_ROWS = 6 };

static bool is_listed(const struct report_case *item, bool failed) {
    return (item->verdict != VERDICT_PASS) == failed;
}

static size_t count_listed(const struct report *report, bool failed) {
    size_t count = 0;
    for (size_t i = 0; i < report->case_count; i++)
        count += is_listed(&report->cases[i], failed);
    return count;
}

static void say_what(struct html *h, const struct report_case *item) {
    if (item->hazard_count && item->verdict != VERDICT_WRONG_ANSWER) {
        const struct hazard *hazard = &item->hazards[0];
        html_foreign(h, hazard_infos[hazard->kind].name);
        if (hazard->line) {
            html_say(h, SAY_COMMA, NULL);
            html_say(h, SAY_AT_LINE, html_number(hazard->line).text, NULL);
        }
        return;
    }
    html_prose(h, item->message);
}

static void write_row(struct html *h, size_t index) {
    const struct report_case *item = &h->report->cases[index];
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    html_printf(h, "<tr id=\"r%zuc%zu\"><th scope=\"row\">", h->number, index);
    html_foreign(h, item->name);
    if (item->essential) {
        html_raw(h, " <small>");
        html_say(h, SAY_ESSENTIAL, NULL);
        html_raw(h, "</small>");
    }
    html_tagged(h, "</th><td class=\"mono\">", text_string(&sizes), "</td>");
    html_printf(h, "<td><span class=\"tag %s\">", html_verdict_class(item->verdict));
    html_say(h, html_case_verdict(item), NULL);
    html_raw(h, "</span></td><td>");
    say_what(h, item);
    html_printf(h, "</td><td>%s / %s</td></tr>\n", decimal_points(item->score).text,
                decimal_points(item->max_score).text);
}

static void begin_table(struct html *h) {
    static const enum html_string heads[] = {SAY_CASE, SAY_SIZES, SAY_VERDICT, SAY_WHAT,
                                             SAY_POINTS};
    html_raw(h, "<div class=\"scroll\" tabindex=\"0\"><table class=\"cases\"><thead><tr>");
    for (size_t i = 0; i < ARRAY_LENGTH(heads); i++) {
        html_raw(h, "<th scope=\"col\">");
        html_say(h, heads[i], NULL);
        html_raw(h, "</th>");
    }
    html_raw(h, "</tr></thead><tbody>\n");
}

static void end_table(struct html *h) {
    html_raw(h, "</tbody></table></div>\n");
}

/* Of those that failed the first ones, and the rest behind a line. */
static void write_table(struct html *h, bool failed) {
    const struct report *report = h->report;
    size_t shown = 0, all = count_listed(report, failed);
    bool cut = failed && all > FIRST_ROWS + 2;
    begin_table(h);
    for (size_t i = 0; i < report->case_count && shown < MOST_ROWS; i++)
        if (is_listed(&report->cases[i], failed)) {
            if (cut && shown == FIRST_ROWS) {
                end_table(h);
                html_raw(h, "<details><summary>");
                html_say(h, SAY_MORE_CASES, html_number(all - shown).text, NULL);
                html_raw(h, "</summary>\n");
                begin_table(h);
            }
            write_row(h, i);
            shown++;
        }
    end_table(h);
    if (shown < all) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_MORE_CASES, html_number(all - shown).text, NULL);
        html_raw(h, "</p>\n");
    }
    html_raw(h, cut ? "</details>\n" : "");
}

void html_cases(struct html *h) {
    size_t failed = count_listed(h->report, true), passed = count_listed(h->report, false);
    if (!h->report->case_count)
        return;
    html_printf(h, "<section id=\"r%zucases\" tabindex=\"-1\"><h2>", h->number);
    html_say(h, SAY_EVERY_CASE, NULL);
    html_raw(h, "</h2>\n");
    if (failed)
        write_table(h, true);
    if (passed) {
        html_raw(h, failed ? "<details><summary>" : "<details open><summary>");
        html_say(h, SAY_CASES_PASSED, html_number(passed).text,
                 html_number(h->report->case_count).text, NULL);
        html_raw(h, "</summary>\n");
        write_table(h, false);
        html_raw(h, "</details>\n");
    }
    html_raw(h, "</section>\n");
}

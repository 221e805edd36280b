/* The report as a page of its own: one file, without scripts, that needs nothing from elsewhere.
 *
 * It answers in the order in which a student asks: how many points, why, and what to do next; then
 * what is wrong, as pictures; how fast it is and where the time goes; every case; and, at the end
 * of the file, the pages that explain the words used above. Each part is a file of this folder.
 * Several submissions become several such reports after a table of them. */
#include "reports/html/html.h"

#include "reports/html/style_source.h"

#include "reports/protection.h"
#include "reports/text/text_case.h"
#include "reports/writers.h"
#include "sandbox/base/file.h"

#include <string.h>

static struct html open_page(struct text *out, const struct report *report, size_t number,
                             size_t count) {
    bool is_chinese = report && report->language && strcmp(report->language, "zh") == 0;
    return (struct html){.out = out,
                         .report = report,
                         .language = is_chinese,
                         .number = number,
                         .alone = count == 1};
}

void html_open_document(struct html *h, const char *title, const char *more_style) {
    html_raw(h, "<!doctype html>\n<html lang=\"");
    html_say(h, SAY_LANG, NULL);
    html_raw(h, "\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'\">\n");
    html_tagged(h, "<title>", title, "</title>\n");
    html_raw(h, "<style>\n");
    html_raw(h, html_styles[0].text);
    html_raw(h, more_style);
    html_raw(h, "</style>\n</head>\n<body>\n");
}

void html_close_document(struct html *h) {
    html_raw(h, "</body>\n</html>\n");
}

static void begin_document(struct html *h, size_t count) {
    cleanup_text struct text title = {0};
    if (count == 1)
        html_fill(h, &title, report_was_graded(h->report) ? SAY_TITLE : SAY_TITLE_NOT_GRADED,
                  html_file_name(h), decimal_points(h->report->score).text,
                  decimal_points(h->report->max_score).text, NULL);
    else
        html_fill(h, &title, count ? SAY_SUBMISSIONS : SAY_NO_SUBMISSIONS, html_number(count).text,
                  NULL);
    html_open_document(h, text_string(&title), "");
}

static void write_again(struct html *h) {
    const struct report *report = h->report;
    cleanup_text struct text command = {0};
    if (!report->exercise || !report->file)
        return;
    text_printf(&command, "warpgrade grade -e %s ", report->exercise);
    if (!report->withholds_seed)
        text_printf(&command, "--seed %s ", html_number(report->seed).text);
    text_append(&command, report->file);
    html_raw(h, "<p>");
    html_say(h, SAY_AGAIN, NULL);
    html_tagged(h, " <code>", text_string(&command), "</code></p>");
}

void html_foot(struct html *h) {
    const struct report *report = h->report;
    if (!report_was_graded(report))
        return;
    html_raw(h, "<footer>");
    html_raw(h, "<p>");
    html_say(h, SAY_ENGINE, report->engine ? report->engine : "?",
             report->compiler ? report->compiler : "\u2013",
             report->withholds_seed ? "\u2013" : html_number(report->seed).text, NULL);
    for (size_t i = 0; i < report->constant_count; i++) {
        html_raw(h, " · ");
        html_foreign(h, report->constants[i].name);
        html_printf(h, " = %s", html_integer(report->constants[i].value).text);
    }
    html_raw(h, "</p>");
    if (report->protection.kind == PROTECTION_NONE) {
        html_raw(h, "<p class=\"bad\">");
        html_say(h, SAY_UNJAILED, NULL);
        html_raw(h, "</p>");
    }
    write_again(h);
    html_raw(h, "</footer>\n");
}

static void write_report(struct html *h) {
    html_printf(h, "<main id=\"r%zu\">\n", h->number);
    html_head(h);
    if (!report_was_graded(h->report) && h->report->case_count <= 1) { /* the head says it all */
        html_raw(h, "</main>\n");
        return;
    }
    html_printf(h, "<div id=\"r%zufound\" tabindex=\"-1\"></div>\n", h->number);
    html_compiler(h);
    html_findings(h);
    html_results(h);
    html_speed(h);
    html_source(h);
    html_cases(h);
    html_explained(h);
    html_foot(h);
    html_raw(h, "</main>\n");
}

static void write_contents(struct html *h, const struct report *const *reports, size_t count) {
    html_raw(h, "<nav class=\"contents\"><h1>");
    html_say(h, count ? SAY_SUBMISSIONS : SAY_NO_SUBMISSIONS, html_number(count).text, NULL);
    html_raw(h, "</h1>");
    for (size_t i = 0; i < count; i++) {
        html_printf(h, "<a class=\"entry %s\" href=\"#r%zu\"><span>",
                    reports[i]->passed ? "ok" : "bad", i);
        html_foreign(h, reports[i]->file);
        html_tagged(h, "</span><span>", reports[i]->exercise, "</span><b>");
        if (report_was_graded(reports[i]))
            html_printf(h, "%s / %s", decimal_points(reports[i]->score).text,
                        decimal_points(reports[i]->max_score).text);
        else
            html_say(h, SAY_HEAD_NOT_GRADED, NULL);
        html_raw(h, "</b></a>");
    }
    html_raw(h, "</nav>\n");
}

enum status report_write_html(const struct report *const *reports, size_t count,
                              const struct report_options *options, struct text *out,
                              struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    struct html first = open_page(out, count ? reports[0] : NULL, 0, count);
    begin_document(&first, count);
    if (count != 1)
        write_contents(&first, reports, count);
    for (size_t i = 0; i < count; i++) {
        struct html page = open_page(out, reports[i], i, count);
        write_report(&page);
    }
    html_close_document(&first);
    return STATUS_OK;
}

/* The page of a class: one file, without scripts, that needs nothing from elsewhere.
 *
 * It answers in the order in which an instructor asks: how does the class stand, what must I look
 * at first, what goes wrong in each exercise, who is missing, late or odd, and where is everyone's
 * report. Each part is a file of this folder. */
#include "reports/class/class_private.h"

#include "reports/class/style_source.h"

static void write_skip(struct class_page *page) {
    class_tagged(page, "<nav class=\"skip\"><a href=\"#exercises\">", CLASS_SAY_SKIP_EXERCISES,
                 "</a>");
    if (!page->anonymous)
        class_tagged(page, "<a href=\"#students\">", CLASS_SAY_SKIP_TABLE, "</a>");
    html_raw(&page->html, "</nav>\n");
}

static void write_foot(struct class_page *page) {
    const struct class_report *report = page->report;
    cleanup_text struct text made = {0};
    class_append_time(&made, report->made);
    html_raw(&page->html, "<footer><p>");
    if (made.length)
        class_say(page, CLASS_SAY_FOOT, text_string(&made), NULL);
    if (class_is_set(report->engine)) {
        html_raw(&page->html, " ");
        class_say(page, CLASS_SAY_FOOT_ENGINE, report->engine, NULL);
    }
    html_tagged(&page->html, " ", report->tool, "</p></footer>\n");
}

static void write_page(struct class_page *page) {
    html_raw(&page->html, "<main id=\"top\" class=\"class\">\n");
    write_skip(page);
    class_head(page);
    class_looks(page);
    html_raw(&page->html, "<div id=\"exercises\" tabindex=\"-1\"></div>\n");
    class_exercises(page);
    if (!page->anonymous) {
        class_lists(page);
        class_table(page);
    }
    write_foot(page);
    html_raw(&page->html, "</main>\n");
}

void class_report_html(const struct class_report *report, const struct class_options *options,
                       struct text *out) {
    struct class_page page = {.html = {.out = out, .language = report->language},
                              .report = report,
                              .sum = class_sum_up(report),
                              .anonymous = options && options->anonymous};
    cleanup_text struct text name = {0}, title = {0};
    if (class_is_set(report->course))
        text_append(&name, report->course);
    else
        class_fill(report->language, &name, CLASS_SAY_NO_NAME, NULL);
    class_fill(report->language, &title, CLASS_SAY_TITLE, text_string(&name), NULL);
    html_open_document(&page.html, text_string(&title), class_styles[0].text);
    write_page(&page);
    html_close_document(&page.html);
    class_sum_free(&page.sum);
}

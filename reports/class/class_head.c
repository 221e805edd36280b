/* The first screen: how many have passed as a headline and as a ring, the figures of the class, and
 * a bar for each exercise. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"

#include <math.h>

static void say_headline(struct class_page *page) {
    const struct class_sum *sum = &page->sum;
    bool all_due = sum->due == page->report->exercise_count;
    size_t students = page->report->student_count, exercises = page->report->exercise_count;
    const struct html_number all = html_number(students);
    if (!students)
        class_say(page, CLASS_SAY_HEAD_EMPTY, NULL);
    else if (!exercises)
        class_say(page, CLASS_SAY_HEAD_NO_EXERCISES, NULL);
    else if (!sum->all.handed_in && !sum->all.standing[STANDING_PASSED])
        class_say(page, CLASS_SAY_HEAD_NOBODY, NULL);
    else if (sum->passed_everything == students && all_due)
        class_say(page,
                  students == 1    ? CLASS_SAY_HEAD_ALL_ONE
                  : exercises == 1 ? CLASS_SAY_HEAD_ALL
                                   : CLASS_SAY_HEAD_ALL_EVERYTHING,
                  all.text, NULL);
    else if (exercises == 1)
        class_say(page, CLASS_SAY_HEAD_PASSED, html_number(sum->passed_everything).text, all.text,
                  NULL);
    else if (sum->passed_everything)
        class_say(page, all_due ? CLASS_SAY_HEAD_EVERYTHING : CLASS_SAY_HEAD_DUE,
                  html_number(sum->passed_everything).text, all.text, NULL);
    else
        class_say(page, all_due ? CLASS_SAY_HEAD_AVERAGE : CLASS_SAY_HEAD_AVERAGE_DUE,
                  decimal(round(10 * (double)sum->passed_due / (double)students) / 10, 3).text,
                  html_number(sum->due).text, NULL);
}

/* The share of what was due that is passed. */
static void write_ring(struct class_page *page) {
    struct html *h = &page->html;
    const double radius = 54, around = 2 * 3.14159265358979323846 * radius;
    size_t cells = page->sum.due_cells;
    double share = cells ? (double)page->sum.passed_due / (double)cells : 0;
    const struct html_number percent = html_number((uint64_t)floor(share * 100));
    const struct html_number passed = html_number(page->sum.passed_due), of = html_number(cells);
    bool all_due = page->sum.due == page->report->exercise_count;
    cleanup_text struct text label = {0};
    if (!cells)
        return;
    class_fill(page->report->language, &label, all_due ? CLASS_SAY_RING : CLASS_SAY_RING_DUE,
               passed.text, of.text, percent.text, NULL);
    html_tagged(h, "<div class=\"score ok\" role=\"img\" aria-label=\"", text_string(&label),
                "\">");
    html_printf(h,
                "<svg class=\"ring\" viewBox=\"0 0 120 120\" aria-hidden=\"true\">"
                "<circle class=\"track\" cx=\"60\" cy=\"60\" r=\"%s\"/>",
                decimal(radius, 3).text);
    if (share > 0)
        html_printf(h,
                    "<circle class=\"arc\" cx=\"60\" cy=\"60\" r=\"%s\" "
                    "transform=\"rotate(-90 60 60)\" stroke-dasharray=\"%s %s\"/>",
                    decimal(radius, 3).text, decimal(share * around, 5).text,
                    decimal(around, 5).text);
    html_printf(h, "</svg><p><b>%s%s%%</b><span>", percent.text,
                page->report->language == LANGUAGE_ZH ? "" : " ");
    class_say(page, all_due ? CLASS_SAY_RING_OF : CLASS_SAY_RING_OF_DUE, passed.text, of.text,
              NULL);
    class_tagged(page, "</span><span>", CLASS_SAY_RING_LABEL, "</span></p></div>\n");
}

/* ---- figures --------------------------------------------------------------------------------- */

static void write_figure(struct class_page *page, const char *css_class, enum class_string label,
                         const char *value, const char *of) {
    html_printf(&page->html, "<li class=\"%s\">", css_class);
    class_tagged(page, "<h3>", label, "</h3>");
    html_tagged(&page->html, "<p class=\"figure\"><b>", value, "</b>");
    if (of) {
        html_raw(&page->html, " ");
        class_say(page, CLASS_SAY_OF, of, NULL);
    }
    html_raw(&page->html, "</p></li>\n");
}

static void write_figures(struct class_page *page) {
    const struct class_sum *sum = &page->sum;
    size_t students = page->report->student_count;
    const struct html_number all = html_number(students);
    html_raw(&page->html, "<ul class=\"parts\">\n");
    write_figure(page, "", CLASS_SAY_TILE_STUDENTS, all.text, NULL);
    write_figure(page, sum->handed_in_everything == students ? "ok" : "part",
                 sum->due == page->report->exercise_count ? CLASS_SAY_TILE_HANDED_IN
                                                          : CLASS_SAY_TILE_HANDED_IN_DUE,
                 html_number(sum->handed_in_everything).text, all.text);
    write_figure(page, sum->handed_in_nothing ? "bad" : "ok", CLASS_SAY_TILE_NOTHING,
                 html_number(sum->handed_in_nothing).text, all.text);
    if (sum->has_totals)
        write_figure(page, "", CLASS_SAY_TILE_TOTAL, decimal_points(sum->median_total).text,
                     decimal_points(sum->max_total).text);
    html_raw(&page->html, "</ul>\n");
}

void class_head(struct class_page *page) {
    struct html *h = &page->html;
    const struct class_report *report = page->report;
    cleanup_text struct text made = {0};
    class_append_time(&made, report->made);
    html_raw(h, "<header><div class=\"verdict\"><p class=\"eyebrow\"><b>");
    if (class_is_set(report->course))
        html_foreign(h, report->course);
    else
        class_say(page, CLASS_SAY_NO_NAME, NULL);
    class_tagged(page, "</b> · ", CLASS_SAY_EYEBROW, "");
    if (made.length)
        html_tagged(h, " · ", text_string(&made), "");
    html_raw(h, "</p>\n<h1>");
    say_headline(page);
    html_raw(h, "</h1></div>\n");
    write_ring(page);
    html_raw(h, "</header>\n");
    if (report->student_count && report->exercise_count) {
        write_figures(page);
        class_standings(page);
    }
}

/* The pictures of a class: a bar for each exercise, and the points of one as a histogram. Text
 * stands beside or above a drawing, in HTML, so that it keeps its size on a phone. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <math.h>

static const char *const standing_classes[STANDING_COUNT] = {"passed", "failed", "undecided",
                                                             "absent"};

static void write_key(struct class_page *page) {
    static const enum class_string names[STANDING_COUNT] = {
        CLASS_SAY_KEY_PASSED, CLASS_SAY_KEY_FAILED, CLASS_SAY_KEY_UNDECIDED, CLASS_SAY_KEY_ABSENT};
    html_raw(&page->html, "<ul class=\"key\">");
    for (size_t i = 0; i < STANDING_COUNT; i++) {
        if (!page->sum.all.standing[i])
            continue;
        html_printf(&page->html, "<li><i class=\"%s\"></i>", standing_classes[i]);
        class_tagged(page, "", names[i], "</li>");
    }
    html_raw(&page->html, "</ul>\n");
}

/* Has a part of a bar room for its number, also on a phone? */
static bool has_room(double percent, size_t number) {
    return percent >= (number < 10 ? 4 : number < 100 ? 6.5 : number < 1000 ? 9 : 12);
}

/* Parts of one bar, as wide as their shares; a number in each that has room for it. */
static void write_bar(struct class_page *page, const size_t *standing, const char *label) {
    struct html *h = &page->html;
    double all = (double)page->report->student_count;
    html_tagged(h, "<span class=\"stack\" role=\"img\" aria-label=\"", label, "\">");
    for (size_t i = 0; i < STANDING_COUNT; i++) {
        double percent = 100 * (double)standing[i] / all;
        if (standing[i])
            html_printf(h, "<i class=\"%s\" style=\"width:%s%%\">%s</i>", standing_classes[i],
                        decimal(percent, 4).text,
                        has_room(percent, standing[i]) ? html_number(standing[i]).text : "");
    }
    html_raw(h, "</span>");
}

static void write_time_left(struct class_page *page, size_t exercise) {
    const struct class_report *report = page->report;
    cleanup_text struct text left = {0};
    if (!class_is_open(report, exercise))
        return;
    class_append_duration(&left, report->language,
                          report->exercises[exercise].deadline.at - report->made.at);
    html_raw(&page->html, " <small>");
    class_say(page, CLASS_SAY_STANDING_OPEN, text_string(&left), NULL);
    html_raw(&page->html, "</small>");
}

void class_standings(struct class_page *page) {
    const struct class_report *report = page->report;
    html_raw(&page->html, "<section class=\"standings\">");
    class_tagged(page, "<h2>", CLASS_SAY_STANDING, "</h2>\n<ul>\n");
    for (size_t i = 0; i < report->exercise_count; i++) {
        const size_t *standing = page->sum.exercises[i].standing;
        const char *title = class_exercise_title(&report->exercises[i]);
        cleanup_text struct text label = {0};
        class_fill(report->language, &label, CLASS_SAY_STANDING_ALT, title,
                   html_number(standing[0]).text, html_number(standing[1]).text,
                   html_number(standing[2]).text, html_number(standing[3]).text, NULL);
        html_printf(&page->html, "<li><span><a href=\"#x%zu\">", i);
        html_foreign(&page->html, title);
        html_raw(&page->html, "</a>");
        write_time_left(page, i);
        html_raw(&page->html, "</span>");
        write_bar(page, standing, text_string(&label));
        html_raw(&page->html, "</li>\n");
    }
    html_raw(&page->html, "</ul>\n");
    write_key(page);
    html_raw(&page->html, "</section>\n");
}

void class_share(struct html *h, const char *css_class, size_t count, size_t of) {
    html_printf(h, "<span class=\"bar %s\">", css_class);
    if (count && of)
        html_printf(h, "<i style=\"width:%s%%\"></i>",
                    decimal(100 * (double)count / (double)of, 4).text);
    html_raw(h, "</span>");
}

/* ---- points ---------------------------------------------------------------------------------- */

enum { BAR = 26, STEP = 30, TALL = 96, WIDE = CLASS_BINS * STEP, ABOVE = 18 };

static size_t bin_count(const struct class_facts *facts, size_t bin) {
    return facts->bins[bin][0] + facts->bins[bin][1];
}

static size_t highest(const struct class_facts *facts) {
    size_t most = 1;
    for (size_t i = 0; i < CLASS_BINS; i++)
        most = bin_count(facts, i) > most ? bin_count(facts, i) : most;
    return most;
}

/* Where points lie in the drawing: none and all have a bar of their own at its ends. */
static double position(double points, double most) {
    return STEP * (1 + (CLASS_BINS - 2) * fmin(fmax(points / most, 0), 1));
}

static void draw_bars(struct html *h, const struct class_facts *facts) {
    static const char *const classes[2] = {"failed", "passed"};
    const double unit = (double)TALL / (double)highest(facts);
    for (size_t i = 0; i < CLASS_BINS; i++) {
        double bottom = TALL;
        for (size_t passed = 0; passed < 2; passed++) {
            double height = unit * (double)facts->bins[i][passed];
            bottom -= height;
            if (height > 0)
                html_printf(h, "<rect class=\"%s\" x=\"%zu\" y=\"%s\" width=\"%d\" height=\"%s\"/>",
                            classes[passed], i * STEP + (STEP - BAR) / 2,
                            decimal(bottom + ABOVE, 5).text, BAR, decimal(height, 5).text);
        }
    }
}

/* The number of students above each bar, as text of the page. */
static void write_counts(struct html *h, const struct class_facts *facts) {
    for (size_t i = 0; i < CLASS_BINS; i++) {
        size_t count = bin_count(facts, i);
        double top = TALL - TALL * (double)count / (double)highest(facts) + ABOVE;
        if (count)
            html_printf(h, "<span class=\"count\" style=\"left:%s%%;top:%s%%\">%zu</span>",
                        decimal(100.0 * ((double)i + .5) / CLASS_BINS, 4).text,
                        decimal(100 * top / (TALL + ABOVE), 4).text, count);
    }
}

static void write_ticks(struct html *h, const struct class_exercise *exercise) {
    const double most = exercise->max_score;
    html_printf(h, "<span class=\"tick\" style=\"left:%s%%\">0</span>",
                decimal(100 * .5 / CLASS_BINS, 4).text);
    if (exercise->pass_mark > 0 && exercise->pass_mark < most)
        html_printf(h, "<span class=\"tick mark\" style=\"left:%s%%\">%s</span>",
                    decimal(100 * position(exercise->pass_mark, most) / WIDE, 4).text,
                    decimal_points(exercise->pass_mark).text);
    html_printf(h, "<span class=\"tick\" style=\"left:%s%%\">%s</span>",
                decimal(100 * (CLASS_BINS - .5) / CLASS_BINS, 4).text, decimal_points(most).text);
}

static void write_caption(struct class_page *page, const struct class_facts *facts,
                          const struct class_exercise *exercise) {
    html_raw(&page->html, "<figcaption>");
    if (exercise->pass_mark > 0)
        class_say(page, CLASS_SAY_POINTS_CAPTION, html_number(facts->graded).text,
                  decimal_points(exercise->pass_mark).text, NULL);
    else
        class_say(page, CLASS_SAY_POINTS_CAPTION_PLAIN, html_number(facts->graded).text, NULL);
    html_raw(&page->html, "</figcaption>");
}

void class_histogram(struct class_page *page, size_t number) {
    struct html *h = &page->html;
    const struct class_exercise *exercise = &page->report->exercises[number];
    const struct class_facts *facts = &page->sum.exercises[number];
    cleanup_text struct text label = {0};
    if (!facts->graded) {
        class_tagged(page, "<p class=\"soft\">", CLASS_SAY_POINTS_NONE, "</p>\n");
        return;
    }
    class_fill(page->report->language, &label, CLASS_SAY_POINTS_ALT,
               html_number(facts->graded).text, decimal_points(facts->median).text,
               decimal_points(exercise->max_score).text, html_number(bin_count(facts, 0)).text,
               html_number(bin_count(facts, CLASS_BINS - 1)).text, NULL);
    class_tagged(page, "<figure class=\"points\"><h4>", CLASS_SAY_POINTS_TITLE,
                 "</h4><div class=\"plot\">");
    html_svg(h, "bins", WIDE, TALL + ABOVE, text_string(&label));
    draw_bars(h, facts);
    html_printf(h, "<path class=\"base\" d=\"M0 %dh%d\"/>", TALL + ABOVE, WIDE);
    if (exercise->pass_mark > 0 && exercise->pass_mark < exercise->max_score)
        html_printf(h, "<path class=\"mark\" d=\"M%s 0v%d\"/>",
                    decimal(position(exercise->pass_mark, exercise->max_score), 5).text,
                    TALL + ABOVE);
    html_raw(h, "</svg>");
    write_counts(h, facts);
    html_raw(h, "<p class=\"ticks\" aria-hidden=\"true\">");
    write_ticks(h, exercise);
    html_raw(h, "</p></div>");
    write_caption(page, facts, exercise);
    html_raw(h, "</figure>\n");
}

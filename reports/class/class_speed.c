/* How fast the right submissions of an exercise are: the ratio of their times to the tuned
 * kernel's, the fastest and the slowest, and what bounds them. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"

enum { MOST_LIMITERS = 4 };

static void write_row(struct class_page *page, const char *label, size_t count, size_t of) {
    struct html *h = &page->html;
    html_tagged(h, "<li><span>", label, "</span>");
    class_share(h, "speed", count, of);
    html_printf(h, "<b>%zu</b></li>\n", count);
}

static void write_ratios(struct class_page *page, const struct class_facts *facts) {
    html_raw(&page->html, "<ul class=\"rows\">\n");
    for (size_t i = 0; i < CLASS_RATIOS; i++) {
        bool last = i == CLASS_RATIOS - 1;
        cleanup_text struct text label = {0};
        class_fill(page->report->language, &label,
                   last ? CLASS_SAY_SPEED_ABOVE : CLASS_SAY_SPEED_UP_TO,
                   decimal(class_ratio_bounds[last ? i - 1 : i], 3).text, NULL);
        write_row(page, text_string(&label), facts->ratios[i], facts->ratio_count);
    }
    html_raw(&page->html, "</ul>\n");
}

static void write_extreme(struct class_page *page, enum class_string what, size_t exercise,
                          size_t student) {
    const struct class_cell *cell = class_cell_at(page->report, student, exercise);
    class_tagged(page, " · ", what, " ");
    class_link(page, cell->report, class_student_name(&page->report->students[student]));
    html_printf(&page->html, " %s×", decimal(cell->ratio_to_tuned, 3).text);
}

static void write_limiters(struct class_page *page, const struct class_facts *facts) {
    size_t of = facts->limiter_count ? facts->limiters[0].count : 0;
    if (!of)
        return;
    class_tagged(page, "<div class=\"side\"><h4>", CLASS_SAY_LIMITERS,
                 "</h4><ul class=\"rows\">\n");
    for (size_t i = 0; i < facts->limiter_count && i < MOST_LIMITERS; i++)
        write_row(page, facts->limiters[i].id, facts->limiters[i].count, facts->ratio_count);
    html_raw(&page->html, "</ul></div>\n");
}

void class_speed(struct class_page *page, size_t exercise) {
    const struct class_facts *facts = &page->sum.exercises[exercise];
    if (!facts->ratio_count)
        return;
    class_tagged(page, "<div class=\"side\"><h4>", CLASS_SAY_SPEED, "</h4>\n");
    write_ratios(page, facts);
    html_raw(&page->html, "<p class=\"soft\">");
    class_say(page, CLASS_SAY_SPEED_CAPTION, html_number(facts->ratio_count).text, NULL);
    html_raw(&page->html, " · ");
    class_say(page, CLASS_SAY_MEDIAN_RATIO, decimal(facts->median_ratio, 3).text, NULL);
    if (!page->anonymous && facts->ratio_count > 1) {
        write_extreme(page, CLASS_SAY_FASTEST, exercise, facts->fastest);
        write_extreme(page, CLASS_SAY_SLOWEST, exercise, facts->slowest);
    }
    html_raw(&page->html, "</p></div>\n");
    write_limiters(page, facts);
}

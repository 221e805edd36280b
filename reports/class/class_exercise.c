/* One exercise: its figures, the distribution of points, what goes wrong and how fast it is. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"

static void write_number(struct class_page *page, const char *css_class, size_t count,
                         enum class_string label) {
    html_printf(&page->html, "<li class=\"%s\"><b>%zu</b> ", css_class, count);
    class_tagged(page, "", label, "</li>");
}

static void write_numbers(struct class_page *page, const struct class_exercise *exercise,
                          const struct class_facts *facts) {
    struct html *h = &page->html;
    html_raw(h, "<ul class=\"numbers\">");
    if (facts->graded) {
        html_printf(h, "<li><b>%s</b> ", decimal_points(facts->median).text);
        class_say(page, CLASS_SAY_OF, decimal_points(exercise->max_score).text, NULL);
        class_tagged(page, " ", CLASS_SAY_MEDIAN, "</li>");
    }
    write_number(page, "ok", facts->standing[STANDING_PASSED], CLASS_SAY_PASSED);
    write_number(page, "", facts->handed_in, CLASS_SAY_HANDED_IN);
    if (facts->standing[STANDING_ABSENT])
        write_number(page, "", facts->standing[STANDING_ABSENT], CLASS_SAY_NOT_HANDED_IN);
    if (facts->late)
        write_number(page, "", facts->late, CLASS_SAY_LATE);
    if (facts->standing[STANDING_UNDECIDED])
        write_number(page, "warn", facts->standing[STANDING_UNDECIDED], CLASS_SAY_NOT_JUDGED);
    html_raw(h, "</ul>\n");
}

static void write_heading(struct class_page *page, size_t number) {
    struct html *h = &page->html;
    const struct class_exercise *exercise = &page->report->exercises[number];
    cleanup_text struct text due = {0};
    class_append_time(&due, exercise->deadline);
    html_tagged(h, "<h2>", class_exercise_title(exercise), "");
    if (class_is_set(exercise->title) && class_is_set(exercise->id))
        html_tagged(h, " <code>", exercise->id, "</code>");
    html_raw(h, " <span class=\"soft\">· ");
    class_say(page, exercise->pass_mark > 0 ? CLASS_SAY_MARK_NEEDED : CLASS_SAY_MARK_NONE,
              decimal_points(exercise->max_score).text, decimal_points(exercise->pass_mark).text,
              NULL);
    if (due.length) {
        html_raw(h, " · ");
        class_say(page, CLASS_SAY_DEADLINE, text_string(&due), NULL);
    }
    html_raw(h, "</span></h2>\n");
}

void class_exercises(struct class_page *page) {
    struct html *h = &page->html;
    for (size_t i = 0; page->report->student_count && i < page->report->exercise_count; i++) {
        html_printf(h, "<section class=\"exercise\" id=\"x%zu\">", i);
        write_heading(page, i);
        html_raw(h, "<div class=\"card\">\n");
        write_numbers(page, &page->report->exercises[i], &page->sum.exercises[i]);
        html_raw(h, "<div class=\"columns\"><div>\n");
        class_histogram(page, i);
        class_speed(page, i);
        html_raw(h, "</div><div>\n");
        class_findings(page, i);
        class_cases(page, i);
        html_raw(h, "</div></div></div></section>\n");
    }
}

/* Every student in a row, by id: the total, and the points of each exercise as a link to its
 * report. Hundreds of rows and a dozen columns: each cell is as few bytes as it can be. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"

/* Short names of cells: 5,000 of them stand on the page. */
static const char *cell_class(const struct class_cell *cell) {
    static const char *const names[STANDING_COUNT] = {"p", "f", "u", "a"};
    return names[class_standing(cell)];
}

static bool has_points(const struct class_cell *cell) {
    return cell->state == CLASS_GRADED || class_is_set(cell->override_by) || cell->passed;
}

static void write_signs(struct class_page *page, const struct class_cell *cell) {
    bool flagged = class_is_odd(cell) || class_has_flag(cell, CLASS_FLAG_NO_FULL_JAIL);
    html_raw(&page->html, cell->late_seconds > 0 ? "<sup>L</sup>" : "");
    html_raw(&page->html, class_is_set(cell->override_by) ? "<sup>*</sup>" : "");
    html_raw(&page->html, flagged ? "<sup>!</sup>" : "");
}

static void write_cell(struct class_page *page, const struct class_cell *cell) {
    html_printf(&page->html, "<td class=\"%s\">", cell_class(cell));
    const char *sign = cell->state == CLASS_NOT_SUBMITTED ? "\u2013" : "?";
    class_link(page, cell->report,
               has_points(cell) || cell->state == CLASS_REFUSED
                   ? decimal_points(cell->final_score).text
                   : sign);
    write_signs(page, cell);
    html_raw(&page->html, "</td>");
}

static void write_row(struct class_page *page, size_t student) {
    struct html *h = &page->html;
    const struct class_report *report = page->report;
    const struct class_student *row = &report->students[student];
    html_raw(h, "<tr><th scope=\"row\">");
    class_link(page, row->page, class_is_set(row->id) ? row->id : "?");
    html_tagged(h, "</th><td>", class_student_name(row), "</td>");
    if (page->sum.has_totals)
        html_tagged(h, "<td>", row->max_total > 0 ? decimal_points(row->total).text : "", "</td>");
    for (size_t i = 0; i < report->exercise_count; i++)
        write_cell(page, class_cell_at(report, student, i));
    html_raw(h, "</tr>\n");
}

static void write_heading(struct class_page *page) {
    struct html *h = &page->html;
    class_tagged(page, "<thead><tr><th scope=\"col\">", CLASS_SAY_COLUMN_ID, "</th>");
    class_tagged(page, "<th scope=\"col\">", CLASS_SAY_COLUMN_NAME, "</th>");
    if (page->sum.has_totals)
        class_tagged(page, "<th scope=\"col\">", CLASS_SAY_COLUMN_TOTAL, "</th>");
    for (size_t i = 0; i < page->report->exercise_count; i++) {
        const struct class_exercise *exercise = &page->report->exercises[i];
        html_printf(h, "<th scope=\"col\"><a href=\"#x%zu\">", i);
        html_tagged(h, "", class_is_set(exercise->id) ? exercise->id : "?", "</a>");
        html_printf(h, " <small>/ %s</small></th>", decimal_points(exercise->max_score).text);
    }
    html_raw(h, "</tr></thead>\n");
}

static void write_sign(struct class_page *page, const char *sign, enum class_string meaning) {
    html_tagged(&page->html, "<li>", sign, " ");
    class_tagged(page, "", meaning, "</li>");
}

void class_table(struct class_page *page) {
    struct html *h = &page->html;
    if (!page->report->student_count)
        return;
    class_tagged(page, "<section id=\"students\"><h2>", CLASS_SAY_TABLE,
                 "</h2>\n<ul class=\"key\">");
    class_tagged(page, "<li><i class=\"passed\"></i>", CLASS_SAY_KEY_PASSED, "</li>");
    class_tagged(page, "<li><i class=\"failed\"></i>× ", CLASS_SAY_KEY_FAILED, "</li>");
    write_sign(page, "?", CLASS_SAY_KEY_UNDECIDED);
    write_sign(page, "\u2013", CLASS_SAY_KEY_ABSENT);
    write_sign(page, "L", CLASS_SAY_SIGN_LATE);
    write_sign(page, "*", CLASS_SAY_SIGN_OVERRIDE);
    write_sign(page, "!", CLASS_SAY_SIGN_FLAG);
    html_raw(h, "</ul>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"students\">");
    write_heading(page);
    html_raw(h, "<tbody>\n");
    for (size_t i = 0; i < page->report->student_count; i++)
        write_row(page, page->sum.order[i]);
    html_raw(h, "</tbody></table></div></section>\n");
}

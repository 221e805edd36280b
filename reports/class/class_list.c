/* Lists over all exercises: who has not handed in, who was late, what is not decided, what must be
 * checked by hand, and what an instructor has decided. */
#include "reports/class/class_private.h"

#include "sandbox/base/decimal.h"

#include "sandbox/base/memory.h"

#include <string.h>

enum { MOST_COMMIT = 10, FOLD_ROWS = 12 };

/* A row of a list is a cell for which this is true. */
typedef bool class_picks(const struct class_cell *cell);
typedef void class_writes(struct class_page *page, const struct class_cell *cell);

struct list {
    const char *id; /* of the section */
    enum class_string title;
    class_picks *picks;
    enum class_string columns[3]; /* after student and exercise */
    size_t column_count;
    class_writes *writes[3];
};

static void write_message(struct class_page *page, const struct class_cell *cell) {
    html_foreign(&page->html, cell->message);
}

static void write_state(struct class_page *page, const struct class_cell *cell) {
    class_say(page, class_state_string(cell->state), NULL);
}

static void write_late(struct class_page *page, const struct class_cell *cell) {
    cleanup_text struct text late = {0};
    class_append_duration(&late, page->report->language, cell->late_seconds);
    html_foreign(&page->html, text_string(&late));
}

static void write_penalty(struct class_page *page, const struct class_cell *cell) {
    if (cell->penalty > 0)
        html_printf(&page->html, "\u2212%s", decimal_points(cell->penalty).text);
    else
        class_say(page, CLASS_SAY_LATE_NO_PENALTY, NULL);
}

static void write_penalty_why(struct class_page *page, const struct class_cell *cell) {
    html_foreign(&page->html, cell->penalty_why);
}

static void write_flags(struct class_page *page, const struct class_cell *cell) {
    bool any = false;
    for (unsigned i = 0; i < CLASS_FLAG_COUNT; i++) {
        if (!class_has_flag(cell, (enum class_flag)i))
            continue;
        html_raw(&page->html, any ? "; " : "");
        class_say(page, class_flag_string((enum class_flag)i), NULL);
        any = true;
    }
}

static void write_commit(struct class_page *page, const struct class_cell *cell) {
    cleanup_text struct text time = {0};
    class_append_time(&time, cell->committed);
    if (class_is_set(cell->commit)) {
        html_raw(&page->html, "<code>");
        html_foreign_bytes(&page->html, cell->commit, strnlen(cell->commit, MOST_COMMIT));
        html_raw(&page->html, "</code> ");
    }
    html_foreign(&page->html, text_string(&time));
}

static void write_decision(struct class_page *page, const struct class_cell *cell) {
    class_say(page, CLASS_SAY_OVERRIDDEN, decimal_points(cell->final_score).text,
              decimal_points(cell->score - cell->penalty).text, NULL);
}

static void write_override_why(struct class_page *page, const struct class_cell *cell) {
    html_foreign(&page->html, cell->override_why);
}

static void write_override_by(struct class_page *page, const struct class_cell *cell) {
    cleanup_text struct text time = {0};
    class_append_time(&time, cell->override_at);
    html_foreign(&page->html, cell->override_by);
    if (time.length)
        html_tagged(&page->html, ", ", text_string(&time), "");
}

static bool picks_late(const struct class_cell *cell) {
    return cell->late_seconds > 0 || cell->penalty > 0;
}

static bool picks_undecided(const struct class_cell *cell) {
    return class_standing(cell) == STANDING_UNDECIDED;
}

static bool picks_refused(const struct class_cell *cell) {
    return cell->state == CLASS_REFUSED;
}

static bool picks_flagged(const struct class_cell *cell) {
    return cell->flags & ((1u << CLASS_FLAG_COUNT) - 1);
}

static bool picks_override(const struct class_cell *cell) {
    return class_is_set(cell->override_by);
}

static const struct list lists[] = {
    {"undecided",
     CLASS_SAY_LIST_UNDECIDED,
     picks_undecided,
     {CLASS_SAY_COLUMN_WHAT, CLASS_SAY_COLUMN_WHY},
     2,
     {write_state, write_message}},
    {"flags",
     CLASS_SAY_LIST_FLAGS,
     picks_flagged,
     {CLASS_SAY_COLUMN_WHAT, CLASS_SAY_COLUMN_COMMIT},
     2,
     {write_flags, write_commit}},
    {"late",
     CLASS_SAY_LIST_LATE,
     picks_late,
     {CLASS_SAY_COLUMN_LATE, CLASS_SAY_COLUMN_PENALTY, CLASS_SAY_COLUMN_WHY},
     3,
     {write_late, write_penalty, write_penalty_why}},
    {"refused", CLASS_SAY_LIST_REFUSED, picks_refused, {CLASS_SAY_COLUMN_WHY}, 1, {write_message}},
    {"overrides",
     CLASS_SAY_LIST_OVERRIDES,
     picks_override,
     {CLASS_SAY_COLUMN_POINTS, CLASS_SAY_COLUMN_WHY, CLASS_SAY_COLUMN_BY},
     3,
     {write_decision, write_override_why, write_override_by}},
};

/* ---- one list -------------------------------------------------------------------------------- */

/* A repository that cannot be read is one row, however many exercises it has. */
static bool is_row(const struct class_report *report, const struct list *list, size_t student,
                   size_t exercise) {
    const struct class_cell *cell = class_cell_at(report, student, exercise);
    if (!list->picks(cell))
        return false;
    for (size_t i = 0; cell->state == CLASS_UNREADABLE && i < exercise; i++)
        if (class_cell_at(report, student, i)->state == CLASS_UNREADABLE)
            return false;
    return true;
}

static size_t count_rows(const struct class_report *report, const struct list *list) {
    size_t count = 0;
    for (size_t i = 0; i < report->student_count; i++)
        for (size_t j = 0; j < report->exercise_count; j++)
            count += is_row(report, list, i, j);
    return count;
}

static void write_row(struct class_page *page, const struct list *list, size_t student,
                      size_t exercise) {
    struct html *h = &page->html;
    const struct class_cell *cell = class_cell_at(page->report, student, exercise);
    html_raw(h, "<tr><th scope=\"row\">");
    class_student(page, student);
    html_raw(h, "</th><td>");
    if (cell->state == CLASS_UNREADABLE)
        class_say(page, CLASS_SAY_EVERY_EXERCISE, NULL);
    else
        class_link(page, cell->report, class_exercise_title(&page->report->exercises[exercise]));
    html_raw(h, "</td>");
    for (size_t i = 0; i < list->column_count; i++) {
        html_raw(h, "<td>");
        list->writes[i](page, cell);
        html_raw(h, "</td>");
    }
    html_raw(h, "</tr>\n");
}

static void write_rows(struct class_page *page, const struct list *list) {
    struct html *h = &page->html;
    const struct class_report *report = page->report;
    html_raw(h, "<div class=\"scroll\" tabindex=\"0\"><table class=\"list\"><thead><tr>");
    class_tagged(page, "<th scope=\"col\">", CLASS_SAY_COLUMN_STUDENT, "</th>");
    class_tagged(page, "<th scope=\"col\">", CLASS_SAY_COLUMN_EXERCISE, "</th>");
    for (size_t i = 0; i < list->column_count; i++)
        class_tagged(page, "<th scope=\"col\">", list->columns[i], "</th>");
    html_raw(h, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < report->student_count; i++)
        for (size_t j = 0; j < report->exercise_count; j++)
            if (is_row(report, list, page->sum.order[i], j))
                write_row(page, list, page->sum.order[i], j);
    html_raw(h, "</tbody></table></div>\n");
}

/* A long list is folded: its heading says how long it is. */
static void write_list(struct class_page *page, const struct list *list) {
    struct html *h = &page->html;
    size_t count = count_rows(page->report, list);
    if (!count)
        return;
    bool folded = count > FOLD_ROWS;
    html_printf(h, "<section id=\"%s\">%s<h2>", list->id, folded ? "<details><summary>" : "");
    class_say(page, list->title, NULL);
    html_printf(h, " <span class=\"soft\">%zu</span></h2>%s\n", count, folded ? "</summary>" : "");
    if (list->picks == picks_late && class_is_set(page->report->late_policy))
        html_tagged(h, "<p class=\"soft\">", page->report->late_policy, "</p>\n");
    write_rows(page, list);
    html_raw(h, folded ? "</details></section>\n" : "</section>\n");
}

/* ---- who has not handed in ------------------------------------------------------------------- */

static bool has_nothing(const struct class_report *report, size_t student) {
    for (size_t i = 0; i < report->exercise_count; i++)
        if (class_standing(class_cell_at(report, student, i)) != STANDING_ABSENT)
            return false;
    return true;
}

/* Names in a row, of one exercise; those who handed in nothing have a row of their own. */
static void write_names(struct class_page *page, size_t exercise) {
    const struct class_report *report = page->report;
    bool all = exercise == SIZE_MAX, any = false;
    for (size_t i = 0; i < report->student_count; i++) {
        size_t student = page->sum.order[i];
        bool nothing = has_nothing(report, student);
        if (all ? !nothing
                : nothing ||
                      class_standing(class_cell_at(report, student, exercise)) != STANDING_ABSENT)
            continue;
        html_raw(&page->html, any ? "<li>" : "<ul class=\"names\"><li>");
        class_student(page, student);
        html_raw(&page->html, "</li>");
        any = true;
    }
    html_raw(&page->html, any ? "</ul>\n" : "");
}

static void write_absent_group(struct class_page *page, const char *title, size_t count,
                               size_t exercise) {
    struct html *h = &page->html;
    if (!count)
        return;
    html_printf(h, "<details class=\"finding\"%s><summary class=\"row\">",
                count <= FOLD_ROWS ? " open" : "");
    html_tagged(h, "<span class=\"what sentence\">", title, "</span>");
    class_share(h, "failed", count, page->report->student_count);
    html_raw(h, "<b>");
    class_say_students(page, count);
    html_raw(h, "</b></summary>\n");
    write_names(page, exercise);
    html_raw(h, "</details>\n");
}

static void write_absent(struct class_page *page) {
    const struct class_report *report = page->report;
    size_t nothing = page->sum.handed_in_nothing;
    if (!page->sum.all.standing[STANDING_ABSENT])
        return;
    class_tagged(page, "<section id=\"absent\"><h2>", CLASS_SAY_LIST_ABSENT,
                 "</h2>\n<div class=\"card\">");
    if (report->exercise_count > 1) {
        cleanup_text struct text all = {0};
        class_fill(report->language, &all, CLASS_SAY_LIST_ABSENT_ALL, NULL);
        write_absent_group(page, text_string(&all), nothing, SIZE_MAX);
        for (size_t i = 0; i < report->exercise_count; i++)
            write_absent_group(page, class_exercise_title(&report->exercises[i]),
                               page->sum.exercises[i].standing[STANDING_ABSENT] - nothing, i);
    } else {
        write_absent_group(page, class_exercise_title(&report->exercises[0]), nothing, SIZE_MAX);
    }
    html_raw(&page->html, "</div></section>\n");
}

void class_lists(struct class_page *page) {
    for (size_t i = 0; i < 2; i++)
        write_list(page, &lists[i]);
    write_absent(page);
    for (size_t i = 2; i < ARRAY_LENGTH(lists); i++)
        write_list(page, &lists[i]);
}

/* See class_found.h. What a report is about is decided where its page decides it, so that the class
 * report and the student's own name the same mistake and the same next step. */
#include "reports/class/class_found.h"

#include "reports/explain.h"
#include "reports/html/focus.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_BEFORE = 3, LINES_AFTER = 2 };

static char *copy(const char *string) {
    return string && *string ? mem_strdup(string) : NULL;
}

/* ---- the place ------------------------------------------------------------------------------- */

static void take_excerpt(const struct html *h, struct class_cell *cell, struct class_found *found) {
    unsigned first = cell->line > LINES_BEFORE ? cell->line - LINES_BEFORE : 1;
    cleanup_text struct text excerpt = {0};
    struct html_line line;
    size_t offset = 0;
    for (unsigned number = 1; html_next_line(h->report, &offset, &line); number++) {
        if (number > (uint64_t)cell->line + LINES_AFTER)
            break;
        if (number < first)
            continue;
        text_append_bytes(&excerpt, line.start, line.length);
        text_append_char(&excerpt, '\n');
    }
    cell->excerpt_line = first;
    cell->excerpt = found->excerpt = excerpt.length ? text_steal(&excerpt) : NULL;
}

/* Lines of headers are not quoted: their text is not the student's. */
static void take_place(const struct html *h, const char *file, unsigned line,
                       struct class_cell *cell, struct class_found *found) {
    bool own = html_own_file(h, file);
    cell->file = found->file = copy(own ? h->report->file : file);
    cell->line = line;
    if (own && line)
        take_excerpt(h, cell, found);
}

static unsigned line_of_lost_speed(const struct report_speed *speed) {
    for (size_t i = 0; i < speed->threshold_count; i++)
        if (speed->thresholds[i].line && speed->thresholds[i].state != THRESHOLD_MET)
            return speed->thresholds[i].line;
    return 0;
}

static void find_place(const struct html *h, const struct focus *focus, struct class_cell *cell,
                       struct class_found *found) {
    const struct build_diagnostic *error = focus_first_error(h->report);
    if (focus->kind == FOCUS_HAZARD)
        take_place(h, focus->hazard->first->file, focus->hazard->first->line, cell, found);
    else if (focus->kind == FOCUS_COMPILE && error)
        take_place(h, error->file, error->line, cell, found);
    else if (focus->kind == FOCUS_SLOW)
        take_place(h, "", line_of_lost_speed(&focus->item->speed), cell, found);
}

/* ---- what and why ---------------------------------------------------------------------------- */

static void take_message(const struct html *h, const struct focus *focus,
                         struct class_found *found) {
    cleanup_text struct text message = {0};
    if (focus->kind == FOCUS_HAZARD)
        hazards_append_message(&message, h->language, focus->hazard->first);
    else if (focus_lead(h->report, focus))
        text_append(&message, focus_lead(h->report, focus));
    found->message = copy(message.length ? text_string(&message) : h->report->message);
}

/* A ratio of a wrong result says nothing. */
static void take_speed(const struct report *report, struct class_cell *cell) {
    for (size_t i = 0; html_speed_counts(report) && i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        double ratio = item->time.ratio_to_reference;
        if (item->time.present && isfinite(ratio) && ratio > 0) {
            cell->ratio_to_tuned = ratio;
            cell->ratio_measured = item->time.measured;
        }
        if (item->speed.present && item->speed.limiter)
            cell->limiter = explain_limiter(item->speed.limiter);
    }
}

void class_found_take(const struct report *report, struct class_cell *cell,
                      struct class_found *found) {
    const struct html h = {.report = report, .language = language_from_name(report->language)};
    struct focus focus = focus_open(report);
    cleanup_text struct text next = {0};
    *found = (struct class_found){0};
    cell->score = report->score;
    cell->passed = report->passed;
    cell->verdict = verdict_infos[report->verdict].name;
    cell->hazard = focus.kind == FOCUS_HAZARD ? hazard_infos[focus.hazard->first->kind].name : NULL;
    if (focus.item && focus.item->cause.present) {
        found->cause = copy(focus.item->cause.id);
        found->cause_text = copy(focus.item->cause.text);
    }
    take_message(&h, &focus, found);
    focus_append_next(&h, &focus, &next);
    found->next = copy(text_string(&next));
    find_place(&h, &focus, cell, found);
    take_speed(report, cell);
    cell->cause = found->cause;
    cell->cause_text = found->cause_text;
    cell->message = found->message;
    cell->next = found->next;
    focus_close(&focus);
}

void class_found_free(struct class_found *found) {
    free(found->message);
    free(found->next);
    free(found->cause);
    free(found->cause_text);
    free(found->file);
    free(found->excerpt);
    *found = (struct class_found){0};
}

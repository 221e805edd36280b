/* What a student's report must not show, by the course: of hidden cases it has the points, and
 * neither names, sizes, data nor messages; with the seed they could be made
 * again. */
#include "grader/batch/batch_private.h"

#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool batch_hides(const struct course *course, size_t exercise, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (course_hides_case(course, exercise, report->cases[i].group, report->cases[i].name))
            return true;
    return false;
}

static void free_sizes(struct report_size *sizes, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(sizes[i].name);
    free(sizes);
}

/* Everything but the group, the verdict's kind (passed or not) and the points. */
static void hide_case(struct report_case *item, const char *message, size_t number) {
    struct report_case kept = {
        .name = mem_printf("hidden-%zu", number),
        .group = steal_pointer(&item->group),
        .essential = item->essential,
        .verdict = item->verdict,
        .score = item->score,
        .max_score = item->max_score,
        .message = mem_strdup(item->verdict == VERDICT_PASS ? "" : message),
        .tolerance = mem_strdup(""),
    };
    free(item->name);
    free_sizes(item->sizes, item->size_count);
    free(item->message);
    free(item->hint);
    report_difference_free(&item->difference);
    free(item->cause.id);
    free(item->cause.text);
    free(item->cause.evidence);
    free(item->tolerance);
    free(item->hazards);
    report_speed_free(&item->speed);
    free(item->printed);
    *item = kept;
}

/* "at most 40 of 100 points while a case that the course does not show fails": what closed a gate
 * is named in the report's own words. */
static void hide_cap(enum language language, struct report *report) {
    cleanup_text struct text points = {0};
    report_append_score(&points, language, report->cap, report->max_score);
    free(report->cap_reason);
    report->cap_reason = mem_printf(WORDS(language, at_most_while), text_string(&points),
                                    WORDS(language, hidden_case_fails));
}

/* The line that a student reads first counts and names hidden cases, too: it is made anew of what
 * is shown. What does not compile says nothing of any case. */
static void replace_message(enum language language, const char *first, struct report *report) {
    if (report->build_message)
        return;
    free(report->message);
    report->message = first ? mem_strdup(first)
                            : mem_printf(report->case_count == 1 ? WORDS(language, the_case_passes)
                                                                 : WORDS(language, all_cases_pass),
                                         report->case_count);
}

/* What shows the cause of a case that is shown may have been seen in a hidden one: "in case tail-7:
 * y[0] is ...". It was written in the language of the judging. */
static void hide_evidence(const char *hidden, struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_cause *cause = &report->cases[i].cause;
        for (enum language l = 0; l < LANGUAGE_COUNT && cause->evidence; l++) {
            cleanup_free char *place = mem_printf(WORDS(l, in_case), hidden);
            if (strncmp(cause->evidence, place, strlen(place)) != 0)
                continue;
            free(cause->evidence);
            cause->evidence = NULL;
        }
    }
}

void batch_hide_cases(const struct course *course, size_t exercise, struct report *report) {
    enum language language = language_from_name(report->language);
    const char *first = NULL; /* of the failures that are shown */
    bool hides_failure = false;
    size_t number = 0;
    report->seed = 0;
    report->withholds_seed = true;
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_case *item = &report->cases[i];
        if (course_hides_case(course, exercise, item->group, item->name)) {
            hides_failure |= item->verdict != VERDICT_PASS;
            hide_evidence(item->name, report);
            hide_case(item, WORDS(language, hidden_case), ++number);
        } else if (!first && item->verdict != VERDICT_PASS) {
            first = item->message;
        }
    }
    if (report->cap_reason && hides_failure)
        hide_cap(language, report);
    replace_message(language, first || !hides_failure ? first : WORDS(language, hidden_case),
                    report);
}

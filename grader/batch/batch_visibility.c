/* What a student's report must not show, by the course: of hidden cases it has the points, and
 * neither names, sizes, data nor messages. */
#include "grader/batch/batch_private.h"

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

/* The line that a student reads first is of the worst case, which may be a hidden one. */
void batch_hide_cases(const struct course *course, size_t exercise, struct report *report) {
    const char *message = course->language == LANGUAGE_ZH ? "未公开的测试用例"
                                                          : "a case that the course does not show";
    const char *first = NULL;
    report->seed = 0; /* with it the hidden cases could be made again */
    bool hides_failure = false;
    size_t number = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_case *item = &report->cases[i];
        if (course_hides_case(course, exercise, item->group, item->name)) {
            hides_failure |= item->verdict != VERDICT_PASS;
            hide_case(item, message, ++number);
        } else if (!first && item->verdict != VERDICT_PASS) {
            first = item->message;
        }
    }
    if (!hides_failure)
        return;
    free(report->message);
    report->message = mem_strdup(first ? first : message);
}

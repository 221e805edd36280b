/* What a report is about. The order is that of what must be mended first: what does not compile has
 * no result, a hazard explains a wrong result, and speed counts only for what is right. */
#include "reports/html/focus.h"

#include <stdlib.h>

static const struct report_case *find_case(const struct report *report, enum verdict verdict) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].verdict == verdict)
            return &report->cases[i];
    return NULL;
}

/* The case that has a cause, else the first that shows a difference. */
static const struct report_case *find_wrong(const struct report *report) {
    const struct report_case *first = NULL;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!html_is_failure(item) || !item->difference.present)
            continue;
        if (item->cause.present)
            return item;
        if (!first)
            first = item;
    }
    return first;
}

static const struct report_case *find_ended(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (html_is_failure(&report->cases[i]) && report->cases[i].verdict != VERDICT_TOO_SLOW)
            return &report->cases[i];
    return NULL;
}

/* Points for speed that are missing, of a case that is not wrong. */
static const struct report_case *find_slow(const struct report *report) {
    const struct report_case *slow = find_case(report, VERDICT_TOO_SLOW);
    for (size_t i = 0; i < report->case_count && !slow; i++)
        if (report->cases[i].speed.present && report->cases[i].score < report->cases[i].max_score)
            slow = &report->cases[i];
    return slow;
}

static void choose(const struct report *report, struct focus *focus) {
    const struct merged_hazard *first = focus->merged_count ? &focus->merged[0] : NULL;
    focus->kind = FOCUS_COMPILE;
    if (report->build_message)
        return;
    focus->kind = FOCUS_INTERNAL;
    if ((focus->item = find_case(report, VERDICT_INTERNAL_ERROR)))
        return;
    focus->kind = FOCUS_HAZARD;
    focus->hazard = first && first->first->severity == SEVERITY_ERROR ? first : NULL;
    if (focus->hazard)
        return;
    focus->kind = FOCUS_WRONG;
    if ((focus->item = find_wrong(report)))
        return;
    focus->kind = FOCUS_END;
    if ((focus->item = find_ended(report)))
        return;
    focus->kind = FOCUS_SLOW;
    if ((focus->item = find_slow(report)))
        return;
    focus->item = find_case(report, VERDICT_SKIPPED);
    focus->kind = focus->item ? FOCUS_SKIPPED : FOCUS_PASS;
}

struct focus focus_open(const struct report *report) {
    struct focus focus = {0};
    hazards_merge(report, &focus.merged, &focus.merged_count);
    hazards_join(focus.merged, &focus.merged_count);
    for (size_t i = 0; i < report->case_count; i++) {
        focus.ran += report->cases[i].verdict != VERDICT_SKIPPED;
        focus.failed += html_is_failure(&report->cases[i]);
    }
    choose(report, &focus);
    return focus;
}

void focus_close(struct focus *focus) {
    free(focus->merged);
}

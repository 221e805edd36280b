/* What a report is about: the one thing that its first screen says. Private to
 * reports/html/ and reports/class/. */
#ifndef WARPGRADE_REPORTS_HTML_FOCUS_H
#define WARPGRADE_REPORTS_HTML_FOCUS_H

#include "reports/html/html.h"

enum focus_kind {
    FOCUS_COMPILE,
    FOCUS_INTERNAL,
    FOCUS_HAZARD, /* an error that was found */
    FOCUS_WRONG,
    FOCUS_END,  /* a limit or a crash that no hazard explains */
    FOCUS_SLOW, /* right, with points for speed to gain */
    FOCUS_SKIPPED,
    FOCUS_PASS,
};

struct focus {
    enum focus_kind kind;
    const struct report_case *item;     /* that shows it; NULL where none does */
    const struct merged_hazard *hazard; /* FOCUS_HAZARD: of `merged` */
    struct merged_hazard *merged;
    size_t merged_count;
    size_t ran, failed; /* cases */
};

/* head.c: one sentence that says what exactly, NULL where there is none; what to do next, nothing
 * where that is not known; what the compiler refuses first. */
const char *focus_lead(const struct report *report, const struct focus *focus);
void focus_append_next(const struct html *h, const struct focus *focus, struct text *out);
const struct build_diagnostic *focus_first_error(const struct report *report);

/* Free with focus_close(). */
struct focus focus_open(const struct report *report);
void focus_close(struct focus *focus);

#endif

/* Hazards as people read them: merged over cases, with excerpt, threads and fix. Private to
 * reports/. */
#ifndef WARPGRADE_REPORTS_HAZARDS_H
#define WARPGRADE_REPORTS_HAZARDS_H

#include "reports/report.h"
#include "reports/terminal.h"

/* One (kind, line, other line) of a report, whichever cases it happened in. */
struct merged_hazard {
    const struct hazard *first;
    size_t case_count; /* in how many cases; 0: there are no cases, only a launch */
    uint64_t count;    /* summed over the cases */
};

/* Errors first, then by line. The caller frees *merged. */
void hazards_merge(const struct report *report, struct merged_hazard **merged, size_t *count);
/* of_cases: how many cases ran. source: the text of `file`. */
void hazards_print(const struct terminal *t, const struct merged_hazard *merged, size_t of_cases,
                   const char *file, const char *source, size_t source_length);
/* "dot.cu:12:5", "dot.cu:12", "dot.cu" or "". */
void hazards_place(const struct hazard *hazard, struct text *out);
/* A label in a column of its own, as all details of hazards and cases begin. */
void hazards_detail_label(const struct terminal *t, const char *label);
enum { DETAIL_INDENT = 13 };

#endif

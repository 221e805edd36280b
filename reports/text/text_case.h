/* One case in words. Private to reports/: the text report and JUnit's bodies share it. */
#ifndef WARPGRADE_REPORTS_TEXT_CASE_H
#define WARPGRADE_REPORTS_TEXT_CASE_H

#include "reports/report.h"
#include "reports/terminal.h"

/* "✓", "✗", "!", "-" and its colour. */
const char *text_case_verdict_symbol(enum verdict verdict);
enum pen text_case_verdict_pen(enum verdict verdict);
/* "n = 257, m = 3" */
void text_case_append_sizes(struct text *out, const struct report_size *sizes, size_t count);
/* expected and actual with enough digits that different values look different. */
void text_case_append_values(const struct report_difference *difference, struct text *expected,
                             struct text *actual);
/* "1.25 ms modelled, slower than the tuned kernel: takes 5 times as long" */
void text_case_append_time(struct text *out, enum language language,
                           const struct report_time *time);
/* The case with its title, and no more than what is needed to mend it. */
void text_case_brief(const struct terminal *t, const struct report_case *item);
/* Everything about the case but its title and hazards, one labelled line each. */
void text_case_details(const struct terminal *t, const struct report_case *item, bool verbose);
/* The speed case after its title and text_case_details' lines: device, limiter, thresholds; without
 * `verbose` it has a title of its own, and tells the first reason of lost points alone. `source` is
 * for excerpts and may be NULL. */
void text_speed(const struct terminal *t, const struct report_case *item, const char *source,
                size_t source_length, bool verbose);
/* Columns of a list of cases, wide enough for its names and sizes. */
struct case_columns {
    unsigned name, sizes;
};
void text_case_columns_fit(struct case_columns *columns, const struct report_case *item);
/* The case on one line: symbol, name, sizes, and the most telling fact. */
void text_case_line(const struct terminal *t, const struct report_case *item,
                    const struct case_columns *columns);
/* The same without columns: "one-row (n = 31): wrong answer: out[0] is 1, expected 2". */
void text_case_sentence(const struct terminal *t, const struct report_case *item);
/* The line above a case's details. */
void text_case_title(const struct terminal *t, const struct report_case *item);

#endif

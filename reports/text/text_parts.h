/* The parts of the text report. Private to reports/text/. */
#ifndef WARPGRADE_REPORTS_TEXT_PARTS_H
#define WARPGRADE_REPORTS_TEXT_PARTS_H

#include "reports/report.h"
#include "reports/text/text_case.h"

/* How the submission as a whole is marked: the green tick is for one that passes in every case, and
 * one that passes although it is too slow, say, takes the mark of that. */
enum verdict text_overall_mark(const struct report *report);
/* A case ran, and something is wrong with it. */
bool text_is_failure(const struct report_case *item);
/* A result is wrong or a check has failed: then nobody needs to read about speed. */
bool text_is_wrong(const struct report *report);
/* What a warpgrade command line needs around a string: nothing, or quotes. */
void text_append_word(struct text *out, const char *word);

/* "12.5": the columns that it takes, and itself at the right of `columns`. */
size_t text_points_width(double points);
void text_points(const struct terminal *t, double points, size_t columns);

/* A line for each group of cases; without `verbose` those that passed in full share one. */
void text_groups(const struct terminal *t, const struct report *report, bool verbose);
/* Everything wrong with the submission: what the compiler says, the hazards, the failing cases.
 * Without `verbose` the first finding in full and the others on a line each. True where the last
 * block is of such lines, to which the foot can be added. */
bool text_findings(const struct terminal *t, const struct report *report, bool verbose);
/* The page of `explain` about the finding in full; NULL where there is none. */
const char *text_findings_page(const struct report *report);

/* Where the time of the grading went, a line for each stage of stage.def. */
void text_timing(const struct terminal *t, const struct report *report);

/* A line for each submission. */
void text_summary(const struct terminal *t, const struct report *const *reports, size_t count);

#endif

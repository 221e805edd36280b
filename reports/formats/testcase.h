/* A report as CI systems and course platforms see it: a list of test cases that pass or do not.
 * Private to reports/. */
#ifndef WARPGRADE_REPORTS_FORMATS_TESTCASE_H
#define WARPGRADE_REPORTS_FORMATS_TESTCASE_H

#include "reports/report.h"

enum outcome {
    OUTCOME_PASSED,
    OUTCOME_FAILED,  /* a wrong result, a hazard, too slow */
    OUTCOME_ERROR,   /* did not compile, did not end, could not be graded */
    OUTCOME_SKIPPED, /* no engine here could decide it */
    OUTCOME_COUNT
};

/* Strings are the report's, raw. */
struct testcase {
    const char *group, *name;
    const struct report_case *item; /* NULL: what the cases alone do not say */
    enum outcome outcome;
    enum verdict verdict;
    const char *message; /* never NULL or empty */
    double score, max_score;
};

/* The report's own test case, where it needs one, then one for each case of the exercise. Allocates
 * *list, which the caller frees; gives their number, 0 only where the report holds nothing. */
size_t testcase_list(const struct report *report, struct testcase **list);
/* What a test that did not pass has to say: differences, speed, hazards, the compiler's words.
 * Plain text of many lines, escaped as for a terminal. */
void testcase_append_body(const struct report *report, const struct testcase *test,
                          struct text *out);
/* What this submission is called among others: its path without .cu, and where an earlier report
 * has the same path and exercise, " (2)" after it. */
void testcase_append_submission(const struct report *const *reports, size_t index,
                                struct text *out);

#endif

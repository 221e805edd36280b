/* Sentences that pages and annotations share, in the report's language. Private to reports/. */
#ifndef WARPGRADE_REPORTS_FORMATS_WORDS_H
#define WARPGRADE_REPORTS_FORMATS_WORDS_H

#include "reports/report.h"

/* "20 of 100 points, not passed (60 needed)", "not graded" */
void words_append_result(struct text *out, const struct report *report);

#endif

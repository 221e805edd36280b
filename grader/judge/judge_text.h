/* The sentences of a verdict. Private to the room, but for judge_index_text() in judge.h. The
 * caller owns what they return. */
#ifndef WARPGRADE_GRADER_JUDGE_JUDGE_TEXT_H
#define WARPGRADE_GRADER_JUDGE_JUDGE_TEXT_H

#include "grader/exercise/exercise.h"
#include "grader/judge/compare.h"
#include "reports/report.h"

/* "C: a sum of 4 terms: within 4 * 2^-24 * sum(|term|)" */
char *judge_tolerance_text(const struct exercise_param *param, int64_t length,
                           enum language language);
/* "12 of 85 elements of P are wrong: P[3, 1] was never written". The values themselves are in
 * the difference, which every report shows beside the message. */
char *judge_difference_text(const struct report_difference *difference,
                            const struct compare_result *compared, enum language language);

#endif

/* Why is it wrong? The stage after the cases: launches again what failed, beside the exercise's
 * wrong solutions and the reference on changed data. Private to grade*.c. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_CAUSE_H
#define WARPGRADE_GRADER_GRADE_GRADE_CAUSE_H

#include "grader/diagnose/diagnose.h"
#include "grader/grade/grade_private.h"

/* Names at most one cause, in one of the cases: nothing where a case has a hazard that is an error,
 * which explains itself. What cannot be run or compiled here names nothing. */
void grade_name_cause(const struct grade_run *run, struct report_case *cases, size_t count);
/* The same where all `checked` cases passed and the speed case after them has a wrong result. */
void grade_name_large_only(const struct grade_run *run, struct report_case *cases, size_t checked);

/* Launches the mutants that are still thought of (`all`: all with a wrong result) on case `index`,
 * and keeps those that give the same. */
void grade_try_mistakes(const struct grade_run *run, size_t index, bool all,
                        const struct view_evidence *evidence, struct diagnosis *diagnosis);
/* Launches the reference on changed data, for the experiments that are still thought of. */
void grade_try_experiments(const struct grade_run *run, size_t index,
                           const struct oracle_answer *answer, const char *case_name,
                           const struct view_evidence *evidence, struct diagnosis *diagnosis);

#endif

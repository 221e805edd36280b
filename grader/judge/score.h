/* From verdicts to points: partial credit, gates, the pass mark and the line a student reads first.
 *
 * The points of a group are split evenly over its cases; a case is worth the same whether or not
 * others were selected with --cases, so a run of a part is scored out of that part's points. Groups
 * without a case in this run count on neither side. The points of speed are those of its
 * thresholds; one that no engine may decide counts on neither side, and a speed case that was not
 * run, because the kernel is not right, loses them all.
 *
 * A gate caps the total, and the lowest counts: GATE_HAZARD where a case ends as hazard or crash, a
 * group's where not every one of its cases passes, GATE_ESSENTIAL where an essential case does not,
 * GATE_RIGHT where any case is wrong, so that a kernel with one forgotten tail does not pass by the
 * points of all the others. */
#ifndef WARPGRADE_GRADER_JUDGE_SCORE_H
#define WARPGRADE_GRADER_JUDGE_SCORE_H

#include "grader/exercise/exercise.h"
#include "reports/report.h"

/* Takes report->cases with their group, verdict and hazards, report->build_message, and the number
 * of cases that each group has in the whole plan. Fills the cases' scores, the groups, the total,
 * the cap, the pass mark, the worst verdict and the message. */
void score_report(const struct exercise *exercise, const size_t group_totals[GROUP_COUNT],
                  struct report *report);

/* The same without the message, with all points for speed: no report of these other cases has more,
 * whatever becomes of the speed case, which counts as it stands in the report for the rest. */
void score_best(const struct exercise *exercise, const size_t group_totals[GROUP_COUNT],
                struct report *report);
/* Takes back what score_best() has filled, so that the report can be scored again. */
void score_forget(struct report *report);

/* The hazard that explains a case's verdict: its first error, else NULL. judge.h puts the one that
 * decided the verdict there. */
const struct hazard *score_main_hazard(const struct report_case *the_case);

#endif

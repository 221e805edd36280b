/* The report of a grading: one function a stage, in the order in which they run. A field belongs to
 * one stage, and no stage reads what a later one fills:
 *
 *     stage     function              fields
 *     exercise  grade_report_begin    exercise title language file source sha256 seed environment
 *     jail      grade.c               protection
 *     plan      grade_report_plan     of each case: name group sizes
 *     build     grade_report_build    compiler diagnostics constants; where it does not compile,
 *               grade_report_refuse   build_message build_hint, and the verdict of every case
 *     run       judge.h, through      of each case: verdict message hint difference tolerance
 *               grade_case.c          hazards counters printed found_on_card wall_ms
 *               grade_speed.c         of the speed case: time speed
 *               grade_report_engine   engine
 *     cause     grade_cause.h         of at most one case: cause
 *     score     score_report          scores, groups, gates, pass mark, verdict, message
 *     report    grade_submission      wall_ms */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_REPORT_H
#define WARPGRADE_GRADER_GRADE_GRADE_REPORT_H

#include "grader/cases/plan.h"
#include "grader/grade/grade.h"

/* What is known before anything is run. Free with report_free(). */
struct report *grade_report_begin(const struct exercise *exercise, enum language language,
                                  const struct grade_source *source, uint64_t seed, unsigned cpus);
/* Sizes as reports have them; the caller frees each name and the list. */
struct report_size *grade_report_sizes(const struct exercise_size *sizes, size_t count);
/* A case each of the plan, not judged yet. */
void grade_report_plan(const struct plan *plan, struct report *report);
/* What the compiler said. */
void grade_report_build(const struct exercise *exercise, enum language language,
                        const struct grade_kernel *kernel, struct report *report);
/* The kernel was refused, by the build or, after the cases were run, by ptxas: what does not
 * compile has no case that counts, whatever was found of it before that was known. */
void grade_report_refuse(const struct exercise *exercise, enum language language,
                         const char *message, const char *hint, struct report *report);
/* Those that had a part in the report; `confirmed`: cases ran on a card as well. */
void grade_report_engine(bool simulates, bool confirmed, struct report *report);

#endif

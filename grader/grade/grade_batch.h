/* Small launches of several cases, run ahead in one worker; private to grade*.c.
 *
 * What a case does does not change: it asks for a launch, and finds here what that launch gave, or
 * runs it by itself. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_BATCH_H
#define WARPGRADE_GRADER_GRADE_GRADE_BATCH_H

#include "grader/grade/grade_private.h"
#include "grader/judge/judge.h"

struct grade_batch;

/* Cases that one batch takes. */
enum { GRADE_BATCH_CASES = 32 };

/* Runs what the cases `indices` will ask for first: in the natural order and, where the launch is
 * clean and that can matter, in others; of an unoptimised build (`cases` says what the
 * optimised one executed) only the former. */
struct grade_batch *grade_batch_run(const struct grade_run *run, bool unoptimised,
                                    const struct report_case *cases, const size_t *indices,
                                    size_t count);
/* The launch of case `index` with this seed: true once, with the data area as it was left and the
 * result, which is the caller's. `batch` may be NULL. */
bool grade_batch_take(struct grade_batch *batch, size_t index, uint64_t seed, uint64_t budget,
                      void *after, struct engine_result *result);
/* The same of launch `first` over other poison, into `data`. The first one that is asked for runs
 * those that the other cases of the batch will ask for with it, in one worker. */
bool grade_batch_take_again(const struct grade_run *run, size_t index,
                            const struct engine_launch *first, void *data,
                            struct engine_result *result);
void grade_batch_free(struct grade_batch *batch);

/* What there is to judge a launch by; `answer` may be NULL. */
struct judge_evidence grade_evidence(const struct grade_run *run, const struct plan_launch *launch,
                                     const void *before, const void *after,
                                     const struct engine_result *result,
                                     const struct oracle_answer *answer);

#endif

/* Did the launch of the speed case do the work that it is given points for? Its outputs beside
 * those of the tuned kernel, which had the same data. Pure.
 *
 * What a kernel computes is judged in the other cases, against the reference and with the
 * exercise's tolerance. Here the question is only whether it still computes at this size: one that
 * leaves out the work when it sees the large n must not get points for being fast. The reference is
 * too slow for these sizes, so the tuned kernel stands in for it, and the bound is wide. */
#ifndef WARPGRADE_GRADER_SPEED_CHECK_H
#define WARPGRADE_GRADER_SPEED_CHECK_H

#include "grader/plan.h"

struct speed_outputs {
    const struct plan_launch *launch;
    const void *data; /* after the launch */
    bool sampled;     /* not every block ran */
};

enum speed_work {
    SPEED_WORK_DONE,
    SPEED_WORK_UNSEEN, /* nothing was written: another sample of blocks would tell more */
    SPEED_WORK_WRONG,
};

/* Of sampled launches only elements of `out` buffers are compared, and only those that every
 * sampled one of both has written; an `inout` buffer may hold a sum to which only some blocks
 * added. For SPEED_WORK_WRONG, *output and *index say where, *actual and *expected what. */
enum speed_work speed_check(const struct exercise *exercise, const struct exercise_fill *fills,
                            const struct speed_outputs *submission,
                            const struct speed_outputs *tuned, size_t *output, uint64_t *index,
                            double *actual, double *expected);

#endif

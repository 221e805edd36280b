/* Did the launch of the speed case do the work that it is given points for? Its outputs beside
 * those of the tuned kernel, which had the same data. Pure.
 *
 * What a kernel computes is judged in the other cases, against the reference and with the
 * exercise's tolerance. Here the question is only whether it still computes at this size: one that
 * leaves out the work when it sees the large n must not get points for being fast. The reference is
 * too slow for these sizes, so the tuned kernel stands in for it, and the bound is wide. */
#ifndef WARPGRADE_GRADER_JUDGE_SPEED_CHECK_H
#define WARPGRADE_GRADER_JUDGE_SPEED_CHECK_H

#include "grader/cases/plan.h"

struct speed_outputs {
    const struct plan_launch *launch;
    const void *data; /* after the launch, of which every block ran */
};

struct speed_difference {
    size_t output; /* parameter */
    uint64_t index;
    double actual, expected;
    bool unwritten; /* it holds the poison, in a type of four bytes or more: a value there by chance
                       would be none of the expected ones */
};

/* False where an element that the tuned kernel wrote differs: the first one is in *found. */
bool speed_check(const struct exercise *exercise, const struct plan_case *the_case,
                 const struct speed_outputs *submission, const struct speed_outputs *tuned,
                 struct speed_difference *found);

#endif

/* Schedules: the orders in which blocks and warps start, each named by a seed of engine_launch.
 *
 * Hardware promises no order. A kernel is therefore also run in others than the natural one, and
 * what it then does otherwise (a hazard, another result) is joined to what was seen first. */
#ifndef WARPGRADE_GRADER_CASES_SCHEDULE_H
#define WARPGRADE_GRADER_CASES_SCHEDULE_H

#include "sandbox/base/launch.h"

/* Schedule `number` of a secret: 0 is the natural order, whose seed is 0; all others are odd, so
 * that also two blocks, or two warps, change places. */
uint64_t schedule_seed(uint64_t secret, unsigned number);

/* May the result depend on the schedule? Where blocks can see each other, and where warps of one
 * block meet in atomic operations. */
bool schedule_matters(const struct engine_result *result);

/* Are both the same finding? Which of a pair's two lines comes first depends on the schedule. */
bool schedule_same_hazard(const struct hazard *left, const struct hazard *right);

/* Appends to the mem_alloc'ed list what `others` know and it does not, each with the sentence
 * `note` after its message; at most ENGINE_MAX_HAZARDS in all. True where something was. */
bool schedule_join_hazards(struct hazard **list, size_t *count, const struct hazard *others,
                           size_t other_count, const char *note);

/* The first element in which two data areas of one launch differ. */
struct schedule_difference {
    size_t argument;
    uint64_t index; /* of the element in the argument */
};
bool schedule_compare(const struct engine_argument *arguments, size_t count, const void *left,
                      const void *right, struct schedule_difference *difference);

#endif

/* Large buffers as rules instead of bytes: a seed and two bounds, from which a card makes all
 * elements of a buffer, and the simulated device those that are touched. */
#ifndef WARPGRADE_GRADER_CASES_RULES_H
#define WARPGRADE_GRADER_CASES_RULES_H

#include "grader/cases/plan.h"

enum plan_rules {
    PLAN_RULES_ON_CARD,   /* outputs come back, and have a place in the data area */
    PLAN_RULES_ON_DEMAND, /* no buffer with a rule has bytes; constant memory has no rule, nor has
                             on the reference's side what is constant memory on the other */
};

/* Gives the buffers of a launch of the plan's only case rules where their fills are functions of
 * an element's index, and a place in the data area those that are sent or come back:
 * launch->data_length becomes what these take. The others (formulas, permutations) stay bytes. */
void plan_use_rules(const struct plan *plan, enum plan_rules rules, struct plan_launch *launch);

#endif

/* Two launches that must have said the same, with other numbers of host threads say. */
#ifndef WARPGRADE_TESTS_SUPPORT_SAME_RESULTS_H
#define WARPGRADE_TESTS_SUPPORT_SAME_RESULTS_H

#include "sandbox/base/launch.h"

/* NULL where ends, hazards with their examples, counters by line and what was printed are the same;
 * else what is not. */
const char *results_difference(const struct engine_result *a, const struct engine_result *b);

#endif

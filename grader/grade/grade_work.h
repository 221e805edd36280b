/* Inside the judge's flow: the amount of work at the sizes at which times are modelled. Pure. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_WORK_H
#define WARPGRADE_GRADER_GRADE_GRADE_WORK_H

#include "sandbox/base/launch.h"

/* Whether the work of a kernel grows from the sizes of the case, where `whole` was counted, as that
 * of the tuned kernel. */
bool grade_work_grows(const struct counters *large, const struct counters *whole,
                      const struct counters *tuned_large, const struct counters *tuned_whole);

/* Whether its blocks are known to write about as many elements as those of the tuned kernel; true
 * where that is not known of the tuned kernel. */
bool grade_work_covers(const struct engine_result *large, const struct engine_result *tuned);

#endif

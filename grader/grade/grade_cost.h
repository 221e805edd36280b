/* What the pictures of the speed case need to know of its launches. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_COST_H
#define WARPGRADE_GRADER_GRADE_GRADE_COST_H

#include "reports/report.h"

/* The parts of the modelled time, the lines of `file` and the accesses. */
void grade_take_costs(const struct engine_result *result, const char *file,
                      struct report_speed *speed);
/* The roofline of the simulated device. Times are those that were measured, where that was done on
 * a card of its kind at the sizes that were simulated; speed->measured and `time` say so. */
void grade_take_roofline(const struct engine_result *result, const struct engine_result *tuned,
                         const struct device_profile *device, const struct report_time *time,
                         struct report_speed *speed);

#endif

/* Units stay in their order: what was read first is judged first. */
#include "grader/cluster/grouping.h"

/* Two tasks for each place, so that places are filled to the end. */
static double target_seconds(double total, size_t together) {
    double target = total / (2.0 * (double)(together ? together : GROUPING_TASKS));
    return target < GROUPING_LEAST_SECONDS  ? GROUPING_LEAST_SECONDS
           : target > GROUPING_MOST_SECONDS ? GROUPING_MOST_SECONDS
                                            : target;
}

size_t grouping_make(struct grouping_unit *units, size_t count, size_t together) {
    double total = 0, filled = 0;
    for (size_t i = 0; i < count; i++)
        total += units[i].seconds;
    double target = target_seconds(total, together);
    size_t tasks = 0, in_task = 0;
    for (size_t i = 0; i < count; i++) {
        bool fits = in_task > 0 && in_task < GROUPING_MOST_UNITS && !units[i].alone &&
                    !units[i - 1].alone && filled + units[i].seconds <= target;
        if (!fits) {
            tasks++;
            in_task = 0;
            filled = 0;
        }
        units[i].task = tasks - 1;
        filled += units[i].seconds;
        in_task++;
    }
    return tasks;
}

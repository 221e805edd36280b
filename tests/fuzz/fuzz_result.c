/* The checks of fuzz_result.h. */
#include "fuzz_result.h"

#include "grader/exercise/device.h"
#include "tests/support/same_results.h"

#include <stdio.h>
#include <stdlib.h>

void fuzz_demand(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

void fuzz_check(const struct engine_result *result, uint64_t budget) {
    fuzz_demand(result->end == ENGINE_COMPLETED || result->end == ENGINE_REFUSED, "no proper end");
    fuzz_demand(result->end != ENGINE_REFUSED || result->message[0], "refused without a reason");
    /* a turn ends at a backward branch: what runs on a straight line may go beyond the budget */
    fuzz_demand(result->counters.thread_instructions <= 4 * budget, "far beyond the budget");
    for (size_t i = 0; i < result->hazard_count; i++)
        fuzz_demand(result->hazards[i].count && result->hazards[i].message[0], "an empty hazard");
}

const struct device_profile *fuzz_device(unsigned which) {
    static const char *const names[] = {"h200", "t4", "a100"};
    static struct device_profile devices[3];
    struct device_profile *device = &devices[which % 3];
    struct error error = {0};
    if (!device->multiprocessors)
        fuzz_demand(device_load(names[which % 3], device, &error) == STATUS_OK, error.message);
    return device;
}

void fuzz_compare(const struct engine_result *a, const struct engine_result *b) {
    const char *difference = results_difference(a, b);
    if (difference)
        fprintf(stderr, "fuzz: host threads change %s\n", difference);
    for (size_t i = 0; difference && i < a->hazard_count && i < b->hazard_count; i++)
        fprintf(stderr, "%s\n%s\n", a->hazards[i].message, b->hazards[i].message);
    fuzz_demand(!difference, "threads change the report");
}

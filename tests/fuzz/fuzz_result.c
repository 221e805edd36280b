/* The checks of fuzz_result.h. */
#include "fuzz_result.h"

#include "grader/exercise/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const struct device_profile *fuzz_device(void) {
    static struct device_profile device;
    struct error error = {0};
    if (!device.multiprocessors)
        fuzz_demand(device_load("h200", &device, &error) == STATUS_OK, error.message);
    return &device;
}

void fuzz_compare(const struct engine_result *a, const struct engine_result *b) {
    fuzz_demand(a->end == b->end && strcmp(a->message, b->message) == 0, "threads change the end");
    fuzz_demand(a->hazard_count == b->hazard_count, "threads change the number of hazards");
    for (size_t i = 0; i < a->hazard_count; i++)
        fuzz_demand(a->hazards[i].kind == b->hazards[i].kind &&
                        a->hazards[i].count == b->hazards[i].count &&
                        strcmp(a->hazards[i].message, b->hazards[i].message) == 0,
                    "threads change a hazard");
    fuzz_demand(a->hazard_count || memcmp(&a->counters, &b->counters, sizeof a->counters) == 0,
                "threads change a counter");
    fuzz_demand(strcmp(text_string(&a->printed), text_string(&b->printed)) == 0,
                "threads change what is printed");
}

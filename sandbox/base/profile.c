/* The figures of a sampled launch: their names, and which of them is known least. */
#include "sandbox/base/profile.h"

#include <math.h>

const char *const sampled_figure_names[SAMPLED_FIGURE_COUNT] = {
#define SAMPLED_FIGURE(id, source, summary) #id,
#include "sandbox/base/sampled_figure.def"
#undef SAMPLED_FIGURE
};

enum { SOURCE_caches = false, SOURCE_blocks = true };

const bool sampled_figure_of_blocks[SAMPLED_FIGURE_COUNT] = {
#define SAMPLED_FIGURE(id, source, summary) SOURCE_##source,
#include "sandbox/base/sampled_figure.def"
#undef SAMPLED_FIGURE
};

enum sampled_figure profile_least_certain(const double errors[SAMPLED_FIGURE_COUNT]) {
    enum sampled_figure worst = 0;
    for (unsigned i = 1; i < SAMPLED_FIGURE_COUNT; i++)
        if (errors[i] > errors[worst])
            worst = (enum sampled_figure)i;
    return worst;
}

double profile_largest_error(const double errors[SAMPLED_FIGURE_COUNT]) {
    return errors[profile_least_certain(errors)];
}

double profile_time_error(const struct launch_profile *profile) {
    const struct cost_estimate *estimate = &profile->estimate;
    double error = 0;
    for (unsigned i = 0; i < SAMPLED_FIGURE_COUNT; i++)
        if (sampled_figure_of_blocks[i] && profile->errors[i] > error)
            error = profile->errors[i];
    if (estimate->ms <= 0)
        return error;
    double dram = fmin(1, estimate->part_ms[PART_dram] / estimate->ms);
    return fmax(error, dram * profile->errors[SAMPLED_dram_bytes]);
}

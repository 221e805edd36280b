/* What a launch with a device profile says besides its counters: how much of the grid was
 * simulated, how many blocks an SM holds, and the modelled time. */
#ifndef WARPGRADE_SANDBOX_BASE_PROFILE_H
#define WARPGRADE_SANDBOX_BASE_PROFILE_H

#include "sandbox/base/occupancy.h"

#include <stdbool.h>
#include <stdint.h>

enum cost_part {
#define COST_PART(id, label, summary) PART_##id,
#include "sandbox/base/cost_part.def"
#undef COST_PART
    COST_PART_COUNT
};

/* Always called modelled where it is shown. */
struct cost_estimate {
    double ms;
    enum cost_part limiter;          /* the part that takes the longest */
    double part_ms[COST_PART_COUNT]; /* each part's time if it were alone */
};

enum sampling {
#define SAMPLING(id, label, summary) SAMPLING_##id,
#include "sandbox/base/sampling.def"
#undef SAMPLING
    SAMPLING_COUNT
};

/* What sampling leaves uncertain, figure by figure. */
enum sampled_figure {
#define SAMPLED_FIGURE(id, source, summary) SAMPLED_##id,
#include "sandbox/base/sampled_figure.def"
#undef SAMPLED_FIGURE
    SAMPLED_FIGURE_COUNT
};
extern const char *const sampled_figure_names[SAMPLED_FIGURE_COUNT]; /* "dram_bytes" */
extern const bool sampled_figure_of_blocks[SAMPLED_FIGURE_COUNT];    /* each block's own */

struct launch_profile {
    bool present;
    uint64_t blocks, blocks_simulated;
    enum sampling sampling; /* whether there was a sample, and if not, why */
    /* Standard errors, as shares; 0 where all blocks were simulated. They are what chance does, and
     * do not hold what the cache model itself may be off by. */
    double errors[SAMPLED_FIGURE_COUNT];
    struct occupancy occupancy;
    struct cost_estimate estimate;
};

/* The figure of the largest standard error, and that error. */
enum sampled_figure profile_least_certain(const double errors[SAMPLED_FIGURE_COUNT]);
double profile_largest_error(const double errors[SAMPLED_FIGURE_COUNT]);
/* How far off the modelled time may be by the blocks that were drawn, as a share: a standard error.
 * What device memory moves counts as far as the time rests on it: a table that is read once and
 * then found in the L2 is hard to estimate and matters little. */
double profile_time_error(const struct launch_profile *profile);
/* The standard error up to which a figure is shown without it. */
#define PROFILE_CERTAIN 0.05

#endif

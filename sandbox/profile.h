/* What a launch with a device profile says besides its counters: how much of the grid was
 * simulated, how many blocks an SM holds, and the modelled time. */
#ifndef WARPGRADE_SANDBOX_PROFILE_H
#define WARPGRADE_SANDBOX_PROFILE_H

#include "sandbox/simgpu/occupancy.h"

#include <stdbool.h>
#include <stdint.h>

enum cost_part {
#define COST_PART(id, label, summary) PART_##id,
#include "sandbox/cost_part.def"
#undef COST_PART
    COST_PART_COUNT
};

/* Always called modelled where it is shown. */
struct cost_estimate {
    double ms;
    enum cost_part limiter;          /* the part that takes the longest */
    double part_ms[COST_PART_COUNT]; /* each part's time if it were alone */
};

struct launch_profile {
    bool present;
    uint64_t blocks, blocks_simulated;
    double relative_error; /* standard error of the scaled counters; 0: all blocks were simulated */
    struct occupancy occupancy;
    struct cost_estimate estimate;
};

#endif

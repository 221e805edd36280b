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

enum sampling {
#define SAMPLING(id, label, summary) SAMPLING_##id,
#include "sandbox/sampling.def"
#undef SAMPLING
    SAMPLING_COUNT
};

struct launch_profile {
    bool present;
    uint64_t blocks, blocks_simulated;
    enum sampling sampling; /* whether there was a sample, and if not, why */
    /* Standard error, as a share, of what is scaled block by block: instructions, requests and
     * sectors of global memory and of the L2, wavefronts. DRAM sectors and ideal bytes depend on
     * what blocks share, which a sample shows in part only: they are estimates (capture.c) without
     * an error. 0: all blocks were simulated. */
    double relative_error;
    struct occupancy occupancy;
    struct cost_estimate estimate;
};

#endif

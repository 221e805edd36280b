/* Theoretical occupancy: how many warps of a kernel fit on a multiprocessor at once. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_OCCUPANCY_H
#define WARPGRADE_SANDBOX_SIMGPU_OCCUPANCY_H

#include <stdint.h>

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_COUNT };
extern const char *const occupancy_limit_names[LIMIT_COUNT];

struct occupancy {
    unsigned blocks_per_sm; /* 0: a block does not fit at all */
    unsigned warps_per_sm;
    double theoretical;         /* warps_per_sm over what the SM can hold, 0..1 */
    enum occupancy_limit limit; /* what allows the fewest blocks */
};

/* `sm` is 75, 80, 86, 87, 89 or 90 (others are treated as the nearest below); shared_bytes is
 * static plus dynamic, a block. Formulas: NVIDIA's CUDA occupancy calculator, as checked against
 * Nsight Compute's launch__occupancy_limit_*. */
struct occupancy occupancy_compute(unsigned sm, unsigned threads_per_block,
                                   unsigned registers_per_thread, uint64_t shared_bytes);

#endif

/* Theoretical occupancy: how many warps of a kernel fit on a multiprocessor at once. */
#ifndef WARPGRADE_SANDBOX_BASE_OCCUPANCY_H
#define WARPGRADE_SANDBOX_BASE_OCCUPANCY_H

#include "sandbox/base/device.h"

#include <stdbool.h>
#include <stdint.h>

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_COUNT };
extern const char *const occupancy_limit_names[LIMIT_COUNT];

struct occupancy {
    unsigned blocks_per_sm; /* 0: a block does not fit at all */
    unsigned warps_per_sm;
    double theoretical;           /* warps_per_sm over what the SM can hold, 0..1 */
    enum occupancy_limit limit;   /* what allows the fewest blocks */
    unsigned limits[LIMIT_COUNT]; /* blocks that each resource allows */
};

/* What a multiprocessor has to give. */
struct occupancy_capacity {
    unsigned compute_capability;
    uint64_t warps, blocks, registers, register_unit, schedulers;
    uint64_t shared_bytes, shared_block_bytes, shared_reserved_bytes, shared_unit_bytes;
};

struct occupancy_capacity occupancy_capacity_of(const struct device_profile *device);
/* By compute capability, where no device is given: 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120
 * or 121; others are treated as the nearest below, and those below 75 as 75. */
struct occupancy_capacity occupancy_capacity_for(unsigned compute_capability);

/* shared_bytes is static plus dynamic, a block; registers 0: unknown, they limit nothing. Formulas:
 * NVIDIA's CUDA occupancy calculator, as checked against Nsight Compute's
 * launch__occupancy_limit_*. */
struct occupancy occupancy_compute(const struct occupancy_capacity *capacity,
                                   unsigned threads_per_block, unsigned registers_per_thread,
                                   uint64_t shared_bytes);

/* Registers of a block, as they are given out; a launch with more than OCCUPANCY_BLOCK_REGISTERS
 * fails on any device of compute capability 7.0 or newer. */
enum { OCCUPANCY_BLOCK_REGISTERS = 65536 };
uint64_t occupancy_block_registers(uint64_t threads_per_block, unsigned registers_per_thread);

#endif

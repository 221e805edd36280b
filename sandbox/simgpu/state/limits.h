/* How much the race detector may remember before it does something about it. A launch has the
 * default limits; tests give small ones, so that a small kernel comes to every one of them. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_LIMITS_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_LIMITS_H

#include <stdint.h>

struct sim_limits {
    uint32_t records;        /* of global memory; a multiple of 64 */
    uint32_t shared_records; /* of one block, between two of its barriers */
    uint32_t first_look;     /* this many of them before those that nothing leads to are given up */
    uint32_t slices;         /* of the memory, where there are more records; a power of two */
    uint32_t hb_nodes;       /* of what threads know, beside those that the memory allows */
};
extern const struct sim_limits sim_default_limits;

#endif

/* The way from a device address to host bytes, and every check on it.
 *
 * Executors try the fast path first: the shape of an access (see struct access_shape) says at once
 * whether all its lanes lie inside one allocation, are aligned and initialised. Every other access
 * goes to memory_check(), lane by lane, where hazards are found and named. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_MEMORY_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_MEMORY_H

#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/warp.h"

/* Reports what is wrong with the lanes' access and returns the lanes that may do it. A lane that
 * reads uninitialised bytes is reported and may go on. */
lane_mask memory_check(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store);

/* Fills the shape of an access; false where the lanes lie too far apart to have one. */
bool memory_shape(struct access_shape *shape, lane_mask lanes, const device_address *addresses,
                  unsigned bytes);
/* Of a shape: what makes accesses quick that have it again. */
void memory_arrange(struct access_shape *shape, unsigned bytes);
/* Is it the shape of this access, too? */
static inline bool memory_same_shape(const struct access_shape *shape, lane_mask lanes,
                                     const device_address *addresses) {
    if (!shape->valid || shape->lanes != lanes)
        return false;
    device_address base = addresses[shape->first_lane];
    uint64_t difference = 0;
    if (lanes == UINT32_MAX) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            difference |= (addresses[lane] - base) ^ (uint64_t)(int64_t)shape->delta[lane];
    } else {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            difference |= lanes >> lane & 1
                              ? (addresses[lane] - base) ^ (uint64_t)(int64_t)shape->delta[lane]
                              : 0;
    }
    return difference == 0;
}

#endif

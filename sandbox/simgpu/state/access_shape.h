/* Where a warp's lanes lie in one access, seen from its first lane. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_ACCESS_SHAPE_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_ACCESS_SHAPE_H

#include "sandbox/base/types.h"

/* The shape of an instruction's last access: most accesses have the shape of the one before, moved
 * as a whole, so that bounds, sectors and wavefronts follow from the first lane's address. */
struct access_shape {
    int32_t delta[WARP_LANES]; /* from the first active lane's address */
    lane_mask lanes;
    int32_t lowest, highest;
    uint16_t misaligned; /* or of the deltas' low bits */
    uint8_t first_lane;
    uint8_t contiguous;         /* delta[i] = i * bytes, all lanes active */
    uint8_t uniform;            /* all deltas 0 */
    uint8_t unique_count;       /* distinct deltas ... */
    uint8_t unique[WARP_LANES]; /* ... and a lane of each */
    lane_mask unique_shared;    /* bit i: unique[i] stands for several lanes */
    uint8_t active_count;       /* lanes; more than unique_count where some share an address */
    uint8_t ideal_sectors;
    uint8_t groups; /* of lanes that shared memory serves together; with the wavefronts */
    bool valid;
    /* by the first address modulo their length; 0: not counted yet */
    uint8_t sectors[32], wavefronts[4];
    uint16_t local_sectors[4];
    uint8_t wide_wavefronts[2]; /* of 8 and of 16 bytes a lane; 0: not counted yet */
};

#endif

/* Where a warp's lanes lie in one access, seen from its first lane. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_ACCESS_SHAPE_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_ACCESS_SHAPE_H

#include "sandbox/base/types.h"

struct warp;

/* Distinct addresses of an access that lie side by side. */
struct address_stretch {
    int32_t delta;        /* of the lowest one */
    uint8_t first, count; /* in access_shape.marks */
};
enum { MAX_STRETCHES = 4, SEVERAL_LANES = 32 };

/* The shape of an instruction's last access: most accesses have the shape of the one before, moved
 * as a whole, so that bounds, sectors and wavefronts follow from the first lane's address. */
struct access_shape {
    int32_t delta[WARP_LANES]; /* from the first active lane's address */
    /* what every access looks at, in one cache line */
    lane_mask lanes;
    int32_t lowest, highest;
    uint16_t misaligned; /* or of the deltas' low bits */
    uint8_t first_lane;
    uint8_t contiguous;   /* delta[i] = i * bytes, all lanes active */
    uint8_t uniform;      /* all deltas 0 */
    uint8_t unique_count; /* distinct deltas */
    uint8_t active_count; /* lanes; more than unique_count where some share an address */
    bool valid;
    bool arranged; /* memory_arrange() was here, when an access had the shape for the second time */
    uint8_t part_lanes;      /* all lanes read, in groups of 32, 16, 8 or 4, each one address or
                                neighbours in order; 0: they do not */
    uint8_t stretch_count;   /* 0: more than MAX_STRETCHES */
    uint8_t groups;          /* of lanes that shared memory serves together; with the wavefronts */
    uint8_t wavefronts[4];   /* by the first address modulo 4; 0: not counted yet */
    uint64_t last;           /* first address of the access before, where it was a load */
    const struct warp *user; /* who had it last, by an instruction that others share it with */
    lane_mask uniform_parts; /* bits of first lanes: of parts that read one address */
    struct address_stretch stretches[MAX_STRETCHES];
    uint8_t marks[WARP_LANES]; /* the last lane of each distinct address, in the order of addresses;
                                  plus SEVERAL_LANES, where it has others */
    uint8_t sectors[32];       /* by the first address modulo 32; 0: not counted yet */
    uint8_t ideal_sectors;
    uint8_t wide_wavefronts[2]; /* of 8 and of 16 bytes a lane; 0: not counted yet */
    uint8_t unique[WARP_LANES]; /* a lane of each distinct delta */
    lane_mask unique_shared;    /* bit i: unique[i] stands for several lanes */
    uint16_t local_sectors[4];  /* by the first address modulo 4; 0: not counted yet */
};

#endif

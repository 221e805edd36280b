/* Which lines and sectors a warp's request touches. See cache_touched.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CACHE_TOUCHED_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CACHE_TOUCHED_H

#include "sandbox/simgpu/state/warp.h"

struct memory_system;

struct touched {
    uint32_t line;
    uint32_t window; /* 0: local memory */
    uint32_t place;  /* in an L1: where it may be */
    uint8_t sectors;
};

enum { TOUCHED_NONE = UINT16_MAX };

struct touched_list {
    struct touched lines[9 * WARP_LANES]; /* 32 bytes of local memory are in this many of them */
    uint16_t newest[256]; /* by the line's last bits: the line that came last, or TOUCHED_NONE */
    unsigned count;
    uint32_t reader; /* the block that is known to read all of them; CAPTURE_NONE: none */
};

/* A scattered request: each lane's access lies within one sector. */
struct touched_request {
    uint64_t sectors[WARP_LANES]; /* addresses over the bytes of a sector */
    lane_mask lanes;              /* 0: there is none */
    struct touched_list list;
};
enum { TOUCHED_REQUESTS = 4 };

/* Whether all lanes are active, each with the bytes after those of the one before. */
bool cache_touched_contiguous(lane_mask lanes, const device_address *addresses, unsigned bytes);
/* Bytes one after the other; at most LINE_BYTES of them a lane of a warp. */
void cache_touched_span(const struct memory_system *system, struct touched_list *list,
                        device_address address, unsigned bytes);
/* Returns the list, which is `fresh` or one that the memory system keeps until the next request. */
struct touched_list *cache_touched_global(struct memory_system *system, struct touched_list *fresh,
                                          lane_mask lanes, const device_address *addresses,
                                          unsigned bytes);
void cache_touched_local(const struct warp *warp, struct touched_list *list, lane_mask lanes,
                         const device_address *addresses, unsigned bytes);

#endif

/* Between hb_graph.c and hb_graph_gc.c: the knots themselves. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_PRIVATE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_PRIVATE_H

#include "sandbox/simgpu/check/hb_graph.h"

#include <stddef.h>

enum {
    KNOT_FORGOTTEN = 1, /* the number that stands for all that was given up; 0: nothing */
    MAX_KNOTS = 1 << 22,
    ROOM_FOR_EVENT = 1 << 11, /* knots that one event makes at most: a barrier of 32 warps */
    MIN_KNOTS = 8 * ROOM_FOR_EVENT,
};

enum knot_kind {
    KNOT_FENCE = 1,
    KNOT_LEARN, /* lanes learn what lanes `from` have in `of`; 0: each of the lane `apart` from it
                 */
    KNOT_BELOW, /* each of the lanes learns what those of them below it have in `of` */
    KNOT_SHARE, /* lanes learn what the others of them have in `older` and did until `until` */
    KNOT_KNOWN, /* lanes `from` know of accesses of these lanes */
};

struct knot {
    uint32_t time; /* when it was made: all that it leads to was before */
    uint32_t older;
    union {
        uint32_t of, until, full_time;
    };
    union {
        lane_mask from;
        uint32_t barrier_time;
    };
    lane_mask lanes;
    uint32_t block;
    uint8_t kind, warp, apart;
    lane_mask seen; /* by the search that is going on */
};

static inline bool leads_further(const struct knot *knot) {
    return knot->kind == KNOT_LEARN || knot->kind == KNOT_BELOW;
}

struct knowledge {
    struct knot *knots;
    uint32_t next, base, limit; /* numbers; MAX_KNOTS at most */
    uint32_t time;
    uint32_t forgotten_until; /* when the last of those that were given up was made */
    struct sync_pages *pages;
    uint32_t *heap; /* of the search that is going on */
    size_t heap_capacity;
};

#endif

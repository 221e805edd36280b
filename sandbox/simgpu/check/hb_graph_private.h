/* Between hb_graph.c and hb_graph_gc.c: the nodes themselves. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_PRIVATE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_PRIVATE_H

#include "sandbox/simgpu/check/hb_graph.h"

#include <stddef.h>

enum {
    HB_NODE_FORGOTTEN = 1, /* the number that stands for all that was given up; 0: nothing */
    MAX_HB_NODES = 1 << 22,
    ROOM_FOR_EVENT = 1 << 11, /* nodes that one event makes at most: a barrier of 32 warps */
    MIN_HB_NODES = 8 * ROOM_FOR_EVENT,
};

enum hb_node_kind {
    HB_NODE_FENCE = 1,
    HB_NODE_ACQUIRE, /* lanes learn what lanes `from` have in `of`; 0: each of the lane `apart` from
                      * it
                      */
    HB_NODE_ACQUIRE_BELOW, /* each of the lanes learns what those of them below it have in `of` */
    HB_NODE_JOIN,  /* lanes learn what the others of them have in `older` and did until `until` */
    HB_NODE_KNOWN, /* lanes `from` know of accesses of these lanes */
};

struct hb_node {
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

static inline bool leads_further(const struct hb_node *node) {
    return node->kind == HB_NODE_ACQUIRE || node->kind == HB_NODE_ACQUIRE_BELOW;
}

struct hb_graph {
    struct hb_node *nodes;
    uint32_t next, base, limit; /* numbers; MAX_HB_NODES at most */
    uint32_t time;
    uint32_t forgotten_until; /* when the last of those that were given up was made */
    struct hb_pages *pages;
    struct hb_clock *clock;
    uint64_t looked_at; /* nodes, by all searches */
    uint32_t *heap;     /* of the search that is going on */
    size_t heap_capacity;
};

#endif

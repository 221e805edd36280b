/* Splits (lanes of a warp that share a program counter) and the joins at which they meet.
 *
 * A warp starts as one split; a divergent branch makes two, which meet again at a join, the
 * branch's immediate post-dominator. Splits of one warp take turns, so that a lane can wait for
 * another lane of its own warp, as on Volta and later. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_SPLIT_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_SPLIT_H

#include "sandbox/simgpu/state/frame.h"

/* Where splits meet: at pc of the same frame, or at the return of that frame (pc == PC_NONE). */
struct join {
    struct join *parent;
    uint32_t pc;
    struct frame *frame;
    lane_mask expected; /* lanes that are still to come or have come */
    lane_mask arrived;
    uint32_t passed;              /* of the split that came last */
    struct join *next, *previous; /* all joins of the warp */
};

enum split_state {
    SPLIT_RUNNABLE,
    SPLIT_AT_BARRIER,
    SPLIT_AT_WARP_SYNC,
};

/* A location that a split polls, and what it has found there. */
struct poll_place {
    uint32_t pc;
    uint64_t address, value;
};
enum { POLL_PLACES = 4 };

struct split {
    uint32_t pc;
    lane_mask lanes;
    enum split_state state;
    struct join *join;
    struct frame *frame;
    uint8_t barrier;        /* AT_BARRIER: id */
    uint32_t barrier_count; /* threads it waits for; 0: the whole block */
    lane_mask sync_mask;    /* AT_WARP_SYNC: lanes its masks name */
    uint32_t passed;        /* pc of the last conditional branch or join it came by */
    uint8_t naps;           /* turns that it leaves out while `polled` stays as it is, see poll.c */
    bool dozed;             /* it has slept in this loop ... */
    uint32_t decider;       /* ... which goes on by this comparison; or PC_NONE */
    uint8_t polled_count;
    struct poll_place polled[POLL_PLACES];
};

#endif

/* Who polls what in a block that is watched, and what is said when it never ends. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STUCK_REPORT_H
#define WARPGRADE_SANDBOX_SIMGPU_STUCK_REPORT_H

#include "sandbox/simgpu/machine.h"

enum { STUCK_POLLS = 4 };

struct stuck_block {
    struct block *block; /* NULL: none runs in this slot */
    uint64_t hash;       /* of its state when the window opened */
    bool changed;        /* it has done more than polling since */
    bool global;         /* it has read global memory since */
    lane_mask polled[MAX_WARPS];
    struct stuck_poll { /* the first few places that it polls at */
        uint32_t pc;
        unsigned warp, lane; /* of the first one there */
        uint64_t address, value;
        lane_mask lanes[MAX_WARPS];
    } polls[STUCK_POLLS];
    unsigned poll_count;
};

/* The warp has just polled by warp->poll. */
void stuck_note_poll(struct stuck_block *seen, const struct warp *warp, lane_mask lanes);
/* Has every lane that could run polled? */
bool stuck_all_poll(const struct stuck_block *seen);
/* `grid`: it takes all blocks to know that nobody can write. */
void stuck_report(const struct stuck_block *seen, bool grid);

#endif

/* Who polls what in a block that is watched, and what is said when it never ends. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_SPIN_DEADLOCK_REPORT_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_SPIN_DEADLOCK_REPORT_H

#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

enum { WATCHED_POLLS = 4 };

struct watched_block {
    struct block *block; /* NULL: none runs in this slot */
    uint64_t hash;       /* of its state when the window opened */
    bool changed;        /* it has done more than polling since */
    bool global;         /* it has read global memory since */
    lane_mask polled[MAX_WARPS];
    struct watched_poll { /* the first few locations that it polls at */
        uint32_t pc;
        unsigned warp, lane; /* of the first one there */
        uint64_t address, value;
        lane_mask lanes[MAX_WARPS];
    } polls[WATCHED_POLLS];
    unsigned poll_count;
    unsigned char *local; /* [warp]: as it was when the window opened; NULL: not kept */
    uint8_t *touched;     /* its bytes: how each was accessed first */
};

/* spin_deadlock_local.c: local memory of a block, one of `count`, while a window is open. */
void spin_deadlock_local_open(struct watched_block *watched, size_t count);
void spin_deadlock_local_close(struct watched_block *watched);
void spin_deadlock_local_touch(struct watched_block *watched, const struct warp *warp,
                               struct memory_location place, uint64_t bytes, bool store);
/* Are the bytes what they were that have been read before they were written? */
bool spin_deadlock_local_same(const struct watched_block *watched);

/* The warp has just polled by warp->poll. */
void spin_deadlock_note_poll(struct watched_block *watched, const struct warp *warp,
                             lane_mask lanes);
/* Has every lane that could run polled? */
bool spin_deadlock_all_poll(const struct watched_block *watched);
/* `grid`: it takes all blocks to know that no thread can write. */
void spin_deadlock_report(const struct watched_block *watched, bool grid);

#endif

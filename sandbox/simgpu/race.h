/* The door of the race detector: see race.c for the idea. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_RACE_H
#define WARPGRADE_SANDBOX_SIMGPU_RACE_H

#include "sandbox/simgpu/machine.h"

/* A cell says who touched a granule last: record number above, lane below. */
enum {
    CELL_SHIFT = 6,
    CELL_GROUP = 32,   /* not one lane but all lanes of the record */
    CELL_BLOCKS = 62,  /* threads of several blocks: the record is one of the first block's */
    CELL_SEVERAL = 63, /* more threads than a cell can name: the record is one of them */
};

/* What is tracked: shared memory of a block, or one allocation in global memory. */
struct race_window {
    uint32_t *writes, *reads; /* a cell a granule */
    uint32_t old;             /* cells below were before the block's last barrier: no conflict */
    uint8_t shift;            /* log2 of the granule's bytes */
    bool shared;
    uint32_t allocation; /* global: its window number */
    const unsigned char *bytes;
};

/* False where nothing is tracked: no checks, or memory that nothing may write. `number` is the
 * window of a global address. */
static inline bool race_find_window(const struct warp *warp, enum ptx_space space, uint64_t number,
                                    struct race_window *window) {
    const struct launch *launch = warp->block->launch;
    if (space == SPACE_SHARED) {
        const struct block *block = warp->block;
        if (!block->races.writes)
            return false;
        *window = (struct race_window){.writes = block->races.writes,
                                       .reads = block->races.reads,
                                       .old = block->races.first << CELL_SHIFT,
                                       .shift = launch->shared_granule,
                                       .shared = true,
                                       .bytes = block->shared};
        return true;
    }
    if (space != SPACE_GLOBAL)
        return false;
    const struct allocation *allocation = &launch->allocations[number];
    if (!allocation->writes)
        return false;
    *window = (struct race_window){.writes = allocation->writes,
                                   .reads = allocation->reads,
                                   .old = launch->first_global << CELL_SHIFT,
                                   .shift = launch->global_granule,
                                   .allocation = (uint32_t)number,
                                   .bytes = allocation->bytes};
    return true;
}

/* The record of this access, new or the same as the warp's last one by this instruction. 0: none.
 */
uint32_t race_record(struct warp *warp, const struct insn *insn, lane_mask lanes, bool shared,
                     bool store);

/* The cell for a granule that somebody has read in this interval and that `lane`, or (many) several
 * lanes of the record, read now. */
uint32_t race_join_reader(struct warp *warp, const struct race_window *window, uint32_t number,
                          unsigned lane, bool many, uint32_t before);

/* One lane's access to the granules at `offset`: compares with who was there and takes its place.
 */
void race_access_lane(struct warp *warp, const struct insn *insn, const struct race_window *window,
                      uint32_t record, unsigned lane, uint64_t offset, unsigned bytes, bool store);

/* The same for all lanes of an access, each with an address of its own, also in different spaces;
 * strong accesses (atomics, volatile and ordered ones) pass knowledge on, too. */
void race_access_slowly(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, unsigned bytes, bool store);

/* Synchronisation. Each orders what came before it with what comes after it. */
void race_block_barrier(struct block *block);
void race_arrive(struct warp *warp, unsigned barrier); /* bar.arrive: before it completes */
void race_partial_barrier(struct block *block, unsigned barrier, uint32_t waited, uint32_t arrived);
void race_warp_sync(struct warp *warp, lane_mask lanes);
/* Atomics, volatile and ordered accesses make an address an object that knowledge flows through. */
void race_fence(struct warp *warp, lane_mask lanes);
void race_strong_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, bool store);

void race_start_block(struct block *block);
void race_free_block(struct block *block);
void race_free_launch(struct launch *launch);

#endif

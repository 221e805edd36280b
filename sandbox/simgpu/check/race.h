/* The door of the race detector: see race.c for the idea. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_H

#include "sandbox/simgpu/check/hb_graph.h"
#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

/* What is tracked: shared memory of a block, or one allocation in global memory. Shared memory that
 * other blocks of a cluster reach is tracked as global memory is, across the block's barriers. */
struct race_window {
    struct race_cells *writes, *reads;
    uint32_t old; /* cells below were before the block's last barrier: no conflict */
    bool shared;
    bool alone;          /* no other host thread sees these cells */
    uint32_t allocation; /* global: its window number */
    const unsigned char *bytes;
    const struct block *owner; /* of a cluster's shared memory; NULL: it is none */
};
static inline bool race_window_is_shared(const struct race_window *window) {
    return window->shared || window->owner;
}

/* race_cluster.c: of a block of a cluster. */
bool race_cluster_window(const struct block *owner, struct race_window *window);

/* False where nothing is tracked: no checks, or memory that nothing may write. `number` is the
 * window of a global address; shared memory is the warp's own block's. */
static inline bool race_find_window(const struct warp *warp, enum ptx_space space, uint64_t number,
                                    struct race_window *window) {
    struct launch *launch = warp->block->launch;
    if (space == SPACE_SHARED) {
        struct block *block = warp->block;
        if (block->cluster)
            return race_cluster_window(block, window);
        if (!block->races.writes.words)
            return false;
        *window = (struct race_window){.writes = &block->races.writes,
                                       .reads = &block->races.reads,
                                       .old = block->races.first << CELL_SHIFT,
                                       .shared = true,
                                       .alone = true,
                                       .bytes = block->shared};
        return true;
    }
    if (space != SPACE_GLOBAL)
        return false;
    struct allocation *allocation = &launch->allocations[number];
    if (!allocation->writes.words)
        return false;
    *window = (struct race_window){.writes = &allocation->writes,
                                   .reads = &allocation->reads,
                                   .old = launch->first_global << CELL_SHIFT,
                                   .alone = launch->host_thread_count == 1,
                                   .allocation = (uint32_t)number,
                                   .bytes = allocation->bytes};
    return true;
}

/* The record of this access, new or the same as the warp's last one by this instruction. 0: none.
 * This may free records and renumber the window's old cells. */
uint32_t race_record(struct warp *warp, const struct insn *insn, lane_mask lanes,
                     struct race_window *window, bool store);

/* The cell for a word that a thread has read in this interval and that `lane`, or (many) several
 * lanes of the record, read now. Not for precise launches. */
uint32_t race_join_reader(struct warp *warp, const struct race_window *window, uint32_t number,
                          unsigned lane, bool many, uint64_t at, uint32_t before);

/* The same for neighbouring words, and stores the cells: a word's mark is `lane`, plus CELL_GROUP
 * where there are many. */
void race_join_neighbours(struct warp *warp, const struct race_window *window, uint32_t number,
                          const uint8_t *marks, uint64_t first, unsigned count);

/* The lanes' accesses to `bytes` bytes each at their offsets: compares with who was there and takes
 * its place. Neighbouring lanes in one word are taken together. */
void race_access_lanes(struct warp *warp, const struct insn *insn, const struct race_window *window,
                       uint32_t record, lane_mask lanes, const uint64_t *offsets, unsigned bytes,
                       bool store);

/* The same for all lanes of an access, each with an address of its own, also in different spaces;
 * strong accesses (atomics, volatile and ordered ones) publish and acquire, too. */
void race_access_slowly(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, unsigned bytes, bool store);

/* Synchronisation. Each orders what came before it with what comes after it. */
void race_block_barrier(struct block *block);
void race_arrive(struct warp *warp, unsigned barrier); /* bar.arrive: before it completes */
void race_partial_barrier(struct block *block, unsigned barrier, uint32_t waited, uint32_t arrived);
void race_warp_sync(struct warp *warp, lane_mask lanes);
/* Atomics, volatile and ordered accesses make an address a synchronisation object. */
void race_fence(struct warp *warp, const struct insn *insn, lane_mask lanes);
void race_strong_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, bool store);

/* race_cluster.c: clusters of several blocks. Of their barrier in two halves all threads that have
 * waited know what a thread did before it arrived. */
void race_cluster_start(struct cluster *cluster); /* when all its blocks have started */
void race_cluster_arrive(struct warp *warp, lane_mask lanes, bool relaxed);
void race_cluster_complete(struct cluster *cluster); /* before lanes are released */
/* Of the record's lanes, those whose access the barrier orders before what the lane does now. */
lane_mask race_cluster_ordered(const struct warp *warp, unsigned lane,
                               const struct access_record *record, lane_mask lanes);
/* At a fence: what the barrier has taught the warp, so that it can be passed on. */
void race_cluster_share(struct warp *warp);
/* The lanes are at shared memory, perhaps of other blocks, which must have started and must stay.
 */
void race_cluster_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses);
void race_cluster_end_block(struct block *block); /* all its threads have left */
void race_cluster_end(struct cluster *cluster);   /* all its blocks have ended */
void race_cluster_free(struct cluster *cluster);

void race_start_launch(struct launch *launch);
void race_start_block(struct block *block);
void race_free_block(struct block *block);
void race_free_launch(struct launch *launch);

/* ---- between race.c and its parts --------------------------------------------------------------
 */

/* race_gc.c: gives up records of shared memory that nothing leads to, where there are many. To
 * be called while no access is on its way. */
void race_gc_make_room(struct block *block);

/* race_acquire_release.c: what threads learn of each other through memory, see hb_graph.h. All of
 * it does nothing where blocks run side by side. */
void race_acqrel_pass_barrier(struct block *block, uint32_t barrier_before);
void race_acqrel_join_warps(struct block *block, uint32_t waited, uint32_t came,
                            const uint32_t *knows_warp);
/* The lanes share what they know, and what they did before `until`. */
void race_acqrel_share(struct warp *warp, lane_mask lanes, uint32_t until);
/* To be called before something is learnt, while no other code holds a node. */
void race_acqrel_make_room(struct launch *launch);
lane_mask race_acqrel_unordered(struct warp *warp, unsigned lane, const struct hb_lanes *asked,
                                bool for_certain);
void race_acqrel_forget_warp(struct warp *warp);
void race_acqrel_start_block(struct block *block);
void race_acqrel_free_block(struct block *block);
/* A new moment of the block's time. */
uint32_t race_next_event(struct block *block);

/* race_scope.c: are the two, of which both are strong, atomic for each other? */
bool race_is_mutual_apart(const struct warp *warp, const struct insn *insn,
                          const struct access_record *other);
static inline bool race_is_mutual(const struct warp *warp, const struct insn *insn,
                                  const struct access_record *other) {
    return !warp->block->launch->program->scoped || other->block == (uint32_t)warp->block->index ||
           race_is_mutual_apart(warp, insn, other);
}
/* 0 of a weak access, then the farther it reaches: who meets one meets all of lower rank. */
unsigned race_rank(const struct launch *launch, const struct access_record *record);
/* For the report: how far the warp's fences before a block barrier reach, a strong store to global
 * memory, and a strong look of block scope at what others have published there to all. */
void race_note_barrier(struct warp *warp);
void race_note_store(struct warp *warp, const struct insn *insn, unsigned lane);
void race_note_look(struct warp *warp);
void race_forget_reach(struct launch *launch);
/* Why a scope lets these two accesses of different blocks race, and what to do; NULL: the scope is
 * not the reason. */
const char *race_scope_reason(const struct warp *warp, const struct insn *insn,
                              const struct access_record *other, char *buffer, size_t size);

/* race_unacquired.c: at a barrier of the block, before what its warps know is joined: each lane can
 * rely on what any of them could. */
void race_unacquired_join(struct block *block);

void race_messages_forget(struct block *block);
void race_messages_free(struct block *block);

/* race_order.c: the lanes of one warp's access that the present thread has not learnt of.
 * Where the exact answer is slow and not needed, the result may hold more lanes. */
lane_mask race_unordered(struct warp *warp, unsigned lane, const struct access_record *record,
                         lane_mask lanes, bool for_certain);

/* race_report.c: `cell` is of `other`, and `lanes` of its lanes are not ordered before the present
 * access; `previous` is another reader's cell, or 0. */
struct race_flag;
struct race_report {
    const struct race_window *window;
    uint32_t own; /* record numbers */
    unsigned lane, bytes;
    uint64_t offset;
    bool store;
    bool newest; /* the cell is of the last access before this one, not of an older one */
    uint32_t cell, previous;
    lane_mask lanes;
    const struct race_flag
        *flag; /* the other access is a message's, which a flag announced; or NULL */
};
void race_report(struct warp *warp, const struct insn *insn, const struct race_report *found);

static inline const struct access_record *race_record_at(const struct warp *warp, bool shared,
                                                         uint32_t number) {
    const struct block *block = warp->block;
    return shared ? &block->races.records[number - block->races.first]
                  : &block->launch->records[number];
}

#endif

/* What orders two accesses: happens-before, by block, warp and lane.
 *
 * Time is the block's count of synchronisation events. An access at time t of lane L is ordered
 * before lane M's present one if M learnt of L later than t: through a block barrier (block->
 * races.barrier_time), a barrier of some warps (knows_warp), a warp-level operation that named both
 * (full_time, lane_time), or through memory: a thread publishes at an atomic or volatile store what
 * it knew at its last fence, and a thread that reads that object by an atomic or volatile load has
 * learnt it. Lanes of one warp are concurrent like all others: what one of them learns from memory,
 * the others learn at the next operation of the warp that names both. A missing fence is therefore
 * seen, too.
 *
 * Scopes (PTX ISA 8.5, 8.8): a fence, a store or a load whose scope is the block counts only among
 * its threads. So a warp remembers its fences twice, those that reach the device and those that
 * reach the block at least, and an address is two objects: what stores of device scope publish
 * after device fences is for all threads, and what is published by or after anything narrower is
 * for the writer's block. What was learnt may be passed on by a wider fence, whatever it was learnt
 * by: causality order is transitive. */
#include "sandbox/simgpu/check/block_clock.h"
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t lane_learnt(const struct warp *warp, unsigned lane, unsigned other) {
    uint32_t full = warp->full_time;
    uint32_t pair = warp->lane_time ? warp->lane_time[lane * WARP_LANES + other] : 0;
    return pair > full ? pair : full;
}

lane_mask race_unordered(struct warp *warp, unsigned lane, const struct access_record *record,
                         lane_mask lanes, bool for_certain) {
    const struct block *block = warp->block;
    bool same_block = record->block == (uint32_t)block->index;
    if (same_block && record->time < block->races.barrier_time)
        return 0;
    if (same_block && record->warp == warp->index) {
        lane_mask left = 0;
        for (lane_mask rest = lanes & ~((lane_mask)1 << lane); rest; rest &= rest - 1)
            if (lane_learnt(warp, lane, (unsigned)__builtin_ctz(rest)) <= record->time)
                left |= rest & -rest;
        if (!left)
            return 0;
        lanes = left;
    }
    if (same_block && block->races.knows_warp &&
        block->races.knows_warp[warp->index * MAX_WARPS + record->warp] > record->time)
        return 0;
    if (same_block)
        lanes &= ~block_clock_ordered(warp, lane, record->warp, record->time);
    if (block->cluster && lanes)
        lanes &= ~race_cluster_ordered(warp, lane, record, lanes);
    if (!lanes)
        return 0;
    if (!warp->known)
        return lanes;
    struct hb_lanes asked = {record->block, record->warp, lanes, record->time};
    return race_acqrel_unordered(warp, lane, &asked, for_certain);
}

/* ---- barriers -----------------------------------------------------------------------------------
 */

/* From now on all cells of shared memory are old. Numbers that have run out start again. */
static void restart_shared(struct block *block) {
    struct block_races *races = &block->races;
    races->first = races->next;
    races->next_look = 0;
    if (races->first < RECORD_LIMIT - block->launch->limits->shared_records || !races->writes.words)
        return;
    cells_forget(&races->writes);
    cells_forget(&races->reads);
    races->first = races->next = 1;
    for (size_t pc = 0; pc < block->launch->program->length; pc++)
        block->host_thread->sites[pc] = (struct race_site){0};
}

void race_block_barrier(struct block *block) {
    struct block_races *races = &block->races;
    if (!block->launch->checks)
        return;
    uint32_t before = races->barrier_time;
    races->barrier_time = race_next_event(block);
    restart_shared(block);
    for (unsigned i = 0; i < block->warp_count; i++) {
        races->fenced |= block->warps[i].fences[REACH_DEVICE].lanes != 0;
        race_note_barrier(&block->warps[i]);
    }
    race_acqrel_pass_barrier(block, before);
}

void race_arrive(struct warp *warp, unsigned barrier) {
    struct block *block = warp->block;
    if (block->launch->checks)
        block->races.arrive_time[barrier][warp->index] = warp->event_time = race_next_event(block);
}

/* Those that waited have learnt of all that came; those that only arrived have passed on what they
 * did before, and learn nothing. */
void race_partial_barrier(struct block *block, unsigned barrier, uint32_t waited,
                          uint32_t arrived) {
    struct block_races *races = &block->races;
    if (!block->launch->checks)
        return;
    if (!races->knows_warp)
        races->knows_warp = mem_calloc((size_t)MAX_WARPS * MAX_WARPS, sizeof *races->knows_warp);
    uint32_t now = race_next_event(block), joined[MAX_WARPS] = {0};
    for (unsigned w = 0; w < block->warp_count; w++) {
        if (!((waited | arrived) >> w & 1))
            continue;
        for (unsigned other = 0; other < MAX_WARPS; other++)
            if (races->knows_warp[w * MAX_WARPS + other] > joined[other])
                joined[other] = races->knows_warp[w * MAX_WARPS + other];
    }
    for (unsigned w = 0; w < block->warp_count; w++) {
        uint32_t until = waited >> w & 1    ? now
                         : arrived >> w & 1 ? races->arrive_time[barrier][w]
                                            : 0;
        if (until > joined[w])
            joined[w] = until;
    }
    for (unsigned w = 0; w < block->warp_count; w++) {
        if (!(waited >> w & 1))
            continue;
        memcpy(&races->knows_warp[w * MAX_WARPS], joined, sizeof joined);
        block->warps[w].full_time = now;
        block->warps[w].event_time = now;
    }
    race_acqrel_join_warps(block, waited, waited | arrived, joined);
}

/* ---- warps --------------------------------------------------------------------------------------
 */

void race_warp_sync(struct warp *warp, lane_mask lanes) {
    struct block *block = warp->block;
    if (!block->launch->checks)
        return;
    if (!warp->tracked) {
        race_acqrel_share(warp, lanes, 0);
        return;
    }
    uint32_t now = race_next_event(block);
    warp->event_time = now;
    race_acqrel_share(warp, lanes, now);
    if (!(warp->existing & ~warp->exited & ~lanes)) {
        warp->tracked =
            false; /* after a part of the lanes, the others still have something to say */
        warp->full_time = now;
        return;
    }
    if (!warp->lane_time)
        warp->lane_time = mem_calloc((size_t)WARP_LANES * WARP_LANES, sizeof *warp->lane_time);
    uint32_t joined[WARP_LANES] = {0};
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        for (unsigned other = 0; other < WARP_LANES; other++) {
            uint32_t learnt = lane_learnt(warp, (unsigned)__builtin_ctz(rest), other);
            joined[other] = learnt > joined[other] ? learnt : joined[other];
        }
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        uint32_t *row = &warp->lane_time[(unsigned)__builtin_ctz(rest) * WARP_LANES];
        for (unsigned other = 0; other < WARP_LANES; other++)
            row[other] = lanes >> other & 1 ? now : joined[other];
    }
}

/* ---- life ---------------------------------------------------------------------------------------
 */

static void forget_warp(struct warp *warp) {
    warp->full_time = warp->event_time = 0;
    warp->tracked = false;
    race_acqrel_forget_warp(warp);
    if (warp->lane_time)
        memset(warp->lane_time, 0, sizeof(uint32_t) * WARP_LANES * WARP_LANES);
}

/* Nothing is left of the block before, whose place this one takes. */
static void start_order(struct block *block) {
    struct block_races *races = &block->races;
    for (unsigned i = 0; i < block->warp_count; i++)
        forget_warp(&block->warps[i]);
    races->time = 1;
    races->held_until = races->far_until = races->told_at = 0;
    races->fenced = false;
    race_acqrel_start_block(block);
    race_messages_forget(block);
    block_clock_forget(block);
    if (races->knows_warp)
        memset(races->knows_warp, 0, sizeof(uint32_t) * MAX_WARPS * MAX_WARPS);
    race_block_barrier(block); /* its cells are old now */
}

void race_start_block(struct block *block) {
    struct launch *launch = block->launch;
    struct block_races *races = &block->races;
    if (!launch->checks)
        return;
    if (!races->writes.words && launch->program->shared_window_bytes > SHARED_START &&
        !block->cluster) {
        cells_make(&races->writes, launch->program->shared_window_bytes);
        cells_make(&races->reads, launch->program->shared_window_bytes);
    }
    if (races->next < 1)
        races->next = 1;
    start_order(block);
}

static void free_order(struct block *block) {
    struct block_races *races = &block->races;
    free(races->knows_warp);
    block_clock_free(block);
    race_acqrel_free_block(block);
    race_messages_free(block);
    for (unsigned i = 0; i < block->warp_count; i++)
        free(block->warps[i].lane_time);
}

void race_free_block(struct block *block) {
    struct block_races *races = &block->races;
    cells_free(&races->writes);
    cells_free(&races->reads);
    free(races->records);
    free(races->links);
    free_order(block);
}

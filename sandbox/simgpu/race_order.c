/* What orders two accesses: happens-before, by block, warp and lane.
 *
 * Time is the block's count of synchronisation events. An access at time t of lane L is ordered
 * before lane M's present one if M learnt of L later than t: through a block barrier (block->
 * races.barrier_time), a barrier of some warps (knows_warp), a warp-level operation that named both
 * (full_time, lane_time), or through memory: a thread publishes at an atomic or volatile store what
 * it knew at its last fence, and whoever reads that object by an atomic or volatile load has learnt
 * it. Lanes of one warp are concurrent like all others: what one of them learns from memory, the
 * others learn at the next operation of the warp that names both. A missing fence is therefore
 * seen, too.
 *
 * Scopes (PTX ISA 8.5, 8.8): a fence, a store or a load whose scope is the block counts only among
 * its threads. So a warp remembers its fences twice, those that reach the device and those that
 * reach the block at least, and an address is two objects: what stores of device scope publish
 * after device fences is for everybody, and what is published by or after anything narrower is for
 * the writer's block. What was learnt may be passed on by a wider fence, whatever it was learnt by:
 * causality order is transitive. */
#include "sandbox/simgpu/race.h"

#include "grader/base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t lane_learnt(const struct warp *warp, unsigned lane, unsigned other) {
    uint32_t full = warp->full_time;
    uint32_t pair = warp->lane_time ? warp->lane_time[lane * WARP_LANES + other] : 0;
    return pair > full ? pair : full;
}

lane_mask race_unordered(const struct warp *warp, unsigned lane, const struct access_record *record,
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
    if (!warp->learnt.object_count && !block->races.learnt.object_count)
        return lanes;
    struct known_lanes asked = {record->block, record->warp, lanes, record->time, 0};
    _Atomic bool *guessed = for_certain ? &block->launch->incomplete : NULL;
    lanes = knowledge_lacks(&warp->learnt, lane, &asked, guessed);
    asked.lanes = lanes;
    return lanes ? knowledge_lacks(&block->races.learnt, lane, &asked, guessed) : 0;
}

static uint32_t next_event(struct block *block) {
    return ++block->races.time;
}

/* ---- barriers -----------------------------------------------------------------------------------
 */

/* From now on all cells of shared memory are old. Numbers that have run out begin anew. */
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
        block->host->sites[pc] = (struct race_site){0};
}

/* What the lanes did before their fences, as entries that `holders` may publish. */
static void note_own_fences(struct knowledge *known, const struct warp *warp,
                            const struct fences *fences, lane_mask lanes, lane_mask holders) {
    for (lane_mask rest = lanes & fences->lanes; rest;) {
        uint32_t time = fences->time[__builtin_ctz(rest)];
        lane_mask alike = 0;
        for (lane_mask left = rest; left; left &= left - 1)
            if (fences->time[__builtin_ctz(left)] == time)
                alike |= left & -left;
        if (time)
            knowledge_note(known,
                           (struct known_lanes){(uint32_t)warp->block->index, (uint16_t)warp->index,
                                                alike, time, holders});
        rest &= ~alike;
    }
}

void race_block_barrier(struct block *block) {
    struct block_races *races = &block->races;
    if (!block->launch->checks)
        return;
    races->barrier_time = next_event(block);
    restart_shared(block);
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        const struct fences *fences = &warp->fences[REACH_DEVICE];
        if (warp->learnt.object_count) {
            knowledge_join(&races->learnt, UINT32_MAX, &warp->learnt, UINT32_MAX);
            knowledge_clear(&warp->learnt);
        }
        if (fences->lanes) { /* whoever publishes behind the barrier publishes this, too */
            knowledge_join(&races->at_fence, UINT32_MAX, &fences->known, fences->lanes);
            note_own_fences(&races->at_fence, warp, fences, UINT32_MAX, UINT32_MAX);
        }
        race_note_barrier(warp);
    }
}

void race_arrive(struct warp *warp, unsigned barrier) {
    struct block *block = warp->block;
    if (block->launch->checks)
        block->races.arrive_time[barrier][warp->index] = warp->event_time = next_event(block);
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
    uint32_t now = next_event(block), joined[MAX_WARPS] = {0};
    struct knowledge learnt = {0};
    for (unsigned w = 0; w < block->warp_count; w++) {
        if (!((waited | arrived) >> w & 1))
            continue;
        for (unsigned other = 0; other < MAX_WARPS; other++)
            if (races->knows_warp[w * MAX_WARPS + other] > joined[other])
                joined[other] = races->knows_warp[w * MAX_WARPS + other];
        knowledge_join(&learnt, UINT32_MAX, &block->warps[w].learnt, UINT32_MAX);
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
        knowledge_join(&block->warps[w].learnt, UINT32_MAX, &learnt, UINT32_MAX);
        block->warps[w].full_time = now;
        block->warps[w].event_time = now;
    }
    knowledge_free(&learnt);
}

/* ---- warps --------------------------------------------------------------------------------------
 */

static void share_fences(struct warp *warp, struct fences *fences, lane_mask lanes) {
    if (!(fences->lanes & lanes))
        return;
    note_own_fences(&fences->known, warp, fences, lanes, lanes);
    knowledge_share(&fences->known, lanes);
    for (lane_mask rest = lanes & ~fences->lanes; rest; rest &= rest - 1)
        fences->time[__builtin_ctz(rest)] = 0;
    fences->lanes |= lanes;
}

/* What one of the lanes knows from memory, or may publish, all of them do now. */
static void share_knowledge(struct warp *warp, lane_mask lanes) {
    if (warp->learnt.object_count)
        knowledge_share(&warp->learnt, lanes);
    for (unsigned reach = 0; reach < REACH_COUNT; reach++)
        share_fences(warp, &warp->fences[reach], lanes);
}

void race_warp_sync(struct warp *warp, lane_mask lanes) {
    struct block *block = warp->block;
    if (!block->launch->checks)
        return;
    share_knowledge(warp, lanes);
    if (!warp->tracked)
        return;
    uint32_t now = next_event(block);
    warp->event_time = now;
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

/* ---- memory -------------------------------------------------------------------------------------
 */

/* What the lanes have learnt of others, through anything, becomes what they will publish. */
static void note_others(const struct warp *warp, struct knowledge *known, lane_mask lanes) {
    const struct block *block = warp->block;
    uint32_t index = (uint32_t)block->index;
    uint16_t own = (uint16_t)warp->index;
    knowledge_note(known, (struct known_lanes){index, ALL_WARPS, UINT32_MAX,
                                               block->races.barrier_time, lanes});
    if (warp->full_time)
        knowledge_note(known, (struct known_lanes){index, own, UINT32_MAX, warp->full_time, lanes});
    for (lane_mask rest = lanes; warp->lane_time && rest; rest &= rest - 1) {
        const uint32_t *row = &warp->lane_time[(unsigned)__builtin_ctz(rest) * WARP_LANES];
        for (unsigned other = 0; other < WARP_LANES; other++)
            if (row[other] > warp->full_time)
                knowledge_note(known, (struct known_lanes){index, own, (lane_mask)1 << other,
                                                           row[other], rest & -rest});
    }
    const uint32_t *warps =
        block->races.knows_warp ? &block->races.knows_warp[warp->index * MAX_WARPS] : NULL;
    for (unsigned w = 0; warps && w < MAX_WARPS; w++)
        if (warps[w])
            knowledge_note(known,
                           (struct known_lanes){index, (uint16_t)w, UINT32_MAX, warps[w], lanes});
}

void race_fence(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct block *block = warp->block;
    if (!block->launch->checks)
        return;
    bool scoped = block->launch->program->scoped;
    unsigned first = insn_is_narrow(insn) ? REACH_BLOCK : REACH_DEVICE;
    uint32_t now = next_event(block);
    warp->event_time = now;
    for (unsigned reach = first; reach <= (scoped ? REACH_BLOCK : REACH_DEVICE); reach++) {
        struct fences *fences = &warp->fences[reach];
        fences->lanes |= lanes;
        for (lane_mask rest = lanes; rest; rest &= rest - 1)
            fences->time[__builtin_ctz(rest)] = now;
        note_others(warp, &fences->known, lanes);
        knowledge_join_held(&fences->known, &warp->learnt, lanes);
        knowledge_join(&fences->known, lanes, &block->races.learnt, UINT32_MAX);
    }
}

/* Each block arrives at the grid barrier once, after a barrier of its own threads. When the last
 * one does, whatever was accessed is ordered before all that follows. */
static void arrive_at_grid(struct warp *warp, lane_mask lanes, const device_address *addresses) {
    struct launch *launch = warp->block->launch;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        launch->grid_arrivals += addresses[__builtin_ctz(rest)] >> ADDRESS_SHIFT == WINDOW_GRID;
    if (launch->grid_arrivals < launch->block_count)
        return;
    launch->grid_arrivals = 0;
    shadow_pass_grid_barrier(warp->host);
}

static void publish(const struct warp *warp, unsigned lane, enum reach reach,
                    struct sync_object *object) {
    const struct block *block = warp->block;
    const struct fences *fences = &warp->fences[reach];
    if (fences->lanes >> lane & 1) {
        if (fences->time[lane])
            sync_object_note(object,
                             (struct known_lanes){(uint32_t)block->index, (uint16_t)warp->index,
                                                  (lane_mask)1 << lane, fences->time[lane], 0});
        sync_object_publish(object, &fences->known, lane);
    }
    if (block->races.at_fence.lane_count)
        sync_object_publish(object, &block->races.at_fence, lane);
}

/* A lane's access to one of the objects at its address. */
static void meet_object(struct warp *warp, const struct insn *insn, unsigned lane, enum reach reach,
                        struct sync_key key, bool store) {
    struct block *block = warp->block;
    bool publishes =
        store && (warp->fences[reach].lanes >> lane & 1 || block->races.at_fence.lane_count > 0);
    struct sync_object *object = sync_object_find(&block->launch->objects, key, publishes);
    if (object && insn->cost != COST_STORE)
        sync_object_learn(object, &warp->learnt, (lane_mask)1 << lane);
    if (object && publishes)
        publish(warp, lane, reach, object);
}

/* Only where blocks run on one host thread: kernels with fences or ordered accesses do. */
void race_strong_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, bool store) {
    struct block *block = warp->block;
    struct launch *launch = block->launch;
    bool scoped = launch->program->scoped;
    enum reach inside = scoped ? REACH_BLOCK : REACH_DEVICE;
    if (!launch->checks || launch->host_count > 1 || insn->order == ORDER_GUESS ||
        insn->order == ORDER_DATA)
        return;
    if (launch->program->cooperative && store)
        arrive_at_grid(warp, lanes, addresses);
    if (insn->order == ORDER_RELEASE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC)
        race_fence(warp, insn, lanes);
    bool publishes =
        store && (block->races.at_fence.lane_count > 0 || (warp->fences[inside].lanes & lanes));
    if (!publishes && !launch->objects)
        return;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        device_address address = addresses[lane];
        bool shared = insn->space == SPACE_SHARED || address >> ADDRESS_SHIFT == WINDOW_SHARED;
        if (shared)
            address = ADDRESS_OF(WINDOW_SHARED) | (address & OFFSET_MASK);
        if (shared || scoped)
            meet_object(warp, insn, lane, inside, (struct sync_key){address, block->index}, store);
        if (shared)
            continue;
        struct sync_key all = {address, SYNC_EVERY_BLOCK};
        if (scoped && store)
            race_note_store(warp, insn, lane);
        if (!insn_is_narrow(insn))
            meet_object(warp, insn, lane, REACH_DEVICE, all, store);
        else if (insn->cost != COST_STORE && sync_object_find(&launch->objects, all, false))
            race_note_look(warp);
    }
}

/* ---- life ---------------------------------------------------------------------------------------
 */

static void forget_warp(struct warp *warp) {
    warp->full_time = warp->event_time = 0;
    warp->tracked = false;
    knowledge_clear(&warp->learnt);
    for (unsigned reach = 0; reach < REACH_COUNT; reach++) {
        struct fences *fences = &warp->fences[reach];
        fences->lanes = 0;
        knowledge_clear(&fences->known);
        memset(fences->time, 0, sizeof fences->time);
    }
    if (warp->lane_time)
        memset(warp->lane_time, 0, sizeof(uint32_t) * WARP_LANES * WARP_LANES);
}

/* Nothing is left of the block before, whose place this one takes. */
static void start_order(struct block *block) {
    struct block_races *races = &block->races;
    for (unsigned i = 0; i < block->warp_count; i++)
        forget_warp(&block->warps[i]);
    races->time = 1;
    races->held_until = races->far_until = 0;
    knowledge_clear(&races->learnt);
    knowledge_clear(&races->at_fence);
    if (races->knows_warp)
        memset(races->knows_warp, 0, sizeof(uint32_t) * MAX_WARPS * MAX_WARPS);
    race_block_barrier(block); /* its cells are old now */
}

void race_start_block(struct block *block) {
    struct launch *launch = block->launch;
    struct block_races *races = &block->races;
    if (!launch->checks)
        return;
    if (!races->writes.words && launch->program->shared_window_bytes > SHARED_START) {
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
    knowledge_free(&races->learnt);
    knowledge_free(&races->at_fence);
    for (unsigned i = 0; i < block->warp_count; i++) {
        free(block->warps[i].lane_time);
        knowledge_free(&block->warps[i].learnt);
        for (unsigned reach = 0; reach < REACH_COUNT; reach++)
            knowledge_free(&block->warps[i].fences[reach].known);
    }
}

void race_free_block(struct block *block) {
    struct block_races *races = &block->races;
    cells_free(&races->writes);
    cells_free(&races->reads);
    free(races->records);
    free(races->links);
    free_order(block);
}

void race_free_launch(struct launch *launch) {
    sync_objects_free(&launch->objects);
    race_forget_reach(launch);
}

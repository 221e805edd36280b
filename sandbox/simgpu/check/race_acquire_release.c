/* What threads learn of each other through memory, and when it is remembered.
 *
 * A fence ties a node of what its lanes did and know; a strong store after it publishes that at
 * its address, and a strong load or atomic puts what it finds there into the list of its warp, with
 * the lanes that found it. Operations of a warp and barriers let lanes share. What is said here of
 * reaches is explained in race_order.c, and how nodes are remembered in hb_graph.h.
 *
 * What a relaxed load tells is kept apart until a fence: see race_unacquired.c.
 *
 * At a barrier of the block all lists become one, and what was fenced becomes what every thread may
 * publish: a fence after the barrier holds all that, so that what was fenced before it is dropped.
 * Within one instruction lanes at one address go one after the other, lowest first: the lanes of an
 * atomic learn of the lanes below them. */
#include "sandbox/simgpu/check/block_clock.h"
#include "sandbox/simgpu/check/hb_clock.h"
#include "sandbox/simgpu/check/message/reads_over.h"
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

static hb_ref bare(hb_ref ref) {
    return ref & ~(hb_ref)HB_REF_LANE;
}

uint32_t race_next_event(struct block *block) {
    struct launch *launch = block->launch;
    return block->races.time = launch->hb_graph
                                   ? hb_graph_tick(launch->hb_graph, &launch->incomplete)
                                   : block->races.time + 1;
}

lane_mask race_acqrel_unordered(struct warp *warp, unsigned lane, const struct hb_lanes *asked,
                                bool for_certain) {
    struct launch *launch = warp->block->launch;
    struct hb_lanes left = *asked;
    for (unsigned i = 0; i < LOOK_KINDS; i++)
        if (warp->looks[i].lanes >> lane & 1)
            left.lanes &= ~hb_clock_ordered(hb_graph_clock(launch->hb_graph),
                                            &warp->looks[i].at[lane], asked);
    if (!left.lanes)
        return 0;
    bool same_block = asked->block == (uint32_t)warp->block->index;
    struct hb_lanes found = {0};
    left.lanes =
        hb_graph_unordered(launch->hb_graph, &warp->known, lane, &left, same_block ? &found : NULL,
                           for_certain ? &launch->incomplete : NULL);
    if (found.lanes)
        block_clock_note(warp, lane, &found);
    return left.lanes;
}

/* ---- room ---------------------------------------------------------------------------------------
 */

static void visit_warp(struct warp *warp, hb_ref_visitor *visit, void *state) {
    visit(state, &warp->known, true);
    for (lane_mask rest = warp->unacquired.lanes; rest; rest &= rest - 1)
        visit(state, &warp->unacquired.known[__builtin_ctz(rest)], true);
    for (unsigned reach = 0; reach < REACH_COUNT; reach++)
        for (lane_mask rest = warp->fences[reach].held; rest; rest &= rest - 1)
            visit(state, &warp->fences[reach].refs[__builtin_ctz(rest)], false);
}

static void visit_blocks(void *roots, hb_ref_visitor *visit, void *state) {
    const struct launch *launch = roots;
    for (struct block *block = launch->known_blocks; block; block = block->races.older) {
        struct block_races *races = &block->races;
        visit(state, &races->at_fence, true);
        visit(state, &races->common, true);
        hb_graph_visit_pages(races->pages, visit, state);
        for (unsigned i = 0; i < block->warp_count; i++)
            visit_warp(&block->warps[i], visit, state);
    }
}

/* Before anything is remembered of an event; no other code holds a node. */
void race_acqrel_make_room(struct launch *launch) {
    if (!hb_graph_needs_room(launch->hb_graph))
        return;
    uint64_t read = launch->host_thread_pool[0].fresh_words[0],
             written = launch->host_thread_pool[0].fresh_words[1];
    hb_graph_make_room(launch->hb_graph, 4 * (read > written ? read : written), visit_blocks,
                       launch);
}

/* ---- what lanes may publish ---------------------------------------------------------------------
 */

static hb_ref held_by(const struct warp *warp, unsigned lane, enum reach reach) {
    const struct fences *fences = &warp->fences[reach];
    return fences->held >> lane & 1 ? fences->refs[lane] : warp->block->races.at_fence;
}

/* Takes those of the lanes that hold the same as the lowest one. */
static lane_mask take_alike(const struct fences *fences, lane_mask *lanes) {
    hb_ref first = bare(fences->refs[__builtin_ctz(*lanes)]);
    lane_mask alike = 0;
    for (lane_mask rest = *lanes; rest; rest &= rest - 1)
        if (bare(fences->refs[__builtin_ctz(rest)]) == first)
            alike |= rest & -rest;
    *lanes &= ~alike;
    return alike;
}

/* All that the lanes hold, in front of `older`. */
static hb_ref gather(struct hb_graph *hb_graph, const struct fences *fences, lane_mask lanes,
                     hb_ref older) {
    lane_mask rest = lanes & fences->held;
    while (rest) {
        hb_ref ref = fences->refs[__builtin_ctz(rest)];
        lane_mask alike = take_alike(fences, &rest);
        older = hb_graph_acquire(hb_graph, UINT32_MAX, bare(ref), alike, older);
    }
    return older;
}

static void share_fences(struct warp *warp, struct fences *fences, lane_mask lanes) {
    if (!(fences->lanes & lanes))
        return;
    for (lane_mask rest = lanes & ~fences->lanes; rest; rest &= rest - 1)
        fences->time[__builtin_ctz(rest)] = 0;
    fences->lanes |= lanes;
    if (!warp->block->launch->hb_graph || !(fences->held & lanes))
        return;
    lane_mask rest = lanes & fences->held;
    bool already =
        !(lanes & ~fences->held) &&
        hb_graph_is_for_all(warp->block->launch->hb_graph, fences->refs[__builtin_ctz(lanes)]) &&
        take_alike(fences, &rest) == lanes;
    if (already)
        return;
    hb_ref all = gather(warp->block->launch->hb_graph, fences, lanes, 0);
    for (rest = lanes; rest; rest &= rest - 1)
        fences->refs[__builtin_ctz(rest)] = all | (hb_ref)__builtin_ctz(rest);
    fences->held |= lanes;
}

void race_acqrel_share(struct warp *warp, lane_mask lanes, uint32_t until) {
    struct launch *launch = warp->block->launch;
    struct hb_graph *hb_graph = launch->hb_graph;
    if (hb_graph)
        race_acqrel_make_room(launch);
    for (unsigned reach = 0; reach < REACH_COUNT; reach++)
        share_fences(warp, &warp->fences[reach], lanes);
    warp->unacquired.lanes &= ~lanes;
    if (warp->block->races.clock)
        block_clock_share(warp, lanes);
    bool whole = !(warp->existing & ~warp->exited & ~lanes); /* then full_time says until when */
    if (!hb_graph || !launch->precise ||
        ((whole || !until) && hb_graph_is_shared(hb_graph, warp->known, lanes)))
        return;
    const struct hb_lanes known = {(uint32_t)warp->block->index, (uint16_t)warp->index, lanes,
                                   whole ? 0 : until};
    warp->known = hb_graph_join_lanes(hb_graph, &known, warp->known);
}

void race_fence(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct block *block = warp->block;
    struct launch *launch = block->launch;
    if (!launch->checks)
        return;
    unsigned first = insn_is_scope_cta(insn) ? REACH_BLOCK : REACH_DEVICE;
    uint32_t now = race_next_event(block);
    hb_ref node = 0;
    warp->event_time = now;
    if (launch->hb_graph) {
        race_acqrel_make_room(launch);
        if (block->cluster)
            race_cluster_share(warp);
        const struct hb_fence fence = {(uint32_t)block->index, (uint16_t)warp->index, now,
                                       warp->full_time, block->races.barrier_time};
        node = hb_graph_add_fence(launch->hb_graph, &fence, warp->known);
        block_clock_fence(warp, lanes, now);
    }
    if (first == REACH_DEVICE)
        warp->unacquired.lanes &= ~lanes;
    for (unsigned reach = first; reach <= (launch->program->scoped ? REACH_BLOCK : REACH_DEVICE);
         reach++) {
        struct fences *fences = &warp->fences[reach];
        fences->lanes |= lanes;
        fences->held |= node ? lanes : 0;
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            fences->time[lane] = now;
            fences->refs[lane] = node | lane;
        }
    }
}

/* ---- barriers -----------------------------------------------------------------------------------
 */

static void join_lists(struct block *block) {
    struct block_races *races = &block->races;
    hb_ref all = races->common;
    for (unsigned i = 0; i < block->warp_count; i++)
        if (block->warps[i].known != races->common)
            all = hb_graph_acquire(block->launch->hb_graph, UINT32_MAX, block->warps[i].known,
                                   UINT32_MAX, all);
    races->common = all;
    for (unsigned i = 0; i < block->warp_count; i++)
        block->warps[i].known = all;
}

/* A fence since the previous barrier holds all that could be published after that barrier. */
static bool has_new_fence(const struct block *block, uint32_t barrier_before) {
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct fences *fences = &block->warps[i].fences[REACH_DEVICE];
        for (lane_mask rest = fences->held; rest; rest &= rest - 1)
            if (fences->time[__builtin_ctz(rest)] > barrier_before)
                return true;
    }
    return false;
}

void race_acqrel_pass_barrier(struct block *block, uint32_t barrier_before) {
    struct block_races *races = &block->races;
    if (!block->launch->hb_graph)
        return;
    race_acqrel_make_room(block->launch);
    race_unacquired_join(block);
    join_lists(block);
    if (has_new_fence(block, barrier_before))
        races->at_fence = 0;
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        races->at_fence = gather(block->launch->hb_graph, &warp->fences[REACH_DEVICE], UINT32_MAX,
                                 races->at_fence);
        for (unsigned reach = 0; reach < REACH_COUNT; reach++)
            warp->fences[reach].held = 0;
    }
}

void race_acqrel_join_warps(struct block *block, uint32_t waited, uint32_t came,
                            const uint32_t *knows_warp) {
    struct hb_graph *hb_graph = block->launch->hb_graph;
    if (!hb_graph)
        return;
    race_acqrel_make_room(block->launch);
    hb_ref all = 0;
    for (unsigned w = 0; w < block->warp_count; w++)
        if (came >> w & 1 && block->warps[w].known)
            all = hb_graph_acquire(hb_graph, UINT32_MAX, block->warps[w].known, UINT32_MAX, all);
    for (unsigned w = 0; w < block->warp_count; w++) {
        struct hb_lanes known = {(uint32_t)block->index, (uint16_t)w, UINT32_MAX, knows_warp[w]};
        if (knows_warp[w])
            all = hb_graph_note(hb_graph, &known, all);
    }
    for (unsigned w = 0; w < block->warp_count; w++)
        if (waited >> w & 1) {
            block->warps[w].known = all;
            block->warps[w].unacquired.lanes = 0;
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
    race_budget_pass_grid_barrier(warp->host_thread);
}

/* ---- addresses ----------------------------------------------------------------------------------
 */

/* One instruction's lanes at addresses of one kind. */
struct meeting {
    struct warp *warp;
    struct hb_pages **pages;
    enum reach reach;
    bool learns, publishes;
    bool everywhere; /* where all blocks can see it */
    enum hb_look_kind look;
    bool acquires; /* not a load that leaves this to a fence */
    uint32_t pc;
    struct {
        lane_mask lanes, from;
        unsigned apart;
        hb_ref of;
    } learning; /* what several lanes learn alike, each in its turn; of == 0: nothing */
    struct hb_release_join joining;
};

/* What the lanes learn now, a relaxed load has told them, or (acquires) they can rely on. */
static void learn_apart(struct meeting *meeting) {
    struct warp *warp = meeting->warp;
    struct unacquired *unacquired = &warp->unacquired;
    lane_mask lanes = meeting->learning.lanes;
    if (!meeting->acquires) {
        for (lane_mask rest = lanes & ~unacquired->lanes; rest; rest &= rest - 1)
            unacquired->known[__builtin_ctz(rest)] = warp->known;
        unacquired->lanes |= lanes;
        unacquired->pc = meeting->pc;
        return;
    }
    for (lane_mask rest = lanes & unacquired->lanes; rest; rest &= rest - 1) {
        hb_ref *known = &unacquired->known[__builtin_ctz(rest)];
        *known = hb_graph_acquire(warp->block->launch->hb_graph, rest & -rest,
                                  meeting->learning.of | meeting->learning.apart,
                                  meeting->learning.from, *known);
    }
}

static void learn_together(struct meeting *meeting) {
    struct warp *warp = meeting->warp;
    if (meeting->learning.of) {
        learn_apart(meeting);
        warp->known = hb_graph_acquire(warp->block->launch->hb_graph, meeting->learning.lanes,
                                       meeting->learning.of | meeting->learning.apart,
                                       meeting->learning.from, warp->known);
    }
    meeting->learning.of = 0;
    meeting->learning.lanes = 0;
}

static void learn_from(struct meeting *meeting, lane_mask lanes, hb_ref ref) {
    const struct warp *warp = meeting->warp;
    const struct block *block = warp->block;
    unsigned lane = (unsigned)__builtin_ctz(lanes), from = ref & HB_REF_LANE;
    const struct hb_fence holder = {(uint32_t)block->index, (uint16_t)warp->index, 0,
                                    warp->full_time, block->races.barrier_time};
    bool alone = !(lanes & (lanes - 1));
    lane_mask others = alone ? 0 : (lane_mask)1 << from;
    unsigned apart = alone ? (from - lane) & HB_REF_LANE : 0;
    bool confirms = meeting->acquires && warp->unacquired.lanes & lanes;
    if (alone && !confirms && hb_graph_is_stale(block->launch->hb_graph, &holder, lane, ref))
        return;
    if (meeting->learning.of != bare(ref) || meeting->learning.from != others ||
        meeting->learning.apart != apart)
        learn_together(meeting);
    meeting->learning.of = bare(ref);
    meeting->learning.from = others;
    meeting->learning.apart = apart;
    meeting->learning.lanes |= lanes;
}

static bool hold_alike(const struct meeting *meeting, lane_mask lanes) {
    hb_ref first = bare(held_by(meeting->warp, (unsigned)__builtin_ctz(lanes), meeting->reach));
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        if (bare(held_by(meeting->warp, (unsigned)__builtin_ctz(rest), meeting->reach)) != first)
            return false;
    return true;
}

/* For hb_clock.h. What is read under a lock does not hide who has taken it. */
static void note_look(struct warp *warp, enum hb_look_kind kind, lane_mask lanes,
                      device_address address) {
    struct hb_clock *clock = hb_graph_clock(warp->block->launch->hb_graph);
    const struct hb_look look = hb_clock_look(clock, address);
    warp->looks[kind].lanes |= lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        warp->looks[kind].at[__builtin_ctz(rest)] = look;
}

/* Of the lanes that have looked there last, as who gives a lock back has; or that are the first. */
static void note_publication(const struct warp *warp, hb_ref held, lane_mask lanes,
                             device_address address, bool is_first) {
    struct hb_graph *hb_graph = warp->block->launch->hb_graph;
    lane_mask took = is_first ? lanes : 0;
    for (unsigned i = 0; i < LOOK_KINDS; i++)
        for (lane_mask rest = lanes & warp->looks[i].lanes; rest; rest &= rest - 1)
            if (warp->looks[i].at[__builtin_ctz(rest)].address == address)
                took |= rest & -rest;
    const struct hb_lanes fenced = hb_graph_fenced(hb_graph, held, took);
    if (took && fenced.until)
        hb_clock_publish(hb_graph_clock(hb_graph), &fenced, address);
}

/* The lanes are at one address, and hold alike. */
static void meet(struct meeting *meeting, lane_mask lanes, device_address address) {
    struct warp *warp = meeting->warp;
    struct hb_graph *hb_graph = warp->block->launch->hb_graph;
    hb_ref held = held_by(warp, (unsigned)__builtin_ctz(lanes), meeting->reach);
    bool publishes = meeting->publishes && held;
    hb_ref *place = hb_graph_find_page_slot(meeting->pages, address, publishes);
    if (meeting->learns && place && *place)
        learn_from(meeting, lanes, *place);
    if (meeting->everywhere && meeting->learns)
        note_look(warp, meeting->look, lanes, address);
    if (!publishes)
        return;
    if (meeting->learns && lanes & (lanes - 1)) {
        learn_together(meeting);
        warp->unacquired.lanes &= ~lanes;
        warp->known = hb_graph_acquire_below(hb_graph, lanes, held, warp->known);
    }
    if (meeting->everywhere)
        note_publication(warp, held, lanes, address, !*place);
    hb_graph_release(hb_graph, place, held, lanes, &meeting->joining);
}

/* Those of the lanes that are where the lowest is. */
static lane_mask at_one_address(lane_mask lanes, const device_address *addresses) {
    device_address address = addresses[__builtin_ctz(lanes)];
    lane_mask same = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        if (addresses[__builtin_ctz(rest)] == address)
            same |= rest & -rest;
    return same;
}

static void tell_block(const struct meeting *meeting, lane_mask lanes, device_address address) {
    if (meeting->learns)
        block_clock_acquire(meeting->warp, lanes, address);
    if (meeting->publishes)
        block_clock_release(meeting->warp, lanes, address);
}

static void meet_all(struct meeting *meeting, lane_mask lanes, const device_address *addresses) {
    meeting->learning.of = 0;
    meeting->joining = (struct hb_release_join){0};
    while (lanes) {
        lane_mask same = at_one_address(lanes, addresses);
        lanes &= ~same;
        if (!meeting->everywhere)
            tell_block(meeting, same, addresses[__builtin_ctz(same)]);
        if (!meeting->publishes || hold_alike(meeting, same)) {
            meet(meeting, same, addresses[__builtin_ctz(same)]);
            continue;
        }
        for (; same; same &= same - 1) {
            meet(meeting, same & -same, addresses[__builtin_ctz(same)]);
            learn_together(meeting); /* the next one learns of this one */
        }
    }
    learn_together(meeting);
}

static void note_scopes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, bool store) {
    struct hb_pages **pages = hb_graph_pages(warp->block->launch->hb_graph);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const hb_ref *place = NULL;
        if (store)
            race_note_store(warp, insn, lane);
        if (insn_is_scope_cta(insn) && insn->cost != COST_STORE)
            place = hb_graph_find_page_slot(pages, addresses[lane], false);
        if (place && *place)
            race_note_look(warp);
    }
}

/* Moves addresses of shared memory to where they stand for it, whatever their form. In a cluster,
 * of which all blocks reach it, that is where no allocation is, for each block by itself. */
static lane_mask find_shared(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                             device_address *addresses) {
    enum { APART = 1 << 20 }; /* blocks that have places of their own */
    lane_mask shared = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        device_address *address = &addresses[__builtin_ctz(rest)];
        if (insn->space != SPACE_SHARED && *address >> ADDRESS_SHIFT != WINDOW_SHARED)
            continue;
        uint64_t offset = *address & OFFSET_MASK;
        const struct block *owner =
            warp->block->cluster ? cluster_owner(warp->block, &offset) : NULL;
        *address = ADDRESS_OF(owner ? WINDOW_LIMIT + owner->index % APART : WINDOW_SHARED) | offset;
        shared |= owner ? 0 : rest & -rest;
    }
    return shared;
}

static bool can_publish(const struct warp *warp, enum reach reach, lane_mask lanes) {
    return warp->block->races.at_fence || warp->fences[reach].lanes & lanes;
}

/* Only where blocks run on one host thread: kernels with fences or ordered accesses do. */
void race_strong_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, bool store) {
    struct block *block = warp->block;
    struct launch *launch = block->launch;
    bool scoped = launch->program->scoped;
    if (!launch->checks || !launch->hb_graph || insn->order == ORDER_GUESS ||
        insn->order == ORDER_DATA)
        return;
    if (insn->cost == COST_STORE && block->races.told_at != block->races.barrier_time &&
        insn->space != SPACE_SHARED && !insn_is_scope_cta(insn))
        reads_over_note_store(block);
    if (launch->program->cooperative && store)
        arrive_at_grid(warp, lanes, addresses);
    if (insn->order == ORDER_RELEASE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC)
        race_fence(warp, insn, lanes);
    struct hb_pages **all = hb_graph_pages(launch->hb_graph);
    enum reach inside = scoped ? REACH_BLOCK : REACH_DEVICE;
    if (!*all && !block->races.pages && !(store && can_publish(warp, inside, lanes)))
        return;
    race_acqrel_make_room(launch);
    device_address places[WARP_LANES];
    memcpy(places, addresses, sizeof places);
    lane_mask shared = find_shared(warp, insn, lanes, places);
    struct meeting meeting = {.warp = warp,
                              .pages = &block->races.pages,
                              .reach = inside,
                              .learns = insn->cost != COST_STORE,
                              .acquires = true,
                              .pc = insn_pc(warp, insn),
                              .publishes = store};
    meet_all(&meeting, scoped ? lanes : shared, places);
    if (scoped)
        note_scopes(warp, insn, lanes & ~shared, places, store);
    meeting.pages = all;
    meeting.reach = REACH_DEVICE;
    meeting.everywhere = true;
    meeting.acquires = insn->cost != COST_LOAD || insn->order >= ORDER_ACQUIRE;
    bool takes =
        insn->cost == COST_ATOMIC || insn->order >= ORDER_ACQUIRE || insn->extra & EXTRA_WAITS;
    meeting.look = takes ? LOOK_TAKES : LOOK_READS;
    if (!insn_is_scope_cta(insn))
        meet_all(&meeting, lanes & ~shared, places);
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void race_acqrel_forget_warp(struct warp *warp) {
    warp->known = 0;
    warp->looks[LOOK_TAKES].lanes = warp->looks[LOOK_READS].lanes = 0;
    warp->unacquired.lanes = 0;
    for (unsigned reach = 0; reach < REACH_COUNT; reach++) {
        struct fences *fences = &warp->fences[reach];
        fences->lanes = fences->held = 0;
        memset(fences->time, 0, sizeof fences->time);
    }
}

void race_acqrel_start_block(struct block *block) {
    struct launch *launch = block->launch;
    struct block_races *races = &block->races;
    races->at_fence = races->common = 0;
    hb_graph_free_pages(&races->pages);
    if (races->newer || !launch->hb_graph)
        return;
    races->older = launch->known_blocks;
    races->newer = &launch->known_blocks;
    if (races->older)
        races->older->races.newer = &races->older;
    launch->known_blocks = block;
}

void race_acqrel_free_block(struct block *block) {
    struct block_races *races = &block->races;
    hb_graph_free_pages(&races->pages);
    if (!races->newer)
        return;
    *races->newer = races->older;
    if (races->older)
        races->older->races.newer = races->newer;
    races->newer = NULL;
}

static uint32_t block_warps(const struct launch *launch) {
    const struct dim3 block = launch->request->block;
    return (block.x * block.y * block.z + WARP_LANES - 1) / WARP_LANES;
}

void race_start_launch(struct launch *launch) {
    race_free_launch(launch);
    if (launch->checks && launch->host_thread_count == 1)
        launch->hb_graph = hb_graph_create(launch->limits->hb_nodes, block_warps(launch));
}

void race_free_launch(struct launch *launch) {
    hb_graph_free(launch->hb_graph);
    launch->hb_graph = NULL;
    race_forget_reach(launch);
    reads_over_forget(launch);
}

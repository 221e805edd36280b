/* What threads learn of one another through memory, and when it is remembered.
 *
 * A fence ties a knot of what its lanes did and know; a strong store behind it publishes that at
 * its address, and a strong load or atomic puts what it finds there into the list of its warp, with
 * the lanes that found it. Operations of a warp and barriers let lanes share. What is said here of
 * reaches is explained in race_order.c, and how knots are remembered in hb_graph.h.
 *
 * At a barrier of the block all lists become one, and what was fenced becomes what every thread may
 * publish: a fence behind the barrier holds all that, so that what was fenced before it is dropped.
 * Within one instruction lanes at one address come one after the other, from the lowest: those of
 * an atomic learn of the lanes below. */
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

static knot_ref bare(knot_ref ref) {
    return ref & ~(knot_ref)KNOT_LANE;
}

uint32_t race_next_event(struct block *block) {
    struct launch *launch = block->launch;
    return block->races.time = launch->knowledge
                                   ? knowledge_tick(launch->knowledge, &launch->incomplete)
                                   : block->races.time + 1;
}

lane_mask race_knots_lack(struct warp *warp, unsigned lane, const struct known_lanes *asked,
                          bool for_certain) {
    struct launch *launch = warp->block->launch;
    return knowledge_lacks(launch->knowledge, &warp->known, lane, asked,
                           for_certain ? &launch->incomplete : NULL);
}

/* ---- room ---------------------------------------------------------------------------------------
 */

static void visit_warp(struct warp *warp, knot_visit *visit, void *state) {
    visit(state, &warp->known, true);
    for (unsigned reach = 0; reach < REACH_COUNT; reach++)
        for (lane_mask rest = warp->fences[reach].held; rest; rest &= rest - 1)
            visit(state, &warp->fences[reach].refs[__builtin_ctz(rest)], false);
}

static void visit_blocks(void *roots, knot_visit *visit, void *state) {
    const struct launch *launch = roots;
    for (struct block *block = launch->known_blocks; block; block = block->races.older) {
        struct block_races *races = &block->races;
        visit(state, &races->at_fence, true);
        visit(state, &races->common, true);
        sync_pages_visit(races->pages, visit, state);
        for (unsigned i = 0; i < block->warp_count; i++)
            visit_warp(&block->warps[i], visit, state);
    }
}

/* Before anything is remembered of an event; no knot is in anybody's hands. */
static void make_room(struct launch *launch) {
    if (!knowledge_wants_room(launch->knowledge))
        return;
    uint64_t read = launch->hosts[0].fresh_words[0], written = launch->hosts[0].fresh_words[1];
    knowledge_make_room(launch->knowledge, 4 * (read > written ? read : written), visit_blocks,
                        launch);
}

/* ---- what lanes may publish ---------------------------------------------------------------------
 */

static knot_ref held_by(const struct warp *warp, unsigned lane, enum reach reach) {
    const struct fences *fences = &warp->fences[reach];
    return fences->held >> lane & 1 ? fences->refs[lane] : warp->block->races.at_fence;
}

/* Takes those of the lanes that hold the same as the lowest one. */
static lane_mask take_alike(const struct fences *fences, lane_mask *lanes) {
    knot_ref first = bare(fences->refs[__builtin_ctz(*lanes)]);
    lane_mask alike = 0;
    for (lane_mask rest = *lanes; rest; rest &= rest - 1)
        if (bare(fences->refs[__builtin_ctz(rest)]) == first)
            alike |= rest & -rest;
    *lanes &= ~alike;
    return alike;
}

/* All that the lanes hold, behind `older`. */
static knot_ref gather(struct knowledge *knowledge, const struct fences *fences, lane_mask lanes,
                       knot_ref older) {
    lane_mask rest = lanes & fences->held;
    while (rest) {
        knot_ref ref = fences->refs[__builtin_ctz(rest)];
        lane_mask alike = take_alike(fences, &rest);
        older = knowledge_learn(knowledge, UINT32_MAX, bare(ref), alike, older);
    }
    return older;
}

static void share_fences(struct warp *warp, struct fences *fences, lane_mask lanes) {
    if (!(fences->lanes & lanes))
        return;
    for (lane_mask rest = lanes & ~fences->lanes; rest; rest &= rest - 1)
        fences->time[__builtin_ctz(rest)] = 0;
    fences->lanes |= lanes;
    if (!warp->block->launch->knowledge || !(fences->held & lanes))
        return;
    lane_mask rest = lanes & fences->held;
    bool already =
        !(lanes & ~fences->held) &&
        knowledge_is_for_all(warp->block->launch->knowledge, fences->refs[__builtin_ctz(lanes)]) &&
        take_alike(fences, &rest) == lanes;
    if (already)
        return;
    knot_ref all = gather(warp->block->launch->knowledge, fences, lanes, 0);
    for (rest = lanes; rest; rest &= rest - 1)
        fences->refs[__builtin_ctz(rest)] = all | (knot_ref)__builtin_ctz(rest);
    fences->held |= lanes;
}

void race_knots_share(struct warp *warp, lane_mask lanes, uint32_t until) {
    struct launch *launch = warp->block->launch;
    struct knowledge *knowledge = launch->knowledge;
    if (knowledge)
        make_room(launch);
    for (unsigned reach = 0; reach < REACH_COUNT; reach++)
        share_fences(warp, &warp->fences[reach], lanes);
    bool whole = !(warp->existing & ~warp->exited & ~lanes); /* then full_time says until when */
    if (!knowledge || !launch->precise ||
        ((whole || !until) && knowledge_is_shared(knowledge, warp->known, lanes)))
        return;
    const struct known_lanes known = {(uint32_t)warp->block->index, (uint16_t)warp->index, lanes,
                                      whole ? 0 : until};
    warp->known = knowledge_share(knowledge, &known, warp->known);
}

void race_fence(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct block *block = warp->block;
    struct launch *launch = block->launch;
    if (!launch->checks)
        return;
    unsigned first = insn_is_narrow(insn) ? REACH_BLOCK : REACH_DEVICE;
    uint32_t now = race_next_event(block);
    knot_ref knot = 0;
    warp->event_time = now;
    if (launch->knowledge) {
        make_room(launch);
        const struct known_fence fence = {(uint32_t)block->index, (uint16_t)warp->index, now,
                                          warp->full_time, block->races.barrier_time};
        knot = knowledge_fence(launch->knowledge, &fence, warp->known);
    }
    for (unsigned reach = first; reach <= (launch->program->scoped ? REACH_BLOCK : REACH_DEVICE);
         reach++) {
        struct fences *fences = &warp->fences[reach];
        fences->lanes |= lanes;
        fences->held |= knot ? lanes : 0;
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            fences->time[lane] = now;
            fences->refs[lane] = knot | lane;
        }
    }
}

/* ---- barriers -----------------------------------------------------------------------------------
 */

static void join_lists(struct block *block) {
    struct block_races *races = &block->races;
    knot_ref all = races->common;
    for (unsigned i = 0; i < block->warp_count; i++)
        if (block->warps[i].known != races->common)
            all = knowledge_learn(block->launch->knowledge, UINT32_MAX, block->warps[i].known,
                                  UINT32_MAX, all);
    races->common = all;
    for (unsigned i = 0; i < block->warp_count; i++)
        block->warps[i].known = all;
}

/* A fence since the barrier before holds all that could be published behind that one. */
static bool has_new_fence(const struct block *block, uint32_t barrier_before) {
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct fences *fences = &block->warps[i].fences[REACH_DEVICE];
        for (lane_mask rest = fences->held; rest; rest &= rest - 1)
            if (fences->time[__builtin_ctz(rest)] > barrier_before)
                return true;
    }
    return false;
}

void race_knots_pass_barrier(struct block *block, uint32_t barrier_before) {
    struct block_races *races = &block->races;
    if (!block->launch->knowledge)
        return;
    make_room(block->launch);
    join_lists(block);
    if (has_new_fence(block, barrier_before))
        races->at_fence = 0;
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        races->at_fence = gather(block->launch->knowledge, &warp->fences[REACH_DEVICE], UINT32_MAX,
                                 races->at_fence);
        for (unsigned reach = 0; reach < REACH_COUNT; reach++)
            warp->fences[reach].held = 0;
    }
}

void race_knots_join_warps(struct block *block, uint32_t waited, uint32_t came,
                           const uint32_t *knows_warp) {
    struct knowledge *knowledge = block->launch->knowledge;
    if (!knowledge)
        return;
    make_room(block->launch);
    knot_ref all = 0;
    for (unsigned w = 0; w < block->warp_count; w++)
        if (came >> w & 1 && block->warps[w].known)
            all = knowledge_learn(knowledge, UINT32_MAX, block->warps[w].known, UINT32_MAX, all);
    for (unsigned w = 0; w < block->warp_count; w++) {
        struct known_lanes known = {(uint32_t)block->index, (uint16_t)w, UINT32_MAX, knows_warp[w]};
        if (knows_warp[w])
            all = knowledge_note(knowledge, &known, all);
    }
    for (unsigned w = 0; w < block->warp_count; w++)
        if (waited >> w & 1)
            block->warps[w].known = all;
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

/* ---- addresses ----------------------------------------------------------------------------------
 */

/* One instruction's lanes at addresses of one kind. */
struct meeting {
    struct warp *warp;
    struct sync_pages **pages;
    enum reach reach;
    bool learns, publishes;
    struct {
        lane_mask lanes, from;
        unsigned apart;
        knot_ref of;
    } learning; /* what several lanes learn alike, each in its turn; of == 0: nothing */
    struct sync_join joining;
};

static void learn_together(struct meeting *meeting) {
    struct warp *warp = meeting->warp;
    if (meeting->learning.of)
        warp->known = knowledge_learn(warp->block->launch->knowledge, meeting->learning.lanes,
                                      meeting->learning.of | meeting->learning.apart,
                                      meeting->learning.from, warp->known);
    meeting->learning.of = 0;
    meeting->learning.lanes = 0;
}

static void learn_from(struct meeting *meeting, lane_mask lanes, knot_ref ref) {
    const struct warp *warp = meeting->warp;
    const struct block *block = warp->block;
    unsigned lane = (unsigned)__builtin_ctz(lanes), from = ref & KNOT_LANE;
    const struct known_fence holder = {(uint32_t)block->index, (uint16_t)warp->index, 0,
                                       warp->full_time, block->races.barrier_time};
    if (!(lanes & (lanes - 1)) && knowledge_is_stale(block->launch->knowledge, &holder, lane, ref))
        return;
    bool alone = !(lanes & (lanes - 1));
    lane_mask others = alone ? 0 : (lane_mask)1 << from;
    unsigned apart = alone ? (from - lane) & KNOT_LANE : 0;
    if (meeting->learning.of != bare(ref) || meeting->learning.from != others ||
        meeting->learning.apart != apart)
        learn_together(meeting);
    meeting->learning.of = bare(ref);
    meeting->learning.from = others;
    meeting->learning.apart = apart;
    meeting->learning.lanes |= lanes;
}

static bool hold_alike(const struct meeting *meeting, lane_mask lanes) {
    knot_ref first = bare(held_by(meeting->warp, (unsigned)__builtin_ctz(lanes), meeting->reach));
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        if (bare(held_by(meeting->warp, (unsigned)__builtin_ctz(rest), meeting->reach)) != first)
            return false;
    return true;
}

/* The lanes are at one address, and hold alike. */
static void meet(struct meeting *meeting, lane_mask lanes, device_address address) {
    struct warp *warp = meeting->warp;
    struct knowledge *knowledge = warp->block->launch->knowledge;
    knot_ref held = held_by(warp, (unsigned)__builtin_ctz(lanes), meeting->reach);
    bool publishes = meeting->publishes && held;
    knot_ref *place = sync_pages_find(meeting->pages, address, publishes);
    if (meeting->learns && place && *place)
        learn_from(meeting, lanes, *place);
    if (!publishes)
        return;
    if (meeting->learns && lanes & (lanes - 1)) {
        learn_together(meeting);
        warp->known = knowledge_learn_below(knowledge, lanes, held, warp->known);
    }
    knowledge_publish(knowledge, place, held, lanes, &meeting->joining);
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

static void meet_all(struct meeting *meeting, lane_mask lanes, const device_address *addresses) {
    meeting->learning.of = 0;
    meeting->joining = (struct sync_join){0};
    while (lanes) {
        lane_mask same = at_one_address(lanes, addresses);
        lanes &= ~same;
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
    struct sync_pages **pages = knowledge_pages(warp->block->launch->knowledge);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const knot_ref *place = NULL;
        if (store)
            race_note_store(warp, insn, lane);
        if (insn_is_narrow(insn) && insn->cost != COST_STORE)
            place = sync_pages_find(pages, addresses[lane], false);
        if (place && *place)
            race_note_look(warp);
    }
}

/* Moves addresses of shared memory to where they stand for it, whatever their form. */
static lane_mask find_shared(const struct insn *insn, lane_mask lanes, device_address *addresses) {
    lane_mask shared = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        device_address *address = &addresses[__builtin_ctz(rest)];
        if (insn->space != SPACE_SHARED && *address >> ADDRESS_SHIFT != WINDOW_SHARED)
            continue;
        shared |= rest & -rest;
        *address = ADDRESS_OF(WINDOW_SHARED) | (*address & OFFSET_MASK);
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
    if (!launch->checks || !launch->knowledge || insn->order == ORDER_GUESS ||
        insn->order == ORDER_DATA)
        return;
    if (launch->program->cooperative && store)
        arrive_at_grid(warp, lanes, addresses);
    if (insn->order == ORDER_RELEASE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC)
        race_fence(warp, insn, lanes);
    struct sync_pages **all = knowledge_pages(launch->knowledge);
    enum reach inside = scoped ? REACH_BLOCK : REACH_DEVICE;
    if (!*all && !block->races.pages && !(store && can_publish(warp, inside, lanes)))
        return;
    make_room(launch);
    device_address places[WARP_LANES];
    memcpy(places, addresses, sizeof places);
    lane_mask shared = find_shared(insn, lanes, places);
    struct meeting meeting = {.warp = warp,
                              .pages = &block->races.pages,
                              .reach = inside,
                              .learns = insn->cost != COST_STORE,
                              .publishes = store};
    meet_all(&meeting, scoped ? lanes : shared, places);
    if (scoped)
        note_scopes(warp, insn, lanes & ~shared, places, store);
    meeting.pages = all;
    meeting.reach = REACH_DEVICE;
    if (!insn_is_narrow(insn))
        meet_all(&meeting, lanes & ~shared, places);
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void race_knots_forget_warp(struct warp *warp) {
    warp->known = 0;
    for (unsigned reach = 0; reach < REACH_COUNT; reach++) {
        struct fences *fences = &warp->fences[reach];
        fences->lanes = fences->held = 0;
        memset(fences->time, 0, sizeof fences->time);
    }
}

void race_knots_start_block(struct block *block) {
    struct launch *launch = block->launch;
    struct block_races *races = &block->races;
    races->at_fence = races->common = 0;
    sync_pages_forget(&races->pages);
    if (races->newer || !launch->knowledge)
        return;
    races->older = launch->known_blocks;
    races->newer = &launch->known_blocks;
    if (races->older)
        races->older->races.newer = &races->older;
    launch->known_blocks = block;
}

void race_knots_free_block(struct block *block) {
    struct block_races *races = &block->races;
    sync_pages_forget(&races->pages);
    if (!races->newer)
        return;
    *races->newer = races->older;
    if (races->older)
        races->older->races.newer = races->newer;
    races->newer = NULL;
}

void race_start_launch(struct launch *launch) {
    race_free_launch(launch);
    if (launch->checks && launch->host_count == 1)
        launch->knowledge = knowledge_create(launch->limits->knots);
}

void race_free_launch(struct launch *launch) {
    knowledge_free(launch->knowledge);
    launch->knowledge = NULL;
    race_forget_reach(launch);
}

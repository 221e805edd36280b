/* The graph of knots: what it says, and the search through it.
 *
 * Knots are numbered in the order in which they were made, and each leads to older ones only: so an
 * access that is over by some knot was made before it, and the search for an access passes by all
 * knots that are older than the access itself. It goes from the list of who asks, newest first, so
 * that each knot is looked at once; what it finds far away becomes a knot at the beginning of that
 * list, so that it is near next time.
 *
 * When there are many knots, hb_graph_gc.c gives up those that nothing leads to, and what is
 * farthest away. A search that comes to where something was forgotten that could be the answer
 * takes it to be: a race may be missed then, which the result says, and none is made up. */
#include "sandbox/simgpu/check/hb_graph_private.h"

#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    SEARCH_FAR = 1 << 16, /* knots that are looked at */
    SEARCH_NEAR = 128,
    FAR_AWAY = 32,     /* what is found behind so many is noted at the list's beginning */
    NEAR_ENTRIES = 64, /* of the own list, and at each what was published there last */
    NEAR_FENCES = 3,
    COVERED_BY = 8, /* knots of a list that are looked at for one that says the same */
};

struct knowledge *knowledge_create(uint32_t base_knots) {
    struct knowledge *knowledge = mem_zalloc(sizeof *knowledge);
    knowledge->knots = mem_map(MAX_KNOTS * sizeof *knowledge->knots);
    knowledge->next = KNOT_FORGOTTEN + 1;
    knowledge->base = base_knots < MIN_KNOTS   ? (uint32_t)MIN_KNOTS
                      : base_knots > MAX_KNOTS ? (uint32_t)MAX_KNOTS
                                               : base_knots;
    knowledge->limit = knowledge->base;
    knowledge->time = 1;
    return knowledge;
}

void knowledge_free(struct knowledge *knowledge) {
    if (!knowledge)
        return;
    sync_pages_forget(&knowledge->pages);
    mem_unmap(knowledge->knots, MAX_KNOTS * sizeof *knowledge->knots);
    free(knowledge->heap);
    free(knowledge);
}

uint32_t knowledge_tick(struct knowledge *knowledge, _Atomic bool *incomplete) {
    if (knowledge->time == UINT32_MAX)
        atomic_store_explicit(incomplete, true, memory_order_relaxed);
    else
        knowledge->time++;
    return knowledge->time;
}

uint32_t knowledge_now(const struct knowledge *knowledge) {
    return knowledge->time;
}

struct sync_pages **knowledge_pages(struct knowledge *knowledge) {
    return &knowledge->pages;
}

/* ---- knots --------------------------------------------------------------------------------------
 */

static const struct knot *knot_at(const struct knowledge *knowledge, knot_ref ref) {
    return &knowledge->knots[ref >> KNOT_SHIFT];
}

/* There is room for all of one event: see knowledge_make_room(). */
static knot_ref add_knot(struct knowledge *knowledge, struct knot knot) {
    if (knowledge->next == MAX_KNOTS)
        return (knot_ref)KNOT_FORGOTTEN << KNOT_SHIFT;
    knot.time = knowledge->time;
    knowledge->knots[knowledge->next] = knot;
    return knowledge->next++ << KNOT_SHIFT;
}

knot_ref knowledge_fence(struct knowledge *knowledge, const struct known_fence *fence,
                         knot_ref older) {
    return add_knot(knowledge, (struct knot){.kind = KNOT_FENCE,
                                             .block = fence->block,
                                             .warp = (uint8_t)fence->warp,
                                             .full_time = fence->full_time,
                                             .barrier_time = fence->barrier_time,
                                             .older = older >> KNOT_SHIFT});
}

static knot_ref learn(struct knowledge *knowledge, enum knot_kind kind, struct knot knot,
                      knot_ref of, knot_ref older) {
    const struct knot *at = knot_at(knowledge, older);
    knot.kind = kind;
    knot.of = of >> KNOT_SHIFT;
    knot.older = older >> KNOT_SHIFT;
    for (unsigned i = 0; i < COVERED_BY && leads_further(at); i++) {
        if (at->kind == kind && at->of == knot.of && at->from == knot.from &&
            at->apart == knot.apart && !(knot.lanes & ~at->lanes))
            return older;
        at = &knowledge->knots[at->older];
    }
    return add_knot(knowledge, knot);
}

knot_ref knowledge_learn(struct knowledge *knowledge, lane_mask lanes, knot_ref of, lane_mask from,
                         knot_ref older) {
    return learn(knowledge, KNOT_LEARN,
                 (struct knot){.lanes = lanes, .from = from, .apart = (uint8_t)(of & KNOT_LANE)},
                 of, older);
}

knot_ref knowledge_learn_below(struct knowledge *knowledge, lane_mask lanes, knot_ref of,
                               knot_ref older) {
    return learn(knowledge, KNOT_BELOW, (struct knot){.lanes = lanes}, of, older);
}

static struct knot of_lanes(enum knot_kind kind, const struct known_lanes *known, knot_ref older) {
    return (struct knot){.kind = kind,
                         .block = known->block,
                         .warp = (uint8_t)known->warp,
                         .lanes = known->lanes,
                         .until = known->until,
                         .older = older >> KNOT_SHIFT};
}

knot_ref knowledge_share(struct knowledge *knowledge, const struct known_lanes *known,
                         knot_ref older) {
    struct knot *newest = &knowledge->knots[older >> KNOT_SHIFT];
    if (older >> KNOT_SHIFT == knowledge->next - 1 && newest->kind == KNOT_SHARE &&
        newest->lanes == known->lanes) { /* nothing leads there yet but the list itself */
        newest->until = known->until > newest->until ? known->until : newest->until;
        newest->time = knowledge->time;
        return older;
    }
    return add_knot(knowledge, of_lanes(KNOT_SHARE, known, older));
}

knot_ref knowledge_note(struct knowledge *knowledge, const struct known_lanes *known,
                        knot_ref older) {
    struct knot knot = of_lanes(KNOT_KNOWN, known, older);
    knot.from = UINT32_MAX;
    return add_knot(knowledge, knot);
}

bool knowledge_is_shared(const struct knowledge *knowledge, knot_ref list, lane_mask lanes) {
    const struct knot *newest = knot_at(knowledge, list);
    return !list || (newest->kind == KNOT_SHARE && !(lanes & ~newest->lanes));
}

bool knowledge_is_for_all(const struct knowledge *knowledge, knot_ref list) {
    const struct knot *newest = knot_at(knowledge, list);
    return newest->kind == KNOT_LEARN && newest->lanes == UINT32_MAX && newest->from;
}

bool knowledge_is_stale(const struct knowledge *knowledge, const struct known_fence *holder,
                        unsigned lane, knot_ref ref) {
    const struct knot *knot = knot_at(knowledge, ref);
    if (knot->kind != KNOT_FENCE || knot->block != holder->block)
        return false;
    return knot->time < holder->barrier_time ||
           (knot->warp == holder->warp &&
            (knot->time < holder->full_time || (ref & KNOT_LANE) == lane));
}

/* ---- the search ---------------------------------------------------------------------------------
 */

struct search {
    struct knowledge *knowledge;
    const struct known_lanes *asked;
    lane_mask lanes; /* still to be found */
    lane_mask found; /* of the last knot that had some of them, ... */
    uint32_t until;  /* ... and until when it knows of them */
    bool overflowed; /* something was forgotten, or not looked at */
    unsigned looked_at;
    size_t count; /* knots of the heap, that are still to be looked at */
};

/* The heap has its greatest number first. */
static void push(struct knowledge *knowledge, size_t at, uint32_t number) {
    if (at == knowledge->heap_capacity) {
        knowledge->heap_capacity = knowledge->heap_capacity ? 2 * knowledge->heap_capacity : 256;
        knowledge->heap =
            mem_realloc(knowledge->heap, knowledge->heap_capacity, sizeof *knowledge->heap);
    }
    uint32_t *heap = knowledge->heap;
    for (; at && heap[(at - 1) / 2] < number; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

static uint32_t pop(uint32_t *heap, size_t count) {
    uint32_t first = heap[0], last = heap[count - 1];
    size_t at = 0, next;
    while ((next = 2 * at + 1) < count) {
        next += next + 1 < count && heap[next + 1] > heap[next];
        if (heap[next] <= last)
            break;
        heap[at] = heap[next];
        at = next;
    }
    heap[at] = last;
    return first;
}

/* The lanes of `mask` come to the knot. */
static void come_to(struct search *search, uint32_t number, lane_mask mask) {
    struct knowledge *knowledge = search->knowledge;
    if (number == KNOT_FORGOTTEN) {
        search->overflowed |= knowledge->forgotten_until > search->asked->until;
        return;
    }
    struct knot *knot = &knowledge->knots[number];
    if (!number || !mask || knot->time <= search->asked->until)
        return;
    if (!knot->seen)
        push(knowledge, search->count++, number);
    knot->seen |= mask;
}

static void find_lanes(struct search *search, lane_mask lanes, uint32_t until) {
    if (until <= search->asked->until || !(search->lanes & lanes))
        return;
    search->lanes &= ~lanes;
    search->found = lanes;
    search->until = until;
}

static void compare_fence(struct search *search, const struct knot *knot, lane_mask mask) {
    if (knot->block == search->asked->block) {
        if (knot->warp == search->asked->warp) {
            find_lanes(search, UINT32_MAX, knot->full_time);
            find_lanes(search, mask, knot->time);
        }
        find_lanes(search, UINT32_MAX, knot->barrier_time);
    }
}

static void look_at_fence(struct search *search, const struct knot *knot, lane_mask mask) {
    compare_fence(search, knot, mask);
    come_to(search, knot->older, mask);
}

static lane_mask lanes_below(lane_mask lanes, lane_mask mask) {
    return lanes & ((UINT32_C(1) << (31 - __builtin_clz(lanes & mask))) - 1);
}

static lane_mask rotate(lane_mask lanes, unsigned by) {
    return lanes << by | lanes >> (-by & KNOT_LANE);
}

static void look_at_known(struct search *search, const struct knot *knot, lane_mask mask) {
    if (knot->block == search->asked->block && knot->warp == search->asked->warp &&
        mask & knot->from)
        find_lanes(search, knot->lanes, knot->until);
}

static void look_at(struct search *search, uint32_t number, lane_mask mask) {
    const struct knot *knot = &search->knowledge->knots[number];
    bool same = knot->block == search->asked->block && knot->warp == search->asked->warp;
    switch (knot->kind) {
    case KNOT_FENCE:
        look_at_fence(search, knot, mask);
        return;
    case KNOT_LEARN:
        if (mask & knot->lanes)
            come_to(search, knot->of,
                    knot->from ? knot->from : rotate(mask & knot->lanes, knot->apart));
        break;
    case KNOT_BELOW:
        if (mask & knot->lanes)
            come_to(search, knot->of, lanes_below(knot->lanes, mask));
        break;
    case KNOT_SHARE:
        if (!(mask & knot->lanes))
            break;
        if (same)
            find_lanes(search, knot->lanes, knot->until);
        mask |= knot->lanes;
        break;
    case KNOT_KNOWN:
        look_at_known(search, knot, mask);
        break;
    }
    come_to(search, knot->older, mask);
}

/* From the newest knot on: when one is looked at, all lanes that come to it have done so. */
static void search_heap(struct search *search, unsigned most) {
    struct knowledge *knowledge = search->knowledge;
    while (search->count && search->lanes && search->looked_at < most) {
        uint32_t number = pop(knowledge->heap, search->count--);
        lane_mask mask = knowledge->knots[number].seen;
        knowledge->knots[number].seen = 0;
        search->looked_at++;
        look_at(search, number, mask);
    }
    search->overflowed |= search->count > 0;
    for (size_t i = 0; i < search->count; i++)
        knowledge->knots[knowledge->heap[i]].seen = 0;
}

/* The fences behind what stood at one address, the last ones first. */
static void look_at_place(struct search *search, uint32_t number, lane_mask mask) {
    const struct knot *knots = search->knowledge->knots;
    for (unsigned i = 0; i < NEAR_FENCES && search->lanes; i++) {
        const struct knot *knot = &knots[number];
        bool each = !knot->from;
        uint32_t fence = knot->kind == KNOT_FENCE ? number : each ? knot->older : knot->of;
        if (knot->kind != KNOT_FENCE && (knot->kind != KNOT_LEARN || mask & ~knot->lanes))
            return;
        if (knots[fence].kind == KNOT_FENCE)
            compare_fence(search, &knots[fence], each || fence == number ? mask : knot->from);
        if (fence == number)
            return;
        number = each ? knot->of : knot->older;
        mask = each ? rotate(mask, knot->apart) : mask;
    }
}

/* What the lane itself has read last is nearest, though others may have fenced since. */
static void look_near(struct search *search, knot_ref list, unsigned lane) {
    const struct knot *knots = search->knowledge->knots;
    const struct knot *at = knot_at(search->knowledge, list);
    const lane_mask bit = (lane_mask)1 << lane;
    for (unsigned i = 0; i < NEAR_ENTRIES && at->kind && search->lanes; i++) {
        if (at->kind == KNOT_LEARN && at->lanes & bit)
            look_at_place(search, at->of, at->from ? at->from : rotate(bit, at->apart));
        else if (at->kind == KNOT_KNOWN)
            look_at_known(search, at, bit);
        else if (at->kind == KNOT_FENCE)
            return;
        at = &knots[at->older];
    }
}

/* What was found far away is near next time. */
static void note_found(const struct search *search, knot_ref *list, unsigned lane) {
    struct knowledge *knowledge = search->knowledge;
    if (search->looked_at < FAR_AWAY || knowledge->next >= knowledge->limit)
        return;
    struct known_lanes known = *search->asked;
    known.lanes = search->found;
    known.until = search->until;
    struct knot knot = of_lanes(KNOT_KNOWN, &known, *list);
    knot.from = (lane_mask)1 << lane;
    *list = add_knot(knowledge, knot);
}

lane_mask knowledge_lacks(struct knowledge *knowledge, knot_ref *list, unsigned lane,
                          const struct known_lanes *asked, _Atomic bool *guessed) {
    struct search search = {.knowledge = knowledge, .asked = asked, .lanes = asked->lanes};
    look_near(&search, *list, lane);
    if (!search.lanes)
        return 0;
    come_to(&search, *list >> KNOT_SHIFT, (lane_mask)1 << lane);
    search_heap(&search, guessed ? SEARCH_FAR : SEARCH_NEAR);
    if (search.found)
        note_found(&search, list, lane);
    if (!search.lanes || !search.overflowed || !guessed)
        return search.lanes;
    atomic_store_explicit(guessed, true, memory_order_relaxed);
    return 0;
}

/* ---- publishing ---------------------------------------------------------------------------------
 */

/* Has the fence's lane learnt what stands there, as who takes a lock has before it gives it back?
 */
static bool is_covered(const struct knowledge *knowledge, knot_ref held, knot_ref there) {
    const struct knot *fence = knot_at(knowledge, held), *old = knot_at(knowledge, there);
    lane_mask bit = (lane_mask)1 << (held & KNOT_LANE);
    lane_mask asked = (lane_mask)1 << (there & KNOT_LANE);
    if (fence->kind != KNOT_FENCE)
        return false;
    if (old->kind == KNOT_FENCE && old->block == fence->block && old->warp == fence->warp &&
        (held & KNOT_LANE) == (there & KNOT_LANE) && old->time <= fence->time)
        return true;
    const struct knot *at = &knowledge->knots[fence->older];
    for (unsigned i = 0; i < COVERED_BY && leads_further(at); i++) {
        lane_mask from = at->from ? at->from : rotate(bit, at->apart);
        if (at->kind == KNOT_LEARN && at->of == there >> KNOT_SHIFT && at->lanes & bit &&
            from & asked)
            return true;
        at = &knowledge->knots[at->older];
    }
    return false;
}

void knowledge_publish(struct knowledge *knowledge, knot_ref *place, knot_ref held, lane_mask lanes,
                       struct sync_join *last) {
    knot_ref there = *place;
    unsigned lane = (unsigned)__builtin_ctz(lanes),
             apart = ((there & KNOT_LANE) - lane) & KNOT_LANE;
    held = (held & ~(knot_ref)KNOT_LANE) | lane;
    there &= ~(knot_ref)KNOT_LANE;
    if (lanes & (lanes - 1)) {
        const struct knot knot = {.lanes = UINT32_MAX, .from = lanes};
        *place = learn(knowledge, KNOT_LEARN, knot, held, there) | (*place & KNOT_LANE);
        return;
    }
    if (!there || is_covered(knowledge, held, *place)) {
        *place = held;
        return;
    }
    if (!last->joined || last->of != there || last->held >> KNOT_SHIFT != held >> KNOT_SHIFT ||
        last->apart != apart) {
        const struct knot knot = {.lanes = UINT32_MAX, .apart = (uint8_t)apart};
        *last = (struct sync_join){there, held, 0, apart};
        last->joined = learn(knowledge, KNOT_LEARN, knot, there, held);
    }
    *place = last->joined | lane;
}

/* Vector clocks of a block's warps.
 *
 * A pipeline of shared buffers orders its accesses by mbarriers alone. Each of its threads arrives
 * at every stage, so that the way from a write to its readers leads through hundreds of nodes of
 * the happens-before graph, and each lane asks for it again. Here a row says for each warp of the
 * block until when its accesses are known to be over: what a warp knows, what those of its lanes
 * know beside it that were alone when they learnt it, what the lanes of a warp's last fence knew,
 * and what was published at an address.
 *
 * A row has two times for each warp, of all lanes and of some of them, because one lane may issue a
 * copy and arrive before or after the others. A fence of some lanes stands for what all lanes of
 * their warp did before they last met. Addresses that share a place take it from each other, and of
 * several fences of a warp the last one is kept. What is lost in this way is found by the search:
 * the clock only ever says yes. As in the graph, a publication never hides an older one. */
#include "sandbox/simgpu/check/block_clock.h"

#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 32 }; /* a power of two */

struct clock_row {
    uint32_t until[MAX_WARPS];   /* of all lanes */
    uint32_t further[MAX_WARPS]; /* of these: */
    lane_mask some[MAX_WARPS];
};

struct block_clock {
    struct clock_row known[MAX_WARPS]; /* to all lanes of the warp */
    struct clock_place {
        uint64_t address; /* 0: free */
        struct clock_row row;
        struct clock_part { /* lanes that have published there one after the other ... */
            lane_mask lanes;
            uint32_t until; /* ... what they did before then, each of them */
        } parts[MAX_WARPS];
    } places[PLACES];
    struct clock_fence { /* of these lanes: they know this at least, each of them */
        lane_mask lanes;
        uint32_t time;
        struct clock_row row;
    } fences[MAX_WARPS];
    struct clock_lanes { /* what each of these lanes knows beside what its warp does */
        lane_mask lanes;
        struct clock_row rows[WARP_LANES];
    } * alone[MAX_WARPS]; /* NULL: it has never been needed */
};

static uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t earlier(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* All that one of the two says, but for lanes: the later time of some. */
static void join(struct clock_row *row, const struct clock_row *other) {
    for (unsigned w = 0; w < MAX_WARPS; w++) {
        row->until[w] = later(row->until[w], other->until[w]);
        row->some[w] = other->further[w] > row->further[w] ? other->some[w] : row->some[w];
        row->further[w] = later(row->further[w], other->further[w]);
    }
}

/* What both of them say. */
static void meet(struct clock_row *row, const struct clock_row *other) {
    for (unsigned w = 0; w < MAX_WARPS; w++) {
        row->until[w] = earlier(row->until[w], other->until[w]);
        row->some[w] &= other->some[w];
        row->further[w] = earlier(row->further[w], other->further[w]);
    }
}

static lane_mask ordered(const struct clock_row *row, unsigned other, uint32_t time) {
    return row->until[other] > time     ? UINT32_MAX
           : row->further[other] > time ? row->some[other]
                                        : 0;
}

/* mbarriers stand beside each other */
static struct clock_place *place_of(struct block_clock *clock, uint64_t address) {
    return &clock->places[(address / 8 + mix_word(address / (8 * PLACES), 1)) & (PLACES - 1)];
}

static bool is_whole(const struct warp *warp, lane_mask lanes) {
    return !(warp->existing & ~warp->exited & ~lanes);
}

static struct block_clock *clock_of(struct block *block) {
    if (!block->races.clock)
        block->races.clock = mem_zalloc(sizeof *block->races.clock);
    return block->races.clock;
}

void block_clock_fence(struct warp *warp, lane_mask lanes, uint32_t now) {
    const struct block_races *races = &warp->block->races;
    struct block_clock *clock = clock_of(warp->block);
    const unsigned self = warp->index;
    struct clock_fence *fence = &clock->fences[self];
    const struct clock_lanes *alone = clock->alone[self];
    *fence = (struct clock_fence){.lanes = lanes, .time = now};
    if (lanes && alone && !(lanes & ~alone->lanes)) {
        fence->row = alone->rows[__builtin_ctz(lanes)];
        for (lane_mask rest = lanes & (lanes - 1); rest; rest &= rest - 1)
            meet(&fence->row, &alone->rows[__builtin_ctz(rest)]);
    }
    join(&fence->row, &clock->known[self]);
    uint32_t *until = fence->row.until;
    for (unsigned w = 0; races->knows_warp && w < MAX_WARPS; w++)
        until[w] = later(until[w], races->knows_warp[self * MAX_WARPS + w]);
    until[self] = later(until[self], warp->full_time);
}

/* Lanes that were not alone so far know nothing beside their warp. */
static struct clock_lanes *lanes_alone(const struct warp *warp, lane_mask lanes) {
    struct clock_lanes **alone = &clock_of(warp->block)->alone[warp->index];
    if (!*alone)
        *alone = mem_zalloc(sizeof **alone);
    for (lane_mask rest = lanes & ~(*alone)->lanes; rest; rest &= rest - 1)
        (*alone)->rows[__builtin_ctz(rest)] = (struct clock_row){0};
    (*alone)->lanes |= lanes;
    return *alone;
}

void block_clock_acquire(struct warp *warp, lane_mask lanes, uint64_t address) {
    struct block_clock *clock = warp->block->races.clock;
    const struct clock_place *place = clock ? place_of(clock, address) : NULL;
    if (!place || place->address != address)
        return;
    if (is_whole(warp, lanes)) {
        join(&clock->known[warp->index], &place->row);
        return;
    }
    struct clock_lanes *alone = lanes_alone(warp, lanes);
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        join(&alone->rows[__builtin_ctz(rest)], &place->row);
}

/* The lanes' own accesses before `time`. When all lanes of the warp have published there, exited
 * ones as well, one time stands for all of them. */
static void add_part(struct clock_place *place, const struct warp *warp, lane_mask lanes,
                     uint32_t time) {
    struct clock_row *row = &place->row;
    struct clock_part *part = &place->parts[warp->index];
    if (part->lanes & lanes)
        part->lanes = 0;
    part->until = part->lanes ? earlier(part->until, time) : time;
    part->lanes |= lanes;
    if (!(warp->existing & ~part->lanes)) {
        row->until[warp->index] = later(row->until[warp->index], part->until);
        part->lanes = 0;
    }
    if (row->further[warp->index] < time) {
        row->further[warp->index] = time;
        row->some[warp->index] = lanes;
    }
}

void block_clock_release(struct warp *warp, lane_mask lanes, uint64_t address) {
    struct block_clock *clock = warp->block->races.clock;
    const struct clock_fence *fence = clock ? &clock->fences[warp->index] : NULL;
    if (!fence || !(fence->lanes & lanes))
        return;
    struct clock_place *place = place_of(clock, address);
    if (place->address != address)
        *place = (struct clock_place){.address = address};
    join(&place->row, &fence->row);
    add_part(place, warp, lanes & fence->lanes, fence->time);
}

void block_clock_share(struct warp *warp, lane_mask lanes) {
    struct block_clock *clock = warp->block->races.clock;
    struct clock_lanes *alone = clock ? clock->alone[warp->index] : NULL;
    if (!alone || !(alone->lanes & lanes))
        return;
    struct clock_row all = {0};
    for (lane_mask rest = alone->lanes & lanes; rest; rest &= rest - 1)
        join(&all, &alone->rows[__builtin_ctz(rest)]);
    if (is_whole(warp, lanes)) {
        join(&clock->known[warp->index], &all);
        alone->lanes = 0;
        return;
    }
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        alone->rows[__builtin_ctz(rest)] = all;
    alone->lanes |= lanes;
}

lane_mask block_clock_ordered(const struct warp *warp, unsigned lane, unsigned other,
                              uint32_t time) {
    const struct block_clock *clock = warp->block->races.clock;
    if (!clock)
        return 0;
    const struct clock_lanes *alone = clock->alone[warp->index];
    lane_mask lanes = ordered(&clock->known[warp->index], other, time);
    if (alone && alone->lanes >> lane & 1)
        lanes |= ordered(&alone->rows[lane], other, time);
    return lanes;
}

void block_clock_note(struct warp *warp, unsigned lane, const struct hb_lanes *known) {
    struct clock_row *row = &lanes_alone(warp, (lane_mask)1 << lane)->rows[lane];
    uint32_t *until = &row->until[known->warp], *further = &row->further[known->warp];
    lane_mask *some = &row->some[known->warp];
    if ((*some | known->lanes) == UINT32_MAX)
        *until = later(*until, earlier(*further, known->until));
    if (*further < known->until)
        *some = 0;
    if (*further <= known->until) {
        *some |= known->lanes;
        *further = known->until;
    }
}

void block_clock_forget(struct block *block) {
    struct block_clock *clock = block->races.clock;
    if (!clock)
        return;
    memset(clock->known, 0, sizeof clock->known);
    memset(clock->places, 0, sizeof clock->places);
    for (unsigned w = 0; w < MAX_WARPS; w++) {
        clock->fences[w].lanes = 0;
        if (clock->alone[w])
            clock->alone[w]->lanes = 0;
    }
}

void block_clock_free(struct block *block) {
    struct block_clock *clock = block->races.clock;
    for (unsigned w = 0; clock && w < MAX_WARPS; w++)
        free(clock->alone[w]);
    free(clock);
    block->races.clock = NULL;
}

/* What a cell says after one more access: the present one alone, or with those before it.
 *
 * Readers of one location, and atomics on it, do not conflict with each other, so that all of them
 * must be remembered. Where only barriers of the whole block and operations of whole warps order
 * accesses, it is enough to know that there were others: of the warp, of the block, of other
 * blocks. Where something finer can (launch->precise), their records are chained. The write before
 * atomics is chained always. */
#include "sandbox/simgpu/check/race_join.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

enum { MAX_OLDER = 255 }; /* in a chain; who comes then is remembered instead of them */

static struct record_link link_at(const struct warp *warp, bool shared, uint32_t number) {
    const struct block *block = warp->block;
    return shared ? block->races.links[number - block->races.first]
                  : race_budget_link(block->launch, number);
}

uint32_t race_new_record(struct warp *warp, bool shared, struct access_record record,
                         struct record_link link) {
    if (!shared)
        return race_budget_new_record(warp->host_thread, record, link);
    struct block_races *races = &warp->block->races;
    size_t used = races->next - races->first;
    if (used >= warp->block->launch->limits->shared_records || races->next >= RECORD_LIMIT) {
        atomic_store_explicit(&warp->block->launch->incomplete, true, memory_order_relaxed);
        return 0;
    }
    if (used == races->capacity) {
        races->capacity = races->capacity ? 2 * races->capacity : 256;
        races->records = mem_realloc(races->records, races->capacity, sizeof record);
        races->links = mem_realloc(races->links, races->capacity, sizeof link);
    }
    races->records[used] = record;
    races->links[used] = link;
    return races->next++;
}

static lane_mask rotate(lane_mask lanes, unsigned by) {
    return lanes << (by & 31) | lanes >> (-by & 31);
}

/* Where a record stands for a group of lanes, its mask is relative to the cell's lane, as is the
 * lane of the cell that it links to: so neighbouring words that were used in one way share it. */
static lane_mask lanes_of(uint32_t cell, const struct access_record *record) {
    lane_mask one = (lane_mask)1 << (cell & CELL_LANE);
    return (cell & CELL_KIND) == CELL_GROUP ? rotate(record->lanes, cell & CELL_LANE) : one;
}

static uint32_t turn_lane(uint32_t cell, uint32_t by) {
    return (cell & ~(uint32_t)CELL_LANE) | ((cell + by) & CELL_LANE);
}

/* The next cell in its chain; 0: there is none. */
uint32_t race_join_older(const struct race_walk *walk, uint32_t cell) {
    if (!race_join_record(walk, cell)->linked)
        return 0;
    uint32_t older = link_at(walk->warp, walk->window->shared, cell >> CELL_SHIFT).older;
    return older ? turn_lane(older, cell & CELL_LANE) : 0;
}

/* A record of these lanes, and of what the link leads to, for a cell with this lane; 0: there is no
 * room for it. */
static uint32_t joint_record(struct race_walk *walk, lane_mask lanes, uint32_t lane,
                             struct record_link link) {
    struct joint *joint = &walk->joint;
    lanes = rotate(lanes, -lane);
    link.older = link.older ? turn_lane(link.older, -lane) : 0;
    if (!joint->number || joint->lanes != lanes || joint->link.older != link.older ||
        joint->link.count != link.count) {
        struct access_record record =
            *race_record_at(walk->warp, walk->window->shared, walk->number);
        record.lanes = lanes;
        record.linked = link.older != 0;
        *joint = (struct joint){lanes, link, 0};
        joint->number = race_new_record(walk->warp, walk->window->shared, record, link);
    }
    return joint->number;
}

/* The cell of these lanes, and of what the link leads to; 0: there is no room for it. */
static uint32_t joint_cell(struct race_walk *walk, lane_mask lanes, struct record_link link) {
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    uint32_t number = joint_record(walk, lanes, lane, link);
    return number ? number << CELL_SHIFT | CELL_GROUP | lane : 0;
}

/* The lanes that stand in the cell and are not ordered before the present access. Where it says
 * only that there were others, it is all of whom one must be another thread than `lane`. */
lane_mask race_join_unordered(const struct race_walk *walk, unsigned lane, uint32_t cell,
                              const struct access_record *record, bool for_certain) {
    struct warp *warp = walk->warp;
    const struct block *block = warp->block;
    if (walk->precise || (cell & CELL_KIND) == CELL_ONE)
        return race_unordered(warp, lane, record, lanes_of(cell, record), for_certain);
    if ((cell & CELL_KIND) == CELL_BLOCKS || record->block != (uint32_t)block->index)
        return UINT32_MAX;
    if (record->time < block->races.barrier_time)
        return 0;
    if ((cell & CELL_KIND) == CELL_GROUP && record->warp == warp->index)
        return warp->full_time > record->time ? 0 : ~((lane_mask)1 << lane);
    return UINT32_MAX;
}

/* The cell of the present access by these lanes. */
uint32_t race_join_cell(struct race_walk *walk, lane_mask lanes) {
    uint32_t lane = 31 - (uint32_t)__builtin_clz(lanes); /* writers are oftener the first */
    uint32_t one = walk->number << CELL_SHIFT | lane;
    if ((lanes & (lanes - 1)) == 0)
        return one;
    if (!walk->precise)
        return one | CELL_GROUP;
    if (lanes == race_record_at(walk->warp, walk->window->shared, walk->number)->lanes)
        return walk->number << CELL_SHIFT | CELL_GROUP;
    uint32_t cell = joint_cell(walk, lanes, (struct record_link){0});
    return cell ? cell : one;
}
/* ---- several in one cell ------------------------------------------------------------------------
 */

static bool same_thread(const struct race_walk *walk, uint32_t a, uint32_t b) {
    const struct access_record *x = race_join_record(walk, a), *y = race_join_record(walk, b);
    return x->block == y->block && x->warp == y->warp && (a & CELL_LANE) == (b & CELL_LANE);
}

static uint32_t join_loosely(const struct race_walk *walk, uint32_t mine, uint32_t before) {
    const struct warp *warp = walk->warp;
    const struct access_record *other = race_join_record(walk, before);
    uint32_t kind = before & CELL_KIND;
    if (kind == CELL_BLOCKS)
        return before;
    if (other->block != (uint32_t)warp->block->index)
        return (before & ~(uint32_t)CELL_KIND) | CELL_BLOCKS;
    if (other->time < warp->block->races.barrier_time)
        return mine;
    if (kind == CELL_WARPS)
        return before;
    if (other->warp != warp->index)
        return (mine & ~(uint32_t)CELL_KIND) | CELL_WARPS;
    if (warp->full_time > other->time)
        return mine;
    if (kind == CELL_ONE && !(mine & CELL_KIND) && same_thread(walk, mine, before))
        return mine;
    return (mine & ~(uint32_t)CELL_KIND) | CELL_GROUP;
}

/* The same for atomics. After the cell of atomics, which do not conflict with each other, the write
 * before them is remembered, also where the thread that did it was the first of them. */
static uint32_t join_atomics_loosely(struct race_walk *walk, lane_mask lanes, uint32_t mine,
                                     uint32_t before) {
    bool strong = race_join_record(walk, before)->strong;
    uint32_t after = strong ? join_loosely(walk, mine, before) : mine;
    uint32_t write = strong ? race_join_older(walk, before) : before;
    if (write < walk->window->old || !write || after >> CELL_SHIFT == before >> CELL_SHIFT)
        return after;
    uint32_t number = joint_record(walk, lanes, after & CELL_LANE, (struct record_link){write, 1});
    return number ? number << CELL_SHIFT | (after & (CELL_KIND | CELL_LANE)) : after;
}

/* Is there an entry in the chain that says all that the present access would? */
static bool is_covered(const struct race_walk *walk, lane_mask lanes, uint32_t cell) {
    const struct warp *warp = walk->warp;
    const struct launch *launch = warp->block->launch;
    const struct access_record *own = race_record_at(warp, walk->window->shared, walk->number);
    for (; cell >= walk->window->old && cell; cell = race_join_older(walk, cell)) {
        const struct access_record *other = race_join_record(walk, cell);
        if (other->block == own->block && other->warp == own->warp && other->time == own->time &&
            race_rank(launch, other) == race_rank(launch, own) && !(lanes & ~lanes_of(cell, other)))
            return true;
    }
    return false;
}

/* The newest is the head of the chain. What is ordered before it goes, but for what an atomic
 * does not stand in for: it meets other atomics, as the newest does not, or other blocks' ones, as
 * one of wider scope does not. Lanes of one warp at one
 * time share a record. */
static uint32_t join_precisely(struct race_walk *walk, lane_mask lanes, uint32_t mine,
                               uint32_t before) {
    struct warp *warp = walk->warp;
    bool shared = walk->window->shared;
    const struct access_record *other = race_join_record(walk, before);
    const struct access_record *own = race_record_at(warp, shared, walk->number);
    struct record_link link = {race_join_older(walk, before),
                               link_at(warp, shared, before >> CELL_SHIFT).count};
    if (is_covered(walk, lanes, before))
        return before;
    bool ordered = true;
    for (lane_mask rest = lanes; rest && ordered; rest &= rest - 1)
        ordered = !race_join_unordered(walk, (unsigned)__builtin_ctz(rest), before, other, false);
    unsigned rank = race_rank(warp->block->launch, own);
    unsigned other_rank = race_rank(warp->block->launch, other);
    bool replaces = ordered && other_rank >= rank;
    if (replaces && !link.older)
        return mine;
    if (!ordered && other->block == own->block && other->warp == own->warp &&
        other->time == own->time && other_rank == rank)
        lanes |= lanes_of(before, other);
    else if (!replaces && link.count == MAX_OLDER)
        return mine;
    else if (!replaces)
        link = (struct record_link){before, link.count + 1};
    uint32_t cell = joint_cell(walk, lanes, link);
    return cell ? cell : mine;
}

uint32_t race_join_merge(struct race_walk *walk, lane_mask lanes, uint32_t before) {
    uint32_t mine = race_join_cell(walk, lanes);
    if (before < walk->window->old || !before)
        return mine;
    return walk->precise ? join_precisely(walk, lanes, mine, before)
           : walk->store ? join_atomics_loosely(walk, lanes, mine, before)
                         : join_loosely(walk, mine, before);
}

/* Where several have read a word, two of them are known by name: a writer is one at most. */
void race_join_note_previous(const struct race_walk *walk, struct race_cells *cells, uint64_t at,
                             uint32_t mine, uint32_t before, uint32_t now) {
    const uint32_t who = ~(uint32_t)CELL_KIND;
    if (walk->precise || (now & CELL_KIND) == CELL_ONE || now == before ||
        before < walk->window->old || !before || (before | now) & CELL_PATTERN ||
        race_join_record(walk, before)->strong != walk->strong)
        return;
    uint32_t other = (now & who) == (before & who) ? mine : before;
    if ((now & CELL_KIND) == CELL_WARPS || !same_thread(walk, now, other))
        cells_note_previous(cells, at, other & who);
}

uint32_t race_join_reader(struct warp *warp, const struct race_window *window, uint32_t number,
                          unsigned lane, bool many, uint64_t at, uint32_t before) {
    struct race_walk walk = {.warp = warp, .window = window, .number = number};
    uint32_t mine = number << CELL_SHIFT | (many ? (uint32_t)CELL_GROUP : 0) | lane;
    if (before < window->old)
        return mine;
    uint32_t joined = join_loosely(&walk, mine, before);
    race_join_note_previous(&walk, window->reads, at, mine, before, joined);
    return joined;
}

/* Is it a cell without a pattern of plain accesses by one other warp of the block, since its
 * barrier? Then it is one of several warps from now on. */
static bool is_of_another_warp(const struct race_walk *walk, uint32_t cell) {
    const struct warp *warp = walk->warp;
    const struct access_record *other = race_join_record(walk, cell);
    return (cell & (CELL_PATTERN | CELL_WARPS)) == 0 && cell >= walk->window->old &&
           other->block == (uint32_t)warp->block->index && other->warp != warp->index &&
           other->time >= warp->block->races.barrier_time && !other->strong;
}

void race_join_neighbours(struct warp *warp, const struct race_window *window, uint32_t number,
                          const uint8_t *marks, uint64_t first, unsigned count) {
    const struct race_walk walk = {.warp = warp, .window = window, .number = number};
    const uint32_t settled = window->shared ? CELL_WARPS : CELL_BLOCKS;
    uint32_t *cells = &window->reads->words[first], *previous = NULL;
    uint32_t another = UINT32_MAX; /* the cell of another warp, without the lane; or of none */
    for (unsigned i = 0; i < count; i++) {
        const uint32_t before = cells[i], who = before & ~(uint32_t)(CELL_LANE | CELL_GROUP);
        if (before == (number << CELL_SHIFT | marks[i]) || (before & CELL_KIND) == settled)
            continue;
        if (who != another && is_of_another_warp(&walk, before)) {
            another = who;
            previous = cells_want_previous(window->reads) + first;
        }
        if (who == another) {
            __atomic_store_n(&previous[i], before & ~(uint32_t)CELL_KIND, __ATOMIC_RELAXED);
            cells[i] = number << CELL_SHIFT | CELL_WARPS | (marks[i] & CELL_LANE);
        } else {
            cells[i] = race_join_reader(warp, window, number, marks[i] & CELL_LANE,
                                        marks[i] & CELL_GROUP, first + i, before);
        }
    }
}

/* Data races by happens-before: two accesses to one byte, by different threads, at least one of
 * them a write, not both atomic for each other (race_scope.c), and nothing that orders them.
 *
 * The idea is that of FastTrack (Flanagan and Freund, PLDI 2009): it is enough to remember the last
 * write and the last reads of a location, because what is ordered after them is ordered after
 * all before them. Instead of clocks a cell (race_cells.c) holds the number of a record (who,
 * where, when); in shared memory records are numbered in the order of execution, so that "before
 * the block's last barrier" is one comparison of numbers, which the executors do for 32 lanes at
 * once. Only accesses that touch the same word in one barrier interval come here. What orders two
 * accesses is in race_order.c, how one cell stands for several accesses is in race_join.c. */
#include "sandbox/simgpu/check/race_join.h"

#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/message/reads_over.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

/* Does a reader of what this access writes know what came before it: of all blocks (REACH_DEVICE)
 * or of its own? */
static bool is_released(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                        enum reach reach) {
    const struct block_races *races = &warp->block->races;
    bool fenced = races->fenced || !(lanes & ~warp->fences[reach].lanes) ||
                  (reach == REACH_BLOCK &&
                   (races->held_until || !(lanes & ~warp->fences[REACH_DEVICE].lanes)));
    return insn_is_strong(insn) && (insn->order >= ORDER_RELEASE || fenced) &&
           (reach == REACH_BLOCK || !insn_is_scope_cta(insn));
}

/* False: the run is given up. */
static bool make_room(struct warp *warp, struct race_window *window) {
    if (window->shared) {
        race_gc_make_room(warp->block);
        return true;
    }
    bool goes_on = race_budget_make_room(warp->host_thread);
    window->old = warp->block->launch->first_global << CELL_SHIFT;
    return goes_on;
}

uint32_t race_record(struct warp *warp, const struct insn *insn, lane_mask lanes,
                     struct race_window *window, bool store) {
    const bool shared = window->shared;
    uint32_t pc = insn_pc(warp, insn);
    struct block *block = warp->block;
    struct race_site *site = &warp->host_thread->sites[pc];
    warp->tracked = true;
    if (!make_room(warp, window))
        return 0;
    if (site->number && site->block == block->index && site->warp == warp->index &&
        site->lanes == lanes && site->shared == shared && site->time >= warp->event_time &&
        site->time >= block->races.barrier_time &&
        site->number >= (shared ? block->races.first : block->launch->first_global))
        return site->number;
    struct access_record record = {.block = (uint32_t)block->index,
                                   .time = block->races.time,
                                   .pc = pc & 0x3fffff,
                                   .lanes = lanes,
                                   .warp = warp->index & 31,
                                   .store = store,
                                   .strong = insn_is_strong(insn),
                                   .released = is_released(warp, insn, lanes, REACH_BLOCK),
                                   .released_far = is_released(warp, insn, lanes, REACH_DEVICE)};
    *site =
        (struct race_site){.block = block->index,
                           .number = race_new_record(warp, shared, record, (struct record_link){0}),
                           .time = block->races.time,
                           .lanes = lanes,
                           .warp = (uint16_t)warp->index,
                           .shared = shared};
    return site->number;
}

/* ---- conflicts ----------------------------------------------------------------------------------
 */

/* Where in memory a comparison is made, for the report. */
struct race_location {
    uint64_t at;              /* word */
    unsigned byte, length;    /* in the word */
    const uint32_t *previous; /* see struct race_cells; NULL: the cell is not of a word */
};

/* Atomics of a chain that are ordered before the lane's access, by their blocks modulo 64: where
 * two look like one, a race may be missed. */
struct passed_atomics {
    uint64_t blocks;
};

static void note_passed_atomic(struct passed_atomics *passed, const struct access_record *record) {
    passed->blocks |= (uint64_t)1 << (record->block & 63);
}

/* After an atomic that is ordered before the lane's access, in a chain of atomics, are those whose
 * results it has read: where they were released to it, they are ordered, too. */
static bool is_passed_on(const struct passed_atomics *passed, const struct access_record *other) {
    return (other->released_far && passed->blocks) ||
           (other->released && passed->blocks >> (other->block & 63) & 1);
}

/* Are all accesses of the chain atomic for the present one? Then the search for what orders them,
 * which is slow where nothing does, is not needed. */
static bool is_all_mutual(struct race_walk *walk, const uint32_t head) {
    if (!walk->strong)
        return false;
    for (uint32_t cell = head; cell >= walk->window->old && cell && head != walk->mutual;
         cell = race_join_older(walk, cell)) {
        const struct access_record *other = race_join_record(walk, cell);
        if (!other->strong || !race_is_mutual(walk->warp, walk->insn, other))
            return false;
    }
    walk->mutual = head; /* for all lanes */
    return true;
}

/* A race that already has its best report. Where blocks run side by side, race_report.c decides on
 * a race between two blocks. */
static bool is_reported(const struct race_walk *walk, uint32_t cell,
                        const struct access_record *other) {
    const struct block *block = walk->warp->block;
    enum hazard_kind kind =
        race_window_is_shared(walk->window) ? HAZARD_SHARED_RACE : HAZARD_GLOBAL_RACE;
    bool same_block = other->block == (uint32_t)block->index && (cell & CELL_KIND) != CELL_BLOCKS;
    bool same_warp = other->warp == walk->warp->index && (cell & CELL_KIND) != CELL_WARPS;
    enum race_span span = !same_block ? SPAN_GRID : same_warp ? SPAN_WARP : SPAN_BLOCK;
    return (same_block || block->launch->in_turns) &&
           hazard_is_reported(walk->warp, insn_pc(walk->warp, walk->insn), other->pc, kind, span);
}

/* Reports the race of the lane with those of the cell; `newest`: the cell is of the last access. */
static void report(const struct race_walk *walk, unsigned lane,
                   const struct race_location *location, uint32_t cell, bool newest, lane_mask who,
                   const struct race_flag *flag) {
    struct race_report found = {.window = walk->window,
                                .own = walk->number,
                                .lane = lane,
                                .bytes = location->length,
                                .offset = 4 * location->at + location->byte,
                                .store = walk->store,
                                .newest = newest,
                                .cell = cell,
                                .previous =
                                    location->previous ? location->previous[location->at] : 0,
                                .lanes = who,
                                .flag = flag};
    if (found.previous < walk->window->old || !newest)
        found.previous = 0;
    race_report(walk->warp, walk->insn, &found);
}

/* Of messages between blocks (race_message.c): can the access be a part of one? */
static bool is_of_message(const struct race_walk *walk, uint8_t kinds) {
    return walk->strong && walk->insn->extra & kinds && !race_window_is_shared(walk->window) &&
           walk->warp->block->launch->hb_graph;
}

static bool is_from_another_block(const struct race_walk *walk, const struct access_record *other) {
    return other->strong && other->store && other->block != (uint32_t)walk->warp->block->index &&
           race_is_mutual(walk->warp, walk->insn, other);
}

/* The lanes find a flag, and whoever has written there: once for all of them, because many poll. */
static void note_messages(const struct race_walk *walk, lane_mask lanes, uint64_t at,
                          uint32_t cell) {
    bool waits = is_of_message(walk, EXTRA_WAITS | EXTRA_ARRIVES);
    bool decides = is_of_message(walk, EXTRA_DECIDES);
    bool confirmed = is_of_message(walk, EXTRA_CONFIRMED);
    for (; (waits || decides || confirmed) && cell >= walk->window->old && cell;
         cell = race_join_older(walk, cell)) {
        const struct access_record *other = race_join_record(walk, cell);
        if (!is_from_another_block(walk, other))
            continue;
        if (waits || confirmed)
            reads_over_note_look(walk->warp->block->launch,
                                 race_record_at(walk->warp, false, walk->number), lanes, other);
        if (confirmed)
            race_message_note_confirmed(walk, lanes, other);
        else
            race_message_note(walk, lanes, at, other);
    }
}

/* Can what the lane reads have another order than what came before it? */
static bool is_untimely(const struct race_walk *walk, unsigned lane, uint64_t at, uint32_t cell,
                        const struct access_record *other, struct race_flag *flag) {
    if (!is_of_message(walk, EXTRA_CONFIRMS))
        return race_message_meet(walk, lane, at, other, flag);
    bool unordered = race_join_unordered(walk, lane, cell, other, true);
    return race_message_confirms_nothing(walk, lane, other, unordered, flag);
}

/* Atomic and ordered accesses race with nothing, but they may read a message too early, or confirm
 * what they cannot. True where one does; reports it. */
static bool is_early(const struct race_walk *walk, unsigned lane,
                     const struct race_location *location, uint32_t cell) {
    if (!is_of_message(walk, EXTRA_CONFIRMS) &&
        (!is_of_message(walk, EXTRA_CARRIES) || is_of_message(walk, EXTRA_WAITS | EXTRA_ARRIVES)))
        return false;
    for (const uint32_t head = cell; cell >= walk->window->old && cell;
         cell = race_join_older(walk, cell)) {
        const struct access_record *other = race_join_record(walk, cell);
        struct race_flag flag;
        if (!is_from_another_block(walk, other) ||
            !is_untimely(walk, lane, location->at, cell, other, &flag))
            continue;
        lane_mask who = race_join_unordered(walk, lane, cell, other, true);
        if (!who && (who = race_unacquired_message(walk, lane, cell, other, &flag)))
            flag.kind = FLAG_UNACQUIRED;
        if (!who && flag.kind != FLAG_READER)
            continue;
        if (!is_reported(walk, cell, other))
            report(walk, lane, location, cell, cell == head, who ? who : other->lanes, &flag);
        return true;
    }
    return false;
}

static bool is_atomic(const struct race_walk *walk, const struct access_record *record) {
    return walk->warp->block->launch->program->code[record->pc].cost == COST_ATOMIC;
}

/* True when the access in the cell conflicts with the lane's; reports it. */
static bool conflicts(struct race_walk *walk, unsigned lane, const struct race_location *location,
                      uint32_t cell) {
    const struct race_window *window = walk->window;
    const bool scoped = walk->warp->block->launch->program->scoped;
    const uint32_t head = cell;
    const unsigned bytes = ((1U << location->length) - 1) << location->byte;
    struct passed_atomics passed = {0};
    bool stored = false; /* by a strong store: atomics have not read what was before it */
    if (is_early(walk, lane, location, cell))
        return true;
    if (is_all_mutual(walk, cell))
        return false;
    for (; cell >= window->old && cell; cell = race_join_older(walk, cell)) {
        const struct access_record *other = race_join_record(walk, cell);
        bool mutual =
            other->strong && walk->strong && race_is_mutual(walk->warp, walk->insn, other);
        if (mutual && !scoped)
            continue;
        bool known = other->strong && is_passed_on(&passed, other);
        lane_mask who = known ? 0 : race_join_unordered(walk, lane, cell, other, true);
        bool observed = who && !walk->strong && !stored &&
                        race_observed(walk, lane, location->at, bytes, other);
        stored |= other->store && !is_atomic(walk, other);
        if (observed)
            continue;
        if (other->strong && other->store && !who)
            note_passed_atomic(&passed, other);
        struct race_flag flag = {FLAG_UNACQUIRED, other->pc, walk->warp->unacquired.pc, true};
        bool acquired = who || known || mutual;
        if (!acquired)
            who = race_unacquired(walk, lane, cell, other);
        if (!who || mutual)
            continue;
        if (is_reported(walk, cell, other))
            return true;
        if (walk->store && reads_over(walk->warp, lane, other))
            continue;
        report(walk, lane, location, cell, cell == head, who, acquired ? NULL : &flag);
        return true;
    }
    return false;
}

/* ---- words --------------------------------------------------------------------------------------
 */

/* What the lanes of an access do to one word. */
struct touch {
    uint64_t at;
    unsigned mask;      /* of its bytes */
    lane_mask lanes[4]; /* that touch each of them */
};

/* Several host threads may be at one cell: the one that changes the cells of single bytes locks the
 * word's meanwhile. */
static uint32_t look(const struct race_window *window, const uint32_t *word) {
    uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while (!window->alone && value == CELL_LOCKED)
        value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    return value;
}

/* False where another host thread was quicker. */
static bool change(const struct race_window *window, uint32_t *word, uint32_t before,
                   uint32_t after) {
    if (window->alone) {
        *word = after;
        return true;
    }
    return before == after || __atomic_compare_exchange_n(word, &before, after, false,
                                                          __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static uint32_t enter_bytes(struct race_walk *walk, struct race_cells *cells,
                            const struct touch *touch, bool joins, uint32_t there,
                            uint32_t before[4]) {
    const struct race_window *window = walk->window;
    uint32_t now[4], mine = 0;
    cells_expand(cells, touch->at, there, window->old, before);
    for (unsigned b = 0; b < 4; b++) {
        now[b] = before[b];
        if (!(touch->mask >> b & 1))
            continue;
        bool again = b > 0 && touch->mask >> (b - 1) & 1 && before[b] == before[b - 1] &&
                     touch->lanes[b] == touch->lanes[b - 1];
        if (!again)
            mine = joins ? race_join_merge(walk, touch->lanes[b], before[b])
                         : race_join_cell(walk, touch->lanes[b]);
        now[b] = mine;
    }
    return cells_pack(window->shared ? NULL : walk->warp->block->launch, cells, touch->at, now);
}

static uint32_t fresh_pattern(struct race_walk *walk, const struct touch *touch) {
    uint32_t cells[4];
    for (unsigned b = 0; b < 4; b++)
        cells[b] = race_join_cell(walk, touch->lanes[b]);
    return cells_pattern(cells);
}

/* Stores the access in the cells, and returns what they held before: one cell for all bytes (true)
 * or one for each. */
static bool enter(struct race_walk *walk, struct race_cells *cells, const struct touch *touch,
                  bool joins, uint32_t before[4]) {
    const struct race_window *window = walk->window;
    uint32_t *word = &cells->words[touch->at], there, after;
    bool alike = touch->mask == 15 && touch->lanes[0] == touch->lanes[1] &&
                 touch->lanes[0] == touch->lanes[2] && touch->lanes[0] == touch->lanes[3];
    for (;;) {
        there = look(window, word);
        if (there == 0 && !window->shared)
            race_budget_note_fresh(walk->warp->host_thread, walk->store, 1);
        if (!alike && touch->mask == 15 && there < window->old) {
            after = fresh_pattern(walk, touch);
            if (after != CELL_LOCKED && change(window, word, there, after)) {
                before[0] = 0;
                return true;
            }
        }
        if (!alike || (there >= window->old && there & CELL_PATTERN)) {
            if (!window->alone && !change(window, word, there, CELL_LOCKED))
                continue;
            after = enter_bytes(walk, cells, touch, joins, there, before);
            __atomic_store_n(word, after, __ATOMIC_SEQ_CST);
            return false;
        }
        uint32_t mine = race_join_cell(walk, touch->lanes[0]);
        before[0] = there < window->old ? 0 : there;
        after = joins ? race_join_merge(walk, touch->lanes[0], before[0]) : mine;
        if (!change(window, word, there, after))
            continue;
        if (joins)
            race_join_note_previous(walk, cells, touch->at, mine, before[0], after);
        return true;
    }
}

/* Compares each lane's bytes with the cells. Bytes that have been reported are taken from the mask.
 */
static void compare(struct race_walk *walk, const struct touch *touch, const uint32_t cells[4],
                    bool whole, const uint32_t *previous, unsigned *mask) {
    for (unsigned b = 0; b < 4; b++) {
        unsigned end = b + 1;
        if (!(*mask >> b & 1))
            continue;
        while (end < 4 && *mask >> end & 1 && touch->lanes[end] == touch->lanes[b] &&
               (whole || cells[end] == cells[b]))
            end++;
        uint32_t cell = cells[whole ? 0 : b];
        struct race_location location = {touch->at, b, end - b, whole ? previous : NULL};
        bool found = false;
        if (cell)
            note_messages(walk, touch->lanes[b], touch->at, cell);
        for (lane_mask rest = cell ? touch->lanes[b] : 0; rest; rest &= rest - 1)
            found |= conflicts(walk, (unsigned)__builtin_ctz(rest), &location, cell);
        for (unsigned i = b; i < end && found; i++)
            *mask &= ~(1u << i);
        b = end - 1;
    }
}

/* Was each byte touched by the lane that touches it now? */
static bool is_own(struct race_walk *walk, const struct touch *touch, uint32_t word) {
    const struct access_record *record = race_join_record(walk, word);
    const struct warp *warp = walk->warp;
    uint32_t mask = (1u << CELL_SHIFT) - 1;
    return touch->mask == 15 && record->block == (uint32_t)warp->block->index &&
           record->warp == warp->index && (word & CELL_PATTERN) != CELL_SPLIT &&
           (word & mask) == (fresh_pattern(walk, touch) & mask);
}

static void compare_with(struct race_walk *walk, const struct touch *touch,
                         struct race_cells *cells, unsigned *mask) {
    uint32_t word = look(walk->window, &cells->words[touch->at]), expanded[4] = {word};
    if (word < walk->window->old || !word)
        return;
    bool whole = !(word & CELL_PATTERN);
    if (!(word & CELL_KIND) && word >> CELL_SHIFT != walk->number && is_own(walk, touch, word))
        return;
    if (!whole)
        cells_expand(cells, touch->at, word, walk->window->old, expanded);
    compare(walk, touch, expanded, whole, cells->previous, mask);
}

static bool is_followed(const struct race_walk *walk, uint64_t at) {
    const struct launch *launch = walk->warp->block->launch;
    return walk->window->shared || launch->slices == 1 ||
           race_budget_follows(launch, walk->window->allocation, 4 * at);
}

/* A write takes the place of the last one, unless it is an atomic after atomics, and meets the
 * readers; a read joins the readers and meets the last write. */
static void touch_word(struct race_walk *walk, const struct touch *touch) {
    const struct race_window *window = walk->window;
    uint32_t before[4];
    unsigned mask = touch->mask;
    if (!is_followed(walk, touch->at))
        return;
    if (!walk->store) {
        enter(walk, window->reads, touch, true, before);
        compare_with(walk, touch, window->writes, &mask);
        return;
    }
    bool whole = enter(walk, window->writes, touch, walk->strong, before);
    compare(walk, touch, before, whole, window->writes->previous, &mask);
    compare_with(walk, touch, window->reads, &mask);
}

/* Lanes in one word are taken together; a plain store's only where they do not overlap. */
static void add(struct race_walk *walk, struct touch *touch, uint64_t at, unsigned mask,
                unsigned lane) {
    if (touch->mask && (touch->at != at || (walk->store && !walk->strong && touch->mask & mask))) {
        touch_word(walk, touch);
        *touch = (struct touch){0};
    }
    touch->at = at;
    touch->mask |= mask;
    for (unsigned b = 0; b < 4; b++)
        if (mask >> b & 1)
            touch->lanes[b] |= (lane_mask)1 << lane;
}

/* The common cases of a lane's access to a whole word: no thread was there in this interval, or the
 * cell says already all that it can. False: not one of them. */
static bool enter_quickly(const struct race_walk *walk, uint32_t *word, bool joins, unsigned lane) {
    const struct race_window *window = walk->window;
    uint32_t there = look(window, word), after = walk->number << CELL_SHIFT | lane;
    uint32_t kind = there & CELL_KIND;
    if (there >= window->old) {
        if (!joins || walk->precise || there & CELL_PATTERN)
            return false;
        if (there >> CELL_SHIFT == walk->number)
            after = kind || (there & CELL_LANE) == lane ? there : after | CELL_GROUP;
        else if (kind == CELL_BLOCKS || (kind == CELL_WARPS && window->shared))
            after = there;
        else
            return false;
        const struct access_record *other = race_join_record(walk, there);
        if (other->strong != walk->strong || other->linked)
            return false;
    }
    if (there == 0 && !window->shared)
        race_budget_note_fresh(walk->warp->host_thread, walk->store, 1);
    return change(window, word, there, after);
}

/* A lane and a cell that speaks of all four bytes of the word. True: they race. */
static bool conflicts_with_cell(struct race_walk *walk, const struct race_cells *cells, uint64_t at,
                                unsigned lane, uint32_t cell) {
    const struct race_location location = {at, 0, 4, cells->previous};
    note_messages(walk, (lane_mask)1 << lane, at, cell);
    return conflicts(walk, lane, &location, cell);
}

static bool is_same_thread(const struct race_walk *walk, uint32_t cell, unsigned lane) {
    const struct access_record *record = race_join_record(walk, cell);
    return !(cell & CELL_KIND) && (cell & CELL_LANE) == lane && record->warp == walk->warp->index &&
           record->block == (uint32_t)walk->warp->block->index;
}

/* The same for a write after others' writes: it takes their place. *raced: and races with them. */
static bool replace_quickly(struct race_walk *walk, struct race_cells *own, uint64_t at,
                            unsigned lane, bool *raced) {
    const struct race_window *window = walk->window;
    uint32_t there = look(window, &own->words[at]);
    if (!walk->store || walk->strong || there < window->old || there & CELL_PATTERN ||
        !change(window, &own->words[at], there, walk->number << CELL_SHIFT | lane))
        return false;
    *raced = conflicts_with_cell(walk, own, at, lane, there);
    return true;
}

static bool touch_quickly(struct race_walk *walk, uint64_t at, unsigned lane) {
    const struct race_window *window = walk->window;
    struct race_cells *own = walk->store ? window->writes : window->reads;
    struct race_cells *others = walk->store ? window->reads : window->writes;
    bool raced = false;
    if (!enter_quickly(walk, &own->words[at], !walk->store || walk->strong, lane) &&
        !replace_quickly(walk, own, at, lane, &raced))
        return false;
    uint32_t other = look(window, &others->words[at]);
    if (raced || other < window->old)
        return true;
    if (!(other & CELL_PATTERN)) {
        if (other >> CELL_SHIFT == walk->number || !is_same_thread(walk, other, lane))
            conflicts_with_cell(walk, others, at, lane, other);
        return true;
    }
    lane_mask bit = (lane_mask)1 << lane;
    struct touch touch = {at, 15, {bit, bit, bit, bit}};
    unsigned mask = 15;
    compare_with(walk, &touch, others, &mask);
    return true;
}

void race_access_lanes(struct warp *warp, const struct insn *insn, const struct race_window *window,
                       uint32_t number, lane_mask lanes, const uint64_t *offsets, unsigned bytes,
                       bool store) {
    struct race_walk walk = {.warp = warp,
                             .insn = insn,
                             .window = window,
                             .number = number,
                             .store = store,
                             .strong = insn_is_strong(insn),
                             .precise = warp->block->launch->precise};
    struct touch touch = {0};
    const lane_mask all = lanes;
    bool whole = window->shared || warp->block->launch->slices == 1;
    bool quick = !walk.precise && !(bytes & 3);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint64_t from = offsets[lane], end = from + bytes;
        for (uint64_t at = from / 4; at <= (end - 1) / 4; at++) {
            unsigned first = at == from / 4 ? (unsigned)(from & 3) : 0;
            unsigned last = at == (end - 1) / 4 ? (unsigned)((end - 1) & 3) : 3;
            if (quick && first == 0 && last == 3 && (whole || is_followed(&walk, at)) &&
                touch_quickly(&walk, at, lane))
                continue;
            add(&walk, &touch, at, (2u << last) - (1u << first), lane);
        }
    }
    if (touch.mask)
        touch_word(&walk, &touch);
    if (walk.strong && (insn->extra & EXTRA_OBSERVES || warp->host_thread->observations))
        race_observed_note(&walk, all, offsets, bytes);
}

void race_access_slowly(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, unsigned bytes, bool store) {
    if (!warp->block->launch->checks)
        return;
    if (warp->block->cluster)
        race_cluster_access(warp, insn, lanes, addresses);
    for (lane_mask rest = lanes; rest && bytes; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        struct race_window window;
        if (place.owner && place.owner->cluster
                ? !race_cluster_window(place.owner, &window)
                : !race_find_window(warp, place.space, addresses[lane] >> ADDRESS_SHIFT, &window))
            continue;
        uint32_t number = race_record(warp, insn, lanes, &window, store);
        uint64_t offsets[WARP_LANES];
        offsets[lane] = (uint64_t)(place.bytes - window.bytes);
        if (number)
            race_access_lanes(warp, insn, &window, number, rest & -rest, offsets, bytes, store);
    }
    if (insn_is_strong(insn))
        race_strong_access(warp, insn, lanes, addresses, store);
}

/* Data races by happens-before: two accesses to one granule, by different threads, at least one of
 * them a write, not both atomic, and nothing that orders them.
 *
 * The idea is that of FastTrack (Flanagan and Freund, PLDI 2009): it is enough to remember the last
 * write and the last reads of a place, because whatever is ordered behind them is ordered behind
 * all before them. Instead of clocks a cell holds the number of a record (who, where, when);
 * records are numbered in the order of execution, so that "before the block's last barrier" is one
 * comparison of numbers, which the executors do for 32 lanes at once. Only accesses of one barrier
 * interval that really meet come here.
 *
 * Time is the block's count of synchronisation events. An access at time t of lane L is ordered
 * before lane M's present one if M learnt of L later than t: through a block barrier (block->
 * races.barrier_time), a barrier of some warps (knows_warp), a warp-level operation that named both
 * (full_time, lane_time), or through memory: a thread publishes at an atomic or volatile store what
 * it knew at its last fence, and whoever reads that object by an atomic or volatile load has learnt
 * it. Lanes of one warp are concurrent like all others. A missing fence is therefore seen, too. */
#include "sandbox/simgpu/race.h"

#include "sandbox/simgpu/memory.h"

#include "grader/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SHARED_RECORDS = 1 << 18, /* of one barrier interval */
    MAX_OLDER_READERS = 255,      /* who comes then is remembered instead of them */
    MAX_GLOBAL_RECORDS = 1 << 22, /* of a launch; later accesses are compared but not remembered */
    RECORD_LIMIT = (1 << 26) - 8,
};

struct access_record {
    uint32_t block, time, pc;
    lane_mask lanes;
    uint32_t older; /* cell of earlier readers that are to be remembered, too; 0: none */
    uint8_t warp, older_count;
    bool store, strong, several_warps; /* several_warps: lanes is a mask of warps */
};

static struct access_record *record_at(const struct warp *warp, bool shared, uint32_t number) {
    const struct block *block = warp->block;
    if (shared)
        return &block->races.records[number - block->races.first];
    const struct launch *launch = block->launch;
    return &launch->hosts[number >> launch->record_bits]
                .records[number & (((uint32_t)1 << launch->record_bits) - 1)];
}

static uint32_t new_record(struct warp *warp, bool shared, const struct access_record *record) {
    struct block *block = warp->block;
    if (shared) {
        struct block_races *races = &block->races;
        size_t used = races->next - races->first;
        if (used >= MAX_SHARED_RECORDS || races->next >= RECORD_LIMIT)
            return 0;
        if (used == races->capacity) {
            races->capacity = races->capacity ? 2 * races->capacity : 256;
            races->records = mem_realloc(races->records, races->capacity, sizeof *record);
        }
        races->records[used] = *record;
        return races->next++;
    }
    struct host *host = warp->host;
    uint32_t limit = (uint32_t)1 << block->launch->record_bits;
    if (host->record_count >= limit || host->record_count >= MAX_GLOBAL_RECORDS)
        return 0;
    if (!host->records) /* reserved at once: other hosts read it while it fills */
        host->records =
            mem_calloc(limit < MAX_GLOBAL_RECORDS ? limit : MAX_GLOBAL_RECORDS, sizeof *record);
    if (host->record_count == 0)
        host->record_count = 1; /* number 0 means nobody */
    host->records[host->record_count] = *record;
    uint32_t number =
        (uint32_t)(host - block->launch->hosts) << block->launch->record_bits | host->record_count;
    host->record_count++;
    return number;
}

static bool is_strong(const struct insn *insn) {
    return insn->cost == COST_ATOMIC || insn->order != ORDER_WEAK;
}

uint32_t race_record(struct warp *warp, const struct insn *insn, lane_mask lanes, bool shared,
                     bool store) {
    uint32_t pc = insn_pc(warp, insn);
    struct block *block = warp->block;
    struct race_site *site = &warp->host->sites[pc];
    warp->tracked = true;
    if (site->number && site->block == block->index && site->warp == warp->index &&
        site->lanes == lanes && site->shared == shared && site->time >= warp->event_time &&
        site->time >= block->races.barrier_time &&
        site->number >= (shared ? block->races.first : block->launch->first_global))
        return site->number;
    struct access_record record = {.block = (uint32_t)block->index,
                                   .time = block->races.time,
                                   .pc = pc,
                                   .lanes = lanes,
                                   .warp = (uint8_t)warp->index,
                                   .store = store,
                                   .strong = is_strong(insn)};
    *site = (struct race_site){.block = block->index,
                               .number = new_record(warp, shared, &record),
                               .time = block->races.time,
                               .lanes = lanes,
                               .warp = (uint16_t)warp->index,
                               .shared = shared};
    return site->number;
}

/* ---- knowledge: who has learnt of whom, and until when ----------------------------------------
 */

static uint32_t lane_learnt(const struct warp *warp, unsigned lane, unsigned other) {
    uint32_t full = warp->full_time;
    uint32_t pair = warp->lane_time ? warp->lane_time[lane * WARP_LANES + other] : 0;
    return pair > full ? pair : full;
}

/* The lanes of one warp's access that the present thread has not learnt of. */
static lane_mask unordered_lanes(const struct warp *warp, unsigned lane,
                                 const struct access_record *record, unsigned record_warp,
                                 lane_mask lanes) {
    const struct block *block = warp->block;
    bool same_block = record->block == (uint32_t)block->index;
    if (same_block && record->time < block->races.barrier_time)
        return 0;
    if (same_block && record_warp == warp->index) {
        lane_mask left = 0;
        for (lane_mask rest = lanes & ~((lane_mask)1 << lane); rest; rest &= rest - 1)
            if (lane_learnt(warp, lane, (unsigned)__builtin_ctz(rest)) <= record->time)
                left |= rest & -rest;
        if (!left)
            return 0;
        lanes = left;
    }
    if (same_block && block->races.knows_warp &&
        block->races.knows_warp[warp->index * MAX_WARPS + record_warp] > record->time)
        return 0;
    if (!warp->learnt.object_count && !block->races.learnt.object_count)
        return lanes;
    if (knowledge_covers(&warp->learnt, record->block, record_warp, lanes, record->time) ||
        knowledge_covers(&block->races.learnt, record->block, record_warp, lanes, record->time))
        return 0;
    return lanes;
}

/* The lanes of the cell's own record, without those of the records behind it. */
static lane_mask unordered(const struct warp *warp, unsigned lane, uint32_t cell,
                           const struct access_record *record) {
    if (record->several_warps) {
        for (lane_mask rest = record->lanes; rest; rest &= rest - 1) {
            lane_mask left =
                unordered_lanes(warp, lane, record, (unsigned)__builtin_ctz(rest), UINT32_MAX);
            if (left)
                return left;
        }
        return 0;
    }
    lane_mask lanes = cell & CELL_GROUP ? record->lanes : (lane_mask)1 << (cell & 31);
    if ((cell & CELL_SEVERAL) == CELL_BLOCKS)
        return UINT32_MAX;
    if ((cell & CELL_SEVERAL) == CELL_SEVERAL) /* others than this record's, too */
        return unordered_lanes(warp, lane, record, record->warp, UINT32_MAX)
                   ? UINT32_MAX
                   : (record->block == (uint32_t)warp->block->index &&
                              record->time < warp->block->races.barrier_time
                          ? 0
                          : UINT32_MAX);
    return unordered_lanes(warp, lane, record, record->warp, lanes);
}

/* ---- reports -----------------------------------------------------------------------------------
 */

static struct dim3 block_id(const struct launch *launch, uint32_t index) {
    struct dim3 grid = launch->request->grid;
    return (struct dim3){index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y};
}

static const char *verb(const struct access_record *record, bool store) {
    return record->strong ? "an atomic or volatile access" : store ? "a write" : "a read";
}

/* st: the data stands in slots from 1 on; stores of matrices and the like keep theirs elsewhere. */
static bool is_plain_store(const struct warp *warp, const struct insn *insn) {
    struct ptx_span name = warp->block->launch->program->origins[insn_pc(warp, insn)].mnemonic;
    return insn->cost == COST_STORE && name.length > 3 && memcmp(name.start, "st.", 3) == 0;
}

/* Would the store leave what is there already? Then the race is harmless in practice: a warning.
 * `other_lane`: of the same store, memory does not hold its value yet; -1: it does. */
static bool same_value(const struct warp *warp, const struct insn *insn, unsigned lane,
                       const unsigned char *memory, uint64_t offset, int other_lane,
                       unsigned bytes) {
    unsigned element = ptx_type_bits(insn->type) / 8;
    if (!is_plain_store(warp, insn) || !element)
        return false;
    uint64_t total = (uint64_t)element * insn->vector, start = offset / total * total;
    for (uint64_t at = offset; at < offset + bytes && at < start + total; at++) {
        uint32_t operand = insn->operands[1 + (at - start) / element];
        const unsigned char *value = warp->bases[operand & OPERAND_CONSTANT] +
                                     (operand & ~(uint32_t)3) + (at - start) % element;
        unsigned char there =
            other_lane >= 0 ? value[(size_t)other_lane * insn->register_bytes] : memory[at];
        if (value[(size_t)lane * insn->register_bytes] != there)
            return false;
    }
    return true;
}

/* The width that a variable's elements seem to have: of the narrower access. */
static unsigned element_bytes(const struct warp *warp, const struct insn *insn, uint32_t other_pc) {
    const struct insn *other = &warp->block->launch->program->code[other_pc];
    unsigned a = ptx_type_bits(insn->type) / 8, b = ptx_type_bits(other->type) / 8;
    unsigned least = a < b || !b ? a : b;
    return least ? least : 1;
}

static void report(struct warp *warp, const struct insn *insn, const struct race_window *window,
                   uint32_t own_number, unsigned lane, uint64_t offset, unsigned bytes, bool store,
                   uint32_t cell, const struct access_record *other, lane_mask who) {
    struct block *block = warp->block;
    const struct access_record *own = record_at(warp, window->shared, own_number);
    bool several = (cell & CELL_SEVERAL) == CELL_SEVERAL;
    bool blocks = (cell & CELL_SEVERAL) == CELL_BLOCKS;
    bool same_block = !blocks && other->block == (uint32_t)block->index;
    if (!same_block && block->launch->host_count > 1) {
        /* which of the two comes first depends on timing: repeat on one thread, see launch.c */
        atomic_store(&block->launch->stopped, true);
        return;
    }
    unsigned other_warp =
        other->several_warps ? (unsigned)__builtin_ctz(other->lanes) : other->warp;
    lane_mask candidates = other->several_warps ? who
                           : who & other->lanes ? who & other->lanes
                                                : who;
    unsigned other_lane = (cell & CELL_GROUP) ? (unsigned)__builtin_ctz(candidates) : cell & 31;
    bool unnamed = blocks && other->block == (uint32_t)block->index;
    if (same_block && other_warp == warp->index && other_lane == lane) {
        candidates &= ~((lane_mask)1 << lane); /* its own access is among them */
        unnamed = !candidates;
        if (candidates)
            other_lane = (unsigned)__builtin_ctz(candidates);
    }
    struct warp named = {.block = block, .index = other_warp};
    struct dim3 a = thread_of(warp, lane), b = thread_of(&named, other_lane);
    struct dim3 block_a = block->id, block_b = block_id(block->launch, other->block);
    device_address address = window->shared ? offset : ADDRESS_OF(window->allocation) + offset;
    struct access access = {window->shared ? SPACE_SHARED : SPACE_GLOBAL, address,
                            element_bytes(warp, insn, other->pc), store};
    char element[128] = "", whole[192], first[160], second[160];
    describe_address(warp, &access, element, sizeof element, whole, sizeof whole);
    bool harmless = store && other->store && !own->strong && !other->strong &&
                    same_value(warp, insn, lane, window->bytes, offset,
                               cell >> CELL_SHIFT == own_number ? (int)other_lane : -1, bytes);
    if (same_block) {
        snprintf(first, sizeof first, "thread (%u, %u, %u)", a.x, a.y, a.z);
        snprintf(second, sizeof second, "thread (%u, %u, %u)", b.x, b.y, b.z);
    } else {
        snprintf(first, sizeof first, "thread (%u, %u, %u) of block (%u, %u, %u)", a.x, a.y, a.z,
                 block_a.x, block_a.y, block_a.z);
        snprintf(second, sizeof second, "thread (%u, %u, %u) of block (%u, %u, %u)", b.x, b.y, b.z,
                 block_b.x, block_b.y, block_b.z);
    }
    if (unnamed)
        snprintf(second, sizeof second, "%s",
                 blocks ? "threads of other blocks" : "other threads of the block");
    const char *why = !same_block ? "blocks run in any order, and no fence and atomic orders these"
                      : other_warp == warp->index && !several
                          ? "lanes of one warp run in any order without __syncwarp() between them"
                          : "no barrier orders them";
    struct hazard *hazard = hazard_report(
        warp, insn_pc(warp, insn), other->pc,
        window->shared ? HAZARD_SHARED_RACE : HAZARD_GLOBAL_RACE,
        harmless ? SEVERITY_WARNING : SEVERITY_ERROR, (lane_mask)1 << lane,
        "%s of %s by %s and %s by %s%s: %s%s", verb(own, store), element, first,
        verb(other, other->store), second, (several || blocks) && !unnamed ? " and others" : "",
        why, harmless ? "; both write the same value" : "");
    if (!hazard)
        return;
    snprintf(hazard->variable, sizeof hazard->variable, "%s", element);
    if (!unnamed && hazard->thread_count < ENGINE_HAZARD_THREADS)
        hazard->threads[hazard->thread_count++] = (struct hazard_thread){block_b, b};
}

/* ---- accesses ----------------------------------------------------------------------------------
 */

static uint32_t swap_cell(const struct launch *launch, uint32_t *cell, uint32_t value) {
    if (launch->host_count > 1)
        return __atomic_exchange_n(cell, value, __ATOMIC_SEQ_CST);
    uint32_t before = *cell;
    *cell = value;
    return before;
}

/* True when the access in the cell conflicts with the present one; reports it. */
static bool conflicts(struct warp *warp, const struct insn *insn, const struct race_window *window,
                      uint32_t number, unsigned lane, uint64_t offset, unsigned bytes, bool store,
                      uint32_t cell) {
    if (cell < window->old)
        return false;
    const struct access_record *other = record_at(warp, window->shared, cell >> CELL_SHIFT);
    if (other->strong && is_strong(insn))
        return false;
    lane_mask who = unordered(warp, lane, cell, other);
    while (!who && other->older) {
        cell = other->older;
        other = record_at(warp, window->shared, cell >> CELL_SHIFT);
        who = unordered(warp, lane, cell, other);
    }
    if (!who)
        return false;
    report(warp, insn, window, number, lane, offset, bytes, store, cell, other, who);
    return true;
}

/* In a precise launch the readers that something may order one by one hang on to the record of the
 * newest in a chain: those of other blocks, and those of other warps at another time. */
static uint32_t chain_reader(struct warp *warp, const struct race_window *window,
                             const struct access_record *own, lane_mask lanes, uint32_t mine,
                             uint32_t before, const struct access_record *other) {
    if (other->older_count == MAX_OLDER_READERS)
        return mine;
    struct access_record chained = *own;
    chained.lanes = lanes;
    chained.older = before;
    chained.older_count = (uint8_t)(other->older_count + 1);
    uint32_t number = new_record(warp, window->shared, &chained);
    return number ? number << CELL_SHIFT | CELL_GROUP : mine;
}

/* Several warps are told apart only where something finer than whole-block barriers can order them
 * (launch->precise); else the one mark "several" says all there is to say about an interval. */
uint32_t race_join_reader(struct warp *warp, const struct race_window *window, uint32_t number,
                          unsigned lane, bool many, uint32_t before) {
    uint32_t mine = number << CELL_SHIFT | (many ? (uint32_t)CELL_GROUP : lane);
    if (before < window->old || (before & CELL_SEVERAL) == CELL_BLOCKS)
        return before < window->old ? mine : before;
    const struct access_record *other = record_at(warp, window->shared, before >> CELL_SHIFT);
    const struct access_record *own = record_at(warp, window->shared, number);
    lane_mask lanes = many ? own->lanes : (lane_mask)1 << lane;
    if (other->block != own->block && !other->older && warp->block->launch->precise &&
        !unordered(warp, lane, before, other))
        return mine;
    if (other->block != own->block)
        return warp->block->launch->precise
                   ? chain_reader(warp, window, own, lanes, mine, before, other)
                   : (before & ~(uint32_t)CELL_SEVERAL) | CELL_BLOCKS;
    bool ordered = !unordered(warp, lane, before, other);
    if (ordered && !other->older)
        return mine;
    if ((before & CELL_SEVERAL) == CELL_SEVERAL && !other->several_warps)
        return before;
    struct access_record merged = *own;
    merged.older = other->older;
    merged.older_count = other->older_count;
    lane_mask there = before & CELL_GROUP ? other->lanes : (lane_mask)1 << (before & 31);
    bool same_warp = !other->several_warps && other->warp == own->warp;
    if (ordered) {
        merged.lanes = lanes;
        if (same_warp && there == lanes && other->time == own->time)
            return before;
    } else if (same_warp) {
        merged.lanes = there | lanes;
    } else if (warp->block->launch->precise && other->time != own->time) {
        return chain_reader(warp, window, own, lanes, mine, before, other);
    } else if (warp->block->launch->precise) {
        merged.several_warps = true;
        merged.lanes = (lane_mask)1 << own->warp |
                       (other->several_warps ? other->lanes : (lane_mask)1 << other->warp);
        if (other->several_warps && other->lanes == merged.lanes && other->time == merged.time)
            return before;
    } else {
        return number << CELL_SHIFT | CELL_SEVERAL;
    }
    uint32_t merged_number = new_record(warp, window->shared, &merged);
    return merged_number ? merged_number << CELL_SHIFT | CELL_GROUP : mine;
}

void race_access_lane(struct warp *warp, const struct insn *insn, const struct race_window *window,
                      uint32_t number, unsigned lane, uint64_t offset, unsigned bytes, bool store) {
    const struct launch *launch = warp->block->launch;
    uint32_t mine = number << CELL_SHIFT | lane;
    uint64_t first = offset >> window->shift, last = (offset + bytes - 1) >> window->shift;
    for (uint64_t at = first; at <= last; at++) {
        uint64_t byte = at << window->shift;
        unsigned length = bytes < (1u << window->shift) ? bytes : 1u << window->shift;
        bool reported = false;
        if (store) {
            uint32_t before = swap_cell(launch, &window->writes[at], mine);
            reported = conflicts(warp, insn, window, number, lane, byte, length, true, before);
            uint32_t reader = __atomic_load_n(&window->reads[at], __ATOMIC_RELAXED);
            if (!reported && reader)
                conflicts(warp, insn, window, number, lane, byte, length, true, reader);
            continue;
        }
        uint32_t reader = __atomic_load_n(&window->reads[at], __ATOMIC_RELAXED);
        uint32_t merged = race_join_reader(warp, window, number, lane, false, reader);
        if (merged != reader)
            swap_cell(launch, &window->reads[at], merged);
        uint32_t writer = __atomic_load_n(&window->writes[at], __ATOMIC_SEQ_CST);
        if (writer)
            conflicts(warp, insn, window, number, lane, byte, length, false, writer);
    }
}

void race_access_slowly(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, unsigned bytes, bool store) {
    if (!warp->block->launch->checks)
        return;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct place place = memory_place(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        struct race_window window;
        if (!race_find_window(warp, place.space, addresses[lane] >> ADDRESS_SHIFT, &window))
            continue;
        uint32_t number = race_record(warp, insn, lanes, window.shared, store);
        if (number)
            race_access_lane(warp, insn, &window, number, lane,
                             (uint64_t)(place.bytes - window.bytes), bytes, store);
    }
    if (is_strong(insn))
        race_strong_access(warp, insn, lanes, addresses, store);
}

/* ---- synchronisation ---------------------------------------------------------------------------
 */

static uint32_t next_event(struct block *block) {
    return ++block->races.time;
}

void race_block_barrier(struct block *block) {
    struct block_races *races = &block->races;
    if (!block->launch->checks)
        return;
    races->barrier_time = next_event(block);
    races->first = races->next;
    if (races->first >= RECORD_LIMIT - MAX_SHARED_RECORDS && races->writes) {
        size_t cells =
            (block->launch->program->shared_window_bytes >> block->launch->shared_granule) + 1;
        memset(races->writes, 0, cells * sizeof *races->writes);
        memset(races->reads, 0, cells * sizeof *races->reads);
        races->first = races->next = 1;
    }
    for (unsigned i = 0; i < block->warp_count; i++) {
        if (block->warps[i].learnt.object_count) {
            knowledge_join(&races->learnt, &block->warps[i].learnt);
            knowledge_clear(&block->warps[i].learnt);
        }
        if (block->warps[i].fenced) /* whoever publishes behind the barrier publishes this, too */
            knowledge_join(&races->at_fence, &block->warps[i].at_fence);
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
        knowledge_join(&learnt, &block->warps[w].learnt);
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
        knowledge_join(&block->warps[w].learnt, &learnt);
        block->warps[w].full_time = now;
        block->warps[w].event_time = now;
    }
    knowledge_free(&learnt);
}

void race_warp_sync(struct warp *warp, lane_mask lanes) {
    struct block *block = warp->block;
    if (!block->launch->checks || !warp->tracked)
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

/* What the lane knows now becomes what it will publish. */
void race_fence(struct warp *warp, lane_mask lanes) {
    struct block *block = warp->block;
    if (!block->launch->checks)
        return;
    uint32_t now = next_event(block), index = (uint32_t)block->index;
    warp->event_time = now;
    warp->fenced |= lanes;
    struct knowledge *known = &warp->at_fence;
    knowledge_note(
        known, (struct known_lanes){index, ALL_WARPS, UINT32_MAX, block->races.barrier_time, 0});
    knowledge_note(known, (struct known_lanes){index, (uint16_t)warp->index, lanes, now, 0});
    if (warp->full_time)
        knowledge_note(known, (struct known_lanes){index, (uint16_t)warp->index, UINT32_MAX,
                                                   warp->full_time, 0});
    for (lane_mask rest = lanes; warp->lane_time && rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned other = 0; other < WARP_LANES; other++)
            if (warp->lane_time[lane * WARP_LANES + other] > warp->full_time)
                knowledge_note(
                    known, (struct known_lanes){index, (uint16_t)warp->index, (lane_mask)1 << other,
                                                warp->lane_time[lane * WARP_LANES + other], 0});
    }
    for (unsigned w = 0; block->races.knows_warp && w < MAX_WARPS; w++)
        if (block->races.knows_warp[warp->index * MAX_WARPS + w])
            knowledge_note(known, (struct known_lanes){
                                      index, (uint16_t)w, UINT32_MAX,
                                      block->races.knows_warp[warp->index * MAX_WARPS + w], 0});
    knowledge_join(known, &warp->learnt);
    knowledge_join(known, &block->races.learnt);
}

/* Each block arrives at the grid barrier once, after a barrier of its own threads. When the last
 * one does, whatever was accessed is ordered before all that follows. */
static void arrive_at_grid(struct launch *launch, lane_mask lanes,
                           const device_address *addresses) {
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        launch->grid_arrivals += addresses[__builtin_ctz(rest)] >> ADDRESS_SHIFT == WINDOW_GRID;
    if (launch->grid_arrivals < launch->block_count)
        return;
    launch->grid_arrivals = 0;
    if (launch->hosts[0].record_count)
        launch->first_global = launch->hosts[0].record_count;
}

/* Only where blocks run on one host thread: kernels with fences or ordered accesses do. */
void race_strong_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const device_address *addresses, bool store) {
    struct block *block = warp->block;
    struct launch *launch = block->launch;
    if (!launch->checks || launch->host_count > 1)
        return;
    if (launch->program->cooperative && store)
        arrive_at_grid(launch, lanes, addresses);
    bool release =
        insn->order == ORDER_RELEASE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC;
    if (release)
        race_fence(warp, lanes);
    bool block_fenced = block->races.at_fence.lane_count > 0;
    bool publishes = store && (block_fenced || (warp->fenced & lanes));
    bool reads = insn->cost != COST_STORE;
    if (!publishes && !launch->objects)
        return;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        device_address address = addresses[lane];
        bool shared = insn->space == SPACE_SHARED || address >> ADDRESS_SHIFT == WINDOW_SHARED;
        uint64_t key =
            shared ? (block->index << 24 | (address & 0xffffff)) | (uint64_t)1 << 63 : address;
        bool fenced = warp->fenced >> lane & 1, publish = publishes && (fenced || block_fenced);
        struct sync_object *object = sync_object_find(&launch->objects, key, publish);
        if (!object)
            continue;
        if (reads)
            sync_object_learn(object, &warp->learnt);
        if (publish && fenced)
            sync_object_publish(object, &warp->at_fence);
        if (publish && block_fenced)
            sync_object_publish(object, &block->races.at_fence);
    }
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void race_start_block(struct block *block) {
    struct launch *launch = block->launch;
    struct block_races *races = &block->races;
    if (!launch->checks)
        return;
    size_t cells = (launch->program->shared_window_bytes >> launch->shared_granule) + 1;
    if (!races->writes && launch->program->shared_window_bytes > SHARED_START) {
        races->writes = mem_calloc(cells, sizeof *races->writes);
        races->reads = mem_calloc(cells, sizeof *races->reads);
        races->next = 1;
    }
    if (races->next < 1)
        races->next = 1;
    races->time = 1;
    races->barrier_time = 0;
    knowledge_clear(&races->learnt);
    for (unsigned i = 0; i < block->warp_count; i++)
        block->warps[i].fenced = 0;
    if (races->knows_warp)
        memset(races->knows_warp, 0, sizeof(uint32_t) * MAX_WARPS * MAX_WARPS);
    race_block_barrier(block); /* cells of the block before are old now */
    knowledge_clear(&races->at_fence);
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        warp->full_time = warp->event_time = 0;
        warp->tracked = false;
        knowledge_clear(&warp->learnt);
        knowledge_clear(&warp->at_fence);
        if (warp->lane_time)
            memset(warp->lane_time, 0, sizeof(uint32_t) * WARP_LANES * WARP_LANES);
    }
}

void race_free_block(struct block *block) {
    struct block_races *races = &block->races;
    free(races->writes);
    free(races->reads);
    free(races->records);
    free(races->knows_warp);
    knowledge_free(&races->learnt);
    knowledge_free(&races->at_fence);
    for (unsigned i = 0; i < block->warp_count; i++) {
        free(block->warps[i].lane_time);
        knowledge_free(&block->warps[i].learnt);
        knowledge_free(&block->warps[i].at_fence);
    }
}

void race_free_launch(struct launch *launch) {
    sync_objects_free(&launch->objects);
}

/* Reads of other blocks that are over when a write comes, although no fence orders the two.
 *
 * Compaction in place, as of thrust::unique, reads a block's part, passes a barrier of the block,
 * and sets a flag by a relaxed store; the next block waits for the flag by relaxed loads, and
 * writes where the first has read. That has no release and no acquire, and a write that the flag
 * announced could be missed. But a read that was over before a barrier, and so before the flag was
 * set, cannot see what is stored only since the flag was seen: a store does not come before the
 * loads that it depends on. So of a read and a later write of another block this file says whether
 * a chain of strong stores and looks (loads or atomics) leads from a barrier after the read to the
 * write. For reads after writes and writes after writes it says nothing.
 *
 * Atomics are no such stores: who counts arrivals by them is told to fence, for the writes' sake.
 *
 * A block remembers its barriers after which it has stored strongly, and whose stores it has seen.
 * From a look to a store of the same block it takes a barrier, or one warp that does both. What is
 * forgotten, where there is too much, orders nothing. */
#include "sandbox/simgpu/check/message/reads_over.h"

#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/program/program.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BLOCKS = 1 << 20,
    MOST_OF_A_BLOCK = 1 << 12, /* of each kind; then the older half goes */
    MOST_IN_ALL = 1 << 20,
    MOST_STEPS = 1 << 16, /* of one search */
};

struct look {
    struct access_record own, store; /* own.lanes: those that have looked */
};

struct looks {
    struct look *items; /* in the order of own.time */
    size_t count, capacity;
};

struct block_past {
    uint32_t *barriers; /* their times, ascending */
    size_t barrier_count, barrier_capacity;
    struct looks looks;
    uint32_t question,
        asked_until; /* of the present search: its stores before have been followed */
    uint32_t over_block, over_until; /* found for all of its threads: reads of that block before */
};

struct reads_past {
    struct block_past *blocks;
    uint64_t block_count;
    size_t total;
    uint32_t question;
    struct look *stack; /* of the search: whose stores are to be followed */
    size_t depth, capacity;
};

static struct block_past *past_of(struct launch *launch, uint64_t block) {
    if (launch->block_count > MOST_BLOCKS)
        return NULL;
    if (!launch->reads_past) {
        launch->reads_past = mem_zalloc(sizeof *launch->reads_past);
        launch->reads_past->block_count = launch->block_count;
        launch->reads_past->blocks =
            mem_calloc(launch->block_count, sizeof *launch->reads_past->blocks);
    }
    return &launch->reads_past->blocks[block];
}

/* Room for one more of `count` things; the number of oldest ones that must go for it. */
static bool has_room(struct reads_past *all, size_t count, size_t *dropped) {
    *dropped = count == MOST_OF_A_BLOCK ? count / 2 : 0;
    all->total -= *dropped;
    if (all->total >= MOST_IN_ALL)
        return false;
    all->total++;
    return true;
}

static size_t grown(size_t capacity) {
    return capacity ? 2 * capacity : 4;
}

/* ---- notes --------------------------------------------------------------------------------------
 */

void reads_over_note_store(struct block *block) {
    struct block_past *past = past_of(block->launch, block->index);
    uint32_t barrier = block->races.barrier_time;
    size_t dropped;
    block->races.told_at = barrier;
    if (!past || !has_room(block->launch->reads_past, past->barrier_count, &dropped))
        return;
    past->barrier_count -= dropped;
    if (dropped)
        memmove(past->barriers, past->barriers + dropped, past->barrier_count * sizeof barrier);
    if (past->barrier_count == past->barrier_capacity) {
        past->barrier_capacity = grown(past->barrier_capacity);
        past->barriers = mem_realloc(past->barriers, past->barrier_capacity, sizeof barrier);
    }
    past->barriers[past->barrier_count++] = barrier;
}

void reads_over_note_look(struct launch *launch, const struct access_record *own, lane_mask lanes,
                          const struct access_record *store) {
    struct block_past *past = past_of(launch, own->block);
    size_t dropped;
    if (!past || launch->program->code[store->pc].cost != COST_STORE)
        return;
    struct looks *looks = &past->looks;
    for (size_t i = looks->count; i-- > 0 && looks->items[i].own.time == own->time;) {
        struct look *again = &looks->items[i];
        if (again->own.warp == own->warp && again->store.block == store->block &&
            again->store.time == store->time && again->store.warp == store->warp) {
            again->own.lanes |= lanes;
            return;
        }
    }
    if (!has_room(launch->reads_past, looks->count, &dropped))
        return;
    looks->count -= dropped;
    if (dropped)
        memmove(looks->items, looks->items + dropped, looks->count * sizeof *looks->items);
    if (looks->count == looks->capacity) {
        looks->capacity = grown(looks->capacity);
        looks->items = mem_realloc(looks->items, looks->capacity, sizeof *looks->items);
    }
    looks->items[looks->count] = (struct look){*own, *store};
    looks->items[looks->count++].own.lanes = lanes;
}

/* ---- the search ---------------------------------------------------------------------------------
 */

/* The last barrier of the block before its strong store at this time; 0: none is known. */
static uint32_t barrier_before(const struct block_past *past, uint32_t time) {
    size_t low = 0, high = past->barrier_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (past->barriers[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? past->barriers[low - 1] : 0;
}

static bool is_before(const struct access_record *look, const struct access_record *store,
                      uint32_t barrier) {
    return look->time < barrier || (look->warp == store->warp && look->time <= store->time);
}

static void push(struct reads_past *all, const struct look *look) {
    struct block_past *past = &all->blocks[look->store.block];
    if (past->question == all->question && past->asked_until >= look->store.time)
        return;
    past->question = all->question;
    past->asked_until = look->store.time;
    if (all->depth == all->capacity) {
        all->capacity = grown(all->capacity);
        all->stack = mem_realloc(all->stack, all->capacity, sizeof *all->stack);
    }
    all->stack[all->depth++] = *look;
}

/* Until when reads of the block `read->block` are over for who has seen the stores of the stack: up
 * to a barrier after the read, or 0. */
static uint32_t search(struct reads_past *all, const struct access_record *read) {
    for (unsigned steps = 0; all->depth && steps < MOST_STEPS; steps++) {
        const struct access_record store = all->stack[--all->depth].store;
        const struct block_past *past = &all->blocks[store.block];
        uint32_t barrier = barrier_before(past, store.time);
        if (store.block == read->block && barrier > read->time)
            return barrier;
        for (size_t i = 0; i < past->looks.count; i++) /* the last one is followed first */
            if (is_before(&past->looks.items[i].own, &store, barrier))
                push(all, &past->looks.items[i]);
    }
    return 0;
}

static void begin(struct reads_past *all) {
    all->question++;
    all->depth = 0;
}

bool reads_over(struct warp *warp, unsigned lane, const struct access_record *read) {
    struct block *block = warp->block;
    struct reads_past *all = block->launch->reads_past;
    if (!all || read->store || read->block == (uint32_t)block->index)
        return false;
    struct block_past *past = &all->blocks[block->index];
    const struct looks *looks = &past->looks;
    if (past->over_until > read->time && past->over_block == read->block)
        return true;
    size_t since = looks->count;
    while (since > 0 && looks->items[since - 1].own.time >= block->races.barrier_time)
        since--;
    begin(all);
    for (size_t i = 0; i < since; i++)
        push(all, &looks->items[i]);
    uint32_t until = search(all, read);
    if (until) { /* for the whole block, now and later */
        past->over_block = read->block;
        past->over_until = until;
        return true;
    }
    begin(all);
    for (size_t i = since; i < looks->count; i++) {
        const struct access_record *own = &looks->items[i].own;
        if (race_unordered(warp, lane, own, own->lanes, true) != own->lanes)
            push(all, &looks->items[i]);
    }
    return search(all, read) != 0;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void reads_over_forget(struct launch *launch) {
    struct reads_past *all = launch->reads_past;
    if (!all)
        return;
    for (uint64_t i = 0; i < all->block_count; i++) {
        free(all->blocks[i].barriers);
        free(all->blocks[i].looks.items);
    }
    free(all->blocks);
    free(all->stack);
    free(all);
    launch->reads_past = NULL;
}

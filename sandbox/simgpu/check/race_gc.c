/* Records of shared memory that no cell leads to any more are given up.
 *
 * A block that never comes to a barrier of all its threads, only to warp-level ones, makes records
 * without end, and an access that got none would be forgotten, and a race with it. When there are
 * many, the cells are looked through: the records that they lead to move together, in the order in
 * which they were made, and the cells get their new numbers. Global memory's records have a way of
 * their own, in race_budget.c. */
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ON_THEIR_WAY = 1 << 10 }; /* records that one access may need, at most */

struct race_gc {
    struct block_races *races;
    uint32_t *now; /* [record]: not 0: a cell leads to it; then its new number */
};

static uint32_t *slot_of(const struct race_gc *gc, uint32_t cell) {
    uint32_t number = cell >> CELL_SHIFT, first = gc->races->first;
    return number >= first ? &gc->now[number - first] : NULL;
}

static void mark(const struct race_gc *gc, uint32_t *cell) {
    const struct block_races *races = gc->races;
    uint32_t at = *cell, *slot;
    while ((slot = slot_of(gc, at)) && !*slot) {
        size_t record = (at >> CELL_SHIFT) - races->first;
        *slot = 1;
        at = races->records[record].linked ? races->links[record].older : 0;
    }
}

static void renumber(const struct race_gc *gc, uint32_t *cell) {
    const uint32_t *slot = slot_of(gc, *cell);
    *cell = slot ? *slot << CELL_SHIFT | (*cell & ((1u << CELL_SHIFT) - 1)) : 0;
}

static void for_each_cell(const struct race_gc *gc, const struct race_cells *cells,
                          void (*visit)(const struct race_gc *gc, uint32_t *cell)) {
    for (uint64_t at = 0; at < cells->length / 4 + 1; at++) {
        uint32_t *word = &cells->words[at];
        if (!slot_of(gc, *word))
            continue; /* from before the barrier */
        for (unsigned b = 0; b < 4 && (*word & CELL_PATTERN) == CELL_SPLIT; b++)
            visit(gc, &cells->bytes[4 * at + b]);
        if (cells->previous)
            visit(gc, &cells->previous[at]);
        visit(gc, word);
    }
}

/* A link leads to an older record, which has its new number already. */
static void move_together(const struct race_gc *gc) {
    struct block_races *races = gc->races;
    uint32_t kept = 0, used = races->next - races->first;
    for (uint32_t i = 0; i < used; i++) {
        if (!gc->now[i])
            continue;
        races->records[kept] = races->records[i];
        races->links[kept] = races->links[i];
        renumber(gc, &races->links[kept].older);
        gc->now[i] = races->first + kept++;
    }
    races->next = races->first + kept;
}

static void forget_sites(const struct block *block) {
    struct race_site *sites = block->host_thread->sites;
    for (size_t pc = 0; pc < block->launch->program->length; pc++)
        if (sites[pc].shared && sites[pc].block == block->index)
            sites[pc] = (struct race_site){0};
}

void race_gc_make_room(struct block *block) {
    struct block_races *races = &block->races;
    uint32_t used = races->next - races->first;
    const struct sim_limits *limits = block->launch->limits;
    if (used < limits->first_look || used < races->next_look)
        return;
    struct race_gc gc = {races, mem_calloc(used, sizeof *gc.now)};
    for_each_cell(&gc, &races->writes, mark);
    for_each_cell(&gc, &races->reads, mark);
    move_together(&gc);
    for_each_cell(&gc, &races->writes, renumber);
    for_each_cell(&gc, &races->reads, renumber);
    free(gc.now);
    forget_sites(block);
    uint32_t kept = races->next - races->first, full = limits->shared_records - ON_THEIR_WAY;
    /* few looks where most are in use, and none where they help no more */
    races->next_look = kept < full / 2 ? 2 * kept : kept < full / 8 * 7 ? full : UINT32_MAX;
}

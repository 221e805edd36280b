/* How little memory knowledge may take: addresses in pages, and what is forgotten of the graph.
 *
 * An address that something was published at takes four bytes, in pages of a kibibyte. Knots may
 * take half a byte for each byte that the launch touches, and a constant. Beyond that, those that
 * nothing leads to go. Where too many are left, the newest stay, and of what is older each address
 * keeps the fences that published there last and each warp those that it read last: who takes a
 * lock learns of who held it before, however long ago. What these had learnt themselves is replaced
 * by the knot that stands for all that was forgotten. */
#include "sandbox/simgpu/check/hb_graph_private.h"

#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_WORDS = 256,
    BYTES_A_KNOT = 2 * sizeof(struct knot), /* that the launch touches */
    LIST_KEEPS = 64,                        /* entries of each warp's list */
    UNREACHED = 0,
    REACHED = 1,
    KEPT = 2
};

/* ---- addresses ---------------------------------------------------------------------------------
 */

/* By hash, with linear probing. Addresses that are no multiple of four have pages of their own, so
 * that each byte can be a flag. */
struct sync_pages {
    struct sync_page {
        uint64_t key;
        knot_ref *refs; /* NULL: an empty slot */
    } * slots;
    size_t count, capacity; /* a power of two */
};

static struct sync_page *find_slot(const struct sync_pages *pages, uint64_t key) {
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (pages->capacity - 1);
    while (pages->slots[at].refs && pages->slots[at].key != key)
        at = (at + 1) & (pages->capacity - 1);
    return &pages->slots[at];
}

static void grow_pages(struct sync_pages *pages) {
    struct sync_pages before = *pages;
    pages->capacity = before.capacity ? 2 * before.capacity : 8;
    pages->slots = mem_calloc(pages->capacity, sizeof *pages->slots);
    for (size_t i = 0; i < before.capacity; i++)
        if (before.slots[i].refs)
            *find_slot(pages, before.slots[i].key) = before.slots[i];
    free(before.slots);
}

knot_ref *sync_pages_find(struct sync_pages **pages, uint64_t address, bool create) {
    if (!*pages && !create)
        return NULL;
    if (!*pages)
        *pages = mem_zalloc(sizeof **pages);
    if (2 * (*pages)->count >= (*pages)->capacity)
        grow_pages(*pages);
    uint64_t key = address / (4 * PAGE_WORDS) << 2 | (address & 3);
    struct sync_page *page = find_slot(*pages, key);
    if (!page->refs && !create)
        return NULL;
    if (!page->refs) {
        *page = (struct sync_page){key, mem_calloc(PAGE_WORDS, sizeof *page->refs)};
        (*pages)->count++;
    }
    return &page->refs[address / 4 % PAGE_WORDS];
}

void sync_pages_forget(struct sync_pages **pages) {
    for (size_t i = 0; *pages && i < (*pages)->capacity; i++)
        free((*pages)->slots[i].refs);
    if (*pages)
        free((*pages)->slots);
    free(*pages);
    *pages = NULL;
}

void sync_pages_visit(struct sync_pages *pages, knot_visit *visit, void *state) {
    for (size_t i = 0; pages && i < pages->capacity; i++)
        for (unsigned word = 0; pages->slots[i].refs && word < PAGE_WORDS; word++)
            if (pages->slots[i].refs[word])
                visit(state, &pages->slots[i].refs[word], false);
}

/* ---- forgetting ---------------------------------------------------------------------------------
 */

struct forgetting {
    struct knowledge *knowledge;
    knot_roots *roots;
    void *roots_state;
    uint32_t *now; /* [knot]: UNREACHED, REACHED or KEPT; then its new number */
    uint32_t reached, kept, most;
};

static void for_each_root(const struct forgetting *all, knot_visit *visit) {
    all->roots(all->roots_state, visit, (void *)(uintptr_t)all);
    sync_pages_visit(all->knowledge->pages, visit, (void *)(uintptr_t)all);
}

static void reach(struct forgetting *all, uint32_t number) {
    if (number <= KNOT_FORGOTTEN || all->now[number])
        return;
    all->now[number] = REACHED;
    all->reached++;
}

static void reach_root(void *state, knot_ref *slot, bool is_list) {
    (void)is_list;
    reach(state, *slot >> KNOT_SHIFT);
}

/* A knot leads to older numbers only. */
static void reach_all(struct forgetting *all) {
    const struct knot *knots = all->knowledge->knots;
    for_each_root(all, reach_root);
    for (uint32_t i = all->knowledge->next; i-- > KNOT_FORGOTTEN + 1;) {
        if (!all->now[i])
            continue;
        reach(all, knots[i].older);
        if (leads_further(&knots[i]))
            reach(all, knots[i].of);
    }
}

static void keep(struct forgetting *all, uint32_t number) {
    if (number <= KNOT_FORGOTTEN || all->now[number] == KEPT || all->kept >= all->most)
        return;
    all->now[number] = KEPT;
    all->kept++;
}

/* An entry, and the fences behind it. */
static void keep_near(struct forgetting *all, uint32_t number, unsigned steps) {
    const struct knot *knot = &all->knowledge->knots[number];
    keep(all, number);
    if (!steps || !number || !leads_further(knot))
        return;
    keep_near(all, knot->of, steps - 1);
    keep_near(all, knot->older, steps - 1);
}

static void keep_root(void *state, knot_ref *slot, bool is_list) {
    struct forgetting *all = state;
    uint32_t number = *slot >> KNOT_SHIFT;
    for (unsigned i = 0; i < (is_list ? LIST_KEEPS : 1) && number; i++) {
        keep_near(all, number, 2);
        number = all->knowledge->knots[number].older;
    }
}

/* Three quarters of what there may be: the newest, and what is near. */
static void choose(struct forgetting *all) {
    struct knowledge *knowledge = all->knowledge;
    all->most = knowledge->limit / 4;
    for (uint32_t i = knowledge->next; i-- > KNOT_FORGOTTEN + 1;)
        if (all->now[i])
            keep(all, i);
    all->most = knowledge->limit / 4 * 3;
    for_each_root(all, keep_root);
    for (uint32_t i = KNOT_FORGOTTEN + 1; i < knowledge->next; i++) {
        const struct knot *knot = &knowledge->knots[i];
        if (all->now[i] == REACHED && knot->time > knowledge->forgotten_until)
            knowledge->forgotten_until = knot->time;
        if (all->now[i] == REACHED)
            all->now[i] = UNREACHED;
    }
}

static uint32_t number_now(const struct forgetting *all, uint32_t number) {
    if (number <= KNOT_FORGOTTEN)
        return number;
    return all->now[number] ? all->now[number] : (uint32_t)KNOT_FORGOTTEN;
}

static void move_together(struct forgetting *all) {
    struct knowledge *knowledge = all->knowledge;
    uint32_t next = KNOT_FORGOTTEN + 1;
    for (uint32_t i = next; i < knowledge->next; i++) {
        if (!all->now[i])
            continue;
        struct knot knot = knowledge->knots[i];
        knot.older = number_now(all, knot.older);
        if (leads_further(&knot))
            knot.of = number_now(all, knot.of);
        all->now[i] = next;
        knowledge->knots[next++] = knot;
    }
    knowledge->next = next;
}

static void renumber_root(void *state, knot_ref *slot, bool is_list) {
    (void)is_list;
    *slot = number_now(state, *slot >> KNOT_SHIFT) << KNOT_SHIFT | (*slot & KNOT_LANE);
}

bool knowledge_wants_room(const struct knowledge *knowledge) {
    return knowledge->next + ROOM_FOR_EVENT > knowledge->limit;
}

void knowledge_make_room(struct knowledge *knowledge, uint64_t touched_bytes, knot_roots *roots,
                         void *roots_state) {
    uint64_t limit = knowledge->base + touched_bytes / BYTES_A_KNOT;
    knowledge->limit = limit < MAX_KNOTS ? (uint32_t)limit : (uint32_t)MAX_KNOTS;
    if (!knowledge_wants_room(knowledge))
        return;
    struct forgetting all = {.knowledge = knowledge, .roots = roots, .roots_state = roots_state};
    all.now = mem_calloc(knowledge->next, sizeof *all.now);
    reach_all(&all);
    if (all.reached > knowledge->limit / 2)
        choose(&all);
    move_together(&all);
    for_each_root(&all, renumber_root);
    free(all.now);
}

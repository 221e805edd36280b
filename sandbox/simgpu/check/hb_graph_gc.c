/* How much memory the happens-before graph may take: addresses in pages, and what is forgotten of
 * the graph.
 *
 * An address that something was published at takes four bytes, in pages of a kibibyte. Nodes may
 * take half a byte for each byte that the launch touches, and a constant. Beyond that, those that
 * nothing leads to go. Where too many are left, the newest stay, and of what is older each address
 * keeps the fences that published there last and each warp those that it read last: who takes a
 * lock learns of who held it before, however long ago. What these had learnt themselves is replaced
 * by the node that stands for all that was forgotten. */
#include "sandbox/simgpu/check/hb_graph_private.h"

#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_WORDS = 256,
    HB_NODE_BYTES = 2 * sizeof(struct hb_node), /* that the launch touches */
    LIST_KEEPS = 64,                            /* entries of each warp's list */
    UNREACHED = 0,
    REACHED = 1,
    KEPT = 2
};

/* ---- addresses ---------------------------------------------------------------------------------
 */

/* By hash, with linear probing. Addresses that are no multiple of four have pages of their own, so
 * that each byte can be a flag. */
struct hb_pages {
    struct hb_page {
        uint64_t key;
        hb_ref *refs; /* NULL: an empty slot */
    } * slots;
    size_t count, capacity; /* a power of two */
};

static struct hb_page *find_slot(const struct hb_pages *pages, uint64_t key) {
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (pages->capacity - 1);
    while (pages->slots[at].refs && pages->slots[at].key != key)
        at = (at + 1) & (pages->capacity - 1);
    return &pages->slots[at];
}

static void grow_pages(struct hb_pages *pages) {
    struct hb_pages before = *pages;
    pages->capacity = before.capacity ? 2 * before.capacity : 8;
    pages->slots = mem_calloc(pages->capacity, sizeof *pages->slots);
    for (size_t i = 0; i < before.capacity; i++)
        if (before.slots[i].refs)
            *find_slot(pages, before.slots[i].key) = before.slots[i];
    free(before.slots);
}

hb_ref *hb_graph_find_page_slot(struct hb_pages **pages, uint64_t address, bool create) {
    if (!*pages && !create)
        return NULL;
    if (!*pages)
        *pages = mem_zalloc(sizeof **pages);
    if (2 * (*pages)->count >= (*pages)->capacity)
        grow_pages(*pages);
    uint64_t key = address / (4 * PAGE_WORDS) << 2 | (address & 3);
    struct hb_page *page = find_slot(*pages, key);
    if (!page->refs && !create)
        return NULL;
    if (!page->refs) {
        *page = (struct hb_page){key, mem_calloc(PAGE_WORDS, sizeof *page->refs)};
        (*pages)->count++;
    }
    return &page->refs[address / 4 % PAGE_WORDS];
}

void hb_graph_free_pages(struct hb_pages **pages) {
    for (size_t i = 0; *pages && i < (*pages)->capacity; i++)
        free((*pages)->slots[i].refs);
    if (*pages)
        free((*pages)->slots);
    free(*pages);
    *pages = NULL;
}

void hb_graph_visit_pages(struct hb_pages *pages, hb_ref_visitor *visit, void *state) {
    for (size_t i = 0; pages && i < pages->capacity; i++)
        for (unsigned word = 0; pages->slots[i].refs && word < PAGE_WORDS; word++)
            if (pages->slots[i].refs[word])
                visit(state, &pages->slots[i].refs[word], false);
}

/* ---- forgetting ---------------------------------------------------------------------------------
 */

struct forgetting {
    struct hb_graph *graph;
    hb_root_visitor *roots;
    void *roots_state;
    uint32_t *now; /* [node]: UNREACHED, REACHED or KEPT; then its new number */
    uint32_t reached, kept, most;
};

static void for_each_root(const struct forgetting *all, hb_ref_visitor *visit) {
    all->roots(all->roots_state, visit, (void *)(uintptr_t)all);
    hb_graph_visit_pages(all->graph->pages, visit, (void *)(uintptr_t)all);
}

static void reach(struct forgetting *all, uint32_t number) {
    if (number <= HB_NODE_FORGOTTEN || all->now[number])
        return;
    all->now[number] = REACHED;
    all->reached++;
}

static void reach_root(void *state, hb_ref *slot, bool is_list) {
    (void)is_list;
    reach(state, *slot >> HB_REF_SHIFT);
}

/* A node leads to older numbers only. */
static void reach_all(struct forgetting *all) {
    const struct hb_node *nodes = all->graph->nodes;
    for_each_root(all, reach_root);
    for (uint32_t i = all->graph->next; i-- > HB_NODE_FORGOTTEN + 1;) {
        if (!all->now[i])
            continue;
        reach(all, nodes[i].older);
        if (leads_further(&nodes[i]))
            reach(all, nodes[i].of);
    }
}

static void keep(struct forgetting *all, uint32_t number) {
    if (number <= HB_NODE_FORGOTTEN || all->now[number] == KEPT || all->kept >= all->most)
        return;
    all->now[number] = KEPT;
    all->kept++;
}

/* An entry, and the fences that it leads to. */
static void keep_near(struct forgetting *all, uint32_t number, unsigned steps) {
    const struct hb_node *node = &all->graph->nodes[number];
    keep(all, number);
    if (!steps || !number || !leads_further(node))
        return;
    keep_near(all, node->of, steps - 1);
    keep_near(all, node->older, steps - 1);
}

static void keep_root(void *state, hb_ref *slot, bool is_list) {
    struct forgetting *all = state;
    uint32_t number = *slot >> HB_REF_SHIFT;
    for (unsigned i = 0; i < (is_list ? LIST_KEEPS : 1) && number; i++) {
        keep_near(all, number, 2);
        number = all->graph->nodes[number].older;
    }
}

/* Three quarters of what there may be: the newest, and what is near. */
static void choose(struct forgetting *all) {
    struct hb_graph *graph = all->graph;
    all->most = graph->limit / 4;
    for (uint32_t i = graph->next; i-- > HB_NODE_FORGOTTEN + 1;)
        if (all->now[i])
            keep(all, i);
    all->most = graph->limit / 4 * 3;
    for_each_root(all, keep_root);
    for (uint32_t i = HB_NODE_FORGOTTEN + 1; i < graph->next; i++) {
        const struct hb_node *node = &graph->nodes[i];
        if (all->now[i] == REACHED && node->time > graph->forgotten_until)
            graph->forgotten_until = node->time;
        if (all->now[i] == REACHED)
            all->now[i] = UNREACHED;
    }
}

static uint32_t number_now(const struct forgetting *all, uint32_t number) {
    if (number <= HB_NODE_FORGOTTEN)
        return number;
    return all->now[number] ? all->now[number] : (uint32_t)HB_NODE_FORGOTTEN;
}

static void move_together(struct forgetting *all) {
    struct hb_graph *graph = all->graph;
    uint32_t next = HB_NODE_FORGOTTEN + 1;
    for (uint32_t i = next; i < graph->next; i++) {
        if (!all->now[i])
            continue;
        struct hb_node node = graph->nodes[i];
        node.older = number_now(all, node.older);
        if (leads_further(&node))
            node.of = number_now(all, node.of);
        all->now[i] = next;
        graph->nodes[next++] = node;
    }
    graph->next = next;
}

static void renumber_root(void *state, hb_ref *slot, bool is_list) {
    (void)is_list;
    *slot = number_now(state, *slot >> HB_REF_SHIFT) << HB_REF_SHIFT | (*slot & HB_REF_LANE);
}

bool hb_graph_needs_room(const struct hb_graph *graph) {
    return graph->next + ROOM_FOR_EVENT > graph->limit;
}

void hb_graph_make_room(struct hb_graph *graph, uint64_t touched_bytes, hb_root_visitor *roots,
                        void *roots_state) {
    uint64_t limit = graph->base + touched_bytes / HB_NODE_BYTES;
    graph->limit = limit < MAX_HB_NODES ? (uint32_t)limit : (uint32_t)MAX_HB_NODES;
    if (!hb_graph_needs_room(graph))
        return;
    struct forgetting all = {.graph = graph, .roots = roots, .roots_state = roots_state};
    all.now = mem_calloc(graph->next, sizeof *all.now);
    reach_all(&all);
    if (all.reached > graph->limit / 2)
        choose(&all);
    move_together(&all);
    for_each_root(&all, renumber_root);
    free(all.now);
}

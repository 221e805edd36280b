/* The graph of nodes: what it says, and the search through it.
 *
 * Nodes are numbered in the order in which they were made, and each leads to older ones only: so a
 * node can only order accesses made before it, and the search for an access skips all nodes that
 * are older than the access itself. It starts from the list of the accessing warp, newest first, so
 * that each node is visited once; a node found far away is added at the beginning of that list, so
 * that the next search finds it sooner.
 *
 * When there are many nodes, hb_graph_gc.c frees those that nothing leads to, and those that are
 * farthest away. A search that reaches a forgotten node assumes that the node was the answer: a
 * race may then be missed, which the result says, and no false one is reported. The same holds for
 * what a search does not look at, because it or all of them together took too long. */
#include "sandbox/simgpu/check/hb_graph_private.h"

#include "sandbox/simgpu/check/hb_clock.h"
#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    SEARCH_FAR = 1 << 16, /* nodes that are looked at */
    SEARCH_NEAR = 128,
    SEARCH_ALL = 1 << 23, /* by all searches of a launch, some seconds: then they are short */
    FAR_AWAY = 32,        /* from this distance on, results are noted at the list's beginning */
    NEAR_ENTRIES = 64,    /* of the own list, and at each what was published there last */
    NEAR_FENCES = 3,
    COVERED_BY = 8, /* nodes of a list that are looked at for one that says the same */
};

struct hb_graph *hb_graph_create(uint32_t base_nodes, uint32_t block_warps) {
    struct hb_graph *graph = mem_zalloc(sizeof *graph);
    graph->nodes = mem_map(MAX_HB_NODES * sizeof *graph->nodes);
    graph->next = HB_NODE_FORGOTTEN + 1;
    graph->base = base_nodes < MIN_HB_NODES   ? (uint32_t)MIN_HB_NODES
                  : base_nodes > MAX_HB_NODES ? (uint32_t)MAX_HB_NODES
                                              : base_nodes;
    graph->limit = graph->base;
    graph->time = 1;
    graph->clock = hb_clock_create(block_warps);
    return graph;
}

void hb_graph_free(struct hb_graph *graph) {
    if (!graph)
        return;
    hb_graph_free_pages(&graph->pages);
    hb_clock_free(graph->clock);
    mem_unmap(graph->nodes, MAX_HB_NODES * sizeof *graph->nodes);
    free(graph->heap);
    free(graph);
}

uint32_t hb_graph_tick(struct hb_graph *graph, _Atomic bool *incomplete) {
    if (graph->time == UINT32_MAX)
        atomic_store_explicit(incomplete, true, memory_order_relaxed);
    else
        graph->time++;
    return graph->time;
}

struct hb_pages **hb_graph_pages(struct hb_graph *graph) {
    return &graph->pages;
}

struct hb_clock *hb_graph_clock(struct hb_graph *graph) {
    return graph->clock;
}

/* ---- nodes --------------------------------------------------------------------------------------
 */

static const struct hb_node *node_at(const struct hb_graph *graph, hb_ref ref) {
    return &graph->nodes[ref >> HB_REF_SHIFT];
}

/* There is room for all of one event: see hb_graph_make_room(). */
static hb_ref add_hb_node(struct hb_graph *graph, struct hb_node node) {
    if (graph->next == MAX_HB_NODES)
        return (hb_ref)HB_NODE_FORGOTTEN << HB_REF_SHIFT;
    node.time = graph->time;
    graph->nodes[graph->next] = node;
    return graph->next++ << HB_REF_SHIFT;
}

hb_ref hb_graph_add_fence(struct hb_graph *graph, const struct hb_fence *fence, hb_ref older) {
    return add_hb_node(graph, (struct hb_node){.kind = HB_NODE_FENCE,
                                               .block = fence->block,
                                               .warp = (uint8_t)fence->warp,
                                               .full_time = fence->full_time,
                                               .barrier_time = fence->barrier_time,
                                               .older = older >> HB_REF_SHIFT});
}

static hb_ref learn(struct hb_graph *graph, enum hb_node_kind kind, struct hb_node node, hb_ref of,
                    hb_ref older) {
    const struct hb_node *at = node_at(graph, older);
    node.kind = kind;
    node.of = of >> HB_REF_SHIFT;
    node.older = older >> HB_REF_SHIFT;
    for (unsigned i = 0; i < COVERED_BY && leads_further(at); i++) {
        if (at->kind == kind && at->of == node.of && at->from == node.from &&
            at->apart == node.apart && !(node.lanes & ~at->lanes))
            return older;
        at = &graph->nodes[at->older];
    }
    return add_hb_node(graph, node);
}

hb_ref hb_graph_acquire(struct hb_graph *graph, lane_mask lanes, hb_ref of, lane_mask from,
                        hb_ref older) {
    return learn(
        graph, HB_NODE_ACQUIRE,
        (struct hb_node){.lanes = lanes, .from = from, .apart = (uint8_t)(of & HB_REF_LANE)}, of,
        older);
}

hb_ref hb_graph_acquire_below(struct hb_graph *graph, lane_mask lanes, hb_ref of, hb_ref older) {
    return learn(graph, HB_NODE_ACQUIRE_BELOW, (struct hb_node){.lanes = lanes}, of, older);
}

static struct hb_node of_lanes(enum hb_node_kind kind, const struct hb_lanes *known, hb_ref older) {
    return (struct hb_node){.kind = kind,
                            .block = known->block,
                            .warp = (uint8_t)known->warp,
                            .lanes = known->lanes,
                            .until = known->until,
                            .older = older >> HB_REF_SHIFT};
}

hb_ref hb_graph_join_lanes(struct hb_graph *graph, const struct hb_lanes *known, hb_ref older) {
    struct hb_node *newest = &graph->nodes[older >> HB_REF_SHIFT];
    if (older >> HB_REF_SHIFT == graph->next - 1 && newest->kind == HB_NODE_JOIN &&
        newest->lanes == known->lanes) { /* nothing leads there yet but the list itself */
        newest->until = known->until > newest->until ? known->until : newest->until;
        newest->time = graph->time;
        return older;
    }
    return add_hb_node(graph, of_lanes(HB_NODE_JOIN, known, older));
}

hb_ref hb_graph_note(struct hb_graph *graph, const struct hb_lanes *known, hb_ref older) {
    struct hb_node node = of_lanes(HB_NODE_KNOWN, known, older);
    node.from = UINT32_MAX;
    return add_hb_node(graph, node);
}

bool hb_graph_is_shared(const struct hb_graph *graph, hb_ref list, lane_mask lanes) {
    const struct hb_node *newest = node_at(graph, list);
    return !list || (newest->kind == HB_NODE_JOIN && !(lanes & ~newest->lanes));
}

bool hb_graph_is_for_all(const struct hb_graph *graph, hb_ref list) {
    const struct hb_node *newest = node_at(graph, list);
    return newest->kind == HB_NODE_ACQUIRE && newest->lanes == UINT32_MAX && newest->from;
}

bool hb_graph_is_stale(const struct hb_graph *graph, const struct hb_fence *holder, unsigned lane,
                       hb_ref ref) {
    const struct hb_node *node = node_at(graph, ref);
    if (node->kind != HB_NODE_FENCE || node->block != holder->block)
        return false;
    return node->time < holder->barrier_time ||
           (node->warp == holder->warp &&
            (node->time < holder->full_time || (ref & HB_REF_LANE) == lane));
}

struct hb_lanes hb_graph_fenced(const struct hb_graph *graph, hb_ref held, lane_mask lanes) {
    const struct hb_node *node = node_at(graph, held);
    return (struct hb_lanes){node->block, node->warp, lanes,
                             node->kind == HB_NODE_FENCE ? node->time : 0};
}

/* ---- the search ---------------------------------------------------------------------------------
 */

struct hb_search {
    struct hb_graph *graph;
    const struct hb_lanes *asked;
    lane_mask lanes; /* still to be found */
    lane_mask found; /* of the last node that had some of them, ... */
    uint32_t until;  /* ... and until when it knows of them */
    bool overflowed; /* something was forgotten, or not looked at */
    unsigned looked_at;
    size_t count; /* nodes of the heap, that are still to be looked at */
};

/* The heap has its greatest number first. */
static void push(struct hb_graph *graph, size_t at, uint32_t number) {
    if (at == graph->heap_capacity) {
        graph->heap_capacity = graph->heap_capacity ? 2 * graph->heap_capacity : 256;
        graph->heap = mem_realloc(graph->heap, graph->heap_capacity, sizeof *graph->heap);
    }
    uint32_t *heap = graph->heap;
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

/* The lanes of `mask` come to the node. */
static void come_to(struct hb_search *search, uint32_t number, lane_mask mask) {
    struct hb_graph *graph = search->graph;
    if (number == HB_NODE_FORGOTTEN) {
        search->overflowed |= graph->forgotten_until > search->asked->until;
        return;
    }
    struct hb_node *node = &graph->nodes[number];
    if (!number || !mask || node->time <= search->asked->until)
        return;
    if (!node->seen)
        push(graph, search->count++, number);
    node->seen |= mask;
}

static void find_lanes(struct hb_search *search, lane_mask lanes, uint32_t until) {
    if (until <= search->asked->until || !(search->lanes & lanes))
        return;
    search->lanes &= ~lanes;
    search->found = lanes;
    search->until = until;
}

static void compare_fence(struct hb_search *search, const struct hb_node *node, lane_mask mask) {
    if (node->block == search->asked->block) {
        if (node->warp == search->asked->warp) {
            find_lanes(search, UINT32_MAX, node->full_time);
            find_lanes(search, mask, node->time);
        }
        find_lanes(search, UINT32_MAX, node->barrier_time);
    }
}

static void look_at_fence(struct hb_search *search, const struct hb_node *node, lane_mask mask) {
    compare_fence(search, node, mask);
    come_to(search, node->older, mask);
}

static lane_mask lanes_below(lane_mask lanes, lane_mask mask) {
    return lanes & ((UINT32_C(1) << (31 - __builtin_clz(lanes & mask))) - 1);
}

static lane_mask rotate(lane_mask lanes, unsigned by) {
    return lanes << by | lanes >> (-by & HB_REF_LANE);
}

static void look_at_known(struct hb_search *search, const struct hb_node *node, lane_mask mask) {
    if (node->block == search->asked->block && node->warp == search->asked->warp &&
        mask & node->from)
        find_lanes(search, node->lanes, node->until);
}

static void look_at(struct hb_search *search, uint32_t number, lane_mask mask) {
    const struct hb_node *node = &search->graph->nodes[number];
    bool same = node->block == search->asked->block && node->warp == search->asked->warp;
    switch (node->kind) {
    case HB_NODE_FENCE:
        look_at_fence(search, node, mask);
        return;
    case HB_NODE_ACQUIRE:
        if (mask & node->lanes)
            come_to(search, node->of,
                    node->from ? node->from : rotate(mask & node->lanes, node->apart));
        break;
    case HB_NODE_ACQUIRE_BELOW:
        if (mask & node->lanes)
            come_to(search, node->of, lanes_below(node->lanes, mask));
        break;
    case HB_NODE_JOIN:
        if (!(mask & node->lanes))
            break;
        if (same)
            find_lanes(search, node->lanes, node->until);
        mask |= node->lanes;
        break;
    case HB_NODE_KNOWN:
        look_at_known(search, node, mask);
        break;
    }
    come_to(search, node->older, mask);
}

/* From the newest node on: when one is looked at, all lanes that come to it have done so. */
static void search_heap(struct hb_search *search, unsigned most) {
    struct hb_graph *graph = search->graph;
    while (search->count && search->lanes && search->looked_at < most) {
        uint32_t number = pop(graph->heap, search->count--);
        lane_mask mask = graph->nodes[number].seen;
        graph->nodes[number].seen = 0;
        search->looked_at++;
        look_at(search, number, mask);
    }
    search->overflowed |= search->count > 0;
    for (size_t i = 0; i < search->count; i++)
        graph->nodes[graph->heap[i]].seen = 0;
}

/* The fences that published at one address, the last ones first. */
static void look_at_place(struct hb_search *search, uint32_t number, lane_mask mask) {
    const struct hb_node *nodes = search->graph->nodes;
    for (unsigned i = 0; i < NEAR_FENCES && search->lanes; i++) {
        const struct hb_node *node = &nodes[number];
        bool each = !node->from;
        uint32_t fence = node->kind == HB_NODE_FENCE ? number : each ? node->older : node->of;
        if (node->kind != HB_NODE_FENCE && (node->kind != HB_NODE_ACQUIRE || mask & ~node->lanes))
            return;
        if (nodes[fence].kind == HB_NODE_FENCE)
            compare_fence(search, &nodes[fence], each || fence == number ? mask : node->from);
        if (fence == number)
            return;
        number = each ? node->of : node->older;
        mask = each ? rotate(mask, node->apart) : mask;
    }
}

/* What the lane itself has read last is nearest, though others may have fenced since. */
static void look_near(struct hb_search *search, hb_ref list, unsigned lane) {
    const struct hb_node *nodes = search->graph->nodes;
    const struct hb_node *at = node_at(search->graph, list);
    const lane_mask bit = (lane_mask)1 << lane;
    for (unsigned i = 0; i < NEAR_ENTRIES && at->kind && search->lanes; i++) {
        if (at->kind == HB_NODE_ACQUIRE && at->lanes & bit)
            look_at_place(search, at->of, at->from ? at->from : rotate(bit, at->apart));
        else if (at->kind == HB_NODE_KNOWN)
            look_at_known(search, at, bit);
        else if (at->kind == HB_NODE_FENCE)
            return;
        at = &nodes[at->older];
    }
}

/* Moves what was found far away to the front for the next search. */
static void note_found(const struct hb_search *search, hb_ref *list, unsigned lane) {
    struct hb_graph *graph = search->graph;
    if (search->looked_at < FAR_AWAY || graph->next >= graph->limit)
        return;
    struct hb_lanes known = *search->asked;
    known.lanes = search->found;
    known.until = search->until;
    struct hb_node node = of_lanes(HB_NODE_KNOWN, &known, *list);
    node.from = (lane_mask)1 << lane;
    *list = add_hb_node(graph, node);
}

lane_mask hb_graph_unordered(struct hb_graph *graph, hb_ref *list, unsigned lane,
                             const struct hb_lanes *asked, struct hb_lanes *found,
                             _Atomic bool *guessed) {
    struct hb_search search = {.graph = graph, .asked = asked, .lanes = asked->lanes};
    look_near(&search, *list, lane);
    if (search.lanes) {
        come_to(&search, *list >> HB_REF_SHIFT, (lane_mask)1 << lane);
        search_heap(&search, guessed && graph->looked_at < SEARCH_ALL ? SEARCH_FAR : SEARCH_NEAR);
        graph->looked_at += search.looked_at;
    }
    if (found)
        *found = (struct hb_lanes){asked->block, asked->warp, search.found, search.until};
    else if (search.found)
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
static bool is_covered(const struct hb_graph *graph, hb_ref held, hb_ref there) {
    const struct hb_node *fence = node_at(graph, held), *old = node_at(graph, there);
    lane_mask bit = (lane_mask)1 << (held & HB_REF_LANE);
    lane_mask asked = (lane_mask)1 << (there & HB_REF_LANE);
    if (fence->kind != HB_NODE_FENCE)
        return false;
    if (old->kind == HB_NODE_FENCE && old->block == fence->block && old->warp == fence->warp &&
        (held & HB_REF_LANE) == (there & HB_REF_LANE) && old->time <= fence->time)
        return true;
    const struct hb_node *at = &graph->nodes[fence->older];
    for (unsigned i = 0; i < COVERED_BY && leads_further(at); i++) {
        lane_mask from = at->from ? at->from : rotate(bit, at->apart);
        if (at->kind == HB_NODE_ACQUIRE && at->of == there >> HB_REF_SHIFT && at->lanes & bit &&
            from & asked)
            return true;
        at = &graph->nodes[at->older];
    }
    return false;
}

void hb_graph_release(struct hb_graph *graph, hb_ref *place, hb_ref held, lane_mask lanes,
                      struct hb_release_join *last) {
    hb_ref there = *place;
    unsigned lane = (unsigned)__builtin_ctz(lanes),
             apart = ((there & HB_REF_LANE) - lane) & HB_REF_LANE;
    held = (held & ~(hb_ref)HB_REF_LANE) | lane;
    there &= ~(hb_ref)HB_REF_LANE;
    if (lanes & (lanes - 1)) {
        const struct hb_node node = {.lanes = UINT32_MAX, .from = lanes};
        *place = learn(graph, HB_NODE_ACQUIRE, node, held, there) | (*place & HB_REF_LANE);
        return;
    }
    if (!there || is_covered(graph, held, *place)) {
        *place = held;
        return;
    }
    if (!last->joined || last->of != there || last->held >> HB_REF_SHIFT != held >> HB_REF_SHIFT ||
        last->apart != apart) {
        const struct hb_node node = {.lanes = UINT32_MAX, .apart = (uint8_t)apart};
        *last = (struct hb_release_join){there, held, 0, apart};
        last->joined = learn(graph, HB_NODE_ACQUIRE, node, there, held);
    }
    *place = last->joined | lane;
}

/* What threads learn of each other through memory: flags, locks, counters. See race_order.c for
 * when, and hb_graph.c for how it is remembered.
 *
 * The happens-before graph has nodes that never change what they say: a fence says what its lanes
 * had done and knew, a list of a warp what its lanes have learnt, newest first, and each address
 * that something was published at leads to the fences before it. All of it costs a few bytes for
 * each fence, look and publication, however much is known. Only for launches on one host thread. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_H

#include "sandbox/simgpu/state/race_state.h"

struct hb_lanes { /* accesses of these lanes before the time `until` are over */
    uint32_t block;
    uint16_t warp;
    lane_mask lanes;
    uint32_t until;
};

/* A fence of some of a warp's lanes: what they did before `time`, what all of the warp did before
 * `full_time` and all of the block before `barrier_time`, and what each lane has in the list. */
struct hb_fence {
    uint32_t block;
    uint16_t warp;
    uint32_t time, full_time, barrier_time;
};

struct hb_graph;
struct hb_pages; /* addresses, and what was published there */

/* `base_nodes`: nodes that are allowed however little memory the launch touches. */
struct hb_graph *hb_graph_create(uint32_t base_nodes, uint32_t block_warps);
void hb_graph_free(struct hb_graph *graph);
/* The next moment of the launch; *incomplete where there are no more of them. */
uint32_t hb_graph_tick(struct hb_graph *graph, _Atomic bool *incomplete);

/* Lists: `older` and then more. The result is a list, or what a lane holds when its number is put
 * in. A fence's list is what its lanes have learnt. */
hb_ref hb_graph_add_fence(struct hb_graph *graph, const struct hb_fence *fence, hb_ref older);
/* The lanes learn what the lanes `from` hold in `of`; from == 0: each what the lane holds there
 * that is as many lanes further as the number in `of` says, modulo 32. */
hb_ref hb_graph_acquire(struct hb_graph *graph, lane_mask lanes, hb_ref of, lane_mask from,
                        hb_ref older);
/* Each of the lanes learns what those of `lanes` below it hold in `of`. */
hb_ref hb_graph_acquire_below(struct hb_graph *graph, lane_mask lanes, hb_ref of, hb_ref older);
/* The lanes `known.lanes` share what they have in `older`, and what they did before known.until. */
hb_ref hb_graph_join_lanes(struct hb_graph *graph, const struct hb_lanes *known, hb_ref older);
/* All who have the list know of these. */
hb_ref hb_graph_note(struct hb_graph *graph, const struct hb_lanes *known, hb_ref older);
/* Of the same list: does the share of these lanes lead to anything? */
bool hb_graph_is_shared(const struct hb_graph *graph, hb_ref list, lane_mask lanes);
/* Does the list say the same to every lane? */
bool hb_graph_is_for_all(const struct hb_graph *graph, hb_ref list);
/* The holder's list knows all that a fence says, its own or one acquired before: nothing is to
 * be learnt there. */
bool hb_graph_is_stale(const struct hb_graph *graph, const struct hb_fence *holder, unsigned lane,
                       hb_ref ref);

/* What these lanes did before it where they hold a fence; until is 0 where they hold another node.
 */
struct hb_lanes hb_graph_fenced(const struct hb_graph *graph, hb_ref held, lane_mask lanes);

/* The asked lanes whose accesses until asked->until are not known to be over by `lane`'s list.
 * *found is what was found of them last, or has no lanes; without `found`, what was far away is
 * noted at the list's beginning. Where the search reaches forgotten nodes, the result is empty and
 * *guessed becomes true; without `guessed` the search is short, and lanes that it did not find in
 * time count as not over. */
lane_mask hb_graph_unordered(struct hb_graph *graph, hb_ref *list, unsigned lane,
                             const struct hb_lanes *asked, struct hb_lanes *found,
                             _Atomic bool *guessed);

/* ---- addresses ---------------------------------------------------------------------------------
 */
struct hb_clock *hb_graph_clock(struct hb_graph *graph);  /* of these addresses: hb_clock.h */
struct hb_pages **hb_graph_pages(struct hb_graph *graph); /* what all blocks can see */
/* What stands at the address; NULL where there is nothing and none is to be made. */
hb_ref *hb_graph_find_page_slot(struct hb_pages **pages, uint64_t address, bool create);
void hb_graph_free_pages(struct hb_pages **pages);
/* The lane publishes what it holds: it is added to what stands there. *last joins alike lanes of
 * one access; it begins as {0}. */
struct hb_release_join {
    hb_ref of, held, joined;
    unsigned apart;
};
void hb_graph_release(struct hb_graph *graph, hb_ref *place, hb_ref held, lane_mask lanes,
                      struct hb_release_join *last);

/* ---- memory ------------------------------------------------------------------------------------
 */
/* To be called before something is learnt or published, while only roots hold nodes: when there are
 * too many nodes, forgets the farthest ones. `roots` calls `visit` for all that are kept outside.
 */
typedef void hb_ref_visitor(void *state, hb_ref *slot, bool is_list);
typedef void hb_root_visitor(void *roots, hb_ref_visitor *visit, void *state);
bool hb_graph_needs_room(const struct hb_graph *graph);
void hb_graph_make_room(struct hb_graph *graph, uint64_t touched_bytes, hb_root_visitor *roots,
                        void *roots_state);
void hb_graph_visit_pages(struct hb_pages *pages, hb_ref_visitor *visit, void *state);

#endif

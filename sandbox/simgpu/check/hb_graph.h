/* What threads learn of one another through memory: flags, locks, counters. See race_order.c for
 * when, and hb_graph.c for how it is remembered.
 *
 * Knowledge is a graph of knots, which never change what they say: a fence says what its lanes had
 * done and knew, a list of a warp what its lanes have learnt, newest first, and each address that
 * something was published at leads to the fences behind it. All of it costs a few bytes for each
 * fence, look and publication, however much is known. Only for launches on one host thread. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_GRAPH_H

#include "sandbox/simgpu/state/race_state.h"

struct known_lanes { /* accesses of these lanes before the time `until` are over */
    uint32_t block;
    uint16_t warp;
    lane_mask lanes;
    uint32_t until;
};

/* A fence of some of a warp's lanes: what they did before `time`, what all of the warp did before
 * `full_time` and all of the block before `barrier_time`, and what each lane has in the list. */
struct known_fence {
    uint32_t block;
    uint16_t warp;
    uint32_t time, full_time, barrier_time;
};

struct knowledge;
struct sync_pages; /* addresses, and what was published there */

/* `base_knots`: so many may be remembered, however little memory the launch touches. */
struct knowledge *knowledge_create(uint32_t base_knots);
void knowledge_free(struct knowledge *knowledge);
/* The next moment of the launch; *incomplete where there are no more of them. */
uint32_t knowledge_tick(struct knowledge *knowledge, _Atomic bool *incomplete);
uint32_t knowledge_now(const struct knowledge *knowledge);

/* Lists: `older` and then more. The result is a list, or what a lane holds when its number is put
 * in. A fence's list is what its lanes have learnt. */
knot_ref knowledge_fence(struct knowledge *knowledge, const struct known_fence *fence,
                         knot_ref older);
/* The lanes learn what the lanes `from` hold in `of`; from == 0: each what the lane holds there
 * that is so many further as the number in `of` says, in the circle. */
knot_ref knowledge_learn(struct knowledge *knowledge, lane_mask lanes, knot_ref of, lane_mask from,
                         knot_ref older);
/* Each of the lanes learns what those of `lanes` below it hold in `of`. */
knot_ref knowledge_learn_below(struct knowledge *knowledge, lane_mask lanes, knot_ref of,
                               knot_ref older);
/* The lanes `known.lanes` share what they have in `older`, and what they did before known.until. */
knot_ref knowledge_share(struct knowledge *knowledge, const struct known_lanes *known,
                         knot_ref older);
/* All who have the list know of these. */
knot_ref knowledge_note(struct knowledge *knowledge, const struct known_lanes *known,
                        knot_ref older);
/* Of the same list: is there anything behind the share of these lanes? */
bool knowledge_is_shared(const struct knowledge *knowledge, knot_ref list, lane_mask lanes);
/* Does the list say the same to every lane? */
bool knowledge_is_for_all(const struct knowledge *knowledge, knot_ref list);
/* The holder's list knows all of a fence of itself, or behind which it has met all: nothing is to
 * be learnt there. */
bool knowledge_is_stale(const struct knowledge *knowledge, const struct known_fence *holder,
                        unsigned lane, knot_ref ref);

/* Those of the asked lanes of which `lane` does not know by its list that all their accesses until
 * asked->until are over. What was found far away is noted at the list's beginning. Where that has
 * been forgotten, it is none of them, and *guessed becomes true; without `guessed` the search is
 * short, and where it ends too soon it is all that are left. */
lane_mask knowledge_lacks(struct knowledge *knowledge, knot_ref *list, unsigned lane,
                          const struct known_lanes *asked, _Atomic bool *guessed);

/* ---- addresses ---------------------------------------------------------------------------------
 */
struct sync_pages **knowledge_pages(struct knowledge *knowledge); /* what all blocks can see */
/* What stands at the address; NULL where there is nothing and none is to be made. */
knot_ref *sync_pages_find(struct sync_pages **pages, uint64_t address, bool create);
void sync_pages_forget(struct sync_pages **pages);
/* The lane publishes what it holds: it is added to what stands there. *last joins alike lanes of
 * one access; it begins as {0}. */
struct sync_join {
    knot_ref of, held, joined;
    unsigned apart;
};
void knowledge_publish(struct knowledge *knowledge, knot_ref *place, knot_ref held, lane_mask lanes,
                       struct sync_join *last);

/* ---- memory ------------------------------------------------------------------------------------
 */
/* To be called before something is learnt or published, where only roots hold knots: forgets what
 * is farthest away when there is too much. `roots` calls `visit` for all that are kept outside. */
typedef void knot_visit(void *state, knot_ref *slot, bool is_list);
typedef void knot_roots(void *roots, knot_visit *visit, void *state);
bool knowledge_wants_room(const struct knowledge *knowledge);
void knowledge_make_room(struct knowledge *knowledge, uint64_t touched_bytes, knot_roots *roots,
                         void *roots_state);
void sync_pages_visit(struct sync_pages *pages, knot_visit *visit, void *state);

#endif

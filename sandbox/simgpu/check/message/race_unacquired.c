/* What a relaxed or volatile load tells, and nothing has acquired.
 *
 * Such a load orders nothing after it: a plain load that follows may come first, or find what the
 * L1 cache still holds (PTX ISA 8.9.3, acquire patterns). It takes a fence of the thread that has
 * loaded; a barrier of the block is none. For lanes that have not passed one since, a list says
 * what they knew before (struct unacquired), beside the one of all that they have learnt. A plain
 * load of another block's write that only the longer list orders is a race.
 *
 * A strong load needs the fence as well: no cache keeps old data for it, but neither the compiler
 * nor the memory model keeps two relaxed loads in order, whatever one decides about the other. It
 * is asked only where it fetches a message (race_message.c) that the same thread has looked for:
 * after a barrier it comes last on every card, and common code relies on that.
 *
 * Atomics count as if they acquired, because CUDA's own pattern of the last block does without a
 * second fence, and so do operations of a warp. A store does not come before the branch that it
 * depends on. */
#include "sandbox/simgpu/check/race_join.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

void race_unacquired_join(struct block *block) {
    bool any = false, alike = true;
    hb_ref first = block->warps[0].unacquired.known[0], all = 0;
    uint32_t pc = 0;
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct unacquired *unacquired = &block->warps[i].unacquired;
        any |= unacquired->lanes != 0;
        pc = unacquired->lanes ? unacquired->pc : pc;
        alike &= unacquired->lanes == UINT32_MAX;
        for (unsigned lane = 0; lane < WARP_LANES && alike; lane++)
            alike &= unacquired->known[lane] == first;
    }
    if (!any || alike)
        return;
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        lane_mask rest = warp->unacquired.lanes;
        if (~rest)
            all = hb_graph_acquire(block->launch->hb_graph, UINT32_MAX, warp->known, ~rest, all);
        for (; rest; rest &= rest - 1)
            all = hb_graph_acquire(block->launch->hb_graph, UINT32_MAX,
                                   warp->unacquired.known[__builtin_ctz(rest)], rest & -rest, all);
    }
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct unacquired *unacquired = &block->warps[i].unacquired;
        unacquired->lanes = UINT32_MAX;
        unacquired->pc = pc;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            unacquired->known[lane] = all;
    }
}

/* Those of the other block's lanes whose write the lane did not know of when it looked. */
static lane_mask unordered_at_look(const struct race_walk *walk, unsigned lane, uint32_t cell,
                                   const struct access_record *other) {
    struct warp *warp = walk->warp;
    if (!(warp->unacquired.lanes >> lane & 1) || !other->store ||
        other->block == (uint32_t)warp->block->index)
        return 0;
    hb_ref known = warp->known;
    lane_mask looked[LOOK_KINDS];
    for (unsigned i = 0; i < LOOK_KINDS; i++) { /* perhaps by the load in question */
        looked[i] = warp->looks[i].lanes;
        warp->looks[i].lanes = 0;
    }
    warp->known = warp->unacquired.known[lane];
    lane_mask who = race_join_unordered(walk, lane, cell, other, true);
    for (unsigned i = 0; i < LOOK_KINDS; i++)
        warp->looks[i].lanes = looked[i];
    warp->unacquired.known[lane] = warp->known; /* what was found is noted there */
    warp->known = known;
    return who;
}

lane_mask race_unacquired(const struct race_walk *walk, unsigned lane, uint32_t cell,
                          const struct access_record *other) {
    return walk->store || walk->strong ? 0 : unordered_at_look(walk, lane, cell, other);
}

lane_mask race_unacquired_message(const struct race_walk *walk, unsigned lane, uint32_t cell,
                                  const struct access_record *other, const struct race_flag *flag) {
    bool fetches = flag->kind == FLAG_EARLY && flag->own_look;
    return fetches ? unordered_at_look(walk, lane, cell, other) : 0;
}

/* barrier.cluster.arrive and .wait (PTX ISA 9.7.13.4). A launch without cluster sizes has clusters
 * of one block, so that this is a barrier of the block in two halves: a thread that has arrived may
 * go on working and waits later, for all live threads to have arrived. */
#include "sandbox/simgpu/exec/cluster.h"

#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/state/barrier.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

static void complete(struct block *block) {
    race_block_barrier(block);
    for (struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++) {
        warp->cluster_passed |= warp->cluster_arrived;
        warp->cluster_arrived = 0;
        for (struct split *split = warp->splits; split < warp->splits + warp->split_count;
             split++) {
            if (split->state != SPLIT_AT_BARRIER || split->barrier != MAX_BARRIERS ||
                split->lanes & ~warp->cluster_passed)
                continue;
            warp->cluster_passed &= ~split->lanes;
            split->state = SPLIT_RUNNABLE;
            split->pc++;
        }
    }
}

void cluster_recheck(struct block *block) {
    uint32_t arrived = 0;
    for (const struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++)
        arrived += (uint32_t)__builtin_popcount(warp->cluster_arrived & ~warp->exited);
    struct barrier *barrier = &block->barriers[MAX_BARRIERS];
    barrier->arrived = arrived;
    barrier->expected = block->live_threads;
    if (arrived && arrived == block->live_threads)
        complete(block);
}

void cluster_barrier(struct warp *warp, struct split *split, const struct insn *insn,
                     lane_mask lanes) {
    if (insn->barrier == BARRIER_CLUSTER_ARRIVE) {
        if (warp->block->launch->checks && lanes & (warp->cluster_arrived | warp->cluster_passed))
            hazard_report(warp, split->pc, PC_NONE, HAZARD_BARRIER_DIVERGENCE, SEVERITY_ERROR,
                          lanes & (warp->cluster_arrived | warp->cluster_passed),
                          "barrier.cluster.arrive for the second time without "
                          "barrier.cluster.wait in between");
        warp->cluster_passed &= ~lanes;
        warp->cluster_arrived |= lanes;
        split->pc++;
        cluster_recheck(warp->block);
        return;
    }
    if (!(lanes & ~warp->cluster_passed)) {
        warp->cluster_passed &= ~lanes;
        split->pc++;
        return;
    }
    split->state = SPLIT_AT_BARRIER;
    split->barrier = MAX_BARRIERS;
}

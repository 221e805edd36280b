/* Clusters, and barrier.cluster.arrive and .wait (PTX ISA 9.7.13.4).
 *
 * The barrier has two halves: a thread that has arrived may go on working and waits later, for all
 * threads of the cluster that still run to have arrived. A launch without cluster sizes has
 * clusters of one block, which have no struct cluster: there it is a barrier of the block. */
#include "sandbox/simgpu/exec/cluster.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/barrier_bypass.h"
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/exec/spin_deadlock.h"
#include "sandbox/simgpu/exec/warp.h"
#include "sandbox/simgpu/state/barrier.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/special.h"

#include "sandbox/base/text.h"

#include <string.h>

/* ---- life ---------------------------------------------------------------------------------------
 */

/* Block `rank` of a cluster; both count in x first. */
static uint64_t block_index(const struct launch *launch, uint64_t number, unsigned rank) {
    struct dim3 grid = launch->request->grid, size = launch->cluster;
    uint64_t clusters_x = grid.x / size.x, clusters_y = grid.y / size.y;
    uint64_t x = number % clusters_x * size.x + rank % size.x;
    uint64_t y = number / clusters_x % clusters_y * size.y + rank / size.x % size.y;
    uint64_t z = number / clusters_x / clusters_y * size.z + rank / size.x / size.y;
    return (z * grid.y + y) * grid.x + x;
}

void cluster_start(struct cluster *cluster, uint64_t number, struct block *const *blocks,
                   uint64_t budget) {
    const struct launch *launch = blocks[0]->launch;
    *cluster = (struct cluster){
        .number = number, .size = launch->cluster_size, .running = launch->cluster_size};
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        blocks[rank]->cluster = cluster;
        blocks[rank]->rank = rank;
        cluster->blocks[rank] = blocks[rank];
        block_start(blocks[rank], block_index(launch, number, rank), budget);
    }
    race_cluster_start(cluster);
}

bool cluster_end_block(struct block *block) {
    struct cluster *cluster = block->cluster;
    if (!cluster)
        return true;
    race_cluster_end_block(block);
    cluster->ended[block->rank] = true;
    if (--cluster->running)
        return false;
    race_cluster_end(cluster);
    return true;
}

static bool any_runnable(const struct block *block) {
    for (unsigned i = 0; i < block->warp_count; i++)
        if (split_any_runnable(&block->warps[i]))
            return true;
    return false;
}

static bool waits_at_cluster(const struct block *block) {
    for (const struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++)
        for (unsigned i = 0; i < warp->split_count; i++)
            if (warp->splits[i].state == SPLIT_AT_BARRIER &&
                warp->splits[i].barrier == MAX_BARRIERS)
                return true;
    return false;
}

bool cluster_can_wait(const struct block *block) {
    const struct cluster *cluster = block->cluster;
    bool others = false;
    for (unsigned rank = 0; cluster && rank < cluster->size; rank++)
        others |= !cluster->ended[rank] && any_runnable(cluster->blocks[rank]);
    return others && waits_at_cluster(block);
}

/* ---- the barrier --------------------------------------------------------------------------------
 */

static void release(struct block *block) {
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

static void count_arrived(struct block *block) {
    struct barrier *barrier = &block->barriers[MAX_BARRIERS];
    barrier->arrived = 0;
    barrier->expected = block->live_threads;
    for (const struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++)
        barrier->arrived += (uint32_t)__builtin_popcount(warp->cluster_arrived & ~warp->exited);
}

static void recheck_block(struct block *block) {
    const struct barrier *barrier = &block->barriers[MAX_BARRIERS];
    count_arrived(block);
    if (!barrier->arrived || barrier->arrived != barrier->expected)
        return;
    race_block_barrier(block);
    release(block);
}

/* A thread of the cluster that has arrived, and where it waits; false: none waits yet. */
static bool find_waiting(const struct cluster *cluster, struct warp **at,
                         const struct split **where) {
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        struct block *block = cluster->blocks[rank];
        for (struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++)
            for (unsigned i = 0; i < warp->split_count; i++)
                if (warp->splits[i].state == SPLIT_AT_BARRIER &&
                    warp->splits[i].barrier == MAX_BARRIERS) {
                    *at = warp;
                    *where = &warp->splits[i];
                    return true;
                }
    }
    return false;
}

/* The barrier is complete without threads that have left the kernel. Those that came by code after
 * it have skipped it. */
static void check_left(const struct cluster *cluster, uint32_t arrived) {
    struct warp *at;
    const struct split *where;
    if (!find_waiting(cluster, &at, &where))
        return;
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        const struct block *block = cluster->blocks[rank];
        for (struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++)
            for (lane_mask rest = warp->exited; rest; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                if (!barrier_bypass_is_after(block->host_thread, where->pc,
                                             warp->exit_passed[lane]))
                    continue;
                struct dim3 thread = special_thread_index(warp, lane);
                char here[LINE_TEXT], there[LINE_TEXT];
                describe_line(block->launch->program, where->pc, here);
                describe_line(block->launch->program, warp->exit_pc[lane], there);
                hazard_report(at, where->pc, warp->exit_pc[lane], HAZARD_BARRIER_DIVERGENCE,
                              SEVERITY_ERROR, where->lanes,
                              "not all threads of the cluster reach its barrier at %s: %u of %u "
                              "have come, but thread (%u, %u, %u) of block (%u, %u, %u) went past "
                              "it without waiting and left the kernel (%s)",
                              here, arrived, cluster->size * block->thread_count, thread.x,
                              thread.y, thread.z, block->id.x, block->id.y, block->id.z, there);
                return;
            }
    }
}

static void recheck_cluster(struct cluster *cluster) {
    uint32_t arrived = 0, live = 0;
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        struct block *block = cluster->blocks[rank];
        count_arrived(block);
        arrived += block->barriers[MAX_BARRIERS].arrived;
        live += block->live_threads;
    }
    if (!arrived || arrived != live)
        return;
    if (cluster->blocks[0]->launch->checks &&
        live < cluster->size * cluster->blocks[0]->thread_count)
        check_left(cluster, arrived);
    race_cluster_complete(cluster);
    cluster->phases++;
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        release(cluster->blocks[rank]);
        spin_deadlock_note_change(&cluster->blocks[rank]->warps[0]);
    }
}

void cluster_recheck(struct block *block) {
    if (block->cluster)
        recheck_cluster(block->cluster);
    else
        recheck_block(block);
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
        if (warp->block->cluster)
            race_cluster_arrive(warp, lanes, insn->order == ORDER_RELAXED);
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

void cluster_report_deadlock(struct warp *warp, const struct split *split) {
    const struct cluster *cluster = warp->block->cluster;
    uint32_t arrived = 0, live = 0;
    char here[LINE_TEXT];
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        arrived += cluster->blocks[rank]->barriers[MAX_BARRIERS].arrived;
        live += cluster->blocks[rank]->live_threads;
    }
    hazard_report(warp, split->pc, PC_NONE, HAZARD_DEADLOCK, SEVERITY_ERROR, split->lanes,
                  "the barrier of the cluster at %s waits for the %u threads of its %u blocks that "
                  "still run: %u have come and no more can",
                  describe_line(warp->block->launch->program, split->pc, here), live, cluster->size,
                  arrived);
}

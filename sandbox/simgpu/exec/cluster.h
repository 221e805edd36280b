/* Clusters of blocks: their life and barrier.cluster. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_CLUSTER_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_CLUSTER_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

/* Starts all blocks of cluster number `number` in blocks[0..size-1], none of which runs. */
void cluster_start(struct cluster *cluster, uint64_t number, struct block *const *blocks,
                   uint64_t budget);
/* The block has ended, or will not run any more. True: it was the last one of its cluster, whose
 * blocks may be started again; until then its memory must stay. */
bool cluster_end_block(struct block *block);
/* Can a block of which no thread can go on wait for others of its cluster? */
bool cluster_can_wait(const struct block *block);
/* Who waits at a barrier of the cluster that cannot be complete. */
void cluster_report_deadlock(struct warp *warp, const struct split *split);

/* Arrives, or waits for the phase that the lanes have arrived at. */
void cluster_barrier(struct warp *warp, struct split *split, const struct insn *insn,
                     lane_mask lanes);
/* Threads have exited: the phase may be complete without them. */
void cluster_recheck(struct block *block);

#endif

/* barrier.cluster for clusters of one block. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_CLUSTER_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_CLUSTER_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

/* Arrives, or waits for the phase that the lanes have arrived at. */
void cluster_barrier(struct warp *warp, struct split *split, const struct insn *insn,
                     lane_mask lanes);
/* Threads have exited: the phase may be complete without them. */
void cluster_recheck(struct block *block);

#endif

/* barrier.cluster for clusters of one block. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CLUSTER_H
#define WARPGRADE_SANDBOX_SIMGPU_CLUSTER_H

#include "sandbox/simgpu/machine.h"

enum { BARRIER_CLUSTER_ARRIVE = 16, BARRIER_CLUSTER_WAIT }; /* insn->type, behind barrier_kind */

/* Arrives, or waits for the phase that the lanes have arrived at. */
void cluster_barrier(struct warp *warp, struct split *split, const struct insn *insn,
                     lane_mask lanes);
/* Threads have exited: the phase may be complete without them. */
void cluster_recheck(struct block *block);

#endif

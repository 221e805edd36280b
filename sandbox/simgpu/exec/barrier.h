/* Barriers of a block (bar.sync, bar.arrive, bar.red). */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_BARRIER_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_BARRIER_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

void barrier_arrive(struct warp *warp, struct split *split, const struct insn *insn,
                    lane_mask lanes);
/* Threads have exited: a barrier may be complete without them. */
void barrier_recheck(struct block *block);
/* No thread can continue: reports who waits where. */
void barrier_report_deadlock(struct block *block);

#endif

/* Which reads of other blocks are over, although no fence says so: see reads_over.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_MESSAGE_READS_OVER_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_MESSAGE_READS_OVER_H

#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

/* The block stores where others look, strongly, and they may. Only where there is a graph. */
void reads_over_note_store(struct block *block);
/* The lanes (those of `own`) have loaded strongly, or by an atomic, what another block's `store`
 * has left. */
void reads_over_note_look(struct launch *launch, const struct access_record *own, lane_mask lanes,
                          const struct access_record *store);
/* True where the other block's read is over before the lane's present write. */
bool reads_over(struct warp *warp, unsigned lane, const struct access_record *read);
void reads_over_forget(struct launch *launch);

#endif

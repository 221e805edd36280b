/* What warps of a block know of each other through mbarriers, and through flags and locks that the
 * block shares: a quick answer where many meet, before the search of hb_graph.h. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_BLOCK_CLOCK_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_BLOCK_CLOCK_H

#include "sandbox/simgpu/check/hb_graph.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/warp.h"

/* The lanes have fenced at `now`. */
void block_clock_fence(struct warp *warp, lane_mask lanes, uint32_t now);
/* The lanes access one address, which stands for this among the threads of their block. */
void block_clock_acquire(struct warp *warp, lane_mask lanes, uint64_t address);
void block_clock_release(struct warp *warp, lane_mask lanes, uint64_t address);
/* From now on each of the lanes knows what any of them does. */
void block_clock_share(struct warp *warp, lane_mask lanes);
/* The lanes of the block's warp `other` whose accesses at this time `lane` knows to be over. Of the
 * others it is not known here. */
lane_mask block_clock_ordered(const struct warp *warp, unsigned lane, unsigned other,
                              uint32_t time);
/* The lane knows of these lanes of its block: a search has found it. */
void block_clock_note(struct warp *warp, unsigned lane, const struct hb_lanes *known);

void block_clock_forget(struct block *block);
void block_clock_free(struct block *block);

#endif

/* Asynchronous copies on their way: issued, but not yet to be seen in shared memory. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_ASYNC_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_ASYNC_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/warp.h"

/* The lanes' copies of one instruction: `bytes` for each lane from data + lane * bytes (one lane:
 * from data) to the generic address to[lane]. `shadow` says as much of each byte as shadow memory
 * does; NULL: all of them have a value. The destination has been checked. `barriers` NULL: a
 * cp.async, which waits belong to; else the generic address of the mbarrier of each lane. */
void async_add(struct warp *warp, const struct insn *insn, lane_mask lanes,
               const device_address *to, uint32_t bytes, const unsigned char *data,
               const unsigned char *shadow, const device_address *barriers);
/* cp.async.commit_group. */
void async_commit(struct warp *warp, lane_mask lanes);
/* Lets all copies arrive but those of the last `groups` groups that the lanes have committed. */
void async_wait_groups(struct warp *warp, lane_mask lanes, uint32_t groups);
/* Lets all of the lanes' copies arrive, committed or not. */
void async_wait_all(struct warp *warp, lane_mask lanes);
/* cp.async.mbarrier.arrive: the lanes' copies so far arrive with the mbarrier's present phase. */
void async_bind(struct warp *warp, lane_mask lanes, const device_address *barriers);
/* A phase of the mbarrier is complete. */
void async_complete_phase(struct block *block, device_address barrier);

/* What a warp has in flight belongs to one block; the next begins with nothing. */
void async_reset(struct warp *warp);
void async_free(struct warp *warp);

#endif

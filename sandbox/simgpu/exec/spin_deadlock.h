/* Launches in which every live thread waits for what no thread can do any more: see
 * spin_deadlock.c.
 */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_SPIN_DEADLOCK_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_SPIN_DEADLOCK_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/warp.h"

struct spin_deadlock;
/* For the one host thread that runs its blocks in turns; at most `limit` of them at a time. */
struct spin_deadlock *spin_deadlock_create(struct host_thread *host_thread, size_t limit);
void spin_deadlock_free(struct spin_deadlock *spin_deadlock);

/* Something other than polling has happened: a block has started, ended or worked. */
void spin_deadlock_note_progress(struct spin_deadlock *spin_deadlock);

/* Every running block has had a turn in which it did nothing but poll. `blocks[slot]` runs where
 * `busy[slot]`; `all_started`: no block of the grid is still to come. Blocks that can never go on
 * are reported, and `ended[slot]` is set; returns how many. */
size_t spin_deadlock_check(struct spin_deadlock *spin_deadlock, struct block *const *blocks,
                           const bool *busy, size_t count, bool all_started, bool *ended);

/* More than polling: a call to printf, malloc or the like, a barrier, lanes that have met. */
void spin_deadlock_note_change(const struct warp *warp);

#endif

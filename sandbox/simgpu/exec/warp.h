/* Warps: splits take turns until all wait, give way or have left. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_WARP_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_WARP_H

#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/warp.h"

enum warp_state {
    WARP_WAITS,   /* no split is runnable */
    WARP_YIELDS,  /* its turn is over */
    WARP_SLEEPS,  /* its splits poll locations that have not changed: nothing was executed */
    WARP_STOPPED, /* the launch ends */
};
void warp_start(struct warp *warp, lane_mask existing);
enum warp_state warp_run(struct warp *warp);
bool split_any_runnable(const struct warp *warp); /* awake or not */
/* Lets the lanes that wait at joins go on without the others; false when there are none. */
bool split_release_join(struct warp *warp);
/* The same for a warp-level operation whose other lanes do not come: a hazard. */
bool warp_release_sync(struct warp *warp);
void warp_reset(struct warp *warp);
void warp_free(struct warp *warp);

#endif

/* malloc and free on the device. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_HEAP_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_HEAP_H

#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

/* A call of malloc or free by the lanes. Only where blocks run on one host thread. */
void heap_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
               lane_mask lanes);
void heap_free(struct launch *launch);
/* Where memory outlives the launch: before each run, a copy of what earlier launches have left; and
 * after the last one, what is left now. */
void heap_open(struct launch *launch);
void heap_keep(struct launch *launch);

#endif

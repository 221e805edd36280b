/* What quotients of floats take that cannot be found the quick way, for the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_DIV_SLOW_PATH_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_DIV_SLOW_PATH_H

#include "sandbox/simgpu/state/warp.h"

/* A warp of a launch with a device profile divides, lane by lane. */
void div_slow_path_note(const struct warp *warp, uint32_t pc, lane_mask lanes,
                        const float *dividends, const float *divisors);

#endif

/* Where the atomics of a launch with a device profile meet. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_ATOMIC_TRAFFIC_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_ATOMIC_TRAFFIC_H

#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

struct atomic_traffic;

struct atomic_traffic *atomic_traffic_create(const struct launch *launch);
void atomic_traffic_free(struct atomic_traffic *traffic);

/* A request in global memory. */
void atomic_traffic_global(const struct warp *warp, uint32_t pc, lane_mask lanes,
                           const device_address *addresses);
/* One in shared memory; `repeats`: lanes on one address take turns, too. */
void atomic_traffic_shared(const struct warp *warp, uint32_t pc, lane_mask lanes,
                           const device_address *addresses, bool repeats);
/* The clocks of the slice of the L2, or of the address, that atomics of the whole grid kept busy
 * for the longest time. */
double atomic_traffic_contention(const struct atomic_traffic *traffic);
/* Whether what keeps a slice busy for so long keeps others, too. */
bool atomic_traffic_meets_in_slices(const struct atomic_traffic *traffic);

#endif

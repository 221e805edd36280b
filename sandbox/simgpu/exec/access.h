/* Requests to memory that no ld or st makes: matrix loads, asynchronous copies, mbarriers. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_ACCESS_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_ACCESS_H

#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/state/warp.h"

/* One request of the lanes: checks it, tells the race detector, marks what a store initialises and
 * finds the host bytes. Returns the lanes that may do it; places[] holds something for them only.
 */
lane_mask access_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store,
                       unsigned char **places);
/* Counts one request of the instruction, in each space that the lanes reach. */
void access_count(struct warp *warp, const struct insn *insn, lane_mask lanes,
                  const device_address *addresses, unsigned bytes, bool store);
/* access_lanes() and access_count(). */
lane_mask access_counted(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses, unsigned bytes, bool store,
                         unsigned char **places);

#endif

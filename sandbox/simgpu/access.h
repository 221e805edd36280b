/* Requests to memory that no ld or st makes: matrix loads, asynchronous copies, mbarriers. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_ACCESS_H
#define WARPGRADE_SANDBOX_SIMGPU_ACCESS_H

#include "sandbox/simgpu/memory.h"

struct request_cost {
    unsigned units;     /* shared: wavefronts; else sectors */
    unsigned conflicts; /* shared: wavefronts beyond the necessary */
    enum ptx_space space;
};

/* One request of the lanes: checks it, tells the race detector, marks what a store initialises and
 * finds the host bytes. Returns the lanes that may do it; places[] holds something for them only.
 * `cost` may be NULL; it is zero where no lane may. */
lane_mask access_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store,
                       unsigned char **places, struct request_cost *cost);
/* The same, counted as one request of the instruction. */
lane_mask access_counted(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses, unsigned bytes, bool store,
                         unsigned char **places);
/* What one request in cost->space costs. */
void access_cost(lane_mask lanes, const device_address *addresses, unsigned bytes, bool store,
                 struct request_cost *cost);
/* Addresses in a lane vector of 64 bits, or of 32 where they are narrow, plus an offset. */
void access_addresses(const struct warp *warp, uint32_t operand, bool narrow, int64_t offset,
                      device_address *addresses);

#endif

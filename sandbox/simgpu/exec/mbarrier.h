/* The 64 bits of an mbarrier object in shared memory, and what happens to them. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_MBARRIER_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_MBARRIER_H

#include "sandbox/simgpu/state/warp.h"

enum { MBARRIER_MAX_COUNT = (1 << 20) - 1 };

/* A fresh object, its phase 0 current. */
uint64_t mbarrier_make(uint32_t count);
bool mbarrier_phase(uint64_t state);
uint32_t mbarrier_pending(uint64_t state);
bool mbarrier_is_valid(uint64_t state);
/* What the current phase still waits for. */
struct mbarrier_missing {
    uint32_t arrivals, expected;
    int64_t bytes;
};
struct mbarrier_missing mbarrier_missing(uint64_t state);

/* All of these take generic addresses of shared memory that has been checked. */

/* One lane arrives `count` times, expecting `expected` bytes first; `drop`: for all phases to come,
 * too; `no_complete`: the phase must not end with it; `grow`: pending arrivals that come on top.
 * Returns the state before. */
struct mbarrier_arrival {
    uint32_t count, grow;
    int64_t transactions;
    bool drop, no_complete;
};
uint64_t mbarrier_arrive(struct warp *warp, const struct insn *insn, unsigned lane,
                         device_address address, const struct mbarrier_arrival *arrival);
/* A bulk copy has brought `bytes` bytes; each lane's mbarrier is checked first. */
void mbarrier_complete_transactions(struct warp *warp, const struct insn *insn, lane_mask lanes,
                                    const device_address *addresses, const uint32_t *bytes);
/* The object at the address; reports and returns NULL where there is none. */
uint64_t *mbarrier_find(struct warp *warp, const struct insn *insn, unsigned lane,
                        device_address address);

#endif

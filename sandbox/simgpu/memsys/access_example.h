/* One request of each instruction, kept as an example of what its warps ask memory for. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_ACCESS_EXAMPLE_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_ACCESS_EXAMPLE_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/ptx/ptx.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"

struct access_example {
    uint8_t units; /* sectors or wavefronts of the request; 0: there was none */
    uint8_t bytes; /* a lane */
    bool shared, store;
    lane_mask lanes;
    device_address addresses[WARP_LANES];
};

void access_example_keep(struct access_example *example, unsigned units,
                         const struct access_shape *shape, enum ptx_space space,
                         const device_address *addresses, unsigned bytes, bool store);

/* Of an instruction's requests the first that takes most stays. After count_request(). */
static inline void access_example_note(const struct host_thread *host_thread, uint32_t pc,
                                       const struct access_shape *shape, enum ptx_space space,
                                       const device_address *addresses, unsigned bytes,
                                       bool store) {
    device_address first = addresses[shape->first_lane];
    unsigned units = space == SPACE_SHARED   ? shape->wavefronts[first & 3]
                     : space == SPACE_GLOBAL ? shape->sectors[first & 31]
                                             : 0;
    if (__builtin_expect(units > host_thread->examples[pc].units, 0))
        access_example_keep(&host_thread->examples[pc], units, shape, space, addresses, bytes,
                            store);
}

/* Fills result->accesses: of the instruction that wastes most global memory, and of the one that
 * has most bank conflicts; where nothing is wasted, of those that ask for most. */
void access_example_choose(const struct launch *launch, struct engine_result *result);

#endif

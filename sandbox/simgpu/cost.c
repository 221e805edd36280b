/* What a launch with a device profile says besides its counters: see cost.h. */
#include "sandbox/simgpu/cost.h"

#include "sandbox/simgpu/machine.h"

void cost_profile(const struct launch *launch, struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    if (!request->device)
        return;
    struct launch_profile *profile = &result->profile;
    struct occupancy_capacity capacity = occupancy_capacity_of(request->device);
    profile->present = true;
    profile->blocks = launch->block_count;
    if (!profile->blocks_simulated)
        profile->blocks_simulated = launch->block_count;
    profile->occupancy = occupancy_compute(
        &capacity, request->block.x * request->block.y * request->block.z, request->registers,
        launch->program->static_shared_bytes + request->shared_bytes);
}

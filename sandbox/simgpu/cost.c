/* What a launch with a device profile says besides its counters: see cost.h. */
#include "sandbox/simgpu/cost.h"

#include "sandbox/simgpu/sample.h"

void cost_profile(const struct launch *launch, struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    if (!request->device)
        return;
    struct launch_profile *profile = &result->profile;
    struct occupancy_capacity capacity = occupancy_capacity_of(request->device);
    profile->present = true;
    profile->blocks = launch->block_count;
    profile->blocks_simulated = launch->sample ? launch->sample->count : launch->block_count;
    profile->sampling = launch->sampling;
    profile->relative_error = launch->sample ? sample_error(launch->sample) : 0;
    profile->occupancy = occupancy_compute(
        &capacity, request->block.x * request->block.y * request->block.z, request->registers,
        launch->program->static_shared_bytes + request->shared_bytes);
}

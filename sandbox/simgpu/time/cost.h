/* The modelled time of a launch. Private to the simulated GPU. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_TIME_COST_H
#define WARPGRADE_SANDBOX_SIMGPU_TIME_COST_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/state/launch.h"

struct launch;

/* Fills result->profile, after the counters, where the launch has a device. */
void cost_profile(const struct launch *launch, struct engine_result *result);

#endif

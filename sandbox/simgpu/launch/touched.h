/* Which bytes of the memory that outlives it a launch has touched. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_TOUCHED_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_TOUCHED_H

#include "sandbox/simgpu/launch/launch.h"

/* After the launch, while its cells and records are there; where the request wants it. */
void touched_collect(const struct launch *launch);

#endif

/* Elements of outputs that are made on demand: see elements.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_ELEMENTS_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_ELEMENTS_H

#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"

/* Executes the blocks that the request's probes ask for, on the launch's one host thread. */
void elements_probe(struct host_thread *host_thread, struct engine_result *result);

/* A sample of what the blocks of a launch with a device wrote. */
void elements_sample(const struct launch *launch, struct engine_result *result);

#endif

/* Running a launch as a device would: blocks on its SMs, their warps in turns, through its caches.
 * See residency.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_RESIDENCY_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_RESIDENCY_H

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"

/* Chooses the sample, where the request asks for one and the kernel allows it. True when a block
 * has been run on the launch's one host thread to know what it costs: host threads and memory must
 * start again. */
bool residency_open(struct launch *launch);
void residency_run(struct host_thread *host_thread);
void residency_close(struct launch *launch);

#endif

/* The door of the simulated GPU: runs one launch of PTX inside the calling process.
 *
 * The PTX is hostile: whatever it says, sim_run() returns, with hazards, with ENGINE_REFUSED and a
 * message, or with results. It touches no file and starts no process; it uses threads. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_SIMGPU_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_SIMGPU_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/state/limits.h"

/* Buffers are read from and written back to launch->data. *result need not be initialised; free it
 * with engine_result_free(). result->end is ENGINE_COMPLETED or ENGINE_REFUSED. */
void sim_run(const struct engine_launch *launch, struct engine_result *result);

/* sim_run() with other limits, none of them above the default. */
void sim_run_limited(const struct engine_launch *launch, const struct sim_limits *limits,
                     struct engine_result *result);

#endif

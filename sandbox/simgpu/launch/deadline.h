/* The end of a launch's time. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_DEADLINE_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_DEADLINE_H

#include "sandbox/simgpu/state/launch.h"

/* From now on launch->expired becomes true after launch->request->wall_seconds, if that is not 0
 * and deadline_close() was not called before; later where the process has had less processor time
 * than that until then, but after launch->request->most_seconds at the latest. */
void deadline_open(struct launch *launch);
void deadline_close(struct launch *launch);

#endif

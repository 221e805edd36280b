/* A launch in memory that outlives it (engine_launch.memory): a whole program's. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_OUTLIVING_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_OUTLIVING_H

#include "sandbox/simgpu/launch/launch.h"

/* Windows for the blocks, after the variables'; then the blocks and the parameters themselves.
 * False with a message. */
bool outliving_count(struct launch *launch, struct engine_result *result);
bool outliving_place(struct launch *launch, struct engine_result *result);
/* Is that variable one of the blocks? */
bool outliving_has(const struct launch *launch, const struct placed_variable *variable);
/* Before each run: the blocks as they were before the first. */
void outliving_fill(struct launch *launch);
/* The blocks are the caller's again. */
void outliving_give_back(struct launch *launch);

#endif

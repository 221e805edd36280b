/* Who waits at a barrier, for a picture of what is wrong with it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_BARRIER_SCENE_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_BARRIER_SCENE_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/state/block.h"

/* Notes which threads of the block wait at the barrier at pc and which at others. NULL, as a report
 * gives where there is one already, is ignored. */
void barrier_scene(const struct block *block, uint32_t pc, struct hazard *hazard);

#endif

/* Loads and stores of one straight line that go by the same address register. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_SHAPE_SHARING_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_SHAPE_SHARING_H

#include "sandbox/simgpu/program/program.h"

/* Fills in shape_pc of all loads and stores. */
void shape_sharing_link(struct program *program);

#endif

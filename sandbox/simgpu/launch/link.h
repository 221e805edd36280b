/* The last step before a program can run: executors and rules are bound to its instructions. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_LINK_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_LINK_H

#include "sandbox/simgpu/program/program.h"

/* Gives each instruction the executor that suits this CPU and its rule for undefined bits. */
void program_link(struct program *program);

#endif

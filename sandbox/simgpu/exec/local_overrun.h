/* Accesses that run off a local variable into another one: see local_overrun.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_LOCAL_OVERRUN_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_LOCAL_OVERRUN_H

#include "sandbox/simgpu/program/program.h"

/* After each instruction has got its executor. */
void local_overrun_link(struct program *program);

#endif

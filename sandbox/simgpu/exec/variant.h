/* Which of the executors' variants this CPU runs. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_VARIANT_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_VARIANT_H

#include "sandbox/simgpu/program/program.h"

/* The executor of a row of isa.def for this CPU; general: for rounding modes, .ftz and .sat. */
sim_executor *isa_executor(size_t row, bool general);

#endif

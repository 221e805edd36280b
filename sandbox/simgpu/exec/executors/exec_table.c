/* The executors of one instruction-set level, by the rows of isa.def: [0] plain, [1] general. */
#include "sandbox/simgpu/exec/executors/executor.h"

sim_executor *const SIM_NAME(executors)[][2] = {
#define FORM(key, op, operands, flow, cost, fast, general) {SIM_NAME(fast), SIM_NAME(general)},
#include "sandbox/simgpu/program/isa.def"
};

/* A call of a function: its registers, areas and way back. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_FRAME_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_FRAME_H

#include "sandbox/simgpu/program/program.h"

struct frame {
    struct frame *caller;
    const struct program_function *function;
    uint32_t return_pc;
    const struct call_site *call;
    uint32_t local_base, param_base; /* in each lane's local memory */
    unsigned char *registers;
    uint32_t depth;
};

#endif

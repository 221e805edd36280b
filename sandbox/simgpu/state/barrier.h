/* A barrier of a block: who has come. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_BARRIER_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_BARRIER_H

#include "sandbox/base/types.h"

struct barrier {
    uint32_t arrived;  /* threads, arrive included */
    uint32_t expected; /* 0: none waits yet */
    bool whole_block;
    uint32_t reduced_popc;
    bool reduced_and, reduced_or;
    uint32_t arriving_warps; /* that came by bar.arrive and did not wait */
};

#endif

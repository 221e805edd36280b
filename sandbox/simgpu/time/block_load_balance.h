/* How much longer a launch lasts because its blocks differ. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_TIME_BLOCK_LOAD_BALANCE_H
#define WARPGRADE_SANDBOX_SIMGPU_TIME_BLOCK_LOAD_BALANCE_H

#include "sandbox/simgpu/memsys/warp_trace.h"

struct block_load_balance_input {
    const struct warp_trace *trace; /* settled */
    unsigned sms;
    unsigned resident; /* blocks of an SM at a time */
    uint64_t blocks;   /* of the grid */
    double rate;       /* instructions a clock of an SM that is full of blocks */
    double alone;      /* ... and of its heaviest block by itself */
};

/* The time until the last block has ended over what it would be if all executed as much: at
 * least 1. 1, too, where there are enough blocks that their differences level out. */
double block_load_balance_factor(const struct block_load_balance_input *input);

#endif

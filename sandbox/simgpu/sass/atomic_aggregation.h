/* Atomics of a warp that the assembler makes one of. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_ATOMIC_AGGREGATION_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_ATOMIC_AGGREGATION_H

#include "sandbox/simgpu/program/program.h"

enum atomic_merge {
    ATOMIC_APART,             /* a lane each */
    ATOMIC_COUNTED,           /* lanes are counted, and one of them adds the product */
    ATOMIC_REDUCED,           /* one instruction joins the lanes' values */
    ATOMIC_TOGETHER_IF_WHOLE, /* shuffles join them, but only where all 32 lanes participate */
};

/* By pc, for a device of that compute capability. Caller frees. */
uint8_t *atomic_aggregation_find(const struct program *program, unsigned capability);

/* By pc: conditional branches that lanes of a warp may leave apart. Caller frees. */
bool *atomic_aggregation_find_branches(const struct program *program);

/* Machine instructions beside the atomic's own, and the clocks that they add to its result;
 * asked: the old value has a place. */
struct aggregation_cost {
    uint8_t issue;
    uint16_t clocks;
};
struct aggregation_cost atomic_aggregation_cost(enum atomic_merge merge, bool asked);

#endif

/* Where a warp's turn ends, so that the caches see the accesses of an SM's warps in the order in
 * which these come to them. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_YIELD_POINTS_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_YIELD_POINTS_H

#include "sandbox/simgpu/sass/sass_model.h"

/* By pc: 1 where other warps have a turn before the instruction, beside the ends of loops' passes.
 * Caller frees. */
uint8_t *yield_points_find(struct sass_model *code);

#endif

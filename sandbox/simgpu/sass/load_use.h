/* Which instructions have to wait for loads. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_LOAD_USE_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_LOAD_USE_H

#include "sandbox/simgpu/program/program.h"

/* By pc, and one more at the end: how many pieces of code before it, which `regions` tells apart,
 * read what a load or an atomic has got from global memory; a piece counts from its first such
 * instruction on. Caller frees. */
uint32_t *load_use_find(const struct program *program, const uint32_t *regions);

#endif

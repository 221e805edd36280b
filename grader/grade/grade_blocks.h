/* Which block of a kernel may write an element. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_BLOCKS_H
#define WARPGRADE_GRADER_GRADE_GRADE_BLOCKS_H

#include "sandbox/base/launch.h"

/* Guesses for element `index` of the buffer, the likeliest first, no block twice: writes at most
 * ENGINE_PROBE_BLOCKS of them and returns how many. Pure. */
unsigned grade_guess_blocks(const struct engine_argument *buffer, uint64_t index, struct dim3 grid,
                            struct dim3 block, uint64_t *blocks);

#endif

/* Stores of a warp that follow each other so closely that its L1 sends what they change of a
 * sector to the L2 together. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_WRITE_COMBINING_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_WRITE_COMBINING_H

#include "sandbox/simgpu/program/program.h"

/* Whether the two accesses of memory begin at the same register and share no byte: the assembler
 * exchanges such. */
bool write_combining_is_disjoint(const struct insn *a, const struct insn *b);

/* By pc: the number of the run that a store to global memory belongs to, from 1 on; 0 for all other
 * instructions. Caller frees. */
uint32_t *write_combining_find_runs(const struct program *program);

/* By pc: 1 for loads of global memory in a straight line after a store that they may not go
 * before: what is stored has to be there first, so that other warps come in between. Caller
 * frees. */
uint8_t *write_combining_followers(const struct program *program);

#endif

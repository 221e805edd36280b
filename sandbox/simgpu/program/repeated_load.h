/* Whether a load can come to the same address again: see repeated_load.c. And loads that a later
 * look confirms. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_REPEATED_LOAD_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_REPEATED_LOAD_H

#include "sandbox/simgpu/program/program.h"

/* *budget: instructions that may still be followed, for all loads of a program together. True where
 * it ends first, and where the code cannot be followed. */
bool load_repeats(const struct program *program, uint32_t pc, uint64_t *budget);

/* confirmed_load.c: marks accesses as EXTRA_CONFIRMED and EXTRA_CONFIRMS. Before
 * load_intent_find(). */
void confirmed_load_find(struct program *program);

#endif

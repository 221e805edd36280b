/* Which atomic does an update in one step: a sentence of hazard_fix.def. Looked at only when a race
 * is put into words. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_ATOMIC_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_ATOMIC_H

#include "sandbox/base/types.h"
#include "sandbox/simgpu/program/program.h"

/* The store writes what was made of the value that it overwrites ... */
enum hazard_fix race_atomic_of_value(const struct program *program, uint32_t store);
/* ... or is done only where that value says so. */
enum hazard_fix race_atomic_of_guard(const struct program *program, uint32_t store);

#endif

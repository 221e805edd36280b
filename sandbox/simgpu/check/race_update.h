/* Do a load and a store update one element? Looked at only when a race is put into words. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_UPDATE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_UPDATE_H

#include "sandbox/base/types.h"
#include "sandbox/simgpu/program/program.h"

enum race_update {
    UPDATE_NONE,    /* they have different addresses, or no load comes before the store */
    UPDATE_UNKNOWN, /* the code does not say, as where -G keeps variables in memory */
    UPDATE_VALUE,   /* the store writes what was made of the load's value: `h[i] = h[i] + 1` */
    UPDATE_GUARDED, /* the load's value decides whether to store: `if (*best < x) *best = x` */
};
enum race_update race_update_find(const struct program *program, uint32_t load, uint32_t store);
/* The same of any load before the store, and of any store after the load. */
enum race_update race_update_of_store(const struct program *program, uint32_t store);
enum race_update race_update_of_load(const struct program *program, uint32_t load);

/* Which atomic does the update in one step (race_atomic.c): a sentence of hazard_fix.def. The store
 * writes what was made of the value that it overwrites ... */
enum hazard_fix race_atomic_of_value(const struct program *program, uint32_t store);
/* ... or is done only where that value says so. */
enum hazard_fix race_atomic_of_guard(const struct program *program, uint32_t store);

enum sameness { SAMENESS_DIFFERENT, SAMENESS_UNKNOWN, SAMENESS_SAME };

/* For race_atomic.c. The last instruction before `pc`, from the function's `first`, that writes the
 * register; PC_NONE: none does. And of two accesses to memory of that function. */
uint32_t race_update_definition(const struct program *program, uint32_t first, uint32_t pc,
                                uint32_t operand);
enum sameness race_update_same_address(const struct program *program, uint32_t first, uint32_t pc,
                                       uint32_t other_pc);

#endif

/* Do a load and a store update one element? Looked at only when a race is put into words. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_UPDATE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_UPDATE_H

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

#endif

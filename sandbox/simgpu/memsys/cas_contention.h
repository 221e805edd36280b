/* Compare-and-swap loops of a grid whose lanes want the same words. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CAS_CONTENTION_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CAS_CONTENTION_H

#include "sandbox/simgpu/state/warp.h"

struct retried_swaps;

/* Whether it is a compare-and-swap, in a loop or not. */
bool retried_swaps_is_swap(const struct program *program, uint32_t pc);

/* NULL where the program has no such loop. */
struct retried_swaps *retried_swaps_create(const struct program *program);
void retried_swaps_free(struct retried_swaps *swaps); /* NULL is allowed */

/* Lanes try; then, some of them have stored their value. */
void retried_swaps_try(struct retried_swaps *swaps, const struct warp *warp, uint32_t pc,
                       lane_mask lanes, const device_address *addresses);
void retried_swaps_won(struct retried_swaps *swaps, const struct warp *warp, uint32_t pc,
                       lane_mask lanes);

/* The launch without the tries that are in vain because others come first. */
struct swap_crowd {
    double resident; /* share of the blocks that run at a time */
    double sms;
    double clocks;    /* of the launch */
    double atomics;   /* of these, atomics take */
    double turnround; /* clocks from a try to the next one, at least */
};

/* Calls `add` with each word and how many tries it sees more than those that were executed. Returns
 * the clocks that the most wanted word takes at least. */
double retried_swaps_tries(const struct retried_swaps *swaps, const struct swap_crowd *crowd,
                           void (*add)(void *context, device_address address, double tries),
                           void *context);

#endif

/* Compare-and-swap loops of a grid whose lanes want the same words. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CAS_CONTENTION_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CAS_CONTENTION_H

#include "sandbox/simgpu/state/warp.h"

struct cas_contention;

/* Whether it is a compare-and-swap, in a loop or not. */
bool cas_contention_is_cas(const struct program *program, uint32_t pc);

/* NULL where the program has no such loop. */
struct cas_contention *cas_contention_create(const struct program *program);
void cas_contention_free(struct cas_contention *swaps); /* NULL is allowed */

/* Lanes try; then, some of them have stored their value. */
void cas_contention_note_try(struct cas_contention *swaps, const struct warp *warp, uint32_t pc,
                             lane_mask lanes, const device_address *addresses);
void cas_contention_note_won(struct cas_contention *swaps, const struct warp *warp, uint32_t pc,
                             lane_mask lanes);

/* The launch without the tries that are in vain because others come first. */
struct cas_contention_input {
    double resident; /* share of the blocks that run at a time */
    double sms;
    double clocks;    /* of the launch */
    double atomics;   /* of these, atomics take */
    double turnround; /* clocks from a try to the next one, at least */
};

/* Calls `add` with each word and how many tries it sees more than those that were executed. Returns
 * the clocks that the most wanted word takes at least. */
double cas_contention_extra_tries(const struct cas_contention *swaps,
                                  const struct cas_contention_input *crowd,
                                  void (*add)(void *context, device_address address, double tries),
                                  void *context);

#endif

/* Who may use a card: many at once for right or wrong, one alone for times. Works between threads
 * and between this user's processes. */
#ifndef WARPGRADE_SANDBOX_CUDA_LOCK_H
#define WARPGRADE_SANDBOX_CUDA_LOCK_H

#include "sandbox/cuda/session.h"

/* Waits for the card; alone where `exclusive`. No holder of one of a card's locks may ask for
 * another of it. STATUS_ENVIRONMENT where there is no place for locks, or the card stays taken for
 * ten minutes. */
enum status cuda_lock_take(const struct cuda_card *card, bool exclusive, int *lock,
                           struct error *error);
void cuda_lock_release(int *lock); /* -1 is allowed; sets it to -1 */

/* The same with another patience, for tests. */
enum status cuda_lock_take_within(const struct cuda_card *card, bool exclusive, double seconds,
                                  int *lock, struct error *error);

#endif

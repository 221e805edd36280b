/* Numbers for inputs and generated sizes: a stream a name, all from one secret.
 *
 * The generator is xoshiro256** 1.0 by David Blackman and Sebastiano Vigna (public domain,
 * https://prng.di.unimi.it/xoshiro256starstar.c); its 256 bits of state are a SHA-256 of the secret
 * and the names of what the stream is for. Two streams are thus unrelated, a stream does not depend
 * on the order in which streams are made, and without the secret nothing of it can be predicted. */
#ifndef WARPGRADE_GRADER_CASES_RANDOM_H
#define WARPGRADE_GRADER_CASES_RANDOM_H

#include "grader/exercise/exercise.h"

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* names: NULL-terminated list of strings, e.g. {"saxpy", "boundary-1", "x", NULL}. */
void random_start(struct random *random, uint64_t secret, const char *const *names);
uint64_t random_word(struct random *random);
uint64_t random_below(struct random *random, uint64_t bound); /* [0, bound), unbiased; bound > 0 */
int64_t random_between(struct random *random, int64_t low, int64_t high); /* both included */
double random_unit(struct random *random); /* [0, 1), a multiple of 2^-53 */

/* Fills `count` elements at `data`, each by itself: the kinds from FILL_ZERO to FILL_INTEGERS.
 * Floats of FILL_UNIFORM are in [low, high) also after they were rounded to the type. */
void random_fill(struct random *random, const struct exercise_fill *fill, enum element_type type,
                 void *data, uint64_t count);

/* A fresh secret from the kernel; below 2^53, so that every JSON reader keeps it exactly. */
enum status random_secret(uint64_t *secret, struct error *error);

#endif

/* How much memory all blocks touch, from what a sample of them does. See capture.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CAPTURE_H
#define WARPGRADE_SANDBOX_SIMGPU_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLE_STRATA = 27, CAPTURE_MANY = 3, CAPTURE_NONE = 0 };

struct capture_stratum {
    uint64_t population, taken;
};

/* The sample: its strata and the places of its blocks in the grid. */
struct capture_sample {
    const struct capture_stratum *strata;
    const uint64_t *places;
    uint64_t count, blocks; /* of the sample, of the grid */
};

/* A block of a sample, by its number in it; never CAPTURE_NONE. */
uint32_t capture_mark_of(uint64_t number, unsigned stratum);
/* The block touches the unit, whose state is zero before anybody does. */
void capture_note(uint64_t *unit, uint32_t mark);
/* Blocks of the sample that have touched it; CAPTURE_MANY: so many or more. */
unsigned capture_count(uint64_t unit);

/* The last two blocks of the sample that have touched it, by their numbers in it; false: fewer did.
 */
bool capture_pair(uint64_t unit, uint64_t pair[2]);

/* Amounts (sectors, bytes) that the sample touched. */
struct capture_sums {
    double seen;                                      /* at all */
    double once[SAMPLE_STRATA], twice[SAMPLE_STRATA]; /* by so many blocks; where the first is */
};
void capture_add(struct capture_sums *sums, uint64_t unit, double amount);
/* What all blocks touch; not below what the sample does. */
double capture_estimate(const struct capture_sums *sums, const struct capture_stratum *strata);

#endif

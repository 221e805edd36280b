/* How much memory all blocks touch, from what a sample of them does. See capture_recapture.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CAPTURE_RECAPTURE_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CAPTURE_RECAPTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLE_STRATA = 27, CAPTURE_MANY = 3, CAPTURE_NONE = 0, CAPTURE_GROUPS = 8 };

struct capture_stratum {
    uint64_t population, taken;
};

/* The sample: its strata and the places of its blocks in the grid. Its blocks are in groups, and
 * what an estimate comes to without one of them tells how far chance may move it (sample_error.c).
 */
struct capture_sample {
    const struct capture_stratum *strata;
    const uint64_t *places;
    const uint8_t *groups;  /* of each block; CAPTURE_GROUPS: in none, it is never left out */
    uint64_t count, blocks; /* of the sample, of the grid */
    const struct capture_stratum (*without)[SAMPLE_STRATA]; /* the strata without each group */
};

/* A block of a sample, by its number in it; never CAPTURE_NONE. */
uint32_t capture_mark_of(uint64_t number, unsigned stratum);
/* The block touches the unit, whose state is zero before any block does. */
void capture_note(uint64_t *unit, uint32_t mark);
/* Blocks of the sample that have touched it; CAPTURE_MANY: this many or more. */
unsigned capture_count(uint64_t unit);

/* The last two blocks of the sample that have touched it, by their numbers in it; false: fewer did.
 */
bool capture_pair(uint64_t unit, uint64_t pair[2]);

/* Amounts (sectors, bytes) that the sample touched. */
struct capture_sums {
    double seen;                                      /* at all */
    double once[SAMPLE_STRATA], twice[SAMPLE_STRATA]; /* by this many blocks; where the first is */
};
struct capture_tally {
    struct capture_sums all, lost[CAPTURE_GROUPS]; /* lost: less, without the group */
};
void capture_add(struct capture_tally *tally, const struct capture_sample *sample, uint64_t unit,
                 double amount);
/* What all blocks touch; not below what the sample does. */
double capture_estimate(const struct capture_tally *tally, const struct capture_sample *sample);
/* The same as if the group were not in the sample. */
double capture_estimate_without(const struct capture_tally *tally,
                                const struct capture_sample *sample, unsigned group);

#endif

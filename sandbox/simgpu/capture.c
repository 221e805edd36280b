/* Distinct memory of a grid from that of a sample.
 *
 * Memory that one block alone touches grows with the blocks; a table that all of them read does
 * not. Which of the two a sector is shows in how many blocks of the sample touch it: the question
 * is the one of how many species there are, when some were caught once, some twice. The answer is
 * Chao and Lin's lower bound for sampling without replacement (Nonparametric lower bounds for
 * species richness and shared species richness, Biometrics 68, 2012): with n blocks of a share q
 * taken, amounts f1 caught once and f2 twice, the unseen amount is
 *
 *     f1^2 / (2 f2 n / (n - 1) + f1 q / (1 - q))
 *
 * Without doubles it scales f1 by 1 / q; without singles nothing is added; memory that pairs of
 * neighbours share comes out right, too. It is taken stratum by stratum.
 *
 * A unit's state holds the last two blocks, so that blocks that take turns on it are not counted
 * again and again: from the low end 2 bits of count, 5 of the first block's stratum, twice 25 of a
 * block's number + 1. */
#include "sandbox/simgpu/capture.h"

enum { NUMBER_BITS = 25, STRATUM_BITS = 5, NUMBER_SHIFT = 2 + STRATUM_BITS };
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)

uint32_t capture_mark_of(uint64_t number, unsigned stratum) {
    return (uint32_t)(number % (NUMBER_MASK - 1) + 1) << STRATUM_BITS | stratum;
}

unsigned capture_count(uint64_t unit) {
    return unit & 3;
}

void capture_note(uint64_t *unit, uint32_t mark) {
    uint64_t number = mark >> STRATUM_BITS, stratum = mark & 31;
    uint64_t last = *unit >> NUMBER_SHIFT & NUMBER_MASK;
    uint64_t before = *unit >> (NUMBER_SHIFT + NUMBER_BITS);
    if (mark == CAPTURE_NONE || number == last || number == before || (*unit & 3) == CAPTURE_MANY)
        return;
    if (*unit)
        stratum = *unit >> 2 & 31;
    *unit = last << (NUMBER_SHIFT + NUMBER_BITS) | number << NUMBER_SHIFT | stratum << 2 |
            ((*unit & 3) + 1);
}

bool capture_pair(uint64_t unit, uint64_t pair[2]) {
    pair[0] = (unit >> NUMBER_SHIFT & NUMBER_MASK) - 1;
    pair[1] = (unit >> (NUMBER_SHIFT + NUMBER_BITS)) - 1;
    return capture_count(unit) >= 2;
}

void capture_add(struct capture_sums *sums, uint64_t unit, double amount) {
    unsigned stratum = unit >> 2 & 31;
    sums->seen += amount;
    if (capture_count(unit) == 1)
        sums->once[stratum] += amount;
    else if (capture_count(unit) == 2)
        sums->twice[stratum] += amount;
}

double capture_estimate(const struct capture_sums *sums, const struct capture_stratum *strata) {
    double all = sums->seen;
    for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
        double n = (double)strata[s].taken, rest = (double)strata[s].population - n;
        double once = sums->once[s], twice = sums->twice[s];
        if (once > 0 && rest > 0 && n > 1)
            all += once * once / (2 * twice * n / (n - 1) + once * n / rest);
    }
    return all;
}

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
#include "sandbox/simgpu/memsys/capture_recapture.h"

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

static unsigned group_of(const struct capture_sample *sample, uint64_t number) {
    return number < sample->count ? sample->groups[number] : CAPTURE_GROUPS;
}

/* What a group's end would take: units of its blocks alone are not seen any more, and those that it
 * shares with one other block are touched once. What many touch stays so, although some of it would
 * be touched twice: the state does not hold the third block. */
static void add_lost(struct capture_tally *tally, const struct capture_sample *sample,
                     uint64_t unit, double amount) {
    unsigned stratum = unit >> 2 & 31;
    uint64_t pair[2];
    capture_pair(unit, pair);
    unsigned last = group_of(sample, pair[0]);
    if (capture_count(unit) == 1 && last < CAPTURE_GROUPS) {
        tally->lost[last].seen += amount;
        tally->lost[last].once[stratum] += amount;
    }
    if (capture_count(unit) != 2)
        return;
    unsigned groups[2] = {last, group_of(sample, pair[1])};
    for (unsigned i = 0; i < 2; i++) {
        if (groups[i] == CAPTURE_GROUPS)
            continue;
        struct capture_sums *lost = &tally->lost[groups[i]];
        lost->twice[stratum] += amount;
        if (groups[0] == groups[1]) {
            lost->seen += amount;
            return;
        }
        lost->once[stratum] -= amount;
    }
}

void capture_add(struct capture_tally *tally, const struct capture_sample *sample, uint64_t unit,
                 double amount) {
    unsigned stratum = unit >> 2 & 31;
    tally->all.seen += amount;
    if (capture_count(unit) == 1)
        tally->all.once[stratum] += amount;
    else if (capture_count(unit) == 2)
        tally->all.twice[stratum] += amount;
    if (amount > 0)
        add_lost(tally, sample, unit, amount);
}

static double estimate(const struct capture_sums *sums, const struct capture_stratum *strata) {
    double all = sums->seen;
    for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
        double n = (double)strata[s].taken, rest = (double)strata[s].population - n;
        double once = sums->once[s], twice = sums->twice[s];
        double doubles = n > 1 ? 2 * twice * n / (n - 1) : 0;
        if (once > 0 && rest > 0 && n > 0)
            all += once * once / (doubles + once * n / rest);
    }
    return all;
}

double capture_estimate(const struct capture_tally *tally, const struct capture_sample *sample) {
    return estimate(&tally->all, sample->strata);
}

double capture_estimate_without(const struct capture_tally *tally,
                                const struct capture_sample *sample, unsigned group) {
    struct capture_sums rest = tally->all;
    const struct capture_sums *lost = &tally->lost[group];
    rest.seen -= lost->seen;
    for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
        rest.once[s] -= lost->once[s];
        rest.twice[s] -= lost->twice[s];
    }
    return estimate(&rest, sample->without[group]);
}

/* The filter's sums, as an H200 rounds them.
 *
 * Weights are whole numbers, 256 in all. Floats lose what lies more than four bits below the last
 * place of the largest one, in each plane (or level) for itself; their products are then added
 * exactly and rounded once, ties away from zero. Subnormal numbers are zeros. Halves are added in
 * the same way and rounded to halves; normalised integers have 16 bits, and so has their sum. */
#include "sandbox/simgpu/exec/texture_sample.h"

#include <math.h>
#include <string.h>

enum {
    FLOAT_BITS = 24,
    HALF_BITS = 11,
    HALF_LEAST = 127 - 14, /* the exponent of its subnormal numbers */
    GUARD_BITS = 4,
    ONE_BITS = 8, /* of the weights */
    SHIFT_MAX = 80,
    NAN_WORD = 0x7fffffff,
    INFINITY_WORD = 0x7f800000,
};

/* A sum: significand times 2^exponent. */
struct partial {
    __int128 significand;
    int exponent;
    bool has;
};

static int exponent_of(uint32_t word) {
    return (int)(word >> 23 & 255);
}

/* The texels of one plane, aligned to the largest. */
static struct partial sum_part(const struct texture_tap *taps, const uint32_t *words,
                               unsigned count, unsigned part, bool halves) {
    struct partial sum = {0};
    int largest = 0;
    for (unsigned i = 0; i < count; i++)
        if (taps[i].part == part && taps[i].weight && exponent_of(words[i]) > largest)
            largest = exponent_of(words[i]);
    if (halves && largest && largest < HALF_LEAST)
        largest = HALF_LEAST;
    for (unsigned i = 0; i < count && largest; i++) {
        int below = largest - exponent_of(words[i]);
        if (taps[i].part != part || !exponent_of(words[i]) || below > FLOAT_BITS + GUARD_BITS)
            continue;
        int64_t significand = (int64_t)((words[i] & 0x7fffff) | 0x800000) << GUARD_BITS >> below;
        if (halves)
            significand &= ~(((int64_t)1 << (FLOAT_BITS - HALF_BITS)) - 1);
        sum.significand += (words[i] >> 31 ? -significand : significand) * taps[i].weight;
    }
    sum.exponent = largest - 127 - (FLOAT_BITS - 1) - GUARD_BITS - ONE_BITS;
    sum.has = largest != 0;
    return sum;
}

static struct partial add(struct partial a, struct partial b) {
    if (!a.has || !b.has)
        return a.has ? a : b;
    if (a.exponent < b.exponent) {
        struct partial swap = a;
        a = b;
        b = swap;
    }
    int shift = a.exponent - b.exponent;
    if (shift > SHIFT_MAX) { /* only its sign is seen */
        b.significand = b.significand > 0 ? 1 : b.significand < 0 ? -1 : 0;
        shift = SHIFT_MAX;
    }
    a.significand = (a.significand << shift) + b.significand;
    a.exponent -= shift;
    return a;
}

/* To so many bits, ties away from zero; `least`: the exponent of the last place is at least this.
 */
static double rounded(struct partial sum, int bits, int least) {
    bool negative = sum.significand < 0;
    unsigned __int128 size = (unsigned __int128)(negative ? -sum.significand : sum.significand);
    int length = 0;
    while (length < 127 && size >> length)
        length++;
    int drop = length - bits;
    if (sum.exponent + drop < least)
        drop = least - sum.exponent;
    if (drop > 0) {
        size = drop > 126 ? 0 : (size + ((unsigned __int128)1 << (drop - 1))) >> drop;
        sum.exponent += drop;
    }
    double value = ldexp((double)(uint64_t)size, sum.exponent);
    return negative ? -value : value;
}

/* What is no number wins; of only negative texels, zeros too, a zero sum is negative. */
static bool is_special(const struct texture_tap *taps, const uint32_t *words, unsigned count,
                       uint32_t *result, bool *all_negative) {
    bool positive = false, negative = false, nan = false;
    *all_negative = true;
    for (unsigned i = 0; i < count; i++) {
        if (taps[i].idle)
            continue;
        uint32_t size = words[i] & INT32_MAX;
        *all_negative &= words[i] >> 31;
        nan |= size > INFINITY_WORD;
        positive |= words[i] == INFINITY_WORD;
        negative |= size == INFINITY_WORD && words[i] >> 31;
    }
    *result = nan || (positive && negative) ? NAN_WORD
              : negative                    ? 0x80000000u | INFINITY_WORD
                                            : INFINITY_WORD;
    return nan || positive || negative;
}

static uint32_t word_of(double value, bool negative) {
    float narrow = (float)value;
    uint32_t word;
    if (fabsf(narrow) < 0x1p-126f)
        narrow = 0;
    memcpy(&word, &narrow, sizeof word);
    return word ? word : negative ? 0x80000000u : 0;
}

uint32_t texture_sum_floats(const struct texture_tap *taps, const uint32_t *words, unsigned count) {
    uint32_t special;
    bool negative;
    if (is_special(taps, words, count, &special, &negative))
        return special;
    struct partial sum =
        add(sum_part(taps, words, count, 0, false), sum_part(taps, words, count, 1, false));
    return word_of(rounded(sum, FLOAT_BITS, -149), negative);
}

uint32_t texture_sum_halves(const struct texture_tap *taps, const uint32_t *words, unsigned count) {
    uint32_t special;
    bool negative;
    if (is_special(taps, words, count, &special, &negative))
        return special;
    struct partial sum =
        add(sum_part(taps, words, count, 0, true), sum_part(taps, words, count, 1, true));
    return word_of(rounded(sum, HALF_BITS, -24), negative);
}

uint32_t texture_sum_integers(const struct texture_tap *taps, const int32_t *values, unsigned count,
                              int32_t most) {
    int64_t sum = WEIGHT_ONE / 2;
    for (unsigned i = 0; i < count; i++)
        sum += (int64_t)taps[i].weight * values[i];
    float value = (float)((double)(sum >> ONE_BITS) / most);
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

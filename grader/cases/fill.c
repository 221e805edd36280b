/* Data by formula, in order, as offsets and shuffled; what is drawn element by element is
 * random_fill()'s. See fill.h.
 *
 * Sorted values are made in order, in linear time: the sums of n + 1 exponential variates, divided
 * by the last sum, are distributed as n sorted uniform variates (Devroye, Non-Uniform Random
 * Variate Generation, 1986, chapter V, theorem 2.2). The variates are drawn twice from copies of
 * one stream, for the last sum and for the values, so that nothing is stored. */
#include "grader/cases/fill.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <string.h>

static void write_formula(const struct exercise_fill *fill, const struct fill_place *place,
                          void *data) {
    cleanup_free struct fill_strip *strip = fill_strip_make(place);
    for (uint64_t first = 0; first < place->count; first += FILL_STRIP) {
        size_t count = fill_strip_length(first, place->count);
        fill_strip_evaluate(strip, fill, place, first, count);
        for (size_t i = 0; i < count; i++)
            element_from_double(place->type, data, first + i, strip->values[i]);
    }
}

static double formula_largest(const struct exercise_fill *fill, const struct fill_place *place) {
    cleanup_free struct fill_strip *strip = fill_strip_make(place);
    double largest = 0;
    for (uint64_t first = 0; first < place->count; first += FILL_STRIP) {
        size_t count = fill_strip_length(first, place->count);
        fill_strip_evaluate(strip, fill, place, first, count);
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, fabs(strip->values[i]));
    }
    return largest;
}

/* ---- order ----------------------------------------------------------------------------------- */

static double exponential(struct random *random) {
    return -log1p(-random_unit(random));
}

/* Ascending from index `first` on, whole numbers where `whole`. */
static void write_sorted(struct random *random, double low, double high, bool whole,
                         enum element_type type, void *data, uint64_t first, uint64_t count) {
    struct random values = *random;
    double total = 0, sum = 0, width = high - low;
    for (uint64_t i = 0; i <= count; i++)
        total += exponential(random);
    for (uint64_t i = 0; i < count; i++) {
        sum += exponential(&values);
        double part = total > 0 ? sum / total : 0;
        double value = whole ? low + floor(part * (width + 1)) : low + part * width;
        element_from_double(type, data, first + i, fmin(value, high));
    }
}

static void write_offsets(struct random *random, const struct exercise_fill *fill,
                          const struct fill_place *place, void *data) {
    if (place->count == 0)
        return;
    element_from_double(place->type, data, 0, 0);
    if (place->count == 1)
        return;
    write_sorted(random, 0, fill->high, true, place->type, data, 1, place->count - 2);
    element_from_double(place->type, data, place->count - 1, fill->high);
}

static void write_permutation(struct random *random, const struct fill_place *place, void *data) {
    unsigned bytes = element_infos[place->type].bytes;
    char *elements = data, held[8];
    for (uint64_t i = 0; i < place->count; i++)
        element_from_double(place->type, data, i, (double)i);
    for (uint64_t i = place->count; i > 1; i--) { /* Fisher and Yates, from the end */
        char *last = elements + (i - 1) * bytes;
        char *chosen = elements + random_below(random, i) * bytes;
        memcpy(held, last, bytes);
        memmove(last, chosen, bytes);
        memcpy(chosen, held, bytes);
    }
}

void fill_write(struct random *random, const struct exercise_fill *fill,
                const struct fill_place *place, void *data) {
    bool is_float = element_infos[place->type].is_float;
    switch (fill->kind) {
    case FILL_FORMULA:
        write_formula(fill, place, data);
        return;
    case FILL_SORTED:
        write_sorted(random, fill->low, fill->high, !is_float, place->type, data, 0, place->count);
        return;
    case FILL_OFFSETS:
        write_offsets(random, fill, place, data);
        return;
    case FILL_PERMUTATION:
        write_permutation(random, place, data);
        return;
    default:
        random_fill(random, fill, place->type, data, place->count);
        return;
    }
}

double fill_largest(const struct exercise_fill *fill, const struct fill_place *place) {
    switch (fill->kind) {
    case FILL_ZERO:
        return 0;
    case FILL_IOTA:
    case FILL_PERMUTATION:
        return place->count ? (double)(place->count - 1) : 0;
    case FILL_FORMULA:
        return formula_largest(fill, place);
    default:
        return fmax(fabs(fill->low), fabs(fill->high));
    }
}

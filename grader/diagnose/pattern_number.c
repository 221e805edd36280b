/* Patterns of number: what kind of numbers wrong elements are. */
#include "grader/diagnose/pattern.h"

#include "reports/message.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static bool is_float(const struct view *view) {
    return element_infos[view->type].is_float;
}

static bool is_half(double value) {
    if (isinf(value))
        return true;
    unsigned char bits[8];
    element_from_double(ELEMENT_f16, bits, 0, value);
    return element_to_double(ELEMENT_f16, bits, 0) == value;
}

/* Beyond it a half is infinite. */
#define HALF_LARGEST 65504.0

/* The largest error, beside what the sum's terms amount to or, where that is unknown, the result;
 * NAN where an element is not finite or untouched. */
static double largest_error(const struct view *view) {
    double worst = 0, largest = 0;
    for (uint64_t i = 0; i < view->count; i++)
        largest = fmax(largest, fabs(view->expected[i]));
    for (uint64_t i = 0; i < view->count; i++) {
        double off = fabs(view->actual[i] - view->expected[i]);
        double scale = view->magnitude ? view->magnitude[i] : fabs(view->expected[i]);
        if (isinf(view->actual[i]) && fmax(scale, fabs(view->expected[i])) > HALF_LARGEST)
            continue;
        if (view->state[i] == VIEW_UNTOUCHED || !isfinite(off))
            return NAN;
        if (off > 0)
            worst = fmax(worst, off / fmax(scale, 1e-3 * largest));
    }
    return worst;
}

/* Either all results are numbers of 11 bits, or the errors are of that size, and too many and too
 * different for another cause. */
enum pattern_strength pattern_half(const struct view *view, struct text *evidence) {
    double worst = largest_error(view), root = sqrt(fmax(1, (double)view->terms));
    if (!is_float(view) || view->type == ELEMENT_f16 || !(worst <= 0x1p-10 * (2 + root)))
        return PATTERN_NO;
    uint64_t halves = 0, expected_halves = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        halves += is_half(view->actual[i]);
        expected_halves += is_half(view->expected[i]);
    }
    if (halves == view->count && 4 * expected_halves <= view->count) {
        text_printf(evidence,
                    view->count == 1 ? WORDS(view->language, is_half)
                                     : WORDS(view->language, each_is_half),
                    view->name, decimal(worst, 1).text,
                    view->magnitude ? WORDS(view->language, sum_of_magnitudes)
                                    : WORDS(view->language, the_expected_value));
        return PATTERN_STRONG;
    }
    bool few = view->wrong < 8, alone = view->count == 1 && worst > 0x1p-16;
    if (worst > 0x1p-9 || worst < 0x1p-20 || (few && !alone))
        return worst <= 0x1p-9 ? PATTERN_FITS : PATTERN_NO;
    text_printf(evidence, WORDS(view->language, off_as_halves), view->wrong, view->count,
                text_plural(view->count), view->name, view->wrong == 1 ? "is" : "are",
                decimal(worst, 1).text,
                view->magnitude ? WORDS(view->language, sum_of_magnitudes)
                                : WORDS(view->language, the_expected_value));
    return PATTERN_STRONG;
}

enum pattern_strength pattern_integer(const struct view *view, struct text *evidence) {
    uint64_t fractions = 0, other = 0;
    if (!is_float(view) || view->untouched)
        return PATTERN_NO;
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->actual[i] != rint(view->actual[i]))
            return PATTERN_NO;
        fractions += view->expected[i] != rint(view->expected[i]);
        other += view->actual[i] != 0;
    }
    if (fractions < 3 || 2 * fractions < view->count || !other)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, whole_numbers), view->count, view->name);
    return PATTERN_STRONG;
}

enum pattern_strength pattern_not_finite(const struct view *view, struct text *evidence) {
    double sample = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        if (!view_is_wrong(view, i))
            continue;
        if (isfinite(view->actual[i]) && view->actual[i] != 0)
            return PATTERN_NO;
        if (!isfinite(view->actual[i]))
            sample = view->actual[i];
    }
    if (sample == 0)
        return PATTERN_NO;
    text_printf(evidence, WORDS(view->language, wrong_elements_are), view->name,
                isnan(sample) ? "nan" : "inf");
    return PATTERN_STRONG;
}

/* ---- neutral elements ------------------------------------------------------------------------ */

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct number_set {
    double *values;
    size_t count;
};

static struct number_set gather_inputs(const struct view *view) {
    struct number_set set = {0};
    for (size_t i = 0; i < view->input_count; i++)
        set.count += view->inputs[i].count;
    set.values = mem_calloc(set.count + 1, sizeof *set.values);
    size_t at = 0;
    for (size_t i = 0; i < view->input_count; i++)
        for (uint64_t j = 0; j < view->inputs[i].count; j++)
            set.values[at++] = view->inputs[i].values[j];
    qsort(set.values, set.count, sizeof *set.values, compare_doubles);
    return set;
}

static bool is_input(const struct number_set *set, double value) {
    return bsearch(&value, set->values, set->count, sizeof value, compare_doubles) != NULL;
}

/* A number alone is the maximum or minimum of an input. */
static bool is_extreme(const struct view *view, double value, double stranger) {
    for (size_t i = 0; i < view->input_count; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint64_t j = 0; j < view->inputs[i].count; j++) {
            low = fmin(low, view->inputs[i].values[j]);
            high = fmax(high, view->inputs[i].values[j]);
        }
        if ((value == high && stranger > high) || (value == low && stranger < low))
            return true;
    }
    return false;
}

/* What should rise along each row and is filled up with a larger number has the right padding. */
static bool is_end_of_rows(const struct view *view, double stranger) {
    uint64_t length = view->shape[view->rank - 1], rising = 0, falling = 0;
    bool larger = true, smaller = true;
    for (uint64_t i = 0; i < view->count; i++) {
        larger &= stranger > view->expected[i];
        smaller &= stranger < view->expected[i];
        if (i % length == 0)
            continue;
        rising += view->expected[i] > view->expected[i - 1];
        falling += view->expected[i] < view->expected[i - 1];
    }
    return (larger && rising >= 4 && !falling) || (smaller && falling >= 4 && !rising);
}

/* Every result should be an element of the input, as it is of a maximum or a sort, and the wrong
 * ones that are not are all the same number. */
static enum pattern_strength find_stranger(const struct view *view, const struct number_set *set,
                                           double *stranger) {
    uint64_t strangers = 0, negative = 0, positive = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->state[i] == VIEW_UNTOUCHED || !is_input(set, view->expected[i]))
            return PATTERN_NO;
        if (!view_is_wrong(view, i) || is_input(set, view->actual[i]))
            continue;
        if ((strangers && view->actual[i] != *stranger) || !isfinite(view->actual[i]))
            return PATTERN_NO;
        *stranger = view->actual[i];
        strangers++;
        negative += view->expected[i] < *stranger;
        positive += view->expected[i] > *stranger;
    }
    if (!strangers || (negative && positive) || is_end_of_rows(view, *stranger) ||
        (view->count == 1 && !is_extreme(view, view->expected[0], *stranger)))
        return PATTERN_NO;
    return PATTERN_STRONG;
}

enum pattern_strength pattern_neutral(const struct view *view, struct text *evidence) {
    struct number_set set = gather_inputs(view);
    cleanup_free double *owned = set.values;
    (void)owned;
    double stranger = 0;
    enum pattern_strength strength = find_stranger(view, &set, &stranger);
    if (strength == PATTERN_STRONG)
        text_printf(evidence, WORDS(view->language, holds_stranger), view->name,
                    decimal(stranger, 6).text);
    return strength;
}

/* Patterns of value: by how much wrong elements are off. */
#include "grader/diagnose/pattern.h"

#include "reports/message.h"
#include "sandbox/base/decimal.h"

#include <inttypes.h>
#include <math.h>

/* Ratios and differences of floats are the same within this share. */
#define SAME 1e-3

static bool is_near(double a, double b, double share) {
    return fabs(a - b) <= share * fmax(fabs(a), fabs(b));
}

/* What was there before is neither multiplied nor lost. */
static double own_part(const struct view *view, uint64_t i, double value) {
    return view->initial ? value - view->initial[i] : value;
}

/* The one ratio of all wrong elements that have one; false where they differ, or there is none.
 * Elements near zero say nothing. */
static bool find_ratio(const struct view *view, bool own, double *ratio, uint64_t *seen) {
    double largest = 0;
    *seen = 0;
    for (uint64_t i = 0; i < view->count; i++)
        largest = fmax(largest, fabs(view->expected[i]));
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->state[i] == VIEW_UNTOUCHED)
            return false;
        double r = own ? own_part(view, i, view->expected[i]) : view->expected[i];
        double y = own ? own_part(view, i, view->actual[i]) : view->actual[i];
        if (!isfinite(y) || !isfinite(r))
            return false;
        if (fabs(r) <= 1e-2 * largest) {
            if (view_is_wrong(view, i) && fabs(y) > 1e2 * largest)
                return false;
            continue;
        }
        if (*seen && !is_near(y / r, *ratio, SAME))
            return false;
        if (!*seen)
            *ratio = y / r;
        ++*seen;
    }
    return *seen != 0 && !is_near(*ratio, 1, 1e-9);
}

/* The group of which every thread did it, else NULL. */
static const char *group_of(const struct view *view, double ratio) {
    const struct dim3 *block = &view->block, *grid = &view->grid;
    double threads = (double)block->x * block->y * block->z;
    double blocks = (double)grid->x * grid->y * grid->z;
    const struct {
        double size;
        const char *name;
    } groups[] = {{threads, WORDS(view->language, threads_of_a_block)},
                  {32, WORDS(view->language, lanes_of_a_warp)},
                  {threads / 32, WORDS(view->language, warps_of_a_block)},
                  {threads * blocks, WORDS(view->language, threads_of_the_grid)},
                  {blocks, WORDS(view->language, the_blocks)}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (groups[i].size >= 2 && is_near(ratio, groups[i].size, SAME))
            return groups[i].name;
    return NULL;
}

enum pattern_strength pattern_every_thread(const struct view *view, struct text *evidence) {
    double ratio;
    uint64_t seen;
    if (!find_ratio(view, true, &ratio, &seen) || ratio < 2)
        return PATTERN_NO;
    const char *group = group_of(view, ratio);
    if (!group)
        return PATTERN_NO;
    text_printf(evidence,
                view->count > 1 ? WORDS(view->language, each_times_as_many)
                                : WORDS(view->language, times_as_many),
                view->name, ratio, group);
    return ratio > 4 || seen > 4 ? PATTERN_STRONG : PATTERN_FITS;
}

static bool has_other_sign(const struct view *view, bool own) {
    for (uint64_t i = 0; i < view->count; i++) {
        double r = own ? own_part(view, i, view->expected[i]) : view->expected[i];
        double y = own ? own_part(view, i, view->actual[i]) : view->actual[i];
        double size = view->magnitude ? view->magnitude[i] : view->scale;
        if (view_is_wrong(view, i) && !(fabs(y + r) <= 1e-5 * fabs(r) + 1e-6 * size && r != 0))
            return false;
    }
    return view->wrong != 0;
}

/* What is added may have the other sign, too. */
enum pattern_strength pattern_sign(const struct view *view, struct text *evidence) {
    bool whole = has_other_sign(view, false);
    if (!whole && !(view->initial && has_other_sign(view, true)))
        return PATTERN_NO;
    const char *words = view->count == 1 ? WORDS(view->language, other_sign)
                                         : WORDS(view->language, each_other_sign);
    text_append(evidence, whole ? "" : WORDS(view->language, what_is_added_to));
    text_printf(evidence, words, view->name);
    return PATTERN_STRONG;
}

/* Of equal numbers any error is a factor. */
static bool is_varied(const struct view *view, bool own) {
    double low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; i < view->count; i++) {
        double r = own ? own_part(view, i, view->expected[i]) : view->expected[i];
        low = view_is_wrong(view, i) ? fmin(low, r) : low;
        high = view_is_wrong(view, i) ? fmax(high, r) : high;
    }
    return high - low > 1e-2 * fmax(fabs(low), fabs(high));
}

enum pattern_strength pattern_factor(const struct view *view, struct text *evidence) {
    double ratio;
    uint64_t seen;
    bool whole = find_ratio(view, false, &ratio, &seen);
    if ((!whole && !(view->initial && find_ratio(view, true, &ratio, &seen))) || ratio == 0)
        return PATTERN_NO;
    double large = fabs(ratio) < 1 ? 1 / ratio : ratio;
    if (seen < 3 || !is_varied(view, !whole))
        return is_near(large, rint(large), 1e-5) && fabs(large) <= 64 ? PATTERN_FITS : PATTERN_NO;
    text_append(evidence, whole ? "" : WORDS(view->language, what_is_added_to));
    text_printf(evidence, WORDS(view->language, each_is_times), view->name, decimal(ratio, 4).text);
    return PATTERN_STRONG;
}

/* The ratio of a row; 0 where it has no single one. */
static double ratio_of_row(const struct view *view, uint64_t start, uint64_t length) {
    double ratio = 0, largest = 0;
    for (uint64_t i = start; i < start + length; i++)
        largest = fmax(largest, fabs(view->expected[i]));
    for (uint64_t i = start; i < start + length; i++) {
        double r = view->expected[i], y = view->actual[i];
        if (!isfinite(y) || !isfinite(r) || view->state[i] == VIEW_UNTOUCHED)
            return 0;
        if (fabs(r) <= 1e-2 * largest)
            continue;
        if (ratio != 0 && !is_near(y / r, ratio, SAME))
            return 0;
        if (ratio == 0)
            ratio = y / r;
    }
    return ratio;
}

enum pattern_strength pattern_row_factor(const struct view *view, struct text *evidence) {
    uint64_t length = view->shape[view->rank - 1], rows = length ? view->count / length : 0;
    double low = INFINITY, high = -INFINITY;
    if (view->rank < 2)
        return PATTERN_NO;
    for (uint64_t row = 0; row < rows; row++) {
        double ratio = ratio_of_row(view, row * length, length);
        if (ratio == 0)
            return PATTERN_NO;
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    if (rows < 2 || length < 4 || is_near(low, high, 2 * SAME))
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, row_factor), view->name, decimal(low, 4).text,
                decimal(high, 4).text);
    return PATTERN_STRONG;
}

enum pattern_strength pattern_offset(const struct view *view, struct text *evidence) {
    double offset = 0;
    uint64_t seen = 0;
    bool varied = false;
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->state[i] == VIEW_UNTOUCHED)
            return PATTERN_NO;
        if (!view_is_wrong(view, i))
            continue;
        double off = view->actual[i] - view->expected[i];
        if (!isfinite(off) || (seen && !is_near(off, offset, SAME)))
            return PATTERN_NO;
        varied |= seen && view->expected[i] != view->expected[i - 1];
        if (!seen++)
            offset = off;
    }
    bool counted = !element_infos[view->type].is_float && fabs(offset) == 1 && seen >= 8;
    if (!counted && (seen < 3 || !varied || 2 * seen < view->count))
        return seen ? PATTERN_FITS : PATTERN_NO;
    text_printf(evidence, WORDS(view->language, each_is_off), seen, view->name,
                decimal(fabs(offset), 6).text,
                offset > 0 ? WORDS(view->language, more) : WORDS(view->language, less));
    return PATTERN_STRONG;
}

/* Of pixels: counts that are off by one miss an element. */
enum pattern_strength pattern_rounding(const struct view *view, struct text *evidence) {
    bool narrow = view->type == ELEMENT_u8 || view->type == ELEMENT_i8;
    for (uint64_t i = 0; i < view->count && narrow; i++)
        if (view_is_wrong(view, i) && fabs(view->actual[i] - view->expected[i]) > 3)
            return PATTERN_NO;
    if (!narrow || view->untouched)
        return PATTERN_NO;
    if (view->wrong < 4)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, off_by_at_most_3), view->wrong, view->count,
                view->name);
    return PATTERN_STRONG;
}

/* All wrong elements are a multiple of 2^8 or 2^16 away. */
enum pattern_strength pattern_wraps(const struct view *view, struct text *evidence) {
    if (element_infos[view->type].is_float || element_infos[view->type].bytes < 2 ||
        view->untouched)
        return PATTERN_NO;
    for (double modulus = 65536; modulus >= 256; modulus /= 256) {
        bool all = true;
        for (uint64_t i = 0; i < view->count && all; i++)
            all =
                !view_is_wrong(view, i) || fmod(view->actual[i] - view->expected[i], modulus) == 0;
        if (!all)
            continue;
        text_printf(evidence,
                    view->wrong == 1 ? WORDS(view->language, is_off_by_multiple)
                                     : WORDS(view->language, are_off_by_multiple),
                    view->name, modulus);
        return PATTERN_STRONG;
    }
    return PATTERN_NO;
}

enum pattern_strength pattern_all_zero(const struct view *view, struct text *evidence) {
    uint64_t other = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->actual[i] != 0 || view->state[i] == VIEW_UNTOUCHED)
            return PATTERN_NO;
        other += view->expected[i] != 0;
    }
    if (view->count < 2 || other < 2)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, all_are_0), view->count, view->name);
    return PATTERN_STRONG;
}

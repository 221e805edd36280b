/* Patterns of order: the right values, at other places; and sums that start again. */
#include "grader/diagnose/pattern.h"

#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* As near as another order of summation brings two results. */
static bool is_equal(const struct view *view, double y, double r) {
    bool is_float = element_infos[view->type].is_float;
    return y == r ||
           (is_float && fabs(y - r) <= 1e-5 * fmax(fabs(y), fabs(r)) + 1e-6 * view->scale);
}

/* Whether each element holds what is expected at from(i), apart from those that have none (`count`
 * and beyond). *moved counts those where that is another value. */
static bool holds_those_of(const struct view *view,
                           uint64_t (*from)(const struct view *view, uint64_t i), uint64_t *moved) {
    *moved = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        uint64_t source = from(view, i);
        if (source >= view->count)
            continue;
        if (!is_equal(view, view->actual[i], view->expected[source]))
            return false;
        *moved += !is_equal(view, view->expected[i], view->expected[source]);
    }
    return true;
}

static uint64_t row_length(const struct view *view) {
    return view->shape[view->rank - 1];
}

static enum pattern_strength look_for(const struct view *view,
                                      uint64_t (*from)(const struct view *view, uint64_t i),
                                      const char *what, struct text *evidence) {
    uint64_t moved;
    if (!holds_those_of(view, from, &moved))
        return PATTERN_NO;
    if (moved < 4)
        return PATTERN_FITS;
    text_printf(evidence, what, view->name);
    return PATTERN_STRONG;
}

static uint64_t from_mirrored(const struct view *view, uint64_t i) {
    uint64_t rows = view->shape[0], columns = view->shape[1];
    return i % rows * columns + i / rows; /* element i of the transposed matrix, row by row */
}

/* Within square tiles, or square tiles among each other. Where the mirrored element is outside,
 * the element may hold anything. */
static enum pattern_strength look_in_tiles(const struct view *view, uint64_t side, bool inside) {
    uint64_t rows = view->shape[0], columns = view->shape[1], moved = 0, compared = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        uint64_t row = i / columns, column = i % columns;
        uint64_t tile_row = row - row % side, tile_column = column - column % side;
        uint64_t from_row = inside ? tile_row + column % side : tile_column + row % side;
        uint64_t from_column = inside ? tile_column + row % side : tile_row + column % side;
        if (from_row >= rows || from_column >= columns)
            continue;
        double expected = view->expected[from_row * columns + from_column];
        if (!is_equal(view, view->actual[i], expected))
            return PATTERN_NO;
        compared++;
        moved += !is_equal(view, view->expected[i], expected);
    }
    return moved >= 4 && 4 * compared >= view->count ? PATTERN_STRONG : PATTERN_FITS;
}

enum pattern_strength pattern_transposed(const struct view *view, struct text *evidence) {
    if (view->rank != 2 || !view->count || view->untouched)
        return PATTERN_NO;
    enum pattern_strength best =
        look_for(view, from_mirrored, WORDS(view->language, holds_transposed), evidence);
    for (unsigned i = 0; i < 2 * PIECE_COUNT && best != PATTERN_STRONG; i++) {
        uint64_t side = (uint64_t)view->pieces[i / 2];
        enum pattern_strength found = side < 2 ? PATTERN_NO : look_in_tiles(view, side, i % 2 == 0);
        if (found == PATTERN_STRONG)
            text_printf(evidence, WORDS(view->language, holds_tiles_transposed), view->name,
                        i % 2 == 0 ? WORDS(view->language, each_tile_transposed)
                                   : WORDS(view->language, places_transposed),
                        side);
        best = found > best ? found : best;
    }
    return best;
}

static uint64_t from_end(const struct view *view, uint64_t i) {
    return view->count - 1 - i;
}
static uint64_t from_row_end(const struct view *view, uint64_t i) {
    uint64_t column = i % row_length(view);
    return i - column + (row_length(view) - 1 - column);
}
static uint64_t from_last_row(const struct view *view, uint64_t i) {
    uint64_t row = i / row_length(view), rows = view->count / row_length(view);
    return (rows - 1 - row) * row_length(view) + i % row_length(view);
}

/* Each row falls, and should rise; or the other way round. Where all elements of a row are the
 * same, as of one that was filled up in the wrong place, it may be so. */
static enum pattern_strength look_the_other_way(const struct view *view) {
    uint64_t rising = 0, falling = 0;
    for (uint64_t i = 1; i < view->count; i++) {
        if (i % row_length(view) == 0)
            continue;
        double expected = view->expected[i] - view->expected[i - 1];
        double actual = view->actual[i] - view->actual[i - 1];
        if (!(expected * actual <= 0))
            return PATTERN_NO;
        rising += expected > 0 && actual < 0;
        falling += expected < 0 && actual > 0;
    }
    if (rising && falling)
        return PATTERN_NO;
    return rising >= 4 || falling >= 4 ? PATTERN_STRONG : PATTERN_FITS;
}

enum pattern_strength pattern_reversed(const struct view *view, struct text *evidence) {
    if (!view->count)
        return PATTERN_NO;
    enum pattern_strength found =
        look_for(view, from_end, WORDS(view->language, from_last_to_first), evidence);
    if (found == PATTERN_NO && view->rank > 1)
        found = look_for(view, from_row_end, WORDS(view->language, rows_reversed), evidence);
    if (found == PATTERN_NO && view->rank > 1)
        found =
            look_for(view, from_last_row, WORDS(view->language, order_of_rows_reversed), evidence);
    if (found != PATTERN_NO)
        return found;
    found = look_the_other_way(view);
    if (found == PATTERN_STRONG)
        text_printf(evidence, WORDS(view->language, falls_for_rises), view->name);
    return found == PATTERN_NO && view->count <= 4 ? PATTERN_FITS : found;
}

static uint64_t from_before(const struct view *view, uint64_t i) {
    return i % row_length(view) ? i - 1 : view->count;
}
static uint64_t from_next(const struct view *view, uint64_t i) {
    return (i + 1) % row_length(view) ? i + 1 : view->count;
}

/* Whether each element holds what is expected `down` rows and `right` columns further on; at the
 * edges, where that is outside, it may hold anything. */
static enum pattern_strength is_moved(const struct view *view, int64_t down, int64_t right) {
    int64_t columns = (int64_t)row_length(view), rows = (int64_t)view->count / columns;
    uint64_t compared = 0, moved = 0;
    for (int64_t i = 0; i < (int64_t)view->count; i++) {
        int64_t row = i / columns + down, column = i % columns + right;
        if (row < 0 || row >= rows || column < 0 || column >= columns)
            continue;
        double expected = view->expected[row * columns + column];
        if (!is_equal(view, view->actual[i], expected))
            return PATTERN_NO;
        compared++;
        moved += !is_equal(view, view->expected[i], expected);
    }
    return moved >= 4 && 4 * compared >= view->count ? PATTERN_STRONG : PATTERN_FITS;
}

enum pattern_strength pattern_shifted(const struct view *view, struct text *evidence) {
    enum { FARTHEST = 4 };
    int64_t most_down = view->rank > 1 ? FARTHEST : 0;
    enum pattern_strength best = PATTERN_NO;
    if (!view->count || view->untouched == view->count)
        return PATTERN_NO;
    for (int64_t down = -most_down; down <= most_down; down++)
        for (int64_t right = -FARTHEST; right <= FARTHEST; right++) {
            enum pattern_strength found = down || right ? is_moved(view, down, right) : PATTERN_NO;
            if (found == PATTERN_STRONG) {
                text_printf(evidence, WORDS(view->language, further_on), view->name, down, right);
                return PATTERN_STRONG;
            }
            best = found > best ? found : best;
        }
    return best;
}

/* ---- prefix sums ----------------------------------------------------------------------------- */

/* Whether the values are the prefix sums of an input, of one that has as many elements. */
static bool is_scan_of_input(const struct view *view, const double *values) {
    for (size_t k = 0; k < view->input_count; k++) {
        const struct view_input *input = &view->inputs[k];
        bool all = input->count == view->count && view->count > 1;
        for (uint64_t i = 1; i < view->count && all; i++)
            all = is_equal(view, values[i] - values[i - 1], input->values[i]) ||
                  fabs(values[i] - values[i - 1] - input->values[i]) <= 1e-4 * fabs(values[i]);
        if (all)
            return true;
    }
    return false;
}

enum pattern_strength pattern_exclusive_scan(const struct view *view, struct text *evidence) {
    uint64_t moved;
    if (view->rank != 1 || !view->count || view->actual[0] != 0 || view->expected[0] == 0 ||
        view->untouched || !holds_those_of(view, from_before, &moved))
        return PATTERN_NO;
    if (view->count < 3 || !is_scan_of_input(view, view->expected))
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, sum_of_those_before), view->name);
    return PATTERN_STRONG;
}

enum pattern_strength pattern_inclusive_scan(const struct view *view, struct text *evidence) {
    uint64_t moved;
    if (view->rank != 1 || !view->count || view->expected[0] != 0 || view->untouched ||
        !holds_those_of(view, from_next, &moved))
        return PATTERN_NO;
    if (view->count < 3 || !is_scan_of_input(view, view->actual))
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, includes_own), view->name);
    return PATTERN_STRONG;
}

/* What is carried into the first piece that goes wrong, at `start`, is nothing, or the sum of some
 * whole pieces before it: anything else was added, and not left out. */
static bool is_left_out(const struct view *view, uint64_t piece, uint64_t start) {
    double right = view->expected[start - 1];
    double carried = view->actual[start] - (view->expected[start] - right);
    for (uint64_t from = 0; from <= start; from += piece) {
        double sum = from == start ? 0 : right - (from ? view->expected[from - 1] : 0);
        if (from && fabs(carried - sum) <= 1e-4 * fmax(fabs(right), fabs(carried)))
            return true;
    }
    return false;
}

/* The difference is the same all through a piece, and another in the next ones. */
static bool is_stepwise(const struct view *view, uint64_t piece, uint64_t *steps) {
    *steps = 0;
    for (uint64_t i = 1; i < view->count; i++) {
        double before = view->actual[i - 1] - view->expected[i - 1];
        double here = view->actual[i] - view->expected[i];
        double size = fmax(fabs(view->expected[i]), fabs(view->actual[i]));
        if (fabs(here - before) <= (element_infos[view->type].is_float ? 1e-5 * size : 0))
            continue;
        if (i % piece || (!*steps && !is_left_out(view, piece, i)))
            return false;
        ++*steps;
    }
    return true;
}

enum pattern_strength pattern_restarts(const struct view *view, struct text *evidence) {
    if (view->rank != 1 || view->count < 2 || view->untouched ||
        !is_scan_of_input(view, view->expected))
        return PATTERN_NO;
    for (unsigned k = 0; k < PIECE_COUNT; k++) {
        uint64_t piece = (uint64_t)view->pieces[k], steps;
        if (piece >= view->count || piece < 8 || !is_stepwise(view, piece, &steps) || !steps)
            continue;
        text_printf(evidence, WORDS(view->language, right_but_at_multiples), view->name, piece);
        return PATTERN_STRONG;
    }
    return view->count <= 32 ? PATTERN_FITS : PATTERN_NO;
}

/* ---- the same values anywhere ---------------------------------------------------------------- */

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool is_among(const struct view *view, const double *sorted, double value) {
    uint64_t low = 0, high = view->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return (low < view->count && is_equal(view, sorted[low], value)) ||
           (low > 0 && is_equal(view, sorted[low - 1], value));
}

static double *sort_copy(const double *values, uint64_t count) {
    double *sorted = mem_dup(values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return sorted;
}

/* Each value as often as it is expected. */
static bool is_permutation(const struct view *view, const double *expected) {
    cleanup_free double *actual = sort_copy(view->actual, view->count);
    for (uint64_t i = 0; i < view->count; i++)
        if (!is_equal(view, actual[i], expected[i]))
            return false;
    return true;
}

/* Nearly all values of the wrong elements are right ones, of other elements; a zero may be what
 * was there before. Where there are few different values, that may be chance, unless there are as
 * many of each as there should be. */
static enum pattern_strength look_for_elsewhere(const struct view *view, struct text *evidence) {
    uint64_t distinct = 1, found = 0, zeros = 0, wrong = view->wrong - view->untouched;
    if (wrong < 2 || (view->untouched && wrong < 8))
        return PATTERN_NO;
    cleanup_free double *expected = sort_copy(view->expected, view->count);
    for (uint64_t i = 1; i < view->count; i++)
        distinct += expected[i] != expected[i - 1];
    for (uint64_t i = 0; i < view->count; i++) {
        if (isnan(view->actual[i]))
            return PATTERN_NO;
        if (!view_is_wrong(view, i) || view->state[i] == VIEW_UNTOUCHED)
            continue;
        zeros += view->actual[i] == 0;
        found += view->actual[i] != 0 && is_among(view, expected, view->actual[i]);
    }
    bool same = is_permutation(view, expected);
    if (wrong < 8 || 2 * zeros > wrong)
        return view->untouched ? PATTERN_NO : PATTERN_FITS;
    if (10 * found < 9 * (wrong - zeros))
        return PATTERN_NO;
    if (same ? distinct < 4 : 4 * distinct < 3 * view->count)
        return view->untouched ? PATTERN_NO : PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, hold_another), found, wrong, view->name);
    return PATTERN_STRONG;
}

enum pattern_strength pattern_misplaced(const struct view *view, struct text *evidence) {
    return view->depends_on_order ? PATTERN_NO : look_for_elsewhere(view, evidence);
}

enum pattern_strength pattern_arrival_order(const struct view *view, struct text *evidence) {
    if (!view->depends_on_order)
        return PATTERN_NO;
    enum pattern_strength found = look_for_elsewhere(view, evidence);
    if (found == PATTERN_STRONG)
        text_append(evidence, WORDS(view->language, at_others_in_other_order));
    return found;
}

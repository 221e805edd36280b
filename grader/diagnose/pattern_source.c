/* Patterns of source: the wrong elements hold what is expected somewhere else, because an index or
 * a size lacks a part of what it is made of. */
#include "grader/diagnose/pattern.h"

#include "reports/message.h"

#include <inttypes.h>

/* ---- one dimension of the index -------------------------------------------------------------- */

/* Along an axis only the place within a block counts, only the block's, or neither. */
enum ignored { IGNORES_THREAD, IGNORES_BLOCK, IGNORES_BOTH, IGNORED_COUNT };

static uint64_t side_of(const struct view *view, unsigned axis) {
    return axis ? view->block.x : view->block.y;
}

/* The element whose value is here; `count`: any may be. */
static uint64_t source_of(const struct view *view, unsigned axis, enum ignored ignored,
                          uint64_t i) {
    uint64_t side = side_of(view, axis), at = view_coordinate(view, i, axis);
    uint64_t stride = axis ? 1 : view->shape[1];
    uint64_t from = ignored == IGNORES_THREAD  ? at - at % side
                    : ignored == IGNORES_BLOCK ? at % side
                                               : 0;
    return i - (at - from) * stride;
}

/* Whether all elements are so. *moved counts those that differ from what is expected, *others those
 * that are not 0. */
static bool ignores(const struct view *view, unsigned axis, enum ignored ignored, uint64_t *moved,
                    uint64_t *others) {
    *moved = *others = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        double from = view->expected[source_of(view, axis, ignored, i)];
        if (view->actual[i] != from)
            return false;
        *moved += view->expected[i] != from;
        *others += from != 0;
    }
    return true;
}

/* Where all are 0, as a border is, it takes the beginnings of several blocks to show it. */
static bool is_shown(const struct view *view, unsigned axis, enum ignored ignored, uint64_t moved,
                     uint64_t others) {
    uint64_t side = side_of(view, axis), length = view->shape[axis];
    bool has_blocks = ignored == IGNORES_BOTH || (side > 1 && length > side);
    bool is_zero = !others && (ignored != IGNORES_THREAD || length <= 2 * side);
    return moved >= 4 && has_blocks && !is_zero;
}

enum pattern_strength pattern_axis_ignored(const struct view *view, struct text *evidence) {
    enum pattern_strength best = PATTERN_NO;
    if (view->rank != 2 || !view->count || view->untouched)
        return PATTERN_NO;
    for (unsigned k = 0; k < 2 * IGNORED_COUNT; k++) {
        unsigned axis = k / IGNORED_COUNT;
        enum ignored ignored = (enum ignored)(k % IGNORED_COUNT);
        uint64_t moved, others;
        if (!ignores(view, axis, ignored, &moved, &others))
            continue;
        best = PATTERN_FITS;
        if (!is_shown(view, axis, ignored, moved, others))
            continue;
        const char *words = ignored == IGNORES_THREAD  ? WORDS(view->language, as_first_in_block)
                            : ignored == IGNORES_BLOCK ? WORDS(view->language, as_first_block)
                                                       : WORDS(view->language, as_first_of_all);
        text_printf(evidence, words,
                    axis ? WORDS(view->language, column) : WORDS(view->language, row), view->name);
        return PATTERN_STRONG;
    }
    return best;
}

/* ---- another buffer -------------------------------------------------------------------------- */

static enum pattern_strength look_for_buffer(const struct view *view,
                                             const struct view_input *other, const char *words,
                                             struct text *evidence) {
    uint64_t moved = 0;
    if (other->count != view->count || view->untouched)
        return PATTERN_NO;
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->actual[i] != other->values[i])
            return PATTERN_NO;
        moved += view_is_wrong(view, i);
    }
    if (moved < 4)
        return PATTERN_FITS;
    text_printf(evidence, words, view->name, other->name);
    return PATTERN_STRONG;
}

static enum pattern_strength look_for_any(const struct view *view, const struct view_input *others,
                                          size_t count, const char *words, struct text *evidence) {
    enum pattern_strength best = PATTERN_NO;
    for (size_t k = 0; k < count && best != PATTERN_STRONG; k++) {
        enum pattern_strength found = look_for_buffer(view, &others[k], words, evidence);
        best = found > best ? found : best;
    }
    return best;
}

enum pattern_strength pattern_outputs_swapped(const struct view *view, struct text *evidence) {
    return look_for_any(view, view->others, view->other_count,
                        WORDS(view->language, holds_other_output), evidence);
}

enum pattern_strength pattern_input_unchanged(const struct view *view, struct text *evidence) {
    return look_for_any(view, view->inputs, view->input_count, WORDS(view->language, holds_input),
                        evidence);
}

/* ---- another length of the rows ---------------------------------------------------------------
 */

enum { FURTHEST_ROWS = 512 }; /* elements between them that are padding */

/* Of a matrix that is changed in place: the columns before its padding, which stays as it was. */
static uint64_t used_columns(const struct view *view) {
    uint64_t columns = view->shape[1], used = 0;
    for (uint64_t i = 0; i < view->count; i++)
        if (view->expected[i] != view->initial[i] && i % columns >= used)
            used = i % columns + 1;
    return used;
}

/* Rows without their padding end after as many elements as are used: those after them are as they
 * were, and the padding before them is not, but for a few that a factor of 1 or a 0 left so. */
static enum pattern_strength look_for_padding_written(const struct view *view,
                                                      struct text *evidence) {
    enum { FEW = 4 };
    uint64_t columns = view->shape[1], used = used_columns(view), end = used * view->shape[0];
    uint64_t padding = 0, kept = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        bool in_first_row = i < used, in_padding = i % columns >= used && i < end;
        if ((in_first_row && view_is_wrong(view, i)) ||
            (i >= end && view->actual[i] != view->initial[i]))
            return PATTERN_NO;
        padding += in_padding;
        kept += in_padding && view->actual[i] == view->initial[i];
    }
    if (!padding || 8 * kept > padding)
        return PATTERN_NO;
    if (padding < FEW)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, padding_written), view->name, used, columns);
    return PATTERN_STRONG;
}

/* Are the rows there, but `length` elements apart? *moved counts those in another place. */
static bool has_rows_apart(const struct view *view, uint64_t length, uint64_t *moved) {
    uint64_t columns = view->shape[1];
    *moved = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        uint64_t from = i / length * columns + i % length;
        if (i % length >= columns)
            continue;
        if (view->actual[i] != view->expected[from])
            return false;
        *moved += view_is_wrong(view, i);
    }
    return true;
}

/* Of the matrix only the first row is right, as where the second one lies beyond its end. */
static bool has_first_row_only(const struct view *view) {
    for (uint64_t i = 0; i < view->count; i++)
        if (view_is_wrong(view, i) != (i >= view->shape[1]))
            return false;
    return true;
}

/* Rows that keep the padding which they had somewhere else. */
static enum pattern_strength look_for_padding_kept(const struct view *view, struct text *evidence) {
    enum { FEW = 8 };
    uint64_t columns = view->shape[1], most = 4 * columns + FURTHEST_ROWS;
    for (uint64_t length = columns + 1; length < most && length < view->count; length++) {
        uint64_t moved;
        if (!has_rows_apart(view, length, &moved) || moved < FEW)
            continue;
        text_printf(evidence, WORDS(view->language, rows_apart), view->name, length, columns);
        return PATTERN_STRONG;
    }
    return has_first_row_only(view) ? PATTERN_FITS : PATTERN_NO;
}

enum pattern_strength pattern_stride(const struct view *view, struct text *evidence) {
    if (view->rank != 2 || !view->count)
        return PATTERN_NO;
    if (!view->initial)
        return look_for_padding_kept(view, evidence);
    return view->untouched ? PATTERN_NO : look_for_padding_written(view, evidence);
}

/* ---- a part of the data ---------------------------------------------------------------------- */

/* An element that may be what was there before anything arrived. */
static bool is_missing(const struct view *view, uint64_t i) {
    return view_may_be_untouched(view, i) || view->actual[i] == 0;
}

/* Whether of each chunk the first part is right, and of the rest at least three quarters are wrong.
 * The element at the border may have come in part. */
static bool is_first_part(const struct view *view, uint64_t chunk, uint64_t parts) {
    uint64_t wrong = 0, rest = 0;
    for (uint64_t i = 0; i < view->count; i++) {
        uint64_t start = i / chunk * chunk, left = view->count - start;
        uint64_t end = start + (left < chunk ? left : chunk) / parts;
        if (i < end && view_is_wrong(view, i))
            return false;
        if (i <= end)
            continue;
        rest++;
        wrong += view_is_wrong(view, i);
    }
    return 4 * wrong >= 3 * rest;
}

/* Host code copies all of it at once, or in chunks of a large power of two. */
enum pattern_strength pattern_bytes(const struct view *view, struct text *evidence) {
    enum { SMALLEST_CHUNK = 2048, FEW = 32 };
    uint64_t bytes = element_infos[view->type].bytes, chunk = view->count;
    if (!view->has_host_code || view->rank != 1 || bytes < 2 || !view->count)
        return PATTERN_NO;
    if (!is_first_part(view, chunk, bytes))
        for (chunk = SMALLEST_CHUNK; chunk < view->count; chunk *= 2)
            if (is_first_part(view, chunk, bytes))
                break;
    if (chunk > view->count)
        return PATTERN_NO;
    if (view->count < FEW)
        return PATTERN_FITS;
    if (chunk == view->count)
        text_printf(evidence, WORDS(view->language, first_part_right), view->count / bytes,
                    view->count, view->name, bytes);
    else
        text_printf(evidence, WORDS(view->language, first_part_of_chunks), chunk / bytes, chunk,
                    view->name, bytes);
    return PATTERN_STRONG;
}

/* Right up to the end of a piece, and 0 from there on: the results of more than another piece. */
enum pattern_strength pattern_first_piece(const struct view *view, struct text *evidence) {
    uint64_t start = 0, others = 0;
    if (view->rank != 1 || view->untouched)
        return PATTERN_NO;
    while (start < view->count && !view_is_wrong(view, start))
        start++;
    for (uint64_t i = start; i < view->count; i++) {
        if (!is_missing(view, i))
            return PATTERN_NO;
        others += view_is_wrong(view, i);
    }
    bool is_piece = false;
    for (unsigned k = PIECE_BLOCK_X; k < PIECE_PRODUCT; k++)
        is_piece |= start && start == (uint64_t)view->pieces[k];
    if (!is_piece || 4 * others < 3 * (view->count - start))
        return PATTERN_NO;
    if (view->count <= 2 * start)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, zero_from_piece), view->name, start);
    return PATTERN_STRONG;
}

/* Patterns of place: which elements are wrong, whatever they hold. Where elements were never
 * touched, these alone are the set, because what else is wrong may follow from them. */
#include "grader/diagnose/pattern.h"

#include "reports/message.h"

#include <inttypes.h>

enum { WIDEST_BORDER = 16, WIDEST_RIM = 16, SMALLEST_TILE = 16, SMALLEST_CHUNK = 2048 };

/* The set that is looked at: the untouched elements, else the wrong ones. */
static bool in_set(const struct view *view, uint64_t i) {
    return view->untouched ? view->state[i] == VIEW_UNTOUCHED : view_is_wrong(view, i);
}

static const char *set_verb(const struct view *view) {
    return !view->untouched ? WORDS(view->language, are_wrong)
           : view->initial  ? WORDS(view->language, still_hold)
                            : WORDS(view->language, were_never_written);
}

/* What the axis is called: the last one of a matrix goes along a row. */
static const char *axis_noun(const struct view *view, unsigned axis) {
    if (view->rank == 1)
        return WORDS(view->language, elements);
    return axis + 1 == view->rank   ? WORDS(view->language, columns)
           : axis + 2 == view->rank ? WORDS(view->language, rows)
                                    : WORDS(view->language, planes);
}

static const char *axis_noun_of_one(const struct view *view, unsigned axis) {
    if (view->rank == 1)
        return WORDS(view->language, element);
    return axis + 1 == view->rank   ? WORDS(view->language, column)
           : axis + 2 == view->rank ? WORDS(view->language, row)
                                    : WORDS(view->language, plane);
}

/* Whether the set is what lies from `start` on along the axis; what is right there may have been
 * left alone, too. */
static bool is_slab(const struct view *view, unsigned axis, uint64_t start) {
    for (uint64_t i = 0; i < view->count; i++) {
        bool beyond = view_coordinate(view, i, axis) >= start;
        if (in_set(view, i) ? !beyond
                            : beyond && !(view->untouched && view_may_be_untouched(view, i)))
            return false;
    }
    return start < view->shape[axis];
}

static void say_slab(const struct view *view, unsigned axis, uint64_t start, struct text *out) {
    text_printf(out, WORDS(view->language, slab), axis_noun(view, axis), view->name, start,
                set_verb(view));
}

enum pattern_strength pattern_nothing_written(const struct view *view, struct text *evidence) {
    for (uint64_t i = 0; i < view->count; i++)
        if (view->state[i] != VIEW_UNTOUCHED &&
            !(view->initial && view->actual[i] == view->initial[i]))
            return PATTERN_NO;
    text_printf(evidence, WORDS(view->language, all_elements_are), view->count,
                text_plural(view->count), view->name,
                view->initial ? WORDS(view->language, still_hold)
                              : WORDS(view->language, were_never_written));
    if (view->has_host_code)
        text_append(evidence, WORDS(view->language, is_it_copied_back));
    return PATTERN_STRONG;
}

static uint64_t threads_along(const struct view *view, unsigned axis) {
    const struct dim3 *block = &view->block;
    if (view->rank == 1)
        return (uint64_t)block->x * block->y * block->z;
    return axis + 1 == view->rank ? block->x : axis + 2 == view->rank ? block->y : block->z;
}

/* A thread for each element, and no block more. */
static bool covers(const struct view *view) {
    uint64_t threads = threads_along(view, 0);
    uint64_t blocks = (uint64_t)view->grid.x * view->grid.y * view->grid.z;
    return view->rank > 1 || (view->count + threads - 1) / threads == blocks;
}

/* Exactly the box of one block's threads is done, and the grid was made for all. */
enum pattern_strength pattern_block_index(const struct view *view, struct text *evidence) {
    uint64_t inside = 1, blocks = (uint64_t)view->grid.x * view->grid.y * view->grid.z;
    if (!view->untouched || blocks < 2 || !covers(view))
        return PATTERN_NO;
    for (unsigned axis = 0; axis < view->rank; axis++) {
        uint64_t side = threads_along(view, axis);
        inside *= side < view->shape[axis] ? side : view->shape[axis];
    }
    if (inside + view->untouched != view->count)
        return PATTERN_NO;
    for (uint64_t i = 0; i < view->count; i++) {
        bool is_inside = true;
        for (unsigned axis = 0; axis < view->rank; axis++)
            is_inside &= view_coordinate(view, i, axis) < threads_along(view, axis);
        if (is_inside == (view->state[i] == VIEW_UNTOUCHED))
            return PATTERN_NO;
    }
    text_printf(evidence, WORDS(view->language, only_first_block), blocks, inside,
                text_plural(inside), inside == 1 ? "is" : "are");
    return PATTERN_STRONG;
}

/* Within each piece only the first half, quarter ... is done. */
static bool is_periodic(const struct view *view, unsigned axis, uint64_t piece, uint64_t done) {
    for (uint64_t i = 0; i < view->count; i++) {
        bool beyond = view_coordinate(view, i, axis) % piece >= done;
        if (beyond ? !view_may_be_untouched(view, i) : view->state[i] == VIEW_UNTOUCHED)
            return false;
    }
    return true;
}

static enum pattern_strength look_in_pieces(const struct view *view, unsigned axis,
                                            struct text *evidence) {
    enum { MOST_PARTS = 16 };
    for (unsigned k = 0; k < PIECE_COUNT; k++)
        for (uint64_t parts = 2; parts <= MOST_PARTS; parts *= 2) {
            uint64_t piece = (uint64_t)view->pieces[k], done = piece / parts;
            if (done < 2 || done >= view->shape[axis] || !is_periodic(view, axis, piece, done))
                continue;
            text_printf(evidence, WORDS(view->language, first_of_each), piece,
                        axis_noun(view, axis), view->name, done);
            return PATTERN_STRONG;
        }
    return PATTERN_NO;
}

/* As many elements are done as the grid, or for a row the block, has threads; or the same in each
 * tile. */
enum pattern_strength pattern_one_pass(const struct view *view, struct text *evidence) {
    uint64_t blocks = (uint64_t)view->grid.x * view->grid.y * view->grid.z;
    unsigned last = view->rank - 1;
    uint64_t block = threads_along(view, last);
    if (!view->untouched)
        return PATTERN_NO;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t threads = i == 0 && view->rank == 1 ? block * blocks : block;
        if ((view->rank == 1 && i == 1 && covers(view)) || !is_slab(view, last, threads))
            continue;
        text_printf(evidence, WORDS(view->language, there_are_threads), threads);
        say_slab(view, last, threads, evidence);
        return PATTERN_STRONG;
    }
    for (unsigned axis = 0; axis < view->rank; axis++)
        if (look_in_pieces(view, axis, evidence) == PATTERN_STRONG)
            return PATTERN_STRONG;
    return PATTERN_NO;
}

/* Rows are done as far as the grid reaches in x, and columns as far as it reaches in y. */
enum pattern_strength pattern_axes_swapped(const struct view *view, struct text *evidence) {
    uint64_t in_x = (uint64_t)view->grid.x * view->block.x;
    uint64_t in_y = (uint64_t)view->grid.y * view->block.y;
    if (view->rank != 2 || view->untouched == view->count)
        return PATTERN_NO;
    for (uint64_t i = 0; i < view->count; i++) {
        bool outside = view_coordinate(view, i, 0) >= in_x || view_coordinate(view, i, 1) >= in_y;
        if (outside ? !view_may_be_untouched(view, i) : view->state[i] == VIEW_UNTOUCHED)
            return PATTERN_NO;
    }
    if (!view->untouched)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, written_as_far_as), view->name, in_x, in_y, in_x,
                in_y);
    return PATTERN_STRONG;
}

static bool in_last(const struct view *view, uint64_t i, unsigned axes) {
    for (unsigned axis = 0; axis < view->rank; axis++)
        if (axes >> axis & 1 && view_coordinate(view, i, axis) + 1 == view->shape[axis])
            return true;
    return false;
}

static bool is_union_of_last(const struct view *view, unsigned axes) {
    for (uint64_t i = 0; i < view->count; i++)
        if (in_set(view, i) != in_last(view, i, axes))
            return false;
    return true;
}

/* The last index of one axis or of several; those that were written belong to the border. */
enum pattern_strength pattern_last_left_out(const struct view *view, struct text *evidence) {
    uint64_t smallest = UINT64_MAX;
    if (!view->untouched && view->rank > 1)
        return PATTERN_NO;
    for (unsigned axes = 1; axes < 1u << view->rank; axes++) {
        if (!is_union_of_last(view, axes))
            continue;
        cleanup_text struct text which = {0};
        for (unsigned axis = 0; axis < view->rank; axis++)
            if (axes >> axis & 1) {
                text_append(&which, which.length ? WORDS(view->language, and_the_last)
                                                 : WORDS(view->language, the_last));
                text_append(&which, axis_noun_of_one(view, axis));
                smallest = view->shape[axis] < smallest ? view->shape[axis] : smallest;
            }
        text_printf(evidence, WORDS(view->language, last_and_no_other), text_string(&which),
                    view->name,
                    !view->untouched ? WORDS(view->language, one_is_wrong)
                    : view->initial  ? WORDS(view->language, held_its_value)
                                     : WORDS(view->language, one_never_written));
        return smallest > 2 && view->untouched ? PATTERN_STRONG : PATTERN_FITS;
    }
    return PATTERN_NO;
}

/* Host code goes through its data in chunks of a large power of two, which no launch names. */
static enum pattern_strength look_for_chunks(const struct view *view, struct text *evidence) {
    uint64_t start = 0, end = view->shape[0];
    while (start < view->count && view->state[start] != VIEW_UNTOUCHED)
        start++;
    uint64_t chunk = start & -start;
    if (view->rank != 1 || chunk < SMALLEST_CHUNK || end / chunk * chunk != start ||
        !is_slab(view, 0, start))
        return PATTERN_NO;
    say_slab(view, 0, start, evidence);
    text_printf(evidence, WORDS(view->language, is_multiple_of), start, chunk);
    return PATTERN_STRONG;
}

/* From the last multiple of a piece on. */
enum pattern_strength pattern_tail(const struct view *view, struct text *evidence) {
    enum pattern_strength best = PATTERN_NO;
    for (unsigned k = 0; k < view->rank * PIECE_COUNT && best != PATTERN_STRONG; k++) {
        unsigned axis = k / PIECE_COUNT;
        uint64_t piece = (uint64_t)view->pieces[k % PIECE_COUNT], end = view->shape[axis];
        uint64_t start = piece ? end / piece * piece : end;
        if (!is_slab(view, axis, start))
            continue;
        best = start && end - start > 1 ? PATTERN_STRONG : PATTERN_FITS;
        if (best != PATTERN_STRONG)
            continue;
        say_slab(view, axis, start, evidence);
        text_printf(evidence, WORDS(view->language, is_multiple_of), start, piece);
    }
    enum pattern_strength chunks = best == PATTERN_STRONG ? best : look_for_chunks(view, evidence);
    return chunks > best ? chunks : best;
}

/* The least distance of a wrong element's coordinate from an end of the axis, in pieces. */
static uint64_t depth_in(uint64_t at, uint64_t length) {
    uint64_t low = at % length, high = length - 1 - low;
    return low < high ? low : high;
}

static uint64_t depth_of(const struct view *view, uint64_t i) {
    uint64_t depth = UINT64_MAX;
    for (unsigned axis = 0; axis < view->rank; axis++) {
        uint64_t its = depth_in(view_coordinate(view, i, axis), view->shape[axis]);
        depth = its < depth ? its : depth;
    }
    return depth;
}

/* Elements deeper than the border. */
static uint64_t interior_size(const struct view *view, uint64_t width) {
    uint64_t size = 1;
    for (unsigned axis = 0; axis < view->rank; axis++)
        size *= view->shape[axis] > 2 * width ? view->shape[axis] - 2 * width : 0;
    return size;
}

/* Whether the wrong elements are at one side only: that may be anything. */
static bool is_one_side(const struct view *view, uint64_t width) {
    unsigned sides = 0;
    for (unsigned axis = 0; axis < view->rank; axis++) {
        bool all_low = true, all_high = true;
        for (uint64_t i = 0; i < view->count; i++) {
            if (!view_is_wrong(view, i))
                continue;
            uint64_t at = view_coordinate(view, i, axis);
            all_low &= at < width;
            all_high &= at + width >= view->shape[axis];
        }
        sides += all_low || all_high;
    }
    return sides != 0;
}

/* A frame of a few elements, and more than one element of it. */
enum pattern_strength pattern_border(const struct view *view, struct text *evidence) {
    uint64_t width = 0;
    if (view->rank < 2)
        return PATTERN_NO;
    for (uint64_t i = 0; i < view->count; i++)
        if (view_is_wrong(view, i)) {
            uint64_t depth = depth_of(view, i);
            width = depth + 1 > width ? depth + 1 : width;
        }
    uint64_t interior = interior_size(view, width);
    if (width > WIDEST_BORDER)
        return PATTERN_NO;
    if (interior < 4 || view->wrong < 2 || is_one_side(view, width))
        return PATTERN_FITS;
    if (width == 1)
        text_printf(evidence, WORDS(view->language, on_the_edge), view->wrong, view->name);
    else
        text_printf(evidence, WORDS(view->language, near_the_edge), view->wrong, width - 1,
                    view->name);
    text_printf(evidence, WORDS(view->language, others_right), view->count - view->wrong);
    return PATTERN_STRONG;
}

/* The sides of the tiles along an axis: `k` counts what they may be. */
static uint64_t tile_side(const struct view *view, unsigned axis, unsigned k) {
    uint64_t threads = threads_along(view, axis);
    return view->rank == 1 ? k < PIECE_2 ? (uint64_t)view->pieces[k] : 0 : k < 3 ? threads << k : 0;
}

/* What the wrong elements at the edges of tiles are like. */
struct rims {
    uint64_t width;       /* from the edge */
    uint64_t first, last; /* the edges inside of the array, numbered, and over all axes */
};

/* Whether the element lies near an edge of a tile, of which most elements are farther away. */
static bool add_to_rims(const struct view *view, uint64_t i, unsigned k, struct rims *rims) {
    uint64_t depth = UINT64_MAX, edge = 0;
    for (unsigned axis = 0; axis < view->rank; axis++) {
        uint64_t side = tile_side(view, axis, k), at = view_coordinate(view, i, axis);
        uint64_t its = side < 2 || side >= view->shape[axis] ? UINT64_MAX : depth_in(at, side);
        if (its >= depth || 4 * (its + 1) > side)
            continue;
        depth = its;
        edge = (at + side / 2) / side;
        edge = edge * side >= view->shape[axis] ? 0 : edge;
    }
    if (depth_of(view, i) <= depth)
        edge = 0; /* as near to the edge of the array */
    if (depth == UINT64_MAX)
        return false;
    rims->width = depth + 1 > rims->width ? depth + 1 : rims->width;
    if (edge) {
        rims->first = edge < rims->first ? edge : rims->first;
        rims->last = edge > rims->last ? edge : rims->last;
    }
    return true;
}

static bool find_rims(const struct view *view, unsigned k, struct rims *rims) {
    *rims = (struct rims){.first = UINT64_MAX};
    for (uint64_t i = 0; i < view->count; i++)
        if (view_is_wrong(view, i) && !add_to_rims(view, i, k, rims))
            return false;
    return true;
}

/* At several edges of tiles, and nowhere else. */
enum pattern_strength pattern_tile_border(const struct view *view, struct text *evidence) {
    enum pattern_strength best = PATTERN_NO;
    if (view->untouched)
        return PATTERN_NO;
    for (unsigned k = 0; k < PIECE_COUNT; k++) {
        struct rims rims;
        uint64_t side = tile_side(view, view->rank - 1, k);
        if (side < SMALLEST_TILE)
            continue;
        if (side >= view->shape[view->rank - 1])
            best = PATTERN_FITS;
        if (!find_rims(view, k, &rims))
            continue;
        best = PATTERN_FITS;
        if (rims.last <= rims.first || rims.first == UINT64_MAX || rims.width > WIDEST_RIM)
            continue;
        text_printf(evidence, WORDS(view->language, near_tile_edge), view->wrong, view->name,
                    rims.width - 1, side, axis_noun(view, view->rank - 1));
        return PATTERN_STRONG;
    }
    return best;
}

enum pattern_strength pattern_partly_unwritten(const struct view *view, struct text *evidence) {
    if (!view->untouched)
        return PATTERN_NO;
    if (view->untouched == view->count)
        return PATTERN_FITS;
    text_printf(evidence, WORDS(view->language, part_of_elements), view->untouched, view->count,
                view->name, set_verb(view));
    return PATTERN_STRONG;
}

/* Each pattern sees the difference that its cause makes, and not one that looks like it. */
#include "grader/diagnose/pattern.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNTOUCHED 1e38
enum { ROWS = 24, COLUMNS = 40, LENGTH = 1000, BLOCK = 64 };

/* What is expected, and what a mistake made of it: element i of `view`, whose sizes and launch are
 * set. */
typedef double value_of(const struct view *view, uint64_t i);

static uint64_t row(const struct view *view, uint64_t i) {
    return i / view->shape[view->rank - 1];
}
static uint64_t column(const struct view *view, uint64_t i) {
    return i % view->shape[view->rank - 1];
}

/* ---- what is expected ------------------------------------------------------------------------ */

static double noise(uint64_t i) {
    uint64_t bits = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (double)((bits ^ bits >> 29) >> 33 & 0xfffff) / 0x80000 - 1;
}
static double any(const struct view *view, uint64_t i) {
    (void)view;
    return noise(i) + 1.7;
}
static double negative(const struct view *view, uint64_t i) {
    return -any(view, i);
}
static double mixed(const struct view *view, uint64_t i) {
    (void)view;
    return noise(i);
}
static double prefix(const struct view *view, uint64_t i) {
    (void)view;
    return (double)((i + 1) * (i + 2) / 2); /* of 1, 2, 3 ... */
}
static double pixel(const struct view *view, uint64_t i) {
    (void)view;
    return (double)(i * 37 % 200 + 20);
}
static double total(const struct view *view, uint64_t i) {
    (void)view, (void)i;
    return 12.34567;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static double sum_before_block(const struct view *view, uint64_t i) {
    return view->expected[i / BLOCK * BLOCK - 1];
}
static double sum_of_block(const struct view *view, uint64_t i) {
    uint64_t end = (i / BLOCK + 1) * BLOCK;
    return view->expected[(end < view->count ? end : view->count) - 1] - sum_before_block(view, i);
}

#define MISTAKE(name, expression)                                                                  \
    static double name(const struct view *view, uint64_t i) {                                      \
        double r = view->expected[i];                                                              \
        (void)view, (void)r;                                                                       \
        return expression;                                                                         \
    }
MISTAKE(right, r)
MISTAKE(nothing, UNTOUCHED)
MISTAKE(but_last, i + 1 < view->count ? r : UNTOUCHED)
MISTAKE(but_last_two, i + 2 < view->count ? r : UNTOUCHED)
MISTAKE(but_last_column, column(view, i) + 1 < COLUMNS ? r : UNTOUCHED)
MISTAKE(but_last_both, column(view, i) + 1 < COLUMNS && row(view, i) + 1 < ROWS ? r : UNTOUCHED)
MISTAKE(whole_blocks, i < view->count / BLOCK * BLOCK ? r : UNTOUCHED)
MISTAKE(first_chunk, i < 2048 ? r : UNTOUCHED)
MISTAKE(hundred, i < 100 ? r : UNTOUCHED)
MISTAKE(first_block, i < BLOCK ? r : UNTOUCHED)
MISTAKE(first_tile, row(view, i) < 4 && column(view, i) < 16 ? r : UNTOUCHED)
MISTAKE(half_tiles, row(view, i) % 8 < 4 ? r : UNTOUCHED)
MISTAKE(every_third, i % 3 ? r : UNTOUCHED)
MISTAKE(swapped_reach, row(view, i) < 32 && column(view, i) < 24 ? r : UNTOUCHED)
MISTAKE(times_block, r *BLOCK)
MISTAKE(times_warp, r * 32)
MISTAKE(times_pi, r * 3.14159)
MISTAKE(by_row, r *(1.5 + (double)row(view, i)))
MISTAKE(by_element, r *(1.5 + (double)i))
MISTAKE(other_sign, -r)
MISTAKE(one_more, r + 1)
MISTAKE(some_more, i % 7 == 3 ? r + 1 : r)
MISTAKE(much_more, r + 10 + (double)i)
MISTAKE(plus_256, i % 5 ? r : r + 256 * (double)(i % 3 + 1))
MISTAKE(zero, 0)
MISTAKE(zero_often, i % 2 ? 0 : r)
MISTAKE(whole, trunc(r))
MISTAKE(infinite, i % 4 ? r : INFINITY)
MISTAKE(far_border, row(view, i) % (ROWS - 1) && column(view, i) % (COLUMNS - 1) ? r : r + 1)
MISTAKE(top_zero, row(view, i) ? r : 0)
MISTAKE(tile_rims, i % BLOCK && i % BLOCK != BLOCK - 1 ? r : r + 1)
MISTAKE(from_column_below, view->expected[i % view->shape[0] * view->shape[1] + i / view->shape[0]])
MISTAKE(from_the_end, view->expected[view->count - 1 - i])
MISTAKE(from_the_next, i + 1 < view->count ? view->expected[i + 1] : r)
MISTAKE(from_below, row(view, i) + 2 < ROWS ? view->expected[i + 2 * COLUMNS] : r)
MISTAKE(before_me, i ? view->expected[i - 1] : 0)
MISTAKE(restarted, r - (i >= BLOCK ? view->expected[i / BLOCK * BLOCK - 1] : 0))
MISTAKE(with_its_own, r + (i >= BLOCK ? sum_of_block(view, i) - sum_before_block(view, i) : 0))
MISTAKE(filled_up, i % 2 ? 1e6 : r)
MISTAKE(shuffled, view->expected[i * 7 % view->count])
MISTAKE(without_thread_y, view->expected[i - row(view, i) % 4 * COLUMNS])
MISTAKE(without_block_y, view->expected[row(view, i) % 4 * COLUMNS + column(view, i)])
MISTAKE(without_y, view->expected[column(view, i)])
MISTAKE(without_thread_x, view->expected[i - column(view, i) % 16])
MISTAKE(of_the_other, view->others[0].values[i])
MISTAKE(of_the_other_often, i % 2 ? view->others[0].values[i] : r)
MISTAKE(of_the_input, (double)(i + 1))
MISTAKE(of_the_input_often, i % 2 ? (double)(i + 1) : r)
MISTAKE(quarter, i < view->count / 4 ? r : 0)
MISTAKE(quarters, i % 2048 < 512 ? r : r + 1)
MISTAKE(half, i < view->count / 2 ? r : 0)
MISTAKE(one_block, i < BLOCK ? r : 0)
MISTAKE(zero_from_100, i < 100 ? r : 0)
MISTAKE(doubled, r + noise(i * 3 + 1))

static double rounded(const struct view *view, uint64_t i) {
    unsigned char bits[8];
    element_from_double(ELEMENT_f16, bits, 0, view->expected[i]);
    return element_to_double(ELEMENT_f16, bits, 0);
}
static double rounded_inside(const struct view *view, uint64_t i) {
    return view->expected[i] * (1 + 3e-4 * noise(i));
}

/* ---- a view of them -------------------------------------------------------------------------- */

struct row {
    const char *what;
    pattern_look *look;
    value_of *expected, *actual;
    enum pattern_strength strength;
    uint64_t rows, columns; /* 0, 0: LENGTH elements; rows 0: a vector */
    enum element_type type; /* 0 is i8: f32 stands for it unless `narrow` */
    bool narrow;
    struct dim3 grid;
    value_of *input;   /* has as many elements as the output */
    value_of *other;   /* another output */
    value_of *initial; /* what the output held before */
    bool host;
    bool depends;
};

static struct view view_of(const struct row *row) {
    struct view view = {.name = "y",
                        .type = row->narrow ? ELEMENT_u8
                                : row->type ? row->type
                                            : ELEMENT_f32,
                        .rank = row->rows ? 2 : 1,
                        .block = row->rows ? (struct dim3){16, 4, 1} : (struct dim3){BLOCK, 1, 1},
                        .grid = row->grid.x ? row->grid : (struct dim3){1, 1, 1},
                        .depends_on_order = row->depends,
                        .has_host_code = row->host};
    uint64_t columns = row->columns ? row->columns : LENGTH;
    view.shape[0] = row->rows ? row->rows : columns;
    view.shape[1] = row->rows ? columns : 0;
    view.count = row->rows ? row->rows * columns : columns;
    view.expected = mem_calloc(view.count, sizeof *view.expected);
    view.actual = mem_calloc(view.count, sizeof *view.actual);
    view.state = mem_calloc(view.count, sizeof *view.state);
    const struct plan_launch launch = {.grid = view.grid, .block = view.block};
    view_pieces(&launch, NULL, 0, view.pieces);
    for (uint64_t i = 0; i < view.count; i++) {
        view.expected[i] = row->expected(&view, i);
        view.scale = fmax(view.scale, fabs(view.expected[i]));
    }
    if (row->other) {
        view.others = mem_calloc(1, sizeof *view.others);
        view.others[0] = (struct view_input){
            .name = "z", .values = mem_calloc(view.count, sizeof(double)), .count = view.count};
        for (uint64_t i = 0; i < view.count; i++)
            view.others[0].values[i] = row->other(&view, i);
        view.other_count = 1;
    }
    view.initial = row->initial ? mem_calloc(view.count, sizeof *view.initial) : NULL;
    for (uint64_t i = 0; i < view.count && row->initial; i++)
        view.initial[i] = row->initial(&view, i);
    for (uint64_t i = 0; i < view.count; i++) {
        view.actual[i] = row->actual(&view, i);
        bool untouched = view.actual[i] == UNTOUCHED;
        view.state[i] = untouched                            ? VIEW_UNTOUCHED
                        : view.actual[i] == view.expected[i] ? VIEW_RIGHT
                                                             : VIEW_WRONG;
        view.wrong += view.state[i] != VIEW_RIGHT;
        view.untouched += untouched;
    }
    if (row->input) {
        view.inputs = mem_calloc(1, sizeof *view.inputs);
        view.inputs[0] = (struct view_input){
            .name = "x", .values = mem_calloc(view.count, sizeof(double)), .count = view.count};
        for (uint64_t i = 0; i < view.count; i++)
            view.inputs[0].values[i] = row->input(&view, i);
        view.input_count = 1;
    }
    return view;
}

/* A picture with a border of zeros above. */
static double below_border(const struct view *view, uint64_t i) {
    return row(view, i) ? any(view, i) : 0;
}

/* Rows with a quarter of padding, each multiplied in place by a factor of its own. */
static uint64_t used(const struct view *view) {
    return view->shape[1] / 4 * 3;
}
static double padded(const struct view *view, uint64_t i) {
    return column(view, i) < used(view) ? any(view, i) * (double)(row(view, i) + 2) : any(view, i);
}
MISTAKE(packed, i < used(view) * view->shape[0] ? any(view, i) * (double)(i / used(view) + 2)
                                                : any(view, i))
MISTAKE(apart, i % 48 < COLUMNS ? view->expected[i / 48 * COLUMNS + i % 48] : 0)
MISTAKE(one_row, i < COLUMNS ? r : 0)
MISTAKE(apart_once, i < 48 + COLUMNS && i >= 48 ? view->expected[i - 8] : r)
MISTAKE(packed_again, i < 100 ? view->expected[i + 300] : UNTOUCHED)
MISTAKE(some_and_other_values, i < 100 ? -r : UNTOUCHED)
MISTAKE(padding_too, any(view, i) * (double)(row(view, i) + 2))
MISTAKE(first_rows, row(view, i) < 4 ? r : any(view, i))

static double counting(const struct view *view, uint64_t i) {
    (void)view;
    return (double)(i + 1);
}

#define NO     PATTERN_NO
#define FITS   PATTERN_FITS
#define STRONG PATTERN_STRONG
#define MATRIX .rows = ROWS, .columns = COLUMNS
#define SQUARE .rows = ROWS, .columns = ROWS

static const struct row rows[] = {
    {"nothing", pattern_nothing_written, any, nothing, STRONG},
    {"nearly nothing", pattern_nothing_written, any, first_block, NO},
    {"one block of many", pattern_block_index, any, first_block, STRONG, .grid = {16, 1, 1}},
    {"one block of a grid that is too small", pattern_block_index, any, first_block, NO,
     .grid = {4, 1, 1}},
    {"one tile of many", pattern_block_index, any, first_tile, STRONG, MATRIX, .grid = {3, 6, 1}},
    {"a hundred elements", pattern_block_index, any, hundred, NO, .grid = {16, 1, 1}},
    {"as many as there are threads", pattern_one_pass, any, first_block, STRONG},
    {"a part of each tile", pattern_one_pass, any, half_tiles, STRONG, MATRIX},
    {"a hundred elements, 64 threads", pattern_one_pass, any, hundred, NO},
    {"the last element", pattern_last_left_out, any, but_last, STRONG},
    {"the last column", pattern_last_left_out, any, but_last_column, STRONG, MATRIX},
    {"the last row and column", pattern_last_left_out, any, but_last_both, STRONG, MATRIX},
    {"the last two", pattern_last_left_out, any, but_last_two, NO},
    {"the last of two", pattern_last_left_out, any, but_last, FITS, .columns = 2},
    {"after the last whole block", pattern_tail, any, whole_blocks, STRONG},
    {"the rest after a large chunk", pattern_tail, any, first_chunk, STRONG, 0, 3500},
    {"after a hundred", pattern_tail, any, hundred, NO},
    {"every third", pattern_tail, any, every_third, NO},
    {"every third is a part", pattern_partly_unwritten, any, every_third, STRONG},
    {"all are not a part", pattern_partly_unwritten, any, nothing, FITS},
    {"a wrong value is none", pattern_partly_unwritten, any, zero, NO},
    {"rows as far as x reaches", pattern_axes_swapped, any, swapped_reach, STRONG, MATRIX,
     .grid = {2, 6, 1}},
    {"rows farther", pattern_axes_swapped, any, swapped_reach, NO, MATRIX, .grid = {1, 6, 1}},
    {"the border", pattern_border, any, far_border, STRONG, MATRIX},
    {"an edge of zeros", pattern_border, any, top_zero, FITS, MATRIX},
    {"everything", pattern_border, any, one_more, NO, .rows = 80, .columns = 80},
    {"the rims of blocks", pattern_tile_border, any, tile_rims, STRONG},
    {"every seventh", pattern_tile_border, any, some_more, NO},
    {"times the threads of a block", pattern_every_thread, any, times_block, STRONG},
    {"a sum times a warp", pattern_every_thread, total, times_warp, STRONG, .columns = 1},
    {"times pi", pattern_every_thread, any, times_pi, NO},
    {"pi is a factor", pattern_factor, any, times_pi, STRONG},
    {"pi of one number", pattern_factor, total, times_pi, NO, .columns = 1},
    {"no factor", pattern_factor, any, by_element, NO},
    {"a factor for each row", pattern_row_factor, any, by_row, STRONG, MATRIX},
    {"one for each element", pattern_row_factor, any, by_element, NO, MATRIX},
    {"the other sign", pattern_sign, mixed, other_sign, STRONG},
    {"one more is no sign", pattern_sign, mixed, one_more, NO},
    {"one more", pattern_offset, any, one_more, STRONG},
    {"other amounts", pattern_offset, any, much_more, NO},
    {"some pixels", pattern_rounding, pixel, some_more, STRONG, .narrow = true},
    {"some counts", pattern_rounding, pixel, some_more, NO, .type = ELEMENT_i32},
    {"pixels by more", pattern_rounding, pixel, much_more, NO, .narrow = true},
    {"multiples of 256", pattern_wraps, pixel, plus_256, STRONG, .type = ELEMENT_i32},
    {"off by one", pattern_wraps, pixel, some_more, NO, .type = ELEMENT_i32},
    {"all zero", pattern_all_zero, any, zero, STRONG},
    {"zero often", pattern_all_zero, any, zero_often, NO},
    {"whole numbers", pattern_integer, any, whole, STRONG},
    {"fractions", pattern_integer, any, one_more, NO},
    {"not finite", pattern_not_finite, any, infinite, STRONG},
    {"zero is finite", pattern_not_finite, any, zero_often, NO},
    {"numbers of 11 bits", pattern_half, any, rounded, STRONG},
    {"errors of 11 bits", pattern_half, any, rounded_inside, STRONG},
    {"larger errors", pattern_half, any, doubled, NO},
    {"a zero among negatives", pattern_neutral, negative, zero_often, STRONG, .input = negative},
    {"a zero among both", pattern_neutral, mixed, zero_often, NO, .input = mixed},
    {"the end of what rises", pattern_neutral, counting, filled_up, NO, .input = counting},
    {"a sum is none of the input", pattern_neutral, prefix, zero_often, NO, .input = counting},
    {"transposed", pattern_transposed, any, from_column_below, STRONG, SQUARE},
    {"transposed, of another shape", pattern_transposed, any, from_column_below, STRONG, MATRIX},
    {"reversed is not transposed", pattern_transposed, any, from_the_end, NO, SQUARE},
    {"reversed", pattern_reversed, any, from_the_end, STRONG},
    {"all the same may be reversed", pattern_reversed, counting, zero, FITS},
    {"shifted is not reversed", pattern_reversed, any, from_the_next, NO},
    {"shifted", pattern_shifted, any, from_the_next, STRONG},
    {"shifted by two rows", pattern_shifted, any, from_below, STRONG, MATRIX},
    {"reversed is not shifted", pattern_shifted, any, from_the_end, NO},
    {"an exclusive scan", pattern_exclusive_scan, prefix, before_me, STRONG, .input = counting},
    {"shifted, and no scan", pattern_exclusive_scan, any, before_me, FITS, .input = counting},
    {"a scan that starts again", pattern_restarts, prefix, restarted, STRONG, .input = counting},
    {"a scan with its own sums", pattern_restarts, prefix, with_its_own, NO, .input = counting},
    {"a scan with other steps", pattern_restarts, prefix, much_more, NO, .input = counting},
    {"threadIdx.y left out", pattern_axis_ignored, any, without_thread_y, STRONG, MATRIX},
    {"blockIdx.y left out", pattern_axis_ignored, any, without_block_y, STRONG, MATRIX},
    {"y left out", pattern_axis_ignored, any, without_y, STRONG, MATRIX},
    {"threadIdx.x left out", pattern_axis_ignored, any, without_thread_x, STRONG, MATRIX},
    {"y of one block left out", pattern_axis_ignored, any, without_thread_y, STRONG, .rows = 4,
     .columns = COLUMNS},
    {"zeros as those above", pattern_axis_ignored, below_border, zero, FITS, MATRIX},
    {"shuffled rows", pattern_axis_ignored, any, shuffled, NO, MATRIX},
    {"another output's", pattern_outputs_swapped, any, of_the_other, STRONG, .other = mixed},
    {"another output's, of two", pattern_outputs_swapped, any, of_the_other, FITS, .columns = 2,
     .other = mixed},
    {"often another output's", pattern_outputs_swapped, any, of_the_other_often, NO,
     .other = mixed},
    {"the input's", pattern_input_unchanged, any, of_the_input, STRONG, .input = counting},
    {"the input's, of two", pattern_input_unchanged, any, of_the_input, FITS, .columns = 2,
     .input = counting},
    {"often the input's", pattern_input_unchanged, any, of_the_input_often, NO, .input = counting},
    {"rows without their padding", pattern_stride, padded, packed, STRONG, MATRIX, .initial = any},
    {"of two short rows", pattern_stride, padded, packed, FITS, .rows = 2, .columns = 8,
     .initial = any},
    {"the padding is changed, too", pattern_stride, padded, padding_too, NO, MATRIX,
     .initial = any},
    {"some rows", pattern_stride, padded, first_rows, NO, MATRIX, .initial = any},
    {"not in place", pattern_stride, padded, packed, NO, MATRIX},
    {"rows with padding", pattern_stride, any, apart, STRONG, MATRIX},
    {"the first row", pattern_stride, any, one_row, FITS, MATRIX},
    {"one row is shifted", pattern_stride, any, apart_once, NO, MATRIX},
    {"places of one piece for all", pattern_misplaced, any, packed_again, STRONG},
    {"a part has other values", pattern_misplaced, any, some_and_other_values, NO},
    {"as many bytes as elements", pattern_bytes, any, quarter, STRONG, .host = true},
    {"likewise in chunks", pattern_bytes, any, quarters, STRONG, .columns = 5000, .host = true},
    {"bytes of few elements", pattern_bytes, any, quarter, FITS, .columns = 12, .host = true},
    {"half of the elements", pattern_bytes, any, half, NO, .host = true},
    {"a quarter by a kernel", pattern_bytes, any, quarter, NO},
    {"one block, zeros after it", pattern_first_piece, any, one_block, STRONG},
    {"one of two blocks", pattern_first_piece, any, one_block, FITS, .columns = 2 * BLOCK},
    {"zeros after a hundred", pattern_first_piece, any, zero_from_100, NO},
    {"other places", pattern_misplaced, any, shuffled, STRONG},
    {"other values", pattern_misplaced, any, doubled, NO},
    {"other places by chance", pattern_arrival_order, any, shuffled, STRONG, .depends = true},
    {"other places always", pattern_arrival_order, any, shuffled, NO},
};

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct view view = view_of(&rows[i]);
        struct text evidence = {0};
        enum pattern_strength found = rows[i].look(&view, &evidence);
        if (found != rows[i].strength)
            print_error("%s: %d, expected %d (%s)\n", rows[i].what, found, rows[i].strength,
                        text_string(&evidence));
        assert_int_equal(found, rows[i].strength);
        assert_true(found != PATTERN_STRONG || evidence.length > 10);
        text_free(&evidence);
        view_free(&view);
    }
}

/* The inclusive one has an expected scan that is exclusive. */
static double exclusive(const struct view *view, uint64_t i) {
    (void)view;
    return (double)(i * (i + 1) / 2);
}
static double inclusive(const struct view *view, uint64_t i) {
    (void)view;
    return (double)((i + 1) * (i + 2) / 2);
}

static void test_inclusive_scan(void **state) {
    (void)state;
    const struct row inclusive_row = {.look = pattern_inclusive_scan,
                                      .expected = exclusive,
                                      .actual = inclusive,
                                      .input = counting};
    struct view view = view_of(&inclusive_row);
    struct text evidence = {0};
    assert_int_equal(pattern_inclusive_scan(&view, &evidence), PATTERN_STRONG);
    text_free(&evidence);
    view_free(&view);
}

/* Host code may also have left its result on the device. */
static void test_not_copied_back(void **state) {
    (void)state;
    for (unsigned host = 0; host < 2; host++) {
        const struct row row = {.expected = any, .actual = nothing, .host = host != 0};
        struct view view = view_of(&row);
        struct text evidence = {0};
        assert_int_equal(pattern_nothing_written(&view, &evidence), PATTERN_STRONG);
        assert_int_equal(strstr(text_string(&evidence), "copy bring the result back") != NULL,
                         host);
        text_free(&evidence);
        view_free(&view);
    }
}

/* A right result shows nothing. */
static void test_right(void **state) {
    (void)state;
    static const struct row row = {.what = "right", .expected = any, .actual = right};
    struct view view = view_of(&row);
    for (size_t i = 0; i < pattern_count; i++) {
        struct text evidence = {0};
        assert_int_not_equal(patterns[i].look(&view, &evidence), PATTERN_STRONG);
        text_free(&evidence);
    }
    view_free(&view);
}

/* A cause of the table that no pattern and no experiment can show would never be named. */
static void test_every_pattern_has_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < pattern_count; i++) {
        bool seen[3] = {0};
        for (size_t j = 0; j < ARRAY_LENGTH(rows); j++)
            if (rows[j].look == patterns[i].look)
                seen[rows[j].strength] = true;
        bool own = patterns[i].look == pattern_inclusive_scan;
        assert_true(own || seen[PATTERN_STRONG]);
        assert_true(own || seen[PATTERN_NO] || seen[PATTERN_FITS]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_inclusive_scan),
        cmocka_unit_test(test_not_copied_back),
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_every_pattern_has_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The pictures of wrong outputs: which elements they show, and as what. */
#include "grader/judge/output_grid.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define POISON 0x7ea5a5a5u

enum { MOST = 200 * 200 };

struct fixture {
    float actual[MOST];
    double expected[MOST];
    struct report_difference difference;
};

static int set_up(void **state) {
    struct fixture *f = mem_zalloc(sizeof *f);
    for (size_t i = 0; i < MOST; i++)
        f->actual[i] = (float)(f->expected[i] = 2);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    report_difference_free(&f->difference);
    free(f);
    return 0;
}

static void draw(struct fixture *f, uint64_t rows, uint64_t columns, uint64_t first) {
    static const struct exercise_tolerance exact = {.kind = TOLERANCE_EXACT};
    const struct engine_argument argument = {.is_buffer = true,
                                             .type = ELEMENT_f32,
                                             .count = rows * columns,
                                             .shape = {rows > 1 ? rows : columns, columns},
                                             .rank = rows > 1 ? 2 : 1};
    const struct compare_request request = {.type = ELEMENT_f32,
                                            .actual = f->actual,
                                            .expected = f->expected,
                                            .count = rows * columns,
                                            .tolerance = &exact,
                                            .poison = POISON,
                                            .has_poison = true};
    output_grids(&request, &argument, first, &f->difference);
}

static void each_kind_of_wrong_has_a_letter(void **state) {
    struct fixture *f = *state;
    const uint32_t poison = POISON;
    f->actual[0] = 0;
    f->actual[2] = NAN;
    f->actual[3] = 2.0005f;
    f->actual[4] = 2.05f;
    f->actual[5] = 3;
    memcpy(&f->actual[6], &poison, sizeof poison);
    draw(f, 1, 8, 0);
    assert_string_equal(f->difference.window.cells, "z.ncdwu.");
    assert_true(f->difference.wrapped && f->difference.rows == 1 && f->difference.columns == 8);
    assert_null(f->difference.map.cells);
}

static void a_vector_is_rows_of_a_warp(void **state) {
    struct fixture *f = *state;
    f->actual[69] = 0;
    draw(f, 1, 70, 69);
    const struct report_grid *window = &f->difference.window;
    assert_true(window->height == 3 && window->width == 32 && window->rows == 3);
    assert_string_equal(window->cells + 64, ".....z                          ");
}

static void a_large_matrix_has_a_window_and_a_map(void **state) {
    struct fixture *f = *state;
    for (size_t row = 0; row < 200; row++)
        f->actual[row * 200 + 199] = 0;
    draw(f, 200, 200, 199);
    const struct report_grid *window = &f->difference.window, *map = &f->difference.map;
    assert_true(window->row == 0 && window->column == 152 && window->columns == 48);
    for (unsigned i = 0; i < 48 * 48; i++)
        assert_int_equal(window->cells[i], i % 48 == 47 ? 'z' : '.');
    assert_true(map->columns == 200 && map->width == 40 && map->height == 40);
    for (unsigned i = 0; i < 40 * 40; i++)
        assert_int_equal(map->cells[i], i % 40 == 39 ? 'z' : '.');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_kind_of_wrong_has_a_letter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_vector_is_rows_of_a_warp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_large_matrix_has_a_window_and_a_map, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

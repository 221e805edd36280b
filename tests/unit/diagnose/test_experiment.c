/* The changes that experiments make to a launch of the reference. */
#include "grader/diagnose/experiment.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, COLUMNS = 4, CELLS = ROWS * COLUMNS, PIECE = 2 };

/* A matrix of floats, a second one, and its number of columns. */
static struct exercise_param params[] = {
    {.name = "A", .type = ELEMENT_f32, .role = ROLE_IN, .rank = 2},
    {.name = "B", .type = ELEMENT_f32, .role = ROLE_INOUT, .rank = 2},
    {.name = "n", .type = ELEMENT_i32, .role = ROLE_SIZE},
};
static const struct exercise exercise = {.params = params, .param_count = 3};

struct launch {
    struct engine_argument arguments[3];
    struct {
        float a[CELLS];
        _Alignas(256) double b[CELLS]; /* in the reference's launch */
    } data;
    int64_t pieces[PIECE_COUNT];
};

static void begin(struct launch *launch) {
    *launch = (struct launch){0};
    for (unsigned i = 0; i < 2; i++)
        launch->arguments[i] = (struct engine_argument){.is_buffer = true,
                                                        .type = i ? ELEMENT_f64 : ELEMENT_f32,
                                                        .count = CELLS,
                                                        .shape = {ROWS, COLUMNS},
                                                        .rank = 2};
    launch->arguments[1].data_offset = (size_t)((char *)launch->data.b - (char *)&launch->data);
    launch->arguments[2] = (struct engine_argument){.type = ELEMENT_i32, .scalar = COLUMNS};
    for (unsigned i = 0; i < CELLS; i++) {
        launch->data.a[i] = (float)i + 1.5f;
        launch->data.b[i] = 100 + i;
    }
    launch->pieces[PIECE_2] = PIECE;
}

static bool apply(struct launch *launch, const struct experiment *experiment) {
    return experiment_apply(&exercise, experiment, launch->pieces, launch->arguments,
                            &launch->data);
}

struct row {
    enum experiment_change change;
    unsigned axis;
    float expected[CELLS]; /* of A */
    const char *words;
    enum cause cause;
};

static const struct row rows[] = {
    {CHANGE_LAST,
     1,
     {1.5, 2.5, 3.5, 0, 5.5, 6.5, 7.5, 0, 9.5, 10.5, 11.5, 0},
     "a right kernel gives the same where the last column of A is 0",
     CAUSE_LAST_LEFT_OUT},
    {CHANGE_LAST,
     0,
     {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 0, 0, 0, 0},
     "a right kernel gives the same where the last row of A is 0",
     CAUSE_LAST_LEFT_OUT},
    {CHANGE_TAIL,
     0,
     {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 0, 0, 0, 0},
     "a right kernel gives the same where the rows of A after the last multiple of 2 are 0",
     CAUSE_TAIL},
    {CHANGE_FIRST,
     1,
     {1.5, 2.5, 0, 0, 5.5, 6.5, 0, 0, 9.5, 10.5, 0, 0},
     "a right kernel gives the same where all columns of A but the first 2 are 0",
     CAUSE_FIRST_PIECE},
    {CHANGE_END,
     1,
     {0, 0, 3.5, 4.5, 0, 0, 7.5, 8.5, 0, 0, 11.5, 12.5},
     "a right kernel gives the same where all columns of A before the last piece of 2 are 0",
     CAUSE_RESTARTS},
    {CHANGE_LAST_PIECE,
     1,
     {1.5, 2.5, 0, 0, 5.5, 6.5, 0, 0, 9.5, 10.5, 0, 0},
     "a right kernel gives the same where the last piece of 2 columns of A is 0",
     CAUSE_LAST_LEFT_OUT},
    {CHANGE_LOW,
     1,
     {1.5, 0, 3.5, 0, 5.5, 0, 7.5, 0, 9.5, 0, 11.5, 0},
     "a right kernel gives the same where of each 2 columns of A the second half is 0",
     CAUSE_INCOMPLETE_REDUCTION},
    {CHANGE_HIGH,
     1,
     {0, 2.5, 0, 4.5, 0, 6.5, 0, 8.5, 0, 10.5, 0, 12.5},
     "a right kernel gives the same where of each 2 columns of A the first half is 0",
     CAUSE_INCOMPLETE_REDUCTION},
    {CHANGE_REPEAT,
     1,
     {1.5, 2.5, 1.5, 2.5, 5.5, 6.5, 5.5, 6.5, 9.5, 10.5, 9.5, 10.5},
     "a right kernel gives the same where the first 2 columns of A stand in place of all others",
     CAUSE_BLOCK_INDEX},
    {CHANGE_TRANSPOSE,
     0,
     {1.5, 4.5, 7.5, 10.5, 2.5, 5.5, 8.5, 11.5, 3.5, 6.5, 9.5, 12.5},
     "a right kernel gives the same where A is read by columns",
     CAUSE_TRANSPOSED},
    {CHANGE_TILES,
     0,
     {1.5, 5.5, 3.5, 7.5, 2.5, 6.5, 4.5, 8.5, 9.5, 0, 11.5, 0},
     "a right kernel gives the same where each tile of 2 by 2 elements of A is transposed",
     CAUSE_TRANSPOSED},
    {CHANGE_REVERSE,
     0,
     {12.5, 11.5, 10.5, 9.5, 8.5, 7.5, 6.5, 5.5, 4.5, 3.5, 2.5, 1.5},
     "a right kernel gives the same where A is read from its end",
     CAUSE_REVERSED},
    {CHANGE_REVERSE_AXIS,
     1,
     {4.5, 3.5, 2.5, 1.5, 8.5, 7.5, 6.5, 5.5, 12.5, 11.5, 10.5, 9.5},
     "a right kernel gives the same where the columns of A are read in reversed order",
     CAUSE_REVERSED},
    {CHANGE_NEXT,
     1,
     {2.5, 3.5, 4.5, 4.5, 6.5, 7.5, 8.5, 8.5, 10.5, 11.5, 12.5, 12.5},
     "a right kernel gives the same where each column of A is the next one's",
     CAUSE_SHIFTED},
    {CHANGE_BEFORE,
     0,
     {1.5, 2.5, 3.5, 4.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5},
     "a right kernel gives the same where each row of A is the one before",
     CAUSE_SHIFTED},
    {CHANGE_WHOLE,
     0,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
     "a right kernel gives the same where A has lost its fractions",
     CAUSE_INTEGER},
    {CHANGE_NEGATE,
     0,
     {-1.5, -2.5, -3.5, -4.5, -5.5, -6.5, -7.5, -8.5, -9.5, -10.5, -11.5, -12.5},
     "a right kernel gives the same where A has the other sign",
     CAUSE_SIGN},
    {CHANGE_DOUBLE,
     0,
     {3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25},
     "a right kernel gives the same where A counts twice",
     CAUSE_COUNTED_TWICE},
    {CHANGE_ZERO, 0, {0}, "a right kernel gives the same where A is 0", CAUSE_INPUT_IGNORED},
    {CHANGE_ONES,
     0,
     {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     "a right kernel gives the same where A is 1",
     CAUSE_INPUT_IGNORED},
};

static void test_buffers(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct launch launch;
        struct experiment experiment = {
            .change = rows[i].change, .axis = rows[i].axis, .piece = PIECE_2};
        struct text words = {0};
        begin(&launch);
        assert_true(apply(&launch, &experiment));
        assert_memory_equal(launch.data.a, rows[i].expected, sizeof launch.data.a);
        experiment_describe(&exercise, &experiment, launch.pieces, LANGUAGE_EN, &words);
        assert_string_equal(text_string(&words), rows[i].words);
        text_clear(&words);
        experiment_describe(&exercise, &experiment, launch.pieces, LANGUAGE_ZH, &words);
        assert_null(strpbrk(text_string(&words), "bcdefghijklmnopqrstuvwxyz%"));
        assert_int_equal(experiment_cause(&exercise, &experiment), rows[i].cause);
        text_free(&words);
    }
}

static void test_swap_between_types(void **state) {
    (void)state;
    struct launch launch;
    begin(&launch);
    assert_true(apply(&launch, &(struct experiment){.change = CHANGE_SWAP, .other = 1}));
    assert_true(launch.data.a[1] == 101 && launch.data.b[1] == 2.5);
}

/* Two scalars, in an exercise of their own. */
static void test_swap_of_scalars(void **state) {
    (void)state;
    static struct exercise_param weights[] = {
        {.name = "c0", .type = ELEMENT_f32, .role = ROLE_SCALAR},
        {.name = "c1", .type = ELEMENT_f32, .role = ROLE_SCALAR},
        {.name = "n", .type = ELEMENT_f32, .role = ROLE_SIZE},
    };
    static const struct exercise stencil = {.params = weights, .param_count = 3};
    size_t count, swaps = 0;
    struct experiment *list = experiment_list(&stencil, &count), swap = {0};
    for (size_t i = 0; i < count; i++)
        if (list[i].change == CHANGE_SWAP) {
            swap = list[i];
            swaps++;
        }
    free(list);
    assert_int_equal(swaps, 1); /* and none with the size */
    struct engine_argument arguments[3] = {{.scalar = 7}, {.scalar = 8}, {.scalar = 9}};
    assert_true(experiment_apply(&stencil, &swap, NULL, arguments, NULL));
    assert_true(arguments[0].scalar == 8 && arguments[1].scalar == 7 && arguments[2].scalar == 9);
    assert_int_equal(experiment_cause(&stencil, &swap), CAUSE_INPUTS_SWAPPED);
    arguments[1].scalar = 8;
    assert_false(experiment_apply(&stencil, &swap, NULL, arguments, NULL));
}

/* Rows of 4 that are read as rows of 3; those of 4 are right, and of 0 are none. */
static void test_stride(void **state) {
    (void)state;
    const struct experiment experiment = {.change = CHANGE_STRIDE, .other = 2};
    const float expected[CELLS] = {1.5, 2.5, 3.5, 4.5, 4.5, 5.5, 6.5, 7.5, 7.5, 8.5, 9.5, 10.5};
    const float longer[CELLS] = {1.5, 2.5, 3.5, 4.5, 7.5, 8.5, 9.5, 10.5, 0, 0, 0, 0};
    struct launch launch;
    struct text words = {0};
    begin(&launch);
    assert_false(apply(&launch, &experiment));
    launch.arguments[2].scalar = 0;
    assert_false(apply(&launch, &experiment));
    launch.arguments[2].scalar = 3;
    assert_true(apply(&launch, &experiment));
    assert_memory_equal(launch.data.a, expected, sizeof expected);
    begin(&launch);
    launch.arguments[2].scalar = 6;
    assert_true(apply(&launch, &experiment));
    assert_memory_equal(launch.data.a, longer, sizeof longer - 4 * sizeof *longer);
    experiment_describe(&exercise, &experiment, launch.pieces, LANGUAGE_EN, &words);
    assert_string_equal(text_string(&words),
                        "a right kernel gives the same where A is read in rows of n elements");
    text_free(&words);
    assert_int_equal(experiment_cause(&exercise, &experiment), CAUSE_STRIDE);
}

static void test_half_of_all(void **state) {
    (void)state;
    struct launch launch;
    begin(&launch);
    launch.data.a[0] = 1.0001f;
    launch.data.b[0] = 3.0001;
    assert_true(
        apply(&launch, &(struct experiment){.change = CHANGE_HALF, .param = EXPERIMENT_ALL}));
    assert_true(launch.data.a[0] == 1 && launch.data.b[0] == 3);
}

static void test_sizes(void **state) {
    (void)state;
    static const struct {
        enum experiment_change change;
        uint64_t before, after;
    } sizes[] = {{CHANGE_SIZE_LESS, 5, 4},
                 {CHANGE_SIZE_LESS, 0, 0},
                 {CHANGE_SIZE_WHOLE, 5, 4},
                 {CHANGE_SIZE_FIRST, 5, 2}};
    for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
        struct launch launch;
        begin(&launch);
        launch.arguments[2].scalar = sizes[i].before;
        bool changed = apply(
            &launch, &(struct experiment){.change = sizes[i].change, .param = 2, .piece = PIECE_2});
        assert_int_equal(changed, sizes[i].before != sizes[i].after);
        assert_int_equal(launch.arguments[2].scalar, sizes[i].after);
    }
}

/* An output that held something: without it, the result is the one that replaces it. */
static void test_overwritten(void **state) {
    (void)state;
    assert_int_equal(
        experiment_cause(&exercise, &(struct experiment){.change = CHANGE_ZERO, .param = 1}),
        CAUSE_OVERWRITTEN);
}

static void test_no_change(void **state) {
    (void)state;
    struct launch launch;
    begin(&launch);
    assert_false(apply(
        &launch,
        &(struct experiment){.change = CHANGE_TAIL, .axis = 1, .piece = PIECE_2})); /* no rest */
    assert_false(apply(&launch, &(struct experiment){.change = CHANGE_TAIL,
                                                     .axis = 1,
                                                     .piece = PIECE_GRID})); /* no such piece */
}

/* Where the piece is larger than the axis, everything is the rest. */
static void test_telling(void **state) {
    (void)state;
    struct launch launch;
    begin(&launch);
    struct experiment experiment = {.change = CHANGE_TAIL, .axis = 0, .piece = PIECE_2};
    assert_true(experiment_is_telling(&experiment, launch.pieces, launch.arguments));
    launch.pieces[PIECE_2] = 8;
    assert_false(experiment_is_telling(&experiment, launch.pieces, launch.arguments));
}

static void test_list(void **state) {
    (void)state;
    size_t count;
    struct experiment *list = experiment_list(&exercise, &count);
    bool seen[CHANGE_COUNT] = {0};
    for (size_t i = 0; i < count; i++)
        seen[list[i].change] = true;
    for (unsigned i = 0; i < CHANGE_COUNT; i++)
        assert_true(seen[i]);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers),         cmocka_unit_test(test_swap_between_types),
        cmocka_unit_test(test_half_of_all),     cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_overwritten),     cmocka_unit_test(test_no_change),
        cmocka_unit_test(test_swap_of_scalars), cmocka_unit_test(test_stride),
        cmocka_unit_test(test_telling),         cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

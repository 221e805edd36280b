/* Baselines: which operands a routine finds, which it refuses, and the sizes that follow. */
#include "grader/exercise/baseline.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PARAMS = 5 };

/* "i[m,k]": an input; o: an output, z: inout filled with zeros, x: other inout, s: a scalar, d: a
 * scalar of f64, h: an input of f16, n: a size. */
struct row {
    enum baseline_routine routine;
    bool column_major;
    const char *params[MOST_PARAMS];
    const char *message;         /* NULL: accepted, with ... */
    size_t a, b, c;              /* ... these operands */
    struct baseline_sizes sizes; /* for m = 3, n = 4, k = 5 */
};

#define NONE SIZE_MAX
static const struct row rows[] = {
    {BASELINE_SGEMM, false, {"i[m,k]", "i[k,n]", "o[m,n]", "n"}, NULL, 0, 1, 2, {3, 4, 5}},
    {BASELINE_SGEMM, true, {"o[n,m]", "i[k,m]", "i[n,k]"}, NULL, 1, 2, 0, {3, 4, 5}},
    {BASELINE_SGEMV, false, {"n", "i[m,k]", "i[k]", "o[m]"}, NULL, 1, 2, 3, {3, 1, 5}},
    {BASELINE_SGEMV, true, {"i[k,m]", "i[k]", "z[m]"}, NULL, 0, 1, 2, {3, 1, 5}},
    {BASELINE_SDOT, false, {"i[k]", "i[k]", "z[1]", "n"}, NULL, 0, 1, 2, {1, 1, 5}},
    {BASELINE_SAXPY, false, {"n", "s", "i[m]", "x[m]"}, NULL, 2, NONE, 3, {3, 1, 1}},
    {BASELINE_SGEAM, false, {"i[n,m]", "o[m,n]"}, NULL, 0, NONE, 1, {3, 4, 3}},
    {BASELINE_SGEAM, true, {"i[m,n]", "o[n,m]"}, NULL, 0, NONE, 1, {3, 4, 3}},
    /* shapes that do not go together */
    {BASELINE_SGEMM, false, {"i[m,k]", "i[n,k]", "o[m,n]"}, "3 x 5, 4 x 5 -> 3 x 4", 0, 0, 0, {0}},
    {BASELINE_SGEMV, true, {"i[m,k]", "i[k]", "o[m]"}, "do not go together", 0, 0, 0, {0}},
    {BASELINE_SDOT, false, {"i[k]", "i[k]", "o[k]"}, "do not go together", 0, 0, 0, {0}},
    {BASELINE_SGEAM, false, {"i[m,n]", "o[m,n]"}, "do not go together", 0, 0, 0, {0}},
    {BASELINE_SAXPY, false, {"s", "i[0]", "x[0]"}, "extents from 1", 0, 0, 0, {0}},
    /* other operands than the routine's */
    {BASELINE_SGEMM, false, {"i[m,k]", "i[k,n]", "x[m,n]"}, "takes two matrices", 0, 0, 0, {0}},
    {BASELINE_SGEMM, false, {"i[m,k]", "o[m,n]"}, "takes two matrices", 0, 0, 0, {0}},
    {BASELINE_SGEMM, false, {"i[m,k]", "i[k,n]", "i[n]", "o[m,n]"}, "takes", 0, 0, 0, {0}},
    {BASELINE_SGEMM, false, {"i[m,k]", "i[k,n]", "o[m,n]", "o[m]"}, "takes", 0, 0, 0, {0}},
    {BASELINE_SGEMV, false, {"i[k]", "i[m,k]", "o[m]"}, "takes a matrix and a", 0, 0, 0, {0}},
    {BASELINE_SGEMV, false, {"s", "i[m,k]", "i[k]", "o[m]"}, "takes", 0, 0, 0, {0}},
    {BASELINE_SAXPY, false, {"i[m]", "x[m]"}, "takes a vector in", 0, 0, 0, {0}},
    {BASELINE_SAXPY, false, {"d", "i[m]", "x[m]"}, "all of f32", 0, 0, 0, {0}},
    {BASELINE_SDOT, false, {"h[k]", "i[k]", "o[1]"}, "all of f32", 0, 0, 0, {0}},
};

static const struct expr_name sizes[] = {{"m", 3}, {"n", 4}, {"k", 5}};

static struct exercise_param make_param(const char *text) {
    static const struct {
        char letter;
        enum exercise_role role;
        enum element_type type;
    } kinds[] = {{'i', ROLE_IN, ELEMENT_f32},     {'o', ROLE_OUT, ELEMENT_f32},
                 {'z', ROLE_INOUT, ELEMENT_f32},  {'x', ROLE_INOUT, ELEMENT_f32},
                 {'s', ROLE_SCALAR, ELEMENT_f32}, {'d', ROLE_SCALAR, ELEMENT_f64},
                 {'h', ROLE_IN, ELEMENT_f16},     {'n', ROLE_SIZE, ELEMENT_i32}};
    struct exercise_param param = {.name = (char *)"p"};
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
        if (kinds[i].letter == *text) {
            param.role = kinds[i].role;
            param.type = kinds[i].type;
        }
    param.fill.kind = *text == 'z' ? FILL_ZERO : FILL_UNIFORM;
    for (const char *c = text + 1; *c && *c != ']'; c += 2) {
        const char extent[] = {c[1], '\0'};
        assert_int_equal(expr_parse(extent, &param.shape[param.rank++], NULL), STATUS_OK);
    }
    return param;
}

static void finds_operands_and_sizes(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        struct exercise_param params[MOST_PARAMS];
        struct exercise exercise = {.params = params};
        struct exercise_baseline *baseline = &exercise.measured.baseline;
        struct baseline_sizes found = {0};
        struct error error = {0};
        for (; exercise.param_count < MOST_PARAMS && row->params[exercise.param_count];
             exercise.param_count++)
            params[exercise.param_count] = make_param(row->params[exercise.param_count]);
        *baseline =
            (struct exercise_baseline){.routine = row->routine, .column_major = row->column_major};
        enum status status = baseline_resolve(&exercise, baseline, &error);
        if (status == STATUS_OK)
            status = baseline_measure(&exercise, sizes, ARRAY_LENGTH(sizes), &found, &error);
        if ((status == STATUS_OK) != !row->message)
            fail_msg("row %zu: %s", i, error.message);
        if (row->message && !strstr(error.message, row->message))
            fail_msg("row %zu: %s", i, error.message);
        if (!row->message) {
            assert_int_equal(baseline->a, row->a);
            assert_int_equal(baseline->b, row->b);
            assert_int_equal(baseline->c, row->c);
            assert_int_equal(baseline->alpha, row->routine == BASELINE_SAXPY ? 1 : NONE);
            assert_memory_equal(&found, &row->sizes, sizeof found);
        }
        for (size_t j = 0; j < exercise.param_count; j++)
            for (unsigned k = 0; k < params[j].rank; k++)
                expr_free(params[j].shape[k]);
    }
}

/* The exercises that name one have what it takes, and the sizes of their own. */
static void exercises_have_baselines(void **state) {
    (void)state;
    static const struct {
        const char *id;
        enum baseline_routine routine;
        int64_t size;
    } known[] = {{"saxpy", BASELINE_SAXPY, 8388608},
                 {"dot", BASELINE_SDOT, 33554432},
                 {"matmul-boundary", BASELINE_SGEMM, 2048},
                 {"vector-multiply", BASELINE_NONE, 8388608}};
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
        struct exercise *exercise;
        assert_int_equal(exercise_find(known[i].id, &exercise, NULL), STATUS_OK);
        assert_int_equal(exercise->measured.baseline.routine, known[i].routine);
        assert_int_equal(exercise->measured.sizes[0].value, known[i].size);
        exercise_free(exercise);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_operands_and_sizes),
        cmocka_unit_test(exercises_have_baselines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

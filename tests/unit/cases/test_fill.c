/* The data of buffers: by formula, in order, as offsets, shuffled; and what is refused. */
#include "grader/cases/fill.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct exercise_size sizes[] = {{(char *)"n", 40}, {(char *)"zero", 0}};

static struct expr *real(const char *text) {
    struct expr *expr = NULL;
    struct error error = {0};
    if (expr_parse_real(text, &expr, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    return expr;
}

static struct fill_place place_of(enum element_type type, const uint64_t *shape, unsigned rank) {
    struct fill_place place = {
        .type = type, .shape = shape, .rank = rank, .count = 1, .sizes = sizes, .size_count = 2};
    for (unsigned i = 0; i < rank; i++)
        place.count *= shape[i];
    return place;
}

static struct random stream(unsigned number) {
    struct random random;
    random_start(&random, number, (const char *const[]){"fill", NULL});
    return random;
}

static void formula_of_indices_and_sizes(void **state) {
    (void)state;
    struct random random = stream(1);
    struct expr *expr = real("i - 0.1 * j + 1");
    const struct exercise_fill fill = {.kind = FILL_FORMULA, .formula = expr};
    const uint64_t shape[] = {150, 41}; /* longer than a strip, rows that end inside of one */
    struct fill_place place = place_of(ELEMENT_f32, shape, 2);
    cleanup_free float *data = mem_calloc(place.count + 1, sizeof *data);
    data[place.count] = 7;
    fill_write(&random, &fill, &place, data);
    for (unsigned i = 0; i < 150; i++)
        for (unsigned j = 0; j < 41; j++)
            assert_true(data[41 * i + j] == (float)(i - 0.1 * j + 1));
    assert_true(data[place.count] == 7);
    assert_true(fill_largest(&fill, &place) == 150);
    expr_free(expr);
    expr = real("100 * i + 10 * j + k + n");
    const struct exercise_fill deep = {.kind = FILL_FORMULA, .formula = expr};
    int16_t cube[2 * 3 * 4];
    place = place_of(ELEMENT_i16, (const uint64_t[]){2, 3, 4}, 3);
    fill_write(&random, &deep, &place, cube);
    assert_int_equal(cube[0], 40);
    assert_int_equal(cube[23], 100 + 20 + 3 + 40);
    expr_free(expr);
    expr = real("1 / n");
    const struct exercise_fill single = {.kind = FILL_FORMULA, .formula = expr};
    double scalar = 0;
    place = place_of(ELEMENT_f64, NULL, 0);
    fill_write(&random, &single, &place, &scalar);
    assert_true(scalar == 1.0 / 40);
    expr_free(expr);
}

static void sorted_is_uniform_and_ascending(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    struct random random = stream(2);
    const struct exercise_fill fill = {.kind = FILL_SORTED, .low = -3, .high = 6};
    struct fill_place place = place_of(ELEMENT_f32, (const uint64_t[]){COUNT}, 1);
    cleanup_free float *floats = mem_calloc(COUNT, sizeof *floats);
    fill_write(&random, &fill, &place, floats);
    assert_true(floats[0] >= -3 && floats[COUNT - 1] <= 6);
    for (unsigned i = 1; i < COUNT; i++)
        assert_true(floats[i] >= floats[i - 1]);
    assert_true(fabsf(floats[COUNT / 3]) < 0.1f && fabsf(floats[2 * COUNT / 3] - 3) < 0.1f);
    const struct exercise_fill bytes_fill = {.kind = FILL_SORTED, .low = 0, .high = 255};
    uint8_t bytes[COUNT];
    unsigned bins[256] = {0};
    place.type = ELEMENT_u8;
    fill_write(&random, &bytes_fill, &place, bytes);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_true(i == 0 || bytes[i] >= bytes[i - 1]);
        bins[bytes[i]]++;
    }
    for (unsigned i = 0; i < 256; i++) /* both ends are in the range, and as likely as others */
        assert_in_range(bins[i], 30, 150);
}

static void offsets_end_with_the_total(void **state) {
    (void)state;
    for (unsigned rows = 0; rows < 50; rows++) {
        struct random random = stream(100 + rows);
        const struct exercise_fill fill = {.kind = FILL_OFFSETS, .high = rows ? 70 : 0};
        const uint64_t shape = rows + 1;
        const struct fill_place place = place_of(ELEMENT_i32, &shape, 1);
        int32_t offsets[51];
        memset(offsets, 0x55, sizeof offsets);
        assert_int_equal(fill_check(&fill, &place, NULL), STATUS_OK);
        fill_write(&random, &fill, &place, offsets);
        assert_int_equal(offsets[0], 0);
        assert_int_equal(offsets[rows], fill.high);
        for (unsigned i = 1; i <= rows; i++)
            assert_true(offsets[i] >= offsets[i - 1] && offsets[i] <= 70);
    }
}

static void permutation_has_every_value_once(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    struct random random = stream(3);
    const struct exercise_fill fill = {.kind = FILL_PERMUTATION};
    const struct fill_place place = place_of(ELEMENT_u16, (const uint64_t[]){COUNT}, 1);
    uint16_t values[COUNT];
    bool seen[COUNT] = {false};
    unsigned in_place = 0;
    fill_write(&random, &fill, &place, values);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_in_range(values[i], 0, COUNT - 1);
        assert_false(seen[values[i]]);
        seen[values[i]] = true;
        in_place += values[i] == i;
    }
    assert_in_range(in_place, 0, 10); /* one in the mean */
}

static void bounds_depend_on_sizes(void **state) {
    (void)state;
    struct expr *low = NULL, *high = NULL;
    assert_int_equal(expr_parse("-n / 2", &low, NULL), STATUS_OK);
    assert_int_equal(expr_parse("n - 1", &high, NULL), STATUS_OK);
    const struct exercise_fill fill = {.kind = FILL_INTEGERS, .low_expr = low, .high_expr = high};
    struct exercise_fill resolved;
    const struct expr *culprit = NULL;
    assert_int_equal(fill_resolve(&fill, sizes, 2, &resolved, &culprit, NULL), STATUS_OK);
    assert_true(resolved.low == -20 && resolved.high == 39);
    expr_free(high);
    struct error error = {0};
    assert_int_equal(expr_parse("n / zero", &high, NULL), STATUS_OK);
    const struct exercise_fill wrong = {.kind = FILL_OFFSETS, .high_expr = high};
    assert_int_equal(fill_resolve(&wrong, sizes, 2, &resolved, &culprit, &error), STATUS_INVALID);
    assert_ptr_equal(culprit, high);
    assert_int_equal(error.column, 3);
    expr_free(low);
    expr_free(high);
}

static const struct refusal {
    const char *formula; /* NULL: another kind */
    struct exercise_fill fill;
    enum element_type type;
    unsigned rank;
    uint64_t extent;
    const char *message; /* NULL: accepted */
} refusals[] = {
    {"sqrt(2 - i)", {0}, ELEMENT_f32, 1, 9, "at i = 3 the formula has no value"},
    {"1 / (i - 70000)", {0}, ELEMENT_f32, 1, 70001, "at i = 70000 the formula is inf"},
    {"i * 1000", {0}, ELEMENT_f16, 1, 66, NULL},
    {"i * 1000", {0}, ELEMENT_f16, 1, 67, "at i = 66 the formula is 66000: no f16"},
    {"i / 2", {0}, ELEMENT_u8, 1, 2, "at i = 1 the formula is 0.5: no u8"},
    {"n - i", {0}, ELEMENT_u8, 1, 42, "at i = 41 the formula is -1: no u8"},
    {"1 / zero", {0}, ELEMENT_f32, 0, 1, "the formula is inf"},
    {NULL, {FILL_OFFSETS, 0, 70000, 0, 0, 0}, ELEMENT_u16, 1, 3, "the last offset is 70000"},
    {NULL, {FILL_OFFSETS, 0, -1, 0, 0, 0}, ELEMENT_i32, 1, 3, "the last offset is -1"},
    {NULL, {FILL_OFFSETS, 0, 5, 0, 0, 0}, ELEMENT_i32, 1, 1, "1 offsets cannot begin"},
    {NULL, {FILL_OFFSETS, 0, 0, 0, 0, 0}, ELEMENT_i32, 1, 0, "0 offsets cannot begin"},
    {NULL, {FILL_OFFSETS, 0, 5, 0, 0, 0}, ELEMENT_f32, 1, 3, "the type is f32"},
    {NULL, {FILL_OFFSETS, 0, 5, 0, 0, 0}, ELEMENT_i32, 0, 1, "a scalar has one value"},
    {NULL, {FILL_PERMUTATION, 0, 0, 0, 0, 0}, ELEMENT_i8, 1, 128, NULL},
    {NULL, {FILL_PERMUTATION, 0, 0, 0, 0, 0}, ELEMENT_i8, 1, 129, "129 different"},
    {NULL, {FILL_PERMUTATION, 0, 0, 0, 0, 0}, ELEMENT_f16, 1, 2050, "2050 different"},
    {NULL, {FILL_SORTED, 0, 300, 0, 0, 0}, ELEMENT_u8, 1, 5, "whole numbers from 0 to 255"},
    {NULL, {FILL_SORTED, 2, 1, 0, 0, 0}, ELEMENT_f32, 1, 5, "2 is above 1"},
    {NULL, {FILL_INTEGERS, 0, -1, 0, 0, 0}, ELEMENT_i32, 1, 1, "0 is above -1"},
    {NULL, {FILL_INTEGERS, 0, -1, 0, 0, 0}, ELEMENT_i32, 1, 0, NULL},
};

static void refuses_what_cannot_be_stored(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(refusals); i++) {
        const struct refusal *row = &refusals[i];
        struct expr *expr = row->formula ? real(row->formula) : NULL;
        struct exercise_fill fill = row->fill;
        if (expr)
            fill = (struct exercise_fill){.kind = FILL_FORMULA, .formula = expr};
        const struct fill_place place = place_of(row->type, &row->extent, row->rank);
        struct error error = {0};
        bool accepted = fill_check(&fill, &place, &error) == STATUS_OK;
        if (accepted != !row->message || (row->message && !strstr(error.message, row->message)))
            fail_msg("row %zu: %s", i, accepted ? "accepted" : error.message);
        expr_free(expr);
    }
}

static void same_stream_same_data(void **state) {
    (void)state;
    static const enum fill_kind kinds[] = {FILL_SORTED, FILL_OFFSETS, FILL_PERMUTATION};
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        const struct exercise_fill fill = {.kind = kinds[i], .low = 0, .high = 1000};
        const struct fill_place place = place_of(ELEMENT_i32, (const uint64_t[]){64}, 1);
        struct random first = stream(5), second = stream(5), other = stream(6);
        int32_t a[64], b[64], c[64];
        fill_write(&first, &fill, &place, a);
        fill_write(&second, &fill, &place, b);
        fill_write(&other, &fill, &place, c);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_not_equal(a, c, sizeof a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_of_indices_and_sizes),
        cmocka_unit_test(sorted_is_uniform_and_ascending),
        cmocka_unit_test(offsets_end_with_the_total),
        cmocka_unit_test(permutation_has_every_value_once),
        cmocka_unit_test(bounds_depend_on_sizes),
        cmocka_unit_test(refuses_what_cannot_be_stored),
        cmocka_unit_test(same_stream_same_data),
    };
    return cmocka_run_group_tests_name("fill", tests, NULL, NULL);
}

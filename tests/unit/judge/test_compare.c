/* The tolerance rules: what is accepted, what is not, and what is said about the first difference.
 * Every test states a fact of compare.h; the bound itself is checked against float arithmetic. */
#include "grader/judge/compare.h"

#include "grader/cases/random.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct compare_result compare_f32(struct exercise_tolerance tolerance, const float *actual,
                                         const double *expected, const double *magnitude,
                                         size_t count, int64_t length) {
    return compare_elements(&(struct compare_request){.type = ELEMENT_f32,
                                                      .actual = actual,
                                                      .expected = expected,
                                                      .magnitude = magnitude,
                                                      .count = count,
                                                      .tolerance = &tolerance,
                                                      .length = length,
                                                      .poison = 0x7ea5a5a5,
                                                      .has_poison = true});
}

static uint64_t differing(struct exercise_tolerance tolerance, float actual, double expected) {
    double magnitude = fabs(expected);
    return compare_f32(tolerance, &actual, &expected, &magnitude, 1, 4).differing;
}

static const struct exercise_tolerance exact = {.kind = TOLERANCE_EXACT};
static const struct exercise_tolerance scratch = {.kind = TOLERANCE_NONE};
static const struct exercise_tolerance two_ulp = {.kind = TOLERANCE_ULP, .ulp = 2};
static const struct exercise_tolerance dot = {.kind = TOLERANCE_DOT, .factor = 1};

static void exact_accepts_the_rounded_double_only(void **state) {
    (void)state;
    assert_int_equal(differing(exact, 0.1f, 0.1), 0);
    assert_int_equal(differing(exact, nextafterf(0.1f, 1), 0.1), 1);
    assert_int_equal(differing(exact, -0.0f, 0.0), 0);
    assert_int_equal(differing(exact, 0.0f, -0.0), 0);
}

static void near_adds_the_share_and_the_difference(void **state) {
    (void)state;
    const struct exercise_tolerance rel = {.kind = TOLERANCE_NEAR, .relative = 0.25};
    const struct exercise_tolerance abs = {.kind = TOLERANCE_NEAR, .absolute = 0.5};
    const struct exercise_tolerance both = {
        .kind = TOLERANCE_NEAR, .relative = 0.25, .absolute = 0.5};
    assert_int_equal(differing(rel, 10.0f, 8.0), 0);
    assert_int_equal(differing(rel, 6.0f, 8.0), 0);
    assert_int_equal(differing(rel, nextafterf(10.0f, 11), 8.0), 1);
    assert_int_equal(differing(rel, -8.0f, 8.0), 1);
    assert_int_equal(differing(rel, 1e-30f, 0.0), 1);
    assert_int_equal(differing(abs, -0.5f, 0.0), 0);
    assert_int_equal(differing(abs, nextafterf(8.5f, 9), 8.0), 1);
    assert_int_equal(differing(both, 10.5f, 8.0), 0);
    assert_int_equal(differing(both, nextafterf(10.5f, 11), 8.0), 1);
    double expected = 8;
    float actual = 11;
    assert_true(compare_f32(both, &actual, &expected, NULL, 1, 0).allowed == 2.5);
    /* what is no number, or out of the type's range, as with any rule */
    assert_int_equal(differing(both, INFINITY, 1e300), 0);
    assert_int_equal(differing(both, 3e38f, 1e300), 1);
    assert_int_equal(differing(both, INFINITY, 3e38), 1);
    assert_int_equal(differing(both, 3e38f, (double)INFINITY), 1);
}

static void nan_never_matches_a_number(void **state) {
    (void)state;
    const struct exercise_tolerance near = {.kind = TOLERANCE_NEAR, .relative = 0.5, .absolute = 9};
    const struct exercise_tolerance rules[] = {exact, two_ulp, dot, near};
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        assert_int_equal(differing(rules[i], NAN, 1.0), 1);
        assert_int_equal(differing(rules[i], NAN, 0.0), 1);
        assert_int_equal(differing(rules[i], NAN, (double)INFINITY), 1);
        assert_int_equal(differing(rules[i], 1.0f, (double)NAN), 1);
        assert_int_equal(differing(rules[i], NAN, (double)NAN), 0);
        assert_int_equal(differing(rules[i], -NAN, (double)NAN), 0);
    }
}

static void scratch_space_may_hold_anything(void **state) {
    (void)state;
    assert_int_equal(differing(scratch, 7.0f, 1.0), 0);
    assert_int_equal(differing(scratch, NAN, 1.0), 0);
}

static void infinity_matches_only_itself(void **state) {
    (void)state;
    const struct exercise_tolerance rules[] = {exact, two_ulp, dot};
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        assert_int_equal(differing(rules[i], INFINITY, (double)INFINITY), 0);
        assert_int_equal(differing(rules[i], -INFINITY, (double)INFINITY), 1);
        assert_int_equal(differing(rules[i], INFINITY, 3.4e38), 1);
        assert_int_equal(differing(rules[i], 3.4e38f, (double)INFINITY), 1);
        assert_int_equal(differing(rules[i], INFINITY, 1e39), 0); /* overflow of f32 */
    }
}

/* The largest float is one step away from infinity, and yet no overflow. */
static void overflow_is_not_the_largest_float(void **state) {
    (void)state;
    assert_int_equal(differing(two_ulp, 0x1.fffffep127f, 1e39), 1);
    assert_int_equal(differing(two_ulp, INFINITY, 0x1.fffffep127), 1);
}

static void ulp_counts_representable_values(void **state) {
    (void)state;
    float next = nextafterf(1.0f, 2), second = nextafterf(next, 2), third = nextafterf(second, 2);
    assert_int_equal(differing(two_ulp, next, 1.0), 0);
    assert_int_equal(differing(two_ulp, second, 1.0), 0);
    assert_int_equal(differing(two_ulp, third, 1.0), 1);
    float tiny = nextafterf(0, 1);
    assert_int_equal(differing(two_ulp, -tiny, (double)tiny), 0); /* across zero: two steps */
    assert_int_equal(differing(two_ulp, -2 * tiny, (double)tiny), 1);
}

static void dot_bound_is_length_times_roundoff_times_magnitude(void **state) {
    (void)state;
    double expected = 0, magnitude = 1;
    float inside = 4 * 0x1p-24f, outside = nextafterf(4 * 0x1p-24f, 1) + 0x1p-40f;
    assert_int_equal(compare_f32(dot, &inside, &expected, &magnitude, 1, 4).differing, 0);
    struct compare_result result = compare_f32(dot, &outside, &expected, &magnitude, 1, 4);
    assert_int_equal(result.differing, 1);
    assert_true(fabs(result.allowed - 0x1p-22) < 0x1p-48);
    struct exercise_tolerance doubled = dot;
    doubled.factor = 2;
    assert_int_equal(compare_f32(doubled, &outside, &expected, &magnitude, 1, 4).differing, 0);
}

static void infinite_magnitude_does_not_accept_anything(void **state) {
    (void)state;
    float actual[] = {5, 1};
    double expected[] = {1, 1}, magnitude[] = {(double)INFINITY, (double)NAN};
    assert_int_equal(compare_f32(dot, actual, expected, magnitude, 2, 4).differing, 1);
}

/* Jeannerod and Rump's bound, as a property: float sums in any order keep within it, and the same
 * sums with half-precision products do not. */
static void every_order_of_summation_is_within_the_bound(void **state) {
    (void)state;
    enum { TERMS = 64, ROUNDS = 2000 };
    struct random random;
    random_start(&random, 7, (const char *const[]){"orders", NULL});
    unsigned half_rejected = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double expected = 0, magnitude = 0;
        float products[TERMS], forward = 0, half = 0;
        for (unsigned i = 0; i < TERMS; i++) {
            float a = (float)(2 * random_unit(&random) - 1);
            float b = (float)(2 * random_unit(&random) - 1);
            products[i] = a * b;
            forward += a * b;
            half += (float)(_Float16)(a * b);
            expected += (double)a * (double)b;
            magnitude += fabs((double)a * (double)b);
        }
        for (unsigned stride = TERMS / 2; stride; stride /= 2)
            for (unsigned i = 0; i < stride; i++)
                products[i] += products[i + stride];
        assert_int_equal(compare_f32(dot, &forward, &expected, &magnitude, 1, TERMS).differing, 0);
        assert_int_equal(compare_f32(dot, products, &expected, &magnitude, 1, TERMS).differing, 0);
        half_rejected +=
            (unsigned)compare_f32(dot, &half, &expected, &magnitude, 1, TERMS).differing;
    }
    assert_true(half_rejected > ROUNDS * 9 / 10);
}

/* As many digits as half precision and TF32 have: nearest, or cut off. */
static float with_11_bits(float value, bool nearest) {
    int exponent;
    double scaled = ldexp(frexp((double)value, &exponent), 11);
    return (float)ldexp(nearest ? nearbyint(scaled) : trunc(scaled), exponent - 11);
}

enum way { IN_SEQUENCE, FUSED, BY_TREE, COMPENSATED, OF_HALVES, OF_TF32, WAYS };

static void sum_all_ways(const float *a, const float *b, unsigned count, float sums[WAYS]) {
    float *products = mem_calloc(count, sizeof *products), lost = 0;
    for (unsigned i = 0; i < count; i++) {
        products[i] = a[i] * b[i];
        sums[IN_SEQUENCE] += products[i];
        sums[FUSED] = fmaf(a[i], b[i], sums[FUSED]);
        float term = products[i] - lost, next = sums[COMPENSATED] + term;
        lost = (next - sums[COMPENSATED]) - term;
        sums[COMPENSATED] = next;
        sums[OF_HALVES] = fmaf(with_11_bits(a[i], true), with_11_bits(b[i], true), sums[OF_HALVES]);
        sums[OF_TF32] = fmaf(with_11_bits(a[i], false), with_11_bits(b[i], false), sums[OF_TF32]);
    }
    for (unsigned stride = count / 2; stride; stride /= 2)
        for (unsigned i = 0; i < stride; i++)
            products[i] += products[i + stride];
    sums[BY_TREE] = products[0];
    free(products);
}

/* The sizes of the exercises, data around zero as they have it and data of one sign: of 200 sums,
 * as many as a corner of a matrix has, the probable bound refuses no honest one. */
static void long_sums_of_rounded_factors_are_refused(void **state) {
    (void)state;
    static const struct {
        unsigned count;
        double low;
    } rows[] = {{256, -1}, {2048, -1}, {4096, -1}, {16384, -1}, {256, 0}, {2048, 0}, {4096, 0}};
    enum { SUMS = 200 };
    for (size_t row = 0; row < ARRAY_LENGTH(rows); row++) {
        unsigned count = rows[row].count, refused[WAYS] = {0}, refused_by_any[WAYS] = {0};
        float *a = mem_calloc(count, sizeof *a), *b = mem_calloc(count, sizeof *b);
        struct random random;
        random_start(&random, row, (const char *const[]){"drawn", NULL});
        for (unsigned i = 0; i < SUMS; i++) {
            double r = 0, m = 0;
            float sums[WAYS] = {0};
            for (unsigned j = 0; j < count; j++) {
                a[j] = (float)(rows[row].low + (1 - rows[row].low) * random_unit(&random));
                b[j] = (float)(rows[row].low + (1 - rows[row].low) * random_unit(&random));
                r += (double)a[j] * (double)b[j];
                m += fabs((double)a[j] * (double)b[j]);
            }
            sum_all_ways(a, b, count, sums);
            for (unsigned way = 0; way < WAYS; way++) {
                struct compare_request request = {.type = ELEMENT_f32,
                                                  .actual = &sums[way],
                                                  .expected = &r,
                                                  .magnitude = &m,
                                                  .count = 1,
                                                  .tolerance = &dot,
                                                  .length = count};
                refused_by_any[way] += (unsigned)compare_elements(&request).differing;
                request.drawn = true;
                refused[way] += (unsigned)compare_elements(&request).differing;
            }
        }
        for (unsigned way = 0; way < OF_HALVES; way++)
            assert_int_equal(refused[way], 0);
        assert_true(refused[OF_TF32] > SUMS / 2);
        if (rows[row].low < 0)
            assert_true(refused[OF_HALVES] > SUMS / 8);
        if (count >= 2048 && rows[row].low < 0)
            assert_int_equal(refused_by_any[OF_HALVES] + refused_by_any[OF_TF32], 0);
        free(a);
        free(b);
    }
}

/* What rounding could do to the terms is not asked of terms that were not drawn, or of too many. */
static void the_probable_bound_has_its_place(void **state) {
    (void)state;
    double r = 0, m = 1;
    float off = 100 * 0x1p-24f;
    struct compare_request request = {.type = ELEMENT_f32,
                                      .actual = &off,
                                      .expected = &r,
                                      .magnitude = &m,
                                      .count = 1,
                                      .tolerance = &dot,
                                      .length = 128};
    assert_int_equal(compare_elements(&request).differing, 0);
    request.drawn = true;
    struct compare_result found = compare_elements(&request);
    assert_true(found.differing == 1 && found.first_is_coarse);
    assert_true(fabs(found.allowed - 32 * 0x1p-24) < 0x1p-40);
    request.length = (1 << 18) + 1;
    assert_int_equal(compare_elements(&request).differing, 0);
    request.length = 16; /* where the bound of any rounding is the smaller one */
    found = compare_elements(&request);
    assert_true(found.differing == 1 && !found.first_is_coarse);
    assert_true(fabs(found.allowed - 16 * 0x1p-24) < 0x1p-40);
}

static void first_difference_and_counts_are_reported(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    float *actual = mem_calloc(COUNT, sizeof *actual);
    double *expected = mem_calloc(COUNT, sizeof *expected);
    for (unsigned i = 0; i < COUNT; i++) {
        actual[i] = (float)i;
        expected[i] = i;
    }
    uint32_t poison = 0x7ea5a5a5;
    memcpy(&actual[3000], &poison, 4);
    memcpy(&actual[3001], &poison, 4);
    actual[4999] = 1;
    struct compare_result result = compare_f32(exact, actual, expected, NULL, COUNT, 0);
    assert_int_equal(result.differing, 3);
    assert_int_equal(result.unwritten, 2);
    assert_int_equal(result.first, 3000);
    assert_true(result.first_unwritten);
    assert_true(result.expected == 3000);
    free(actual);
    free(expected);
}

/* y[0] was written: the kernel writes the poison there, whatever stood in it. */
static void value_that_equals_the_poison_was_written(void **state) {
    (void)state;
    const uint8_t actual[] = {0xa5, 0xa5, 0xa5, 7}, again[] = {0xa5, 0x5a, 0x5a, 7};
    const uint8_t expected[] = {0, 0, 0xa5, 7};
    struct compare_request request = {.type = ELEMENT_u8,
                                      .actual = actual,
                                      .expected = expected,
                                      .count = 4,
                                      .tolerance = &exact,
                                      .poison = 0xa5,
                                      .has_poison = true,
                                      .again = again,
                                      .other_poison = 0x5a};
    struct compare_result result = compare_elements(&request);
    assert_int_equal(result.differing, 3); /* y[2] would be right if it had been written */
    assert_int_equal(result.unwritten, 2);
    assert_false(result.first_unwritten);
    request.again = NULL;
    assert_int_equal(compare_elements(&request).unwritten, 2);
}

static void integers_are_compared_exactly_whatever_the_rule(void **state) {
    (void)state;
    int32_t actual[] = {1, -2, 3}, expected[] = {1, -2, 4};
    struct compare_request request = {.type = ELEMENT_i32,
                                      .actual = actual,
                                      .expected = expected,
                                      .count = 3,
                                      .tolerance = &two_ulp};
    struct compare_result result = compare_elements(&request);
    assert_int_equal(result.differing, 1);
    assert_int_equal(result.first, 2);
    assert_true(result.expected == 4 && result.actual == 3 && result.allowed == 0);
}

static void large_integers_differ_by_one(void **state) {
    (void)state;
    uint64_t actual = (1ull << 60) + 1, expected = 1ull << 60; /* equal as doubles */
    struct compare_request request = {.type = ELEMENT_u64,
                                      .actual = &actual,
                                      .expected = &expected,
                                      .count = 1,
                                      .tolerance = &exact};
    assert_int_equal(compare_elements(&request).differing, 1);
}

static void half_and_double_have_their_own_roundoff(void **state) {
    (void)state;
    double expected = 1, magnitude = 1;
    _Float16 half = (_Float16)(1 + 0x1p-10f);
    double wide = 1 + 0x1p-52;
    struct compare_request request = {.type = ELEMENT_f16,
                                      .actual = &half,
                                      .expected = &expected,
                                      .magnitude = &magnitude,
                                      .count = 1,
                                      .tolerance = &dot,
                                      .length = 2};
    assert_int_equal(compare_elements(&request).differing, 0);
    request.length = 1;
    assert_int_equal(compare_elements(&request).differing, 1);
    request.type = ELEMENT_f64;
    request.actual = &wide;
    assert_int_equal(compare_elements(&request).differing, 0); /* reference's rounding included */
    wide = 1 + 0x1p-51;
    assert_int_equal(compare_elements(&request).differing, 1);
}

static void empty_output_is_right(void **state) {
    (void)state;
    float actual = 1;
    double expected = 2;
    assert_int_equal(compare_f32(exact, &actual, &expected, NULL, 0, 0).differing, 0);
}

/* As by one thread: counts, the first one and what stands there, wherever it is. */
static void many_elements_are_compared_by_several_threads(void **state) {
    (void)state;
    enum { MANY = 5000003 };
    static const uint64_t places[][3] = {{3, 4, MANY - 1},
                                         {MANY / 2, MANY / 2 + 1, MANY - 7},
                                         {MANY - 2, MANY - 2, MANY - 2},
                                         {1249999, 1250304, 4000000}};
    cleanup_free float *actual = mem_zalloc(MANY * sizeof *actual);
    cleanup_free double *expected = mem_zalloc(MANY * sizeof *expected);
    cleanup_free double *magnitude = mem_zalloc(MANY * sizeof *magnitude);
    struct compare_request request = {.type = ELEMENT_f32,
                                      .actual = actual,
                                      .expected = expected,
                                      .magnitude = magnitude,
                                      .count = MANY,
                                      .tolerance = &dot,
                                      .length = 2,
                                      .poison = 0xbf800000, /* -1 */
                                      .has_poison = true};
    for (uint64_t i = 0; i < MANY; i++)
        magnitude[i] = expected[i] = (double)(actual[i] = (float)(i + 1));
    assert_int_equal(compare_many(&request).differing, 0);
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        for (size_t j = 0; j < 3; j++)
            actual[places[i][j]] = -1;
        struct compare_result one = compare_elements(&request), many = compare_many(&request);
        assert_int_equal(many.differing, i == 2 ? 1 : 3);
        assert_int_equal(many.first, places[i][0]);
        assert_int_equal(many.differing, one.differing);
        assert_int_equal(many.unwritten, many.differing);
        assert_true(many.first_unwritten);
        assert_int_equal(many.first, one.first);
        assert_true(many.expected == one.expected && many.allowed == one.allowed);
        for (size_t j = 0; j < 3; j++)
            actual[places[i][j]] = (float)(places[i][j] + 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_accepts_the_rounded_double_only),
        cmocka_unit_test(near_adds_the_share_and_the_difference),
        cmocka_unit_test(nan_never_matches_a_number),
        cmocka_unit_test(infinity_matches_only_itself),
        cmocka_unit_test(overflow_is_not_the_largest_float),
        cmocka_unit_test(ulp_counts_representable_values),
        cmocka_unit_test(dot_bound_is_length_times_roundoff_times_magnitude),
        cmocka_unit_test(infinite_magnitude_does_not_accept_anything),
        cmocka_unit_test(every_order_of_summation_is_within_the_bound),
        cmocka_unit_test(long_sums_of_rounded_factors_are_refused),
        cmocka_unit_test(the_probable_bound_has_its_place),
        cmocka_unit_test(first_difference_and_counts_are_reported),
        cmocka_unit_test(value_that_equals_the_poison_was_written),
        cmocka_unit_test(integers_are_compared_exactly_whatever_the_rule),
        cmocka_unit_test(large_integers_differ_by_one),
        cmocka_unit_test(half_and_double_have_their_own_roundoff),
        cmocka_unit_test(empty_output_is_right),
        cmocka_unit_test(scratch_space_may_hold_anything),
        cmocka_unit_test(many_elements_are_compared_by_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

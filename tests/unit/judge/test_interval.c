/* Medians and their intervals: known ranks, coverage by simulation, and empty or broken samples. */
#include "grader/judge/interval.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 2000 };

/* The samples 1 .. n in another order: the bounds are then the ranks themselves. */
static struct interval of_ranks(size_t n) {
    double samples[MOST];
    for (size_t i = 0; i < n; i++)
        samples[i] = (double)(i * 7 % n) + 1;
    assert_true(n % 7 != 0);
    return interval_of(samples, n);
}

/* Conover, "Practical Nonparametric Statistics", the sign test's confidence interval of a median:
 * the ranks of 95 % for small n. */
static const struct {
    size_t n;
    double low, high;
} ranks[] = {
    {6, 1, 6},    {8, 1, 8},     {9, 2, 8},        {10, 2, 9},  {11, 2, 10},
    {12, 3, 10},  {15, 4, 12},   {20, 6, 15},      {25, 8, 18}, {30, 10, 21},
    {50, 18, 33}, {100, 40, 61}, {1000, 469, 532},
};

static void ranks_are_the_sign_tests(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(ranks); i++) {
        struct interval found = of_ranks(ranks[i].n);
        assert_true(found.bounded);
        assert_int_equal(found.count, ranks[i].n);
        assert_true(found.low == ranks[i].low && found.high == ranks[i].high);
        assert_true(found.median == 0.5 * (1 + (double)ranks[i].n));
    }
}

static void too_few_samples_have_no_bounds(void **state) {
    (void)state;
    for (size_t n = 1; n < 6; n++) {
        struct interval found = of_ranks(n);
        assert_false(found.bounded);
        assert_true(found.low == 1 && found.high == (double)n);
        assert_true(isinf(interval_width(&found)));
    }
    struct interval none = interval_of(NULL, 0);
    assert_int_equal(none.count, 0);
    assert_true(none.median == 0 && isinf(interval_width(&none)));
}

/* Exponential times with the median ln 2, as lopsided as launches are: at least 95 of 100 intervals
 * hold it; the bound below leaves three standard deviations of 2000 trials. */
static void intervals_hold_the_median(void **state) {
    (void)state;
    size_t held = 0, trials = 2000;
    for (size_t trial = 0; trial < trials; trial++) {
        double samples[23];
        for (size_t i = 0; i < ARRAY_LENGTH(samples); i++)
            samples[i] = -log(1 - (double)(mix_word(trial, i + 1) >> 11) * 0x1p-53);
        struct interval found = interval_of(samples, ARRAY_LENGTH(samples));
        held += found.low <= log(2) && log(2) <= found.high;
    }
    assert_true((double)held / (double)trials > 0.935);
    assert_true(held < trials);
}

/* What slows a whole round down is in both times, and not in their quotient. */
static void ratios_are_those_of_pairs(void **state) {
    (void)state;
    double ours[40], theirs[40];
    for (size_t i = 0; i < 40; i++) {
        theirs[i] = i % 3 ? 1.0 : 5.0;
        ours[i] = 2 * theirs[i];
    }
    ours[7] = 1000; /* one outlier moves nothing */
    struct interval found = interval_of_ratio(ours, theirs, 40);
    assert_true(found.median == 2 && found.low == 2 && found.high == 2);
    assert_true(interval_width(&found) == 0);
    theirs[0] = 0;
    theirs[1] = NAN;
    found = interval_of_ratio(ours, theirs, 40);
    assert_int_equal(found.count, 38);
    found = interval_of_ratio(ours, (double[]){0, 0}, 2);
    assert_int_equal(found.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_the_sign_tests),
        cmocka_unit_test(too_few_samples_have_no_bounds),
        cmocka_unit_test(intervals_hold_the_median),
        cmocka_unit_test(ratios_are_those_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Measuring with launches that only say how long they took: order, rounds, when it ends, what is
 * rejected. */
#include "grader/grade/measure/measure.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_LAUNCHES = 4 * 400 };

static const char names[] = "strb"; /* in the order of the enum */

struct stage {
    double ms[MEASURE_COUNT];         /* of each launch ... */
    double scatter;                   /* ... times 1 to 1 + scatter, drawn again ... */
    double drift;                     /* ... and in each round so much more, for all alike */
    double slow_warm_up;              /* factor of the submission's first two rounds */
    unsigned fail_launch, fail_round; /* where it ends; 0: it does not */
    uint64_t seed;
    double now;
    char order[MOST_LAUNCHES + 1];
    unsigned launches, judged;
};

static enum status launch(void *context, unsigned round, enum measure_contestant who, double *ms,
                          struct error *error) {
    struct stage *stage = context;
    assert_int_equal(stage->judged, round); /* each round is judged before the next begins */
    assert_true(stage->launches < MOST_LAUNCHES);
    stage->order[stage->launches++] = names[who];
    double unit = (double)(mix_word(77 + stage->seed, stage->launches) >> 11) * 0x1p-53;
    *ms = stage->ms[who] * (1 + stage->scatter * unit) * (1 + stage->drift * round);
    if (round < 2 && who == MEASURE_SUBMISSION && stage->slow_warm_up > 0)
        *ms *= stage->slow_warm_up;
    stage->now += *ms;
    if (stage->launches == stage->fail_launch)
        return error_set(error, STATUS_ENVIRONMENT, "the card is gone");
    return STATUS_OK;
}

static enum status judge(void *context, unsigned round, struct error *error) {
    struct stage *stage = context;
    stage->judged++;
    return stage->fail_round && round + 1 == stage->fail_round
               ? error_set(error, STATUS_BELOW_MARK, "a wrong result")
               : STATUS_OK;
}

static double now_ms(void *context) {
    return ((struct stage *)context)->now;
}

static struct measure_rules rules_of(bool reference, bool baseline) {
    struct measure_rules rules = measure_default_rules(1234);
    rules.present[MEASURE_REFERENCE] = reference;
    rules.present[MEASURE_BASELINE] = baseline;
    return rules;
}

static enum status play(struct stage *stage, const struct measure_rules *rules,
                        struct measure_samples *samples) {
    struct error error = {0};
    struct measure_player player = {launch, judge, now_ms, stage};
    return measure_run(rules, &player, samples, &error);
}

/* Steady kernels are measured the least number of rounds, and what drifts takes no part. */
static void steady_ratios_settle_at_once(void **state) {
    (void)state;
    struct stage stage = {.ms = {2, 1, 8, 0.5}, .drift = 0.03, .scatter = 0.002};
    struct measure_rules rules = rules_of(true, true);
    struct measure_samples samples;
    assert_int_equal(play(&stage, &rules, &samples), STATUS_OK);
    assert_int_equal(samples.rounds, rules.least_rounds);
    assert_true(samples.settled);
    assert_int_equal(stage.launches, 4 * (rules.least_rounds + rules.warm_rounds));
    struct interval tuned = measure_ratio(&samples, MEASURE_TUNED);
    struct interval reference = measure_ratio(&samples, MEASURE_REFERENCE);
    struct interval baseline = measure_ratio(&samples, MEASURE_BASELINE);
    assert_true(fabs(tuned.median - 2) < 0.01 && interval_width(&tuned) <= 0.01);
    assert_true(fabs(reference.median - 0.25) < 0.01 && fabs(baseline.median - 4) < 0.02);
    struct interval time = measure_time(&samples, MEASURE_SUBMISSION);
    assert_true(time.high / time.low > 1.1); /* the times themselves drifted */
    measure_samples_free(&samples);
}

/* Scattered ones more often, up to the most rounds or the budget of time. */
static void scattered_ratios_take_more_rounds(void **state) {
    (void)state;
    struct stage stage = {.ms = {0.2, 0.1}, .scatter = 0.05};
    struct measure_rules rules = rules_of(false, false);
    struct measure_samples samples;
    assert_int_equal(play(&stage, &rules, &samples), STATUS_OK);
    assert_true(samples.settled && samples.rounds > rules.least_rounds);
    assert_true(samples.rounds < rules.most_rounds);
    size_t some = samples.rounds;
    measure_samples_free(&samples);
    stage = (struct stage){.ms = {0.2, 0.1}, .scatter = 2};
    assert_int_equal(play(&stage, &rules, &samples), STATUS_OK);
    assert_false(samples.settled);
    assert_true(samples.rounds == rules.most_rounds && some < samples.rounds);
    measure_samples_free(&samples);
    stage = (struct stage){.ms = {100, 100}, .scatter = 2};
    assert_int_equal(play(&stage, &rules, &samples), STATUS_OK);
    assert_false(samples.settled);
    assert_true(samples.rounds >= rules.least_rounds && samples.rounds < rules.most_rounds);
    assert_true(stage.now < 2 * 1000 * rules.seconds + 6 * 600);
    measure_samples_free(&samples);
    stage = (struct stage){.ms = {3000, 3000}, .scatter = 2};
    assert_int_equal(play(&stage, &rules, &samples), STATUS_OK);
    assert_int_equal(samples.rounds, rules.least_rounds); /* never fewer */
    measure_samples_free(&samples);
}

/* Looking again and again, and stopping when the interval is narrow, could make it one that misses
 * more often than it says: among 1000 measurements of each scatter it does not. */
static void intervals_hold_the_true_ratio_wherever_measuring_ends(void **state) {
    (void)state;
    static const double scatters[] = {0.004, 0.015, 0.03, 0.06, 0.3};
    enum { MEASUREMENTS = 1000 };
    for (size_t i = 0; i < ARRAY_LENGTH(scatters); i++) {
        unsigned held = 0;
        double bias = 0;
        for (unsigned j = 0; j < MEASUREMENTS; j++) {
            struct stage stage = {
                .ms = {1.5, 1}, .scatter = scatters[i], .drift = 0.01, .seed = 1000 * i + j};
            struct measure_rules rules = rules_of(false, false);
            struct measure_samples samples;
            assert_int_equal(play(&stage, &rules, &samples), STATUS_OK);
            struct interval ratio = measure_ratio(&samples, MEASURE_TUNED);
            held += ratio.low <= 1.5 && 1.5 <= ratio.high;
            bias += (ratio.median / 1.5 - 1) / MEASUREMENTS;
            measure_samples_free(&samples);
        }
        if (held < MEASUREMENTS * 92 / 100)
            fail_msg("%u of %d at a scatter of %g", held, MEASUREMENTS, scatters[i]);
        assert_true(fabs(bias) < 0.002);
    }
}

/* A submission that dawdles in its first launches is measured as often as before. */
static void a_slow_warm_up_changes_nothing(void **state) {
    (void)state;
    struct measure_rules rules = rules_of(true, false);
    struct measure_samples samples[2];
    for (unsigned i = 0; i < 2; i++) {
        struct stage stage = {.ms = {1, 1, 1}, .scatter = 0.04, .slow_warm_up = i ? 5000 : 1};
        assert_int_equal(play(&stage, &rules, &samples[i]), STATUS_OK);
    }
    assert_int_equal(samples[0].rounds, samples[1].rounds);
    struct interval slow = measure_time(&samples[1], MEASURE_SUBMISSION);
    assert_true(slow.high < 2);
    measure_samples_free(&samples[0]);
    measure_samples_free(&samples[1]);
}

/* Every kernel runs once a round, in all orders, which the seed chooses. */
static void orders_are_drawn_anew(void **state) {
    (void)state;
    struct stage stages[2] = {{.ms = {1, 1, 1, 1}, .scatter = 3},
                              {.ms = {1, 1, 1, 1}, .scatter = 3}};
    for (unsigned i = 0; i < 2; i++) {
        struct measure_rules rules = rules_of(true, true);
        struct measure_samples samples;
        rules.seed += i;
        assert_int_equal(play(&stages[i], &rules, &samples), STATUS_OK);
        measure_samples_free(&samples);
    }
    unsigned first[4] = {0};
    for (unsigned at = 0; at < stages[0].launches; at += 4) {
        unsigned seen = 0;
        for (unsigned i = 0; i < 4; i++)
            seen |= 1u << (strchr(names, stages[0].order[at + i]) - names);
        assert_int_equal(seen, 15);
        first[strchr(names, stages[0].order[at]) - names]++;
    }
    for (unsigned i = 0; i < 4; i++)
        assert_true(first[i] > 30); /* of 203 rounds, 51 expected, deviation 6.2 */
    assert_string_not_equal(stages[0].order, stages[1].order);
}

/* What was measured until then stays. */
static void an_end_keeps_whole_rounds(void **state) {
    (void)state;
    struct measure_rules rules = rules_of(true, false);
    struct measure_samples samples;
    struct stage stage = {.ms = {1, 1, 1}, .scatter = 1, .fail_launch = 3 * 7 + 2};
    assert_int_equal(play(&stage, &rules, &samples), STATUS_ENVIRONMENT);
    assert_int_equal(samples.rounds, 5);
    assert_int_equal(stage.judged, 7);
    measure_samples_free(&samples);
    stage = (struct stage){.ms = {1, 1, 1}, .scatter = 1, .fail_round = 1};
    assert_int_equal(play(&stage, &rules, &samples), STATUS_BELOW_MARK);
    assert_int_equal(samples.rounds, 0);
    struct interval none = measure_ratio(&samples, MEASURE_TUNED);
    assert_int_equal(none.count, 0);
    none = measure_ratio(&samples, MEASURE_BASELINE);
    assert_int_equal(none.count, 0);
    none = measure_time(&samples, MEASURE_BASELINE);
    assert_int_equal(none.count, 0);
    measure_samples_free(&samples);
}

/* An H200 copies at 4.3 TB/s and has 50 MiB of L2. */
static void floors_follow_from_bytes_and_operations(void **state) {
    (void)state;
    struct measure_work work = {.bytes = 4.3e9,
                                .written_bytes = 1e9,
                                .l2_bytes = 50 << 20,
                                .bytes_per_second = 4.3e12,
                                .flops_per_second = 67e12};
    assert_true(fabs(measure_roof_ms(&work) - 1) < 1e-9);
    double floor = measure_floor_ms(&work);
    assert_true(floor < 1 / 1.1 && floor > 0.8);
    /* outputs that fit into the L2 need not have been written out */
    work.bytes = work.written_bytes = 40 << 20;
    assert_true(measure_floor_ms(&work) == 0 && measure_roof_ms(&work) > 0);
    work.flops = 67e12;
    assert_true(fabs(measure_roof_ms(&work) - 1000) < 1e-6);
    assert_true(measure_floor_ms(&work) > 970 && measure_floor_ms(&work) < 1000);
    work.flops_per_second = work.bytes_per_second = 0; /* nothing is known of the card */
    assert_true(measure_floor_ms(&work) == 0 && measure_roof_ms(&work) == 0);
    /* the datasheets' figures: 67 and 34 TFLOP/s of an H200, 8.1 of a T4 */
    assert_true(fabs(measure_peak_flops(9, 0, 132, 1.98e9, false) / 66.9e12 - 1) < 0.01);
    assert_true(fabs(measure_peak_flops(9, 0, 132, 1.98e9, true) / 33.5e12 - 1) < 0.01);
    assert_true(fabs(measure_peak_flops(7, 5, 40, 1.59e9, false) / 8.1e12 - 1) < 0.01);
    assert_true(measure_peak_flops(3, 5, 13, 1e9, false) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_ratios_settle_at_once),
        cmocka_unit_test(scattered_ratios_take_more_rounds),
        cmocka_unit_test(intervals_hold_the_true_ratio_wherever_measuring_ends),
        cmocka_unit_test(a_slow_warm_up_changes_nothing),
        cmocka_unit_test(orders_are_drawn_anew),
        cmocka_unit_test(an_end_keeps_whole_rounds),
        cmocka_unit_test(floors_follow_from_bytes_and_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

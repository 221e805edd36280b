/* Thresholds: which tier is reached, who may decide, where the rest is lost. */
#include "grader/exercise/threshold.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_TIERS = 4 };

/* Bounds and points, easiest first; a row without points ends them. */
struct tier {
    const char *bound;
    double points;
};

struct fixture {
    struct exercise_threshold threshold;
    struct exercise_tier tiers[MAX_TIERS];
};

static void make(struct fixture *fixture, const char *metric, bool at_least,
                 const struct tier *tiers) {
    *fixture = (struct fixture){.threshold = {.at_least = at_least, .tiers = fixture->tiers}};
    struct exercise_threshold *threshold = &fixture->threshold;
    threshold->name[LANGUAGE_EN] = mem_strdup("what is looked at");
    assert_int_equal(expr_parse_real(metric, &threshold->metric, NULL), STATUS_OK);
    for (; threshold->tier_count < MAX_TIERS && tiers[threshold->tier_count].bound;
         threshold->tier_count++) {
        size_t i = threshold->tier_count;
        assert_int_equal(expr_parse_real(tiers[i].bound, &fixture->tiers[i].bound, NULL),
                         STATUS_OK);
        fixture->tiers[i].points = tiers[i].points;
    }
}

static void drop(struct fixture *fixture, struct report_threshold *result) {
    free(fixture->threshold.name[LANGUAGE_EN]);
    expr_free(fixture->threshold.metric);
    for (size_t i = 0; i < fixture->threshold.tier_count; i++)
        expr_free(fixture->tiers[i].bound);
    struct report_speed speed = {.thresholds = mem_dup(result, sizeof *result),
                                 .threshold_count = 1};
    report_speed_free(&speed);
}

/* 32 sectors per request at line 14, 4 at line 12; conflicts at line 20 only. */
static const struct line_counters lines[] = {
    {.file = "k.cu",
     .line = 12,
     .counters = {.warp_instructions = 3000,
                  .global_load_requests = 1000,
                  .global_load_sectors = 4000,
                  .global_load_ideal_sectors = 4000},
     .modelled_ms = 0.2},
    {.file = "k.cu",
     .line = 14,
     .counters = {.warp_instructions = 1000,
                  .global_load_requests = 1000,
                  .global_load_sectors = 32000,
                  .global_load_ideal_sectors = 4000},
     .modelled_ms = 0.7},
    {.file = "k.cu",
     .line = 20,
     .counters = {.warp_instructions = 500,
                  .shared_load_requests = 500,
                  .shared_load_wavefronts = 2500,
                  .shared_bank_conflicts = 2000},
     .modelled_ms = 0.1},
    {.file = "other.h",
     .line = 1,
     .counters = {.warp_instructions = 500,
                  .global_load_requests = 2000,
                  .global_load_sectors = 64000,
                  .global_load_ideal_sectors = 2000},
     .modelled_ms = 5},
};
static struct counters total, tuned_total = {.global_load_sectors = 10000};

static struct threshold_facts facts(void) {
    static const struct expr_name names[] = {{"n", 1024}, {"TILE", 16}};
    memset(&total, 0, sizeof total);
    for (size_t i = 0; i < ARRAY_LENGTH(lines); i++)
        for (size_t j = 0; j < COUNTER_COUNT; j++)
            *counter_at(&total, j) += counter_value(&lines[i].counters, j);
    return (struct threshold_facts){
        .submission = {.counters = &total, .time_ms = 1.0, .registers = 32, .occupancy = 0.75},
        .tuned = {.counters = &tuned_total, .time_ms = 0.25, .registers = 40, .occupancy = 0.5},
        .names = names,
        .name_count = ARRAY_LENGTH(names),
        .lines = lines,
        .line_count = ARRAY_LENGTH(lines),
        .file = "k.cu"};
}

struct row {
    const char *metric;
    bool at_least;
    struct tier tiers[MAX_TIERS];
    enum report_threshold_state state;
    double value, target, score;
    unsigned line;
};

static const struct row rows[] = {
    /* the time, and that it is labelled */
    {"ratio_to_tuned", false, {{"8", 2}, {"4", 5}, {"2", 9}}, THRESHOLD_PART, 4, 2, 5, 14},
    {"ratio_to_tuned", false, {{"4", 5}}, THRESHOLD_MET, 4, 4, 5, 0},
    {"ratio_to_tuned", false, {{"3.39", 5}}, THRESHOLD_MISSED, 4, 3.39, 0, 14},
    {"time_ms / tuned_time_ms", false, {{"3", 5}}, THRESHOLD_MISSED, 4, 3, 0, 14},
    /* counters, metrics, sizes, constants; the line that another file has more of is not ours */
    {"global_load_sectors_per_request", false, {{"4.5", 5}}, THRESHOLD_MISSED, 25, 4.5, 0, 14},
    {"global_load_sectors",
     false,
     {{"10.1 * tuned_global_load_sectors", 5}},
     THRESHOLD_MET,
     100000,
     101000,
     5,
     0},
    {"global_load_sectors", false, {{"n * TILE", 5}}, THRESHOLD_MISSED, 100000, 16384, 0, 14},
    {"shared_bank_conflicts_per_request", false, {{"0.1", 5}}, THRESHOLD_MISSED, 4, 0.1, 0, 20},
    {"global_load_efficiency",
     true,
     {{"0.05", 1}, {"0.9", 5}},
     THRESHOLD_PART,
     10000.0 / 100000,
     0.9,
     1,
     14},
    /* the caches' counters are not known of lines: the costliest one */
    {"l2_sectors + 1", false, {{"0.5", 1}}, THRESHOLD_MISSED, 1, 0.5, 0, 14},
    /* of what the kernel does not do there is none */
    {"global_store_sectors_per_request", false, {{"4", 5}}, THRESHOLD_MET, 0, 4, 5, 0},
    {"registers_per_thread",
     false,
     {{"tuned_registers_per_thread", 1}},
     THRESHOLD_MET,
     32,
     40,
     1,
     0},
    {"theoretical_occupancy", true, {{"0.75", 1}}, THRESHOLD_MET, 0.75, 0.75, 1, 0},
    /* a decimal fraction is no exact double */
    {"0.1 + 0.2", false, {{"0.3", 1}}, THRESHOLD_MET, 0.1 + 0.2, 0.3, 1, 0},
    /* a hole between tiers: what lies after it was not reached */
    {"ratio_to_tuned", false, {{"8", 1}, {"n / 1024", 2}, {"7", 3}}, THRESHOLD_PART, 4, 1, 1, 14},
};

static void reaches_tiers(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        struct fixture fixture;
        struct report_threshold result;
        struct threshold_facts known = facts();
        make(&fixture, row->metric, row->at_least, row->tiers);
        threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
        if (result.state != row->state || result.score != row->score || result.line != row->line ||
            result.target != row->target || result.value < row->value * 0.999 ||
            result.value > row->value * 1.001)
            fail_msg("row %zu, %s: %s, value %g, target %g, score %g, line %u", i, row->metric,
                     report_threshold_states[result.state], result.value, result.target,
                     result.score, result.line);
        assert_int_equal(result.modelled,
                         strstr(row->metric, "ratio") || strstr(row->metric, "time"));
        assert_int_equal(result.why != NULL, row->line != 0);
        drop(&fixture, &result);
    }
}

/* A modelled ratio of 4 may be 3.4; what was counted in all blocks is exact. */
static void error_that_reaches_a_better_tier_gives_it(void **state) {
    (void)state;
    static const struct {
        const char *metric, *bound;
        double sample_error;
        bool at_least, met, in_doubt;
    } cases[] = {
        {"ratio_to_tuned", "4", 0, false, true, false},
        {"ratio_to_tuned", "3.41", 0, false, true, true},
        {"ratio_to_tuned", "3.39", 0, false, false, false},
        {"ratio_to_tuned", "2.5", 0.2, false, true, true},
        {"global_load_sectors", "99999", 0, false, false, false},
        {"global_load_sectors", "99999", 0.01, false, true, true},
        {"global_load_efficiency", "0.101", 0.01, true, true, true},
        {"global_load_efficiency", "0.103", 0.01, true, false, false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct fixture fixture;
        struct report_threshold result;
        struct threshold_facts known = facts();
        const struct tier tiers[MAX_TIERS] = {{cases[i].bound, 5}};
        known.sample_error = cases[i].sample_error;
        make(&fixture, cases[i].metric, cases[i].at_least, tiers);
        threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
        if ((result.state == THRESHOLD_MET) != cases[i].met || result.in_doubt != cases[i].in_doubt)
            fail_msg("case %zu: %s, error %g", i, report_threshold_states[result.state],
                     result.error);
        drop(&fixture, &result);
    }
}

static void says_why(void **state) {
    (void)state;
    struct fixture fixture;
    struct report_threshold result;
    struct threshold_facts known = facts();
    make(&fixture, "global_load_sectors_per_request", false, (struct tier[]){{"4.5", 5}, {0}});
    threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
    assert_string_equal(result.why, "line 14 reads 32 sectors per request, 4 would be enough");
    assert_non_null(strstr(result.hint, "neighbouring threads"));
    drop(&fixture, &result);
    make(&fixture, "shared_bank_conflicts", false, (struct tier[]){{"0", 5}, {0}});
    threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
    assert_string_equal(result.why, "line 20 has 4 bank conflicts in each shared-memory request");
    drop(&fixture, &result);
}

static void says_that_tensor_cores_are_idle(void **state) {
    (void)state;
    static const char *const metrics[] = {"ratio_to_tuned", "shared_bank_conflicts"};
    for (size_t i = 0; i < ARRAY_LENGTH(metrics); i++) {
        struct fixture fixture;
        struct report_threshold result;
        struct threshold_facts known = facts();
        struct counters tuned = *known.tuned.counters;
        tuned.matrix_instructions = 100;
        known.tuned.counters = &tuned;
        make(&fixture, metrics[i], false, (struct tier[]){{"0", 5}, {0}});
        threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
        assert_int_equal(strstr(result.why, "without the tensor cores") != NULL, i == 0);
        assert_int_equal(strstr(result.hint, "mma_sync") != NULL, i == 0);
        drop(&fixture, &result);
    }
}

static void the_exercises_hint_comes_first(void **state) {
    (void)state;
    struct fixture fixture;
    struct report_threshold result;
    struct threshold_facts known = facts();
    make(&fixture, "ratio_to_tuned", false, (struct tier[]){{"2", 5}, {0}});
    fixture.threshold.hint[LANGUAGE_EN] = (char *)"think of sectors";
    threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
    assert_string_equal(result.hint, "think of sectors");
    drop(&fixture, &result);
}

struct undecided_row {
    enum threshold_engine engine;
    bool measured;
    const char *metric;
    const char *why; /* NULL: decided */
};

static const struct undecided_row undecided_rows[] = {
    {THRESHOLD_ANY, false, "ratio_to_tuned", NULL},
    {THRESHOLD_SIM, false, "ratio_to_tuned", NULL},
    {THRESHOLD_CUDA, false, "ratio_to_tuned", "only a GPU may decide it"},
    {THRESHOLD_CUDA, true, "ratio_to_tuned", NULL},
    {THRESHOLD_SIM, true, "ratio_to_tuned", NULL},
    {THRESHOLD_ANY, false, "tuned_registers_per_thread", "tuned_registers_per_thread is not known"},
    {THRESHOLD_ANY, false, "ratio_to_reference", "ratio_to_reference is not known"},
    {THRESHOLD_SIM, true, "fraction_of_roof", "fraction_of_roof is not known"},
    {THRESHOLD_ANY, true, "ratio_to_reference", NULL},
    {THRESHOLD_ANY, true, "fraction_of_baseline", "fraction_of_baseline is not known"},
};

/* Without a baseline; the modelled ratio is 4, the measured one 3. */
static const struct report_measured on_card = {.present = true,
                                               .ratio_to_tuned = {true, 3, 2.9, 3.1},
                                               .ratio_to_reference = {true, 0.5, 0.4, 0.6},
                                               .tuned_ms = 2,
                                               .fraction_of_roof = 0.5};

static void undecided_counts_on_neither_side(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(undecided_rows); i++) {
        const struct undecided_row *row = &undecided_rows[i];
        struct fixture fixture;
        struct report_threshold result;
        struct threshold_facts known = facts();
        known.measured = row->measured ? &on_card : NULL;
        known.tuned.registers = 0;
        make(&fixture, row->metric, false, (struct tier[]){{"100", 5}, {0}});
        fixture.threshold.engine = row->engine;
        threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
        struct report_speed speed = {.thresholds = &result, .threshold_count = 1};
        double score, max_score;
        threshold_points(&speed, &score, &max_score);
        assert_int_equal(result.state == THRESHOLD_UNDECIDED, row->why != NULL);
        assert_true(max_score == (row->why ? 0 : 5));
        assert_int_equal(threshold_verdict(&speed), row->why ? VERDICT_SKIPPED : VERDICT_PASS);
        if (row->why)
            assert_non_null(strstr(result.why, row->why));
        drop(&fixture, &result);
    }
}

/* Both engines ran: times are the card's unless the threshold asks the simulated one, and the sizes
 * in them are those that were measured; counters stay what they are. */
static void a_card_decides_times_and_only_times(void **state) {
    (void)state;
    static const struct expr_name sizes[] = {{"n", 4096}};
    static const struct {
        enum threshold_engine engine;
        const char *metric;
        double value;
        bool measured, modelled;
    } questions[] = {
        {THRESHOLD_ANY, "ratio_to_tuned", 3, true, false},
        {THRESHOLD_SIM, "ratio_to_tuned", 4, false, true},
        {THRESHOLD_CUDA, "fraction_of_roof", 0.5, true, false},
        {THRESHOLD_ANY, "ratio_to_reference", 0.5, true, false},
        {THRESHOLD_ANY, "n / time_ms", 4096 / 6.0, true, false},
        {THRESHOLD_ANY, "time_ms - tuned_time_ms", 4, true, false},
        {THRESHOLD_ANY, "global_load_sectors_per_request", 25, false, false},
        {THRESHOLD_ANY, "n", 1024, false, false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(questions); i++) {
        struct fixture fixture;
        struct report_threshold result;
        struct threshold_facts known = facts();
        known.measured = &on_card;
        known.measured_ms = 6;
        known.measured_names = sizes;
        known.measured_name_count = ARRAY_LENGTH(sizes);
        make(&fixture, questions[i].metric, false, (struct tier[]){{"1e9", 5}, {0}});
        fixture.threshold.engine = questions[i].engine;
        threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
        assert_int_equal(result.state, THRESHOLD_MET);
        assert_true(result.value == questions[i].value);
        assert_int_equal(result.measured, questions[i].measured);
        assert_int_equal(result.modelled, questions[i].modelled);
        drop(&fixture, &result);
    }
}

/* A card alone counts nothing. */
static void without_the_simulated_gpu_counters_decide_nothing(void **state) {
    (void)state;
    static const struct {
        enum threshold_engine engine;
        const char *metric, *why;
    } questions[] = {
        {THRESHOLD_ANY, "ratio_to_tuned", NULL},
        {THRESHOLD_ANY, "dram_bytes", "dram_bytes is not known"},
        {THRESHOLD_SIM, "ratio_to_tuned", "only the simulated GPU"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(questions); i++) {
        struct fixture fixture;
        struct report_threshold result;
        struct threshold_facts known = {.measured = &on_card, .measured_ms = 6, .file = "k.cu"};
        make(&fixture, questions[i].metric, false, (struct tier[]){{"2", 5}, {0}});
        fixture.threshold.engine = questions[i].engine;
        threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
        assert_int_equal(result.state, questions[i].why ? THRESHOLD_UNDECIDED : THRESHOLD_MISSED);
        if (questions[i].why)
            assert_non_null(strstr(result.why, questions[i].why));
        drop(&fixture, &result);
    }
}

static void a_bound_without_end_decides_nothing(void **state) {
    (void)state;
    struct fixture fixture;
    struct report_threshold result;
    struct threshold_facts known = facts();
    make(&fixture, "warp_instructions", false, (struct tier[]){{"1 / constant_requests", 5}, {0}});
    threshold_decide(&fixture.threshold, &known, LANGUAGE_EN, &result);
    assert_int_equal(result.state, THRESHOLD_UNDECIDED);
    assert_non_null(strstr(result.why, "divides by what is 0"));
    drop(&fixture, &result);
}

/* "mpxu": met, part, missed, undecided; a capital one has no points. */
static enum verdict verdict_of(const char *states) {
    struct report_threshold thresholds[8] = {0};
    struct report_speed speed = {.thresholds = thresholds};
    for (; *states; states++) {
        struct report_threshold *threshold = &thresholds[speed.threshold_count++];
        char state = (char)(*states | 0x20);
        threshold->max_score = *states == state ? 5 : 0;
        threshold->state = state == 'm'   ? THRESHOLD_MET
                           : state == 'p' ? THRESHOLD_PART
                           : state == 'x' ? THRESHOLD_MISSED
                                          : THRESHOLD_UNDECIDED;
    }
    return threshold_verdict(&speed);
}

static void one_that_gives_nothing_is_too_slow(void **state) {
    (void)state;
    assert_int_equal(verdict_of("mm"), VERDICT_PASS);
    assert_int_equal(verdict_of("mp"), VERDICT_PASS);
    assert_int_equal(verdict_of("mpx"), VERDICT_TOO_SLOW);
    assert_int_equal(verdict_of("mX"), VERDICT_PASS);
    assert_int_equal(verdict_of("mu"), VERDICT_PASS);
    assert_int_equal(verdict_of("uu"), VERDICT_SKIPPED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_decides_times_and_only_times),
        cmocka_unit_test(without_the_simulated_gpu_counters_decide_nothing),
        cmocka_unit_test(a_bound_without_end_decides_nothing),
        cmocka_unit_test(reaches_tiers),
        cmocka_unit_test(error_that_reaches_a_better_tier_gives_it),
        cmocka_unit_test(says_why),
        cmocka_unit_test(says_that_tensor_cores_are_idle),
        cmocka_unit_test(the_exercises_hint_comes_first),
        cmocka_unit_test(undecided_counts_on_neither_side),
        cmocka_unit_test(one_that_gives_nothing_is_too_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

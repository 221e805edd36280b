/* See measure.h.
 *
 * Every contestant runs once a round, in an order drawn for that round, so that what changes with
 * time (clocks, heat, a neighbour) meets all of them alike and no kernel can tell which launch is
 * whose turn. A ratio is taken within a round and the median over the rounds.
 *
 * How many rounds there are follows from the ratio's interval, a budget of time, and two numbers;
 * never from how long the warm-up took, so that a kernel which dawdles there gains nothing by it.
 * The interval is looked at seldom and at fixed rounds: each look is a chance to stop on luck. */
#include "grader/grade/measure/measure.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <math.h>
#include <stdlib.h>

/* Fixed, so that times far above the budget still give an interval, and times far below it end. */
enum { WARM_ROUNDS = 2, LEAST_ROUNDS = 11, MOST_ROUNDS = 201 };
#define BUDGET_SECONDS 4.0
#define NARROW         0.01

struct measure_rules measure_default_rules(uint64_t seed) {
    return (struct measure_rules){.present = {[MEASURE_SUBMISSION] = true, [MEASURE_TUNED] = true},
                                  .seed = seed,
                                  .warm_rounds = WARM_ROUNDS,
                                  .least_rounds = LEAST_ROUNDS,
                                  .most_rounds = MOST_ROUNDS,
                                  .seconds = BUDGET_SECONDS,
                                  .width = NARROW};
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Fisher and Yates; the bias of a remainder of 64 bits by at most four is of no weight. */
static unsigned draw_order(const struct measure_rules *rules, unsigned round,
                           enum measure_contestant order[MEASURE_COUNT]) {
    unsigned count = 0;
    for (unsigned i = 0; i < MEASURE_COUNT; i++)
        if (rules->present[i])
            order[count++] = (enum measure_contestant)i;
    for (unsigned i = count; i > 1; i--) {
        unsigned j = (unsigned)(mix_word(rules->seed, (uint64_t)round * MEASURE_COUNT + i) % i);
        enum measure_contestant swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    return count;
}

static enum status play_round(const struct measure_rules *rules,
                              const struct measure_player *player, unsigned round,
                              double ms[MEASURE_COUNT], struct error *error) {
    enum measure_contestant order[MEASURE_COUNT];
    unsigned count = draw_order(rules, round, order);
    for (unsigned i = 0; i < count; i++) {
        enum status status = player->launch(player->context, round, order[i], &ms[order[i]], error);
        if (status != STATUS_OK)
            return status;
    }
    return player->judge(player->context, round, error);
}

/* Rounds after which the interval is looked at: the least, then each time a quarter more. */
static unsigned next_look(unsigned rounds) {
    return rounds + (rounds + 3) / 4;
}

static bool is_settled(const struct measure_rules *rules, const struct measure_samples *samples) {
    struct interval ratio = measure_ratio(samples, MEASURE_TUNED);
    return interval_width(&ratio) <= rules->width;
}

enum status measure_run(const struct measure_rules *rules, const struct measure_player *player,
                        struct measure_samples *samples, struct error *error) {
    *samples = (struct measure_samples){.rounds = 0};
    for (unsigned i = 0; i < MEASURE_COUNT; i++)
        if (rules->present[i])
            samples->ms[i] = mem_calloc(rules->most_rounds, sizeof *samples->ms[i]);
    double ms[MEASURE_COUNT] = {0}, start = 0;
    unsigned look = rules->least_rounds;
    for (unsigned round = 0; samples->rounds < rules->most_rounds; round++) {
        if (round == rules->warm_rounds)
            start = player->now_ms(player->context);
        enum status status = play_round(rules, player, round, ms, error);
        if (status != STATUS_OK)
            return status;
        if (round < rules->warm_rounds)
            continue;
        for (unsigned i = 0; i < MEASURE_COUNT; i++)
            if (samples->ms[i])
                samples->ms[i][samples->rounds] = ms[i];
        samples->rounds++;
        if (samples->rounds == look) {
            samples->settled = is_settled(rules, samples);
            look = next_look(look);
        }
        if (samples->settled || (samples->rounds >= rules->least_rounds &&
                                 player->now_ms(player->context) - start >= 1000 * rules->seconds))
            break;
    }
    return STATUS_OK;
}

void measure_samples_free(struct measure_samples *samples) {
    for (unsigned i = 0; i < MEASURE_COUNT; i++)
        free(samples->ms[i]);
    *samples = (struct measure_samples){.rounds = 0};
}

struct interval measure_ratio(const struct measure_samples *samples,
                              enum measure_contestant other) {
    if (!samples->ms[MEASURE_SUBMISSION] || !samples->ms[other])
        return (struct interval){.count = 0};
    return interval_of_ratio(samples->ms[MEASURE_SUBMISSION], samples->ms[other], samples->rounds);
}

struct interval measure_time(const struct measure_samples *samples, enum measure_contestant who) {
    return interval_of(samples->ms[who], samples->ms[who] ? samples->rounds : 0);
}

/* ---- what cannot be -------------------------------------------------------------------------- */

/* What the worker's clock may see of a launch beyond the events, beside what it sees of the tuned
 * kernel's: a part of the time itself, and what waking up takes on a busy machine. */
#define LATENESS_SHARE 0.5
#define LATENESS_MS    0.5

bool measure_is_late(double own_ms, double late_ms, double usual_ms) {
    return late_ms - fmax(usual_ms, 0) > LATENESS_MS + LATENESS_SHARE * own_ms;
}

/* A copy reads and writes in turns, which costs memory some of its bandwidth: on an H200 a product
 * of a matrix and a vector reads at 4.4 TB/s where a copy reaches 4.3. Operations cannot be beaten
 * at all, but the clock is known to a few kHz only. */
#define COPY_MARGIN  1.15
#define FLOPS_MARGIN 1.02

static double milliseconds(double amount, double per_second) {
    return per_second > 0 && amount > 0 ? 1000 * amount / per_second : 0;
}

double measure_roof_ms(const struct measure_work *work) {
    return fmax(milliseconds(work->bytes, work->bytes_per_second),
                milliseconds(work->flops, work->flops_per_second));
}

double measure_floor_ms(const struct measure_work *work) {
    double kept = fmin(work->written_bytes, work->l2_bytes);
    return fmax(milliseconds(work->bytes - kept, COPY_MARGIN * work->bytes_per_second),
                milliseconds(work->flops, FLOPS_MARGIN * work->flops_per_second));
}

/* Results a cycle and SM of 32- and 64-bit fused multiply-adds, by compute capability. */
static const struct throughput {
    unsigned major, minor, single_lanes, double_lanes;
} throughputs[] = {
    {7, 0, 64, 32}, {7, 2, 64, 32}, {7, 5, 64, 2},   {8, 0, 64, 32},   {8, 6, 128, 2},
    {8, 7, 128, 2}, {8, 9, 128, 2}, {9, 0, 128, 64}, {10, 0, 128, 64}, {12, 0, 128, 2},
};

double measure_peak_flops(unsigned major, unsigned minor, unsigned sms, double clock_hz,
                          bool is_double) {
    for (size_t i = 0; i < ARRAY_LENGTH(throughputs); i++) {
        const struct throughput *row = &throughputs[i];
        if (row->major == major && row->minor == minor)
            return 2.0 * (is_double ? row->double_lanes : row->single_lanes) * sms * clock_hz;
    }
    return 0;
}

/* A kernel of ours at any sizes, checked once and then timed: see grade_measure_row().
 *
 * The measuring of submissions (grade_measure.c) compares every output of every launch; of a
 * gigabyte that takes seconds. Here the first round does so, and the rounds after it leave their
 * outputs on the card. Builds, launches and comparisons are those of the measuring. */
#include "grader/grade/measure/grade_measure.h"

#include "grader/judge/judge.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/cuda/lock.h"

#include <stdlib.h>

enum { WARM_LAUNCHES = 2 };

static enum status launch_one(struct measure_bench *bench, enum measure_contestant who,
                              uint64_t number, double *ms, struct error *error) {
    struct measure_entrant *entrant = &bench->entrants[who];
    struct cuda_result result = {.end = CUDA_DIED};
    enum status status =
        measure_launch(bench, entrant, mix_word(bench->seed, number), &result, error);
    if (status == STATUS_OK && (result.end != CUDA_COMPLETED || result.hazard_count))
        status = measure_fail(bench, entrant, &result, error);
    *ms = result.event_ms;
    cuda_result_free(&result);
    return status;
}

static enum status check_once(struct measure_bench *bench, struct error *error) {
    enum status status = measure_prepare(bench, 0, error);
    double ms;
    for (unsigned i = 0; i < MEASURE_COUNT && status == STATUS_OK; i++)
        if (bench->present[i])
            status = launch_one(bench, (enum measure_contestant)i, i + 1, &ms, error);
    if (status == STATUS_OK)
        status = measure_compare(bench, 0, error);
    if (status == STATUS_BELOW_MARK)
        status = error_set(error, STATUS_INVALID, "%s", bench->the_case->message);
    return status;
}

/* Who is first changes from round to round. */
static enum status time_both(struct measure_bench *bench, unsigned launches,
                             struct measured_row *row, struct error *error) {
    static const enum measure_contestant both[] = {MEASURE_SUBMISSION, MEASURE_BASELINE};
    cleanup_free double *own = mem_calloc(launches + 1, sizeof *own);
    cleanup_free double *baseline = mem_calloc(launches + 1, sizeof *baseline);
    enum status status = STATUS_OK;
    bench->leave_outputs = true;
    for (unsigned round = 0; round < launches + WARM_LAUNCHES && status == STATUS_OK; round++) {
        double ms[MEASURE_COUNT] = {0};
        for (unsigned i = 0; i < ARRAY_LENGTH(both) && status == STATUS_OK; i++) {
            enum measure_contestant who = both[(i + round) % ARRAY_LENGTH(both)];
            uint64_t number = (uint64_t)(round + 1) * MEASURE_COUNT + who + 1;
            if (bench->present[who])
                status = launch_one(bench, who, number, &ms[who], error);
        }
        if (round < WARM_LAUNCHES)
            continue;
        own[round - WARM_LAUNCHES] = ms[MEASURE_SUBMISSION];
        baseline[round - WARM_LAUNCHES] = ms[MEASURE_BASELINE];
    }
    if (status != STATUS_OK)
        return status;
    row->own_ms = interval_of(own, launches).median;
    if (bench->present[MEASURE_BASELINE]) {
        row->baseline_ms = interval_of(baseline, launches).median;
        row->of_baseline = interval_of_ratio(baseline, own, launches).median;
    }
    return STATUS_OK;
}

static enum status measure_alone(struct measure_bench *bench, const struct cuda_card *card,
                                 const struct measure_kernels *kernels, unsigned launches,
                                 struct measured_row *row, struct error *error) {
    int lock = -1;
    enum status status = cuda_lock_take(card, true, &lock, error);
    if (status == STATUS_OK)
        status = measure_open(bench, card, &row->copy_bytes_per_second, error);
    if (status == STATUS_OK) {
        measure_enter(bench, kernels);
        bench->present[MEASURE_TUNED] = false; /* is the submission here */
        status = check_once(bench, error);
    }
    if (status == STATUS_OK)
        status = time_both(bench, launches, row, error);
    measure_close(bench);
    cuda_lock_release(&lock);
    return status;
}

enum status grade_measure_row(struct grade_session *session, const struct exercise *exercise,
                              const struct grade_source *source, unsigned launches,
                              struct measured_row *row, struct error *error) {
    struct exercise as_measured = *exercise;
    struct grade_run run = {
        .session = session, .exercise = exercise, .file_name = file_base_name(source->file)};
    struct measure_kernels kernels = {.fallback_count = 0};
    struct report_case the_case = {.verdict = VERDICT_PASS};
    struct measure_bench bench = {.run = &run, .seed = session->seed, .the_case = &the_case};
    *row = (struct measured_row){0};
    if (session->card_count == 0)
        return error_set(error, STATUS_ENVIRONMENT, "there is no card to measure on");
    enum status status = measure_plan(&as_measured, bench.seed, &bench.plan, error);
    if (status == STATUS_OK)
        status = measure_build(&run, source, session->cards, &kernels, error);
    if (status == STATUS_OK && kernels.own.message)
        status = error_set(error, STATUS_INVALID, "%s", kernels.own.message);
    if (status == STATUS_OK)
        status = measure_alone(&bench, session->cards, &kernels, launches, row, error);
    plan_free(bench.plan);
    measure_free_kernels(&kernels);
    judge_reset(&the_case);
    return status;
}

/* The speed case of host code on a card: how long the card is busy with what the function asks for,
 * beside the tuned solution, round by round (measure/measure.c). Each run is a process of its own,
 * with a worker and a context of its own, and has the card alone; each round has data of its own,
 * the same for both, and what both have computed of it is compared.
 *
 * What it takes to start a process and a context is no part of the times, but it is why there are
 * fewer rounds than for kernels. */
#include "grader/grade/program/grade_program.h"

#include "grader/cases/random.h"
#include "grader/grade/measure/grade_measure.h"
#include "grader/judge/judge.h"
#include "grader/judge/speed_check.h"
#include "reports/message.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

/* The least for an interval of 95 %: judge/interval.h. */
enum { WARM_ROUNDS = 1, LEAST_ROUNDS = 6, ENTRANTS = MEASURE_TUNED + 1 };

struct entrant {
    const struct grade_kernel *kernel;
    const char *file_name;
    struct plan_launch launch;
    void *data;
    double *late_ms; /* of each run: how long the worker waited beyond what the card was busy */
    size_t late_count;
};

struct program_bench {
    struct grade_run run; /* at the sizes that are measured; timed, on the card */
    struct plan *plan;
    struct entrant entrants[ENTRANTS];
    struct report_case *the_case;
    unsigned prepared; /* rounds that have their data */
    bool misbehaved;   /* the submission: the case has its verdict */
    bool cannot;       /* a card's worker cannot run it */
};

/* ---- one run ----------------------------------------------------------------------------------
 */

static void drop_data(struct entrant *entrant) {
    plan_launch_free(&entrant->launch);
    free(entrant->data);
    entrant->data = NULL;
}

/* Both have the same: neither has constants of its own. */
static enum status prepare(struct program_bench *bench, unsigned round, struct error *error) {
    struct random random;
    cleanup_free char *name = mem_printf("round %u", round);
    random_start(&random, bench->run.session->seed,
                 (const char *const[]){bench->run.exercise->id, "measured", name, NULL});
    bench->plan->seed = random_word(&random);
    bench->prepared = round + 1;
    for (unsigned i = 0; i < ENTRANTS; i++) {
        struct entrant *entrant = &bench->entrants[i];
        struct grade_run run = bench->run;
        run.kernel = entrant->kernel;
        drop_data(entrant);
        enum status status = grade_bind(&run, 0, &entrant->launch, error);
        if (status != STATUS_OK)
            return status;
        entrant->data = grade_fill(&run, &entrant->launch, 0);
    }
    return STATUS_OK;
}

/* Whether the submission's run ended well; else the case has its verdict, or the engine's limit is
 * to blame and nothing is measured. */
static bool ended_well(struct program_bench *bench, const struct engine_result *result) {
    struct judge_evidence evidence = {.exercise = bench->run.exercise,
                                      .launch = &bench->entrants[MEASURE_SUBMISSION].launch,
                                      .result = result,
                                      .language = bench->run.session->options.language};
    struct report_case probe = {.verdict = VERDICT_PASS};
    bool well = judge_profiled(&evidence, &probe);
    bench->cannot = !well && judge_is_undecided(&probe);
    judge_reset(&probe);
    if (well || bench->cannot)
        return well;
    bench->misbehaved = true;
    judge_reset(bench->the_case);
    judge_profiled(&evidence, bench->the_case);
    return false;
}

static enum status launch_entrant(void *context, unsigned round, enum measure_contestant who,
                                  double *ms, struct error *error) {
    struct program_bench *bench = context;
    struct entrant *entrant = &bench->entrants[who];
    struct engine_result result = {0};
    enum status status = bench->prepared <= round ? prepare(bench, round, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct grade_run run = bench->run;
    run.kernel = entrant->kernel;
    run.file_name = entrant->file_name;
    struct engine_launch launch = grade_request(&run, &entrant->launch, entrant->data, 0);
    struct worker_limits limits = grade_limits(&run);
    status = grade_program_run(&run, &launch, &limits, &result, error);
    *ms = result.profile.estimate.ms;
    entrant->late_ms[entrant->late_count++] = result.elapsed_ms - *ms;
    if (status == STATUS_OK && who == MEASURE_SUBMISSION && !ended_well(bench, &result))
        status = STATUS_BELOW_MARK;
    if (status == STATUS_OK && result.end != ENGINE_COMPLETED)
        status = grade_program_tuned_failed(&run, result.message, error);
    engine_result_free(&result);
    return status;
}

static enum status judge_round(void *context, unsigned round, struct error *error) {
    (void)round, (void)error;
    struct program_bench *bench = context;
    const struct entrant *own = &bench->entrants[MEASURE_SUBMISSION];
    const struct entrant *tuned = &bench->entrants[MEASURE_TUNED];
    bench->misbehaved = !grade_speed_is_right(
        &bench->run, 0, &(struct speed_outputs){&own->launch, own->data},
        &(struct speed_outputs){&tuned->launch, tuned->data}, bench->the_case);
    return bench->misbehaved ? STATUS_BELOW_MARK : STATUS_OK;
}

static double now_ms(void *context) {
    (void)context;
    return clock_ms();
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static struct measure_rules rules_of(const struct grade_session *session) {
    struct measure_rules rules = measure_default_rules(session->seed);
    rules.warm_rounds = WARM_ROUNDS;
    rules.least_rounds = session->measure_rounds ? session->measure_rounds : LEAST_ROUNDS;
    if (session->measure_seconds > 0)
        rules.seconds = session->measure_seconds;
    return rules;
}

static double median_late(const struct entrant *entrant) {
    return interval_of(entrant->late_ms, entrant->late_count).median;
}

static void conclude(struct program_bench *bench, const struct measure_samples *samples,
                     struct grade_measured *out) {
    enum language language = bench->run.session->options.language;
    double own = measure_time(samples, MEASURE_SUBMISSION).median;
    double late = median_late(&bench->entrants[MEASURE_SUBMISSION]);
    measure_report(samples, out);
    if (own > 0 && !measure_is_late(own, late, median_late(&bench->entrants[MEASURE_TUNED])))
        return;
    bench->misbehaved = true;
    judge_speed(
        bench->run.exercise, language, VERDICT_NONDETERMINISTIC,
        mem_printf(WORDS(language, time_is_untrue), decimal(own, 4).text, decimal(late, 4).text),
        bench->the_case);
}

static enum status measure_both(struct program_bench *bench, struct grade_measured *out,
                                struct error *error) {
    struct measure_rules rules = rules_of(bench->run.session);
    struct measure_player player = {launch_entrant, judge_round, now_ms, bench};
    struct measure_samples samples;
    for (unsigned i = 0; i < ENTRANTS; i++)
        bench->entrants[i].late_ms = mem_calloc(rules.most_rounds + rules.warm_rounds + 1,
                                                sizeof *bench->entrants[i].late_ms);
    enum status status = measure_run(&rules, &player, &samples, error);
    if (status == STATUS_OK)
        conclude(bench, &samples, out);
    else if (status == STATUS_BELOW_MARK && (bench->misbehaved || bench->cannot))
        status = STATUS_OK;
    out->report.present = status == STATUS_OK && !bench->cannot;
    measure_samples_free(&samples);
    for (unsigned i = 0; i < ENTRANTS; i++) {
        drop_data(&bench->entrants[i]);
        free(bench->entrants[i].late_ms);
    }
    return status;
}

static void note_names(const struct exercise *exercise, struct grade_measured *out) {
    const struct exercise_measured *measured = &exercise->measured;
    out->names = mem_calloc(measured->size_count + 1, sizeof *out->names);
    for (size_t i = 0; i < measured->size_count; i++)
        out->names[out->name_count++] =
            (struct expr_name){measured->sizes[i].name, measured->sizes[i].value};
}

enum status grade_program_measure(const struct grade_run *run, const struct cuda_card *card,
                                  struct grade_measured *out, struct report_case *the_case,
                                  bool *right, struct error *error) {
    struct exercise as_measured = *run->exercise;
    struct grade_kernel tuned = {0};
    struct program_bench bench = {.run = *run, .the_case = the_case};
    *out = (struct grade_measured){.name_count = 0};
    bench.run.exercise = &as_measured;
    bench.run.program_card = card;
    bench.run.program_alone = true;
    bench.entrants[MEASURE_SUBMISSION] =
        (struct entrant){.kernel = run->kernel, .file_name = run->file_name};
    bench.entrants[MEASURE_TUNED] =
        (struct entrant){.kernel = &tuned, .file_name = file_base_name(run->exercise->tuned.file)};
    enum status status = measure_plan(&as_measured, run->session->seed, &bench.plan, error);
    bench.run.plan = bench.plan;
    if (status == STATUS_OK)
        status = grade_program_build_tuned(run, &tuned, error);
    if (status == STATUS_OK) {
        measure_start_report(run->exercise, card, out);
        note_names(run->exercise, out);
        status = measure_both(&bench, out, error);
    }
    plan_free(bench.plan);
    grade_kernel_free(&tuned);
    the_case->found_on_card = bench.misbehaved && run->session->simulates;
    *right = status == STATUS_OK && !bench.misbehaved;
    return status;
}

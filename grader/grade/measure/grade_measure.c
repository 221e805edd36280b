/* The speed case on a card: the submission, the tuned kernel, the reference and the baseline, round
 * by round (measure.c), each round with data and addresses of its own (measure_data.c).
 *
 * Two workers: the submission's, and one for all others, which never sees a byte of it. The
 * same path checks and times: every launch is timed, every output of every launch is compared, so
 * that a kernel has no launch to behave in another way for. Modules are loaded again for each
 * launch, so that nothing is remembered from the last.
 *
 * A time that cannot be true ends the case as `nondeterministic`: one below what the card needs to
 * move the bytes, or one of which the worker's own clock saw much more than the card's events. */
#include "grader/grade/measure/grade_measure.h"
#include "grader/grade/grade_report.h"

#include "grader/exercise/baseline.h"
#include "grader/grade/grade_gpu.h"
#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/cuda/lock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCE_MAX = 1 << 20,
    COPY_CACHES = 8,
    COPY_LEAST_BYTES = 256 << 20,
    COPY_SHORT_BYTES = 16 << 20
};

__attribute__((format(printf, 3, 4))) static enum status
fail_measuring(const struct exercise *exercise, struct error *error, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_INVALID, "%s cannot be measured: %s", exercise->id, message);
}

/* ---- one launch ------------------------------------------------------------------------------ */

static enum status conclude_submission(struct measure_bench *bench, struct cuda_result *result) {
    struct engine_result ended;
    grade_gpu_translate(result, &ended);
    struct judge_evidence evidence = {.exercise = bench->run->exercise,
                                      .launch = &bench->entrants[MEASURE_SUBMISSION].launch,
                                      .result = &ended,
                                      .language = bench->run->session->options.language};
    struct report_case probe = {.verdict = VERDICT_PASS};
    bench->misbehaved = !judge_profiled(&evidence, &probe);
    judge_reset(&probe);
    if (bench->misbehaved) { /* else: a hazard that the exercise ignores */
        judge_reset(bench->the_case);
        judge_profiled(&evidence, bench->the_case);
    }
    engine_result_free(&ended);
    return bench->misbehaved ? STATUS_BELOW_MARK : STATUS_OK;
}

enum status measure_fail(const struct measure_bench *bench, const struct measure_entrant *entrant,
                         const struct cuda_result *result, struct error *error) {
    static const char *const names[MEASURE_COUNT] = {"the submission", "the tuned kernel",
                                                     "the reference", "the baseline"};
    const char *message = result->hazard_count ? result->hazards[0].message : result->message;
    enum status status =
        fail_measuring(bench->run->exercise, error, "%s: %s", names[entrant->who], message);
    if (result->end == CUDA_MEMORY || result->end == CUDA_DIED)
        status = error_set(error, STATUS_ENVIRONMENT, "%s: %s", names[entrant->who], message);
    error_place(error, entrant->file, 0, 0, NULL, 0);
    return status;
}

enum status measure_launch(struct measure_bench *bench, struct measure_entrant *entrant,
                           uint64_t placement, struct cuda_result *result, struct error *error) {
    const struct exercise *exercise = bench->run->exercise;
    const struct plan_launch *planned = &entrant->launch;
    struct cuda_blas_call call;
    struct cuda_launch launch = {.grid = planned->grid,
                                 .block = planned->block,
                                 .shared_bytes = planned->shared_bytes,
                                 .arguments = planned->arguments,
                                 .argument_count = planned->argument_count,
                                 .data = entrant->data,
                                 .data_length = planned->data_length,
                                 .time = true,
                                 .flush_l2 = true,
                                 .leave_outputs = bench->leave_outputs,
                                 .placement = placement,
                                 .wall_seconds = grade_limits(bench->run).wall_seconds};
    if (entrant->build) {
        launch.image = entrant->build->cubin;
        launch.image_length = entrant->build->cubin_length;
        launch.kernel = entrant->lowered;
    } else {
        struct baseline_sizes sizes;
        size_t count;
        cleanup_free struct expr_name *names = measure_names(bench->plan, entrant, &count);
        enum status status = baseline_measure(exercise, names, count, &sizes, error);
        if (status != STATUS_OK)
            return status;
        call = measure_blas_call(exercise, &sizes, planned);
        launch.blas = &call;
    }
    return cuda_session_run(entrant->who == MEASURE_SUBMISSION ? bench->own : bench->trusted,
                            &launch, result, error);
}

static enum status launch_entrant(void *context, unsigned round, enum measure_contestant who,
                                  double *ms, struct error *error) {
    struct measure_bench *bench = context;
    struct measure_entrant *entrant = &bench->entrants[who];
    struct cuda_result result = {.end = CUDA_DIED};
    enum status status = STATUS_OK;
    bench->leave_outputs = bench->run->session->measure_rounds && round > 0;
    if (bench->prepared <= round)
        status = measure_prepare(bench, round, error);
    if (status != STATUS_OK)
        return status;
    uint64_t placement = mix_word(bench->seed, (uint64_t)round * MEASURE_COUNT + who + 1);
    status = measure_launch(bench, entrant, placement, &result, error);
    *ms = result.event_ms;
    entrant->lateness_ms[entrant->lateness_count++] = result.host_ms - result.event_ms;
    if (status == STATUS_OK && (result.end != CUDA_COMPLETED || result.hazard_count))
        status = who == MEASURE_SUBMISSION ? conclude_submission(bench, &result)
                                           : measure_fail(bench, entrant, &result, error);
    cuda_result_free(&result);
    return status;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void note_clocks(struct measure_bench *bench) {
    struct report_measured *report = bench->report;
    struct cuda_clocks clocks;
    if (cuda_session_clocks(bench->trusted, &clocks, NULL) != STATUS_OK || !clocks.available)
        return;
    if (!report->sm_clock_high_mhz || clocks.sm_mhz < report->sm_clock_low_mhz)
        report->sm_clock_low_mhz = clocks.sm_mhz;
    if (clocks.sm_mhz > report->sm_clock_high_mhz)
        report->sm_clock_high_mhz = clocks.sm_mhz;
    report->memory_clock_mhz = clocks.memory_mhz;
    if ((clocks.throttle & ~bench->throttle) && *clocks.reasons) {
        char *joined = report->throttled ? mem_printf("%s, %s", report->throttled, clocks.reasons)
                                         : mem_strdup(clocks.reasons);
        free(report->throttled);
        report->throttled = joined;
    }
    bench->throttle |= clocks.throttle;
}

static enum status judge_round(void *context, unsigned round, struct error *error) {
    struct measure_bench *bench = context;
    note_clocks(bench);
    return bench->leave_outputs ? STATUS_OK : measure_compare(bench, round, error);
}

static double bench_now_ms(void *context) {
    (void)context;
    return clock_ms();
}

/* ---- participants ---------------------------------------------------------------------------- */

void measure_free_kernels(struct measure_kernels *kernels) {
    grade_kernel_free(&kernels->own);
    grade_kernel_free(&kernels->tuned);
    oracle_kernel_free(&kernels->reference);
    free(kernels->fallbacks);
}

static enum status build_tuned(const struct exercise *exercise, const char *architecture,
                               struct grade_kernel *kernel, struct error *error) {
    struct exercise as_tuned = *exercise;
    as_tuned.kernel = exercise->tuned.kernel;
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = exercise->tuned.file};
    enum status status = file_read(source.file, SOURCE_MAX, &text, &source.length, error);
    if (status != STATUS_OK)
        return status;
    source.text = text;
    status = grade_build_for(&as_tuned, &source, architecture, LANGUAGE_EN, kernel, error);
    if (status == STATUS_OK && kernel->message) {
        status = fail_measuring(exercise, error, "%s", kernel->message);
        error_place(error, source.file, 0, 0, NULL, 0);
    }
    return status;
}

enum status measure_build(const struct grade_run *run, const struct grade_source *source,
                          const struct cuda_card *card, struct measure_kernels *kernels,
                          struct error *error) {
    char architecture[32];
    cuda_card_architecture(card, architecture, sizeof architecture);
    kernels->fallbacks = oracle_constants(run->exercise, &kernels->fallback_count);
    enum status status = grade_build_for(run->exercise, source, architecture,
                                         run->session->options.language, &kernels->own, error);
    if (status == STATUS_OK)
        status = build_tuned(run->exercise, architecture, &kernels->tuned, error);
    if (status == STATUS_OK)
        status = oracle_compile_for(run->exercise, architecture, &kernels->reference, error);
    return status;
}

void measure_enter(struct measure_bench *bench, const struct measure_kernels *kernels) {
    const struct exercise *exercise = bench->run->exercise;
    bool shared = !oracle_shapes_use_constants(exercise);
    const struct grade_kernel *own = &kernels->own, *tuned = &kernels->tuned;
    bench->entrants[MEASURE_SUBMISSION] =
        (struct measure_entrant){.side = PLAN_SUBMISSION,
                                 .shape = &exercise->launch,
                                 .constants = own->constants,
                                 .constant_count = own->constant_count,
                                 .build = &own->build,
                                 .lowered = own->lowered,
                                 .file = bench->run->file_name};
    bench->entrants[MEASURE_TUNED] =
        (struct measure_entrant){.side = PLAN_SUBMISSION,
                                 .shape = &exercise->tuned.launch,
                                 .constants = tuned->constants,
                                 .constant_count = tuned->constant_count,
                                 .build = &tuned->build,
                                 .lowered = tuned->lowered,
                                 .file = exercise->tuned.file};
    bench->entrants[MEASURE_REFERENCE] = (struct measure_entrant){
        .side = PLAN_REFERENCE,
        .shape = &exercise->reference.launch,
        .constants = shared ? kernels->fallbacks : own->constants,
        .constant_count = shared ? kernels->fallback_count : own->constant_count,
        .build = &kernels->reference.build,
        .lowered = kernels->reference.lowered,
        .file = exercise->reference.file};
    /* The submission's launch, which it does not use. */
    bench->entrants[MEASURE_BASELINE] = bench->entrants[MEASURE_SUBMISSION];
    bench->entrants[MEASURE_BASELINE].build = NULL;
    bench->entrants[MEASURE_BASELINE].file = NULL;
    for (unsigned i = 0; i < MEASURE_COUNT; i++) {
        bench->entrants[i].who = (enum measure_contestant)i;
        bench->present[i] = i != MEASURE_BASELINE;
    }
    const char *why;
    bench->present[MEASURE_BASELINE] =
        exercise->measured.baseline.routine && cuda_session_has_blas(bench->trusted, &why);
}

/* ---- what was found -------------------------------------------------------------------------- */

static double bytes_of(const struct engine_argument *argument) {
    return argument->is_buffer ? (double)argument->count * element_infos[argument->type].bytes : 0;
}

/* What the exercise says, else every buffer once; in the sizes that are measured. */
static struct measure_work work_of(const struct measure_bench *bench, const struct cuda_card *card,
                                   double bytes_per_second) {
    const struct exercise *exercise = bench->run->exercise;
    const struct measure_entrant *own = &bench->entrants[MEASURE_SUBMISSION];
    size_t count;
    cleanup_free struct expr_name *names = measure_names(bench->plan, own, &count);
    struct measure_work work = {.l2_bytes = (double)card->l2_bytes,
                                .bytes_per_second = bytes_per_second};
    bool is_double = false;
    int64_t value;
    for (size_t i = 0; i < exercise->param_count; i++) {
        enum exercise_role role = exercise->params[i].role;
        double bytes = bytes_of(&own->launch.arguments[i]);
        bool written = role == ROLE_OUT || role == ROLE_INOUT;
        work.bytes += role == ROLE_INOUT ? 2 * bytes : bytes;
        work.written_bytes += written ? bytes : 0;
        is_double |= written && exercise->params[i].type == ELEMENT_f64;
    }
    if (exercise->measured.bytes &&
        expr_evaluate(exercise->measured.bytes, names, count, &value, NULL) == STATUS_OK)
        work.bytes = (double)value;
    if (exercise->measured.flops &&
        expr_evaluate(exercise->measured.flops, names, count, &value, NULL) == STATUS_OK)
        work.flops = (double)value;
    work.flops_per_second = measure_peak_flops(card->major, card->minor, card->sms,
                                               1e3 * card->sm_clock_khz, is_double);
    return work;
}

static struct report_interval as_report(const struct interval *interval) {
    return (struct report_interval){interval->count != 0, interval->median, interval->low,
                                    interval->high};
}

/* The share of the other's speed. */
static struct report_interval inverse(const struct interval *ratio) {
    if (!ratio->count || !(ratio->low > 0))
        return (struct report_interval){.present = false};
    return (struct report_interval){true, 1 / ratio->median, 1 / ratio->high, 1 / ratio->low};
}

void measure_report(const struct measure_samples *samples, struct grade_measured *out) {
    struct report_measured *report = &out->report;
    struct interval own = measure_time(samples, MEASURE_SUBMISSION);
    struct interval tuned = measure_ratio(samples, MEASURE_TUNED);
    struct interval reference = measure_ratio(samples, MEASURE_REFERENCE);
    struct interval baseline = measure_ratio(samples, MEASURE_BASELINE);
    report->rounds = samples->rounds;
    report->settled = samples->settled;
    report->ratio_to_tuned = as_report(&tuned);
    report->ratio_to_reference = as_report(&reference);
    report->fraction_of_baseline = inverse(&baseline);
    report->tuned_ms = measure_time(samples, MEASURE_TUNED).median;
    report->reference_ms = measure_time(samples, MEASURE_REFERENCE).median;
    report->baseline_ms = measure_time(samples, MEASURE_BASELINE).median;
    out->time = (struct report_time){.present = own.count && own.median > 0,
                                     .measured = true,
                                     .median_ms = own.median,
                                     .ci_low_ms = own.low,
                                     .ci_high_ms = own.high,
                                     .ratio_to_reference = tuned.median};
}

static double median_lateness(const struct measure_entrant *entrant) {
    return interval_of(entrant->lateness_ms, entrant->lateness_count).median;
}

/* NULL where the time can be true. The floor does not apply where one of ours is below it: then the
 * exercise is wrong about what a kernel must do. */
static char *find_untrue(const struct measure_bench *bench, const struct measure_samples *samples,
                         const struct measure_work *work) {
    enum language language = bench->run->session->options.language;
    double own = measure_time(samples, MEASURE_SUBMISSION).median;
    double tuned = measure_time(samples, MEASURE_TUNED).median;
    double floor = measure_floor_ms(work);
    if (samples->rounds && own < floor && !(tuned < floor))
        return mem_printf(WORDS(language, time_below_floor), decimal(own, 4).text,
                          decimal(floor, 4).text, decimal(work->bytes, 4).text,
                          decimal(work->flops, 4).text);
    double late = median_lateness(&bench->entrants[MEASURE_SUBMISSION]);
    return measure_is_late(own, late, median_lateness(&bench->entrants[MEASURE_TUNED]))
               ? mem_printf(WORDS(language, time_is_untrue), decimal(own, 4).text,
                            decimal(late, 4).text)
               : NULL;
}

static void conclude(struct measure_bench *bench, const struct cuda_card *card,
                     const struct measure_samples *samples, double bytes_per_second,
                     struct grade_measured *out) {
    struct measure_work work = work_of(bench, card, bytes_per_second);
    measure_report(samples, out);
    if (bench->present[MEASURE_BASELINE])
        out->report.baseline =
            mem_strdup(baseline_names[bench->run->exercise->measured.baseline.routine]);
    out->report.roof_ms = measure_roof_ms(&work);
    if (out->time.present)
        out->report.fraction_of_roof = out->report.roof_ms / out->time.median_ms;
    char *untrue = find_untrue(bench, samples, &work);
    if (!untrue)
        return;
    bench->misbehaved = true;
    judge_speed(bench->run->exercise, bench->run->session->options.language,
                VERDICT_NONDETERMINISTIC, untrue, bench->the_case);
}

/* ---- the whole ------------------------------------------------------------------------------- */

struct expr_name *measure_names(const struct plan *plan, const struct measure_entrant *entrant,
                                size_t *count) {
    const struct plan_case *planned = &plan->cases[0];
    struct expr_name *names =
        mem_calloc(planned->size_count + entrant->constant_count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; i < planned->size_count; i++)
        names[(*count)++] = (struct expr_name){planned->sizes[i].name, planned->sizes[i].value};
    for (size_t i = 0; i < entrant->constant_count; i++)
        names[(*count)++] = entrant->constants[i];
    return names;
}

void measure_start_report(const struct exercise *exercise, const struct cuda_card *card,
                          struct grade_measured *out) {
    const struct exercise_measured *measured = &exercise->measured;
    struct report_measured *report = &out->report;
    report->present = true;
    report->card = mem_strdup(card->name);
    report->size_count = measured->size_count;
    report->sizes = grade_report_sizes(measured->sizes, measured->size_count);
}

enum { KEPT_OWN, KEPT_TRUSTED };

/* A worker that was kept, or a new one. */
static enum status open_worker(struct grade_session *session, unsigned kept, enum cuda_trust trust,
                               const struct cuda_card *card, struct cuda_session **worker,
                               struct error *error) {
    *worker = session->kept[kept];
    session->kept[kept] = NULL;
    if (*worker && trust == CUDA_TRUSTED_BLAS && !cuda_session_has_blas(*worker, NULL)) {
        cuda_session_close(*worker);
        *worker = NULL;
    }
    return *worker ? STATUS_OK : cuda_session_open(card, trust, worker, error);
}

static void close_worker(struct grade_session *session, unsigned kept,
                         struct cuda_session *worker) {
    bool keeps = session->measure_rounds && session->card_count == 1;
    if (worker && keeps && cuda_session_is_alive(worker))
        session->kept[kept] = worker;
    else
        cuda_session_close(worker);
}

enum status measure_open(struct measure_bench *bench, const struct cuda_card *card,
                         double *bytes_per_second, struct error *error) {
    struct grade_session *session = bench->run->session;
    uint64_t least = session->measure_seconds > 0 ? COPY_SHORT_BYTES : COPY_LEAST_BYTES;
    uint64_t bytes = COPY_CACHES * card->l2_bytes;
    bool has_baseline = bench->run->exercise->measured.baseline.routine;
    enum cuda_trust trust = has_baseline ? CUDA_TRUSTED_BLAS : CUDA_TRUSTED;
    enum status status = open_worker(session, KEPT_TRUSTED, trust, card, &bench->trusted, error);
    if (status == STATUS_OK)
        status = cuda_session_copy_ceiling(bench->trusted, bytes > least ? bytes : least,
                                           bytes_per_second, error);
    if (status == STATUS_OK)
        status = open_worker(session, KEPT_OWN, CUDA_UNTRUSTED, card, &bench->own, error);
    return status;
}

static enum status measure_all(struct measure_bench *bench, const struct cuda_card *card,
                               double bytes_per_second, struct grade_measured *out,
                               struct error *error) {
    struct measure_rules rules = measure_default_rules(bench->seed);
    struct measure_player player = {launch_entrant, judge_round, bench_now_ms, bench};
    struct measure_samples samples;
    if (bench->run->session->measure_seconds > 0)
        rules.seconds = bench->run->session->measure_seconds;
    if (bench->run->session->measure_rounds) {
        rules.warm_rounds = 1;
        rules.least_rounds = bench->run->session->measure_rounds;
    }
    memcpy(rules.present, bench->present, sizeof rules.present);
    for (unsigned i = 0; i < MEASURE_COUNT; i++)
        bench->entrants[i].lateness_ms = mem_calloc(rules.most_rounds + rules.warm_rounds + 1,
                                                    sizeof *bench->entrants[i].lateness_ms);
    enum status status = measure_run(&rules, &player, &samples, error);
    if (status == STATUS_OK)
        conclude(bench, card, &samples, bytes_per_second, out);
    else if (status == STATUS_BELOW_MARK && bench->misbehaved)
        status = STATUS_OK;
    measure_samples_free(&samples);
    return status;
}

void measure_close(struct measure_bench *bench) {
    for (unsigned i = 0; i < MEASURE_COUNT; i++) {
        plan_launch_free(&bench->entrants[i].launch);
        free(bench->entrants[i].data);
        free(bench->entrants[i].lateness_ms);
    }
    close_worker(bench->run->session, KEPT_OWN, bench->own);
    close_worker(bench->run->session, KEPT_TRUSTED, bench->trusted);
}

enum status measure_plan(struct exercise *as_measured, uint64_t seed, struct plan **plan,
                         struct error *error) {
    as_measured->speed_sizes = as_measured->measured.sizes;
    as_measured->speed_size_count = as_measured->measured.size_count;
    return plan_make(as_measured, seed, case_group_names[GROUP_SPEED], plan, error);
}

/* What is built, on a card that is not used otherwise meanwhile. */
static enum status measure_alone(struct measure_bench *bench, const struct cuda_card *card,
                                 const struct measure_kernels *kernels, struct grade_measured *out,
                                 struct error *error) {
    double bytes_per_second = 0;
    int lock = -1;
    enum status status = cuda_lock_take(card, true, &lock, error);
    if (status == STATUS_OK)
        status = measure_open(bench, card, &bytes_per_second, error);
    if (status == STATUS_OK) {
        measure_enter(bench, kernels);
        measure_start_report(bench->run->exercise, card, out);
        status = measure_all(bench, card, bytes_per_second, out, error);
        out->names =
            measure_names(bench->plan, &bench->entrants[MEASURE_SUBMISSION], &out->name_count);
    }
    measure_close(bench);
    cuda_lock_release(&lock);
    return status;
}

enum status grade_measure(const struct grade_run *run, const struct grade_source *source,
                          const struct cuda_card *card, struct grade_measured *out,
                          struct report_case *the_case, bool *right, struct error *error) {
    *out = (struct grade_measured){.name_count = 0};
    struct exercise as_measured = *run->exercise;
    struct measure_kernels kernels = {.fallback_count = 0};
    struct measure_bench bench = {
        .run = run, .seed = run->session->seed, .the_case = the_case, .report = &out->report};
    enum status status = measure_plan(&as_measured, bench.seed, &bench.plan, error);
    if (status == STATUS_OK)
        status = measure_build(run, source, card, &kernels, error);
    if (status == STATUS_OK && kernels.own.message) {
        judge_unlaunched(run->exercise, run->session->options.language, VERDICT_COMPILE_ERROR,
                         kernels.own.message, false, the_case);
        bench.misbehaved = true;
    }
    if (status == STATUS_OK && !bench.misbehaved)
        status = measure_alone(&bench, card, &kernels, out, error);
    plan_free(bench.plan);
    the_case->found_on_card = bench.misbehaved && run->session->simulates;
    *right = status == STATUS_OK && !bench.misbehaved;
    measure_free_kernels(&kernels);
    return status;
}

void grade_measured_free(struct grade_measured *measured) {
    struct report_speed speed = {.measured = measured->report};
    report_speed_free(&speed);
    free(measured->names);
    *measured = (struct grade_measured){.name_count = 0};
}

/* Grading a submission from end to end: plan, build, cases (grade_pool.c), an unoptimised build
 * where nothing was found (grade_debug.c), score. grade_report.h says what each stage reports.
 *
 * Nothing of a submission runs in this process: grade_build and grade_case talk to workers. */
#include "grader/grade/grade.h"

#include "grader/cases/random.h"
#include "grader/grade/grade_ahead.h"
#include "grader/grade/grade_cause.h"
#include "grader/grade/grade_private.h"
#include "grader/grade/grade_reference.h"
#include "grader/grade/grade_report.h"
#include "grader/grade/program/grade_program.h"
#include "grader/judge/judge.h"
#include "grader/judge/score.h"
#include "reports/message.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/isolation/protection.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- the session ----------------------------------------------------------------------------- */

bool grade_engine_from_name(const char *name, enum grade_engine *engine) {
    static const char *const names[] = {"auto", "sim", "cuda"};
    for (unsigned i = 0; i < ARRAY_LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0) {
            *engine = (enum grade_engine)i;
            return true;
        }
    return false;
}

/* CPUs this process may use, which in a container is fewer than the machine has. */
static unsigned cpu_count(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : (unsigned)count;
}

/* Only cards that machine code can be made for; the reason of the first where there is none. */
static enum status keep_usable(struct cuda_card *cards, size_t *count, struct error *error) {
    struct error cause = {0};
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        struct error why = {0};
        if (cuda_card_check(&cards[i], &why) == STATUS_OK)
            cards[kept++] = cards[i];
        else if (!cause.message[0])
            cause = why;
    }
    *count = kept;
    if (kept)
        return STATUS_OK;
    *error = cause;
    return STATUS_ENVIRONMENT;
}

/* Without a usable card everything is as it is with --engine sim, unless one is asked for. */
static enum status find_cards(enum grade_engine engine, struct cuda_card **cards, size_t *count,
                              struct error *error) {
    struct error cause = {0};
    if (engine == GRADE_ENGINE_SIM)
        return STATUS_OK;
    enum status status = cuda_cards(cards, count, &cause);
    if (status == STATUS_OK)
        status = keep_usable(*cards, count, &cause);
    if (status == STATUS_OK || engine == GRADE_ENGINE_AUTO)
        return STATUS_OK;
    free(*cards);
    *cards = NULL;
    if (error)
        *error = cause;
    return STATUS_ENVIRONMENT;
}

/* Without the essential guards nothing is graded; better said once, and before a class is. Of one
 * submission the first run says it. */
static enum status check_jail(const struct grade_options *options, struct error *error) {
    uint32_t guards;
    return options->elsewhere || options->only_one ? STATUS_OK : jail_check(&guards, error);
}

enum status grade_open(const struct grade_options *options, struct grade_session **out,
                       struct error *error) {
    enum status jailed = check_jail(options, error);
    if (jailed != STATUS_OK)
        return jailed;
    struct device_profile device = {0};
    uint64_t seed = options->seed;
    enum status status = options->device ? device_load(options->device, &device, error) : STATUS_OK;
    if (status == STATUS_OK && !options->has_seed)
        status = random_secret(&seed, error);
    struct cuda_card *cards = NULL;
    size_t card_count = 0;
    if (status == STATUS_OK)
        status = find_cards(options->engine, &cards, &card_count, error);
    if (status != STATUS_OK)
        return status;
    struct grade_session *session = mem_zalloc(sizeof *session);
    session->options = *options;
    session->options.cases = mem_strdup(options->cases);
    if (session->options.jobs == 0)
        session->options.jobs = cpu_count();
    if (session->options.jobs > GRADE_MAX_JOBS)
        session->options.jobs = GRADE_MAX_JOBS;
    session->seed = seed;
    session->oracle = oracle_new();
    session->simulates = options->engine != GRADE_ENGINE_CUDA;
    session->cards = cards;
    session->card_count = card_count;
    if (!session->simulates) {
        session->gpu = grade_gpu_new(cards, card_count, 1, true);
        session->oracle_engine = (struct oracle_engine){grade_gpu_reference, session->gpu};
    }
    session->has_device = options->device != NULL;
    session->device = device;
    session->card_users = mem_calloc(card_count + 1, sizeof *session->card_users);
    pthread_mutex_init(&session->card_mutex, NULL);
    pthread_mutex_init(&session->tuned_mutex, NULL);
    pthread_cond_init(&session->tuned_changed, NULL);
    pthread_mutex_init(&session->program_mutex, NULL);
    *out = session;
    return STATUS_OK;
}

void grade_close(struct grade_session *session) {
    if (!session)
        return;
    oracle_free(session->oracle);
    grade_gpu_free(session->gpu);
    grade_gpu_free(session->shared_gpu);
    for (unsigned i = 0; i < ARRAY_LENGTH(session->kept); i++)
        cuda_session_close(session->kept[i]);
    grade_tuned_free(session->tuned);
    grade_registers_free(session->registers);
    grade_program_tuned_free(session->program_tuned);
    pthread_mutex_destroy(&session->program_mutex);
    free(session->cards);
    free(session->card_users);
    pthread_mutex_destroy(&session->card_mutex);
    pthread_mutex_destroy(&session->tuned_mutex);
    pthread_cond_destroy(&session->tuned_changed);
    free((char *)session->options.cases);
    free(session);
}

void grade_forget(struct grade_session *session) {
    oracle_free(session->oracle);
    session->oracle = oracle_new();
    grade_tuned_free(session->tuned);
    session->tuned = NULL;
    grade_registers_free(session->registers);
    session->registers = NULL;
    grade_program_tuned_free(session->program_tuned);
    session->program_tuned = NULL;
}

enum { SHARED_REFERENCES = 4 };

void grade_share_workers(struct grade_session *session, size_t each) {
    size_t references = each < SHARED_REFERENCES ? each : SHARED_REFERENCES;
    if (session->simulates || session->shared_gpu)
        return;
    session->shared_gpu = grade_gpu_new(session->cards, session->card_count, each, false);
    grade_gpu_free(session->gpu);
    session->gpu = grade_gpu_new(session->cards, session->card_count, references, true);
    session->oracle_engine = (struct oracle_engine){grade_gpu_reference, session->gpu};
}

void grade_measure_shortly(struct grade_session *session, double seconds, unsigned rounds) {
    session->measure_rounds = rounds;
    session->measure_seconds = seconds;
}

uint64_t grade_seed(const struct grade_session *session) {
    return session->seed;
}

size_t grade_card_count(const struct grade_session *session) {
    return session->card_count;
}

/* ---- the cases ------------------------------------------------------------------------------- */

/* The speed case comes last and is not checked, but profiled. */
static size_t checked_cases(const struct plan *plan) {
    return plan->case_count - (plan->cases[plan->case_count - 1].group == GROUP_SPEED);
}

/* The card with the fewest submissions, for the time of its measurement. */
static size_t take_card(struct grade_session *session) {
    size_t best = 0;
    pthread_mutex_lock(&session->card_mutex);
    for (size_t i = 1; i < session->card_count; i++)
        if (session->card_users[i] < session->card_users[best])
            best = i;
    session->card_users[best]++;
    pthread_mutex_unlock(&session->card_mutex);
    return best;
}

static void give_card(struct grade_session *session, size_t card) {
    pthread_mutex_lock(&session->card_mutex);
    session->card_users[card]--;
    pthread_mutex_unlock(&session->card_mutex);
}

/* What came of the cases, beside the cases themselves. */
struct grade_findings {
    bool confirmed;      /* cases ran on a card as well */
    const char *refusal; /* why ptxas takes the kernel for no device, the session's; else NULL */
    double compile_ms;   /* waited for the compiler of the submission */
    double *stage_ms;    /* of the report */
};

/* What has been spent since *begun belongs to this stage; the next one begins. */
static void end_stage(double stage_ms[REPORT_STAGE_COUNT], enum report_stage stage, double *begun) {
    double now = clock_ms();
    stage_ms[stage] += now - *begun;
    *begun = now;
}

/* On one card, with others' measurements in between. */
static enum status grade_on_card(struct grade_run *run, const struct grade_source *source,
                                 struct report_case *cases, size_t checked,
                                 struct grade_findings *findings, struct error *error) {
    struct grade_session *session = run->session;
    enum status status = STATUS_OK;
    run->card = take_card(session);
    if (session->simulates)
        status = grade_refused(run, source, cases, checked, &findings->refusal, error);
    if (status == STATUS_OK && !findings->refusal && session->simulates && session->card_count)
        status = grade_confirm(run, source, cases, checked, &findings->confirmed, error);
    if (status == STATUS_OK && !findings->refusal)
        status = grade_speed(run, source, cases, &findings->refusal, error);
    give_card(session, run->card);
    return status;
}

/* Does the caller know enough, whatever becomes of what is still to come? */
static bool knows_enough(const struct grade_run *run) {
    struct grade_rest *rest = run->rest;
    if (!rest)
        return false;
    score_best(run->exercise, rest->plan->group_totals, rest->report);
    rest->is_left_out = rest->is_enough(rest->context, rest->report);
    if (!rest->is_left_out)
        score_forget(rest->report);
    return rest->is_left_out;
}

static void name_causes(const struct grade_run *run, struct report_case *cases, size_t checked) {
    if (run->session->options.no_causes)
        return;
    grade_name_cause(run, cases, checked);
    grade_name_large_only(run, cases, checked);
}

/* The cases where this session has them run, then what only the simulated GPU sees, then what only
 * a card sees, then speed. */
static enum status grade_cases(struct grade_run *run, const struct grade_source *source,
                               struct report_case *cases, struct grade_findings *findings,
                               struct error *error) {
    struct grade_session *session = run->session;
    size_t checked = checked_cases(run->plan);
    if (!session->simulates)
        run->gpu = session->shared_gpu
                       ? session->shared_gpu
                       : grade_gpu_new(session->cards, session->card_count, 1, false);
    double begun = clock_ms();
    struct grade_ahead *assembling = grade_ahead_registers(run, source);
    enum status status = grade_pool_run(run, cases, NULL, checked, error);
    end_stage(run->stage_ms, REPORT_STAGE_CASES, &begun);
    bool settled = status == STATUS_OK && run->rest && !grade_is_doubtful(cases, checked);
    bool enough = settled && knows_enough(run);
    bool looks_deeper = !enough && (!settled || run->rest->hidden);
    struct grade_ahead *tuned =
        status == STATUS_OK && !enough ? grade_ahead_tuned(run, cases) : NULL;
    if (status == STATUS_OK && session->simulates && looks_deeper)
        status = grade_unoptimised(run, source, cases, checked, error);
    end_stage(run->stage_ms, REPORT_STAGE_UNOPTIMISED, &begun);
    if (status == STATUS_OK && session->simulates && !enough)
        status = grade_fit(run, source, cases, checked, error);
    end_stage(run->stage_ms, REPORT_STAGE_FIT, &begun);
    enough = enough || (status == STATUS_OK && knows_enough(run));
    if (run->gpu != session->shared_gpu)
        grade_gpu_free(run->gpu); /* its cards are free for others' measurements */
    run->gpu = NULL;
    if (status == STATUS_OK && !enough)
        status = grade_on_card(run, source, cases, checked, findings, error);
    end_stage(run->stage_ms, REPORT_STAGE_SPEED, &begun);
    if (status == STATUS_OK && !enough && !findings->refusal)
        name_causes(run, cases, checked);
    grade_ahead_end(tuned);
    grade_ahead_end(assembling);
    end_stage(run->stage_ms, REPORT_STAGE_CAUSE, &begun);
    return status;
}

/* The same of host code, of which no other build shows more. */
static enum status grade_host_cases(struct grade_run *run, struct report_case *cases,
                                    struct grade_findings *findings, struct error *error) {
    size_t checked = checked_cases(run->plan);
    run->card = take_card(run->session);
    enum status status = grade_program_cases(run, cases, checked, &findings->confirmed, error);
    give_card(run->session, run->card);
    double begun = clock_ms();
    if (status == STATUS_OK)
        name_causes(run, cases, checked);
    end_stage(run->stage_ms, REPORT_STAGE_CAUSE, &begun);
    return status;
}

/* The stage "run": every case of the plan is run and judged. */
static enum status run_and_judge(struct grade_session *session, const struct plan *plan,
                                 const struct grade_source *source,
                                 const struct grade_kernel *kernel,
                                 struct grade_reference *reference, struct grade_rest *rest,
                                 struct report_case *cases, struct grade_findings *findings,
                                 struct error *error) {
    struct oracle_kernel *compiled;
    double begun = clock_ms();
    enum status status = grade_reference_await(reference, &compiled, error);
    end_stage(findings->stage_ms, REPORT_STAGE_REFERENCE, &begun);
    if (status != STATUS_OK)
        return status;
    atomic_bool communicates = false;
    struct grade_run run = {.session = session,
                            .exercise = plan->exercise,
                            .plan = plan,
                            .kernel = kernel,
                            .reference = compiled,
                            .communicates = &communicates,
                            .prefetch = reference,
                            .rest = rest,
                            .compile_ms = &findings->compile_ms,
                            .stage_ms = findings->stage_ms,
                            .file_name = file_base_name(source->file)};
    if (!session->simulates)
        compiled->engine = &session->oracle_engine;
    if (exercise_has_host_code(plan->exercise))
        return grade_host_cases(&run, cases, findings, error);
    return grade_cases(&run, source, cases, findings, error);
}

/* Of an exercise whose course keeps the reference to itself. */
static enum status run_unreferenced(struct grade_session *session, const struct plan *plan,
                                    const struct grade_source *source,
                                    const struct grade_kernel *kernel, struct report_case *cases,
                                    struct error *error) {
    struct grade_run run = {.session = session,
                            .exercise = plan->exercise,
                            .plan = plan,
                            .kernel = kernel,
                            .file_name = file_base_name(source->file)};
    enum language language = session->options.language;
    size_t checked = checked_cases(plan);
    enum status status = STATUS_OK;
    if (!session->simulates)
        return exercise_require_reference(plan->exercise, error);
    for (size_t i = 0; i < checked && status == STATUS_OK; i++)
        status = grade_unreferenced_case(&run, i, &cases[i], error);
    for (size_t i = checked; i < plan->case_count && status == STATUS_OK; i++)
        judge_unlaunched(plan->exercise, language, VERDICT_SKIPPED, WORDS(language, not_compared),
                         false, &cases[i]);
    return status;
}

/* ---- a submission ---------------------------------------------------------------------------- */

/* The stages between the plan and the score. The reference is compiled meanwhile. */
static enum status build_and_run(struct grade_session *session, const struct plan *plan,
                                 const struct grade_source *source, struct grade_rest *rest,
                                 struct report *report, struct error *error) {
    const struct exercise *exercise = plan->exercise;
    enum language language = session->options.language;
    struct grade_findings findings = {.stage_ms = report->stage_ms};
    struct grade_kernel kernel;
    char card[32] = "";
    if (!session->simulates)
        cuda_card_architecture(&session->cards[0], card, sizeof card);
    const char *architecture = *card ? card : NULL;
    struct grade_reference *reference =
        exercise->has_reference ? grade_reference_begin(session, exercise, plan,
                                                        checked_cases(plan), source, architecture)
                                : NULL;
    double begun = clock_ms();
    enum status status = grade_build_for(exercise, source, architecture, language, &kernel, error);
    findings.compile_ms = clock_ms() - begun;
    end_stage(report->stage_ms, REPORT_STAGE_COMPILE, &begun);
    if (status == STATUS_OK) {
        grade_report_build(exercise, language, &kernel, report);
        if (!kernel.message && !reference)
            status = run_unreferenced(session, plan, source, &kernel, report->cases, error);
        else if (!kernel.message)
            status = run_and_judge(session, plan, source, &kernel, reference, rest, report->cases,
                                   &findings, error);
        if (status == STATUS_OK && findings.refusal)
            grade_report_refuse(exercise, language, findings.refusal, NULL, report);
        grade_report_engine(session->simulates, findings.confirmed, report);
        report->compile_ms = findings.compile_ms;
        grade_kernel_free(&kernel);
    }
    if (reference)
        grade_reference_end(reference);
    uint32_t guards;
    if (status == STATUS_OK && session->options.only_one) /* all may be known from earlier grades */
        status = jail_check(&guards, error);
    report->protection = protection_current();
    return status;
}

static enum status grade(struct grade_session *session, const struct exercise *exercise,
                         const struct grade_source *source, struct grade_rest *rest,
                         struct report **out, struct error *error) {
    double start = clock_ms();
    *out = NULL;
    struct plan *plan;
    enum status status = plan_make(exercise, session->seed, session->options.cases, &plan, error);
    if (status != STATUS_OK)
        return status;
    struct report *report =
        grade_report_begin(exercise, session->options.language, source, session->seed, cpu_count());
    grade_report_plan(plan, report);
    if (rest) {
        rest->plan = plan;
        rest->report = report;
    }
    status = build_and_run(session, plan, source, rest, report, error);
    if (status == STATUS_OK) {
        if (!rest || !rest->is_left_out)
            score_report(exercise, plan->group_totals, report);
        report->wall_ms = clock_ms() - start;
        *out = report;
    } else {
        report_free(report);
    }
    plan_free(plan);
    return status;
}

enum status grade_submission(struct grade_session *session, const struct exercise *exercise,
                             const struct grade_source *source, struct report **report,
                             struct error *error) {
    return grade(session, exercise, source, NULL, report, error);
}

enum status grade_until_enough(struct grade_session *session, const struct exercise *exercise,
                               const struct grade_source *source, grade_is_enough *is_enough,
                               void *context, bool hidden, struct report **report,
                               struct error *error) {
    struct grade_rest rest = {.is_enough = is_enough, .context = context, .hidden = hidden};
    return grade(session, exercise, source, &rest, report, error);
}

/* Nothing is wrong, and nothing was compared: the verdict is for a machine with the reference. */
static bool is_uncompared(const struct report *report) {
    size_t skipped = 0;
    while (skipped < report->case_count && report->cases[skipped].verdict == VERDICT_SKIPPED)
        skipped++;
    return report->case_count && skipped == report->case_count;
}

enum status grade_exit_status(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].verdict == VERDICT_INTERNAL_ERROR ||
            judge_is_undecided(&report->cases[i]))
            return STATUS_ENVIRONMENT;
    if (is_uncompared(report))
        return STATUS_ENVIRONMENT;
    return report->passed ? STATUS_OK : STATUS_BELOW_MARK;
}

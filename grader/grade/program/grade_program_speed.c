/* The speed case of submissions with host code: one more run, beside one of the tuned solution on
 * the same data. Time is the modelled one of all copies and launches; counters are those of all
 * launches together. Both are run once, whole: what a sample of blocks computes is of no use to the
 * host code after it. Where there is a card its time counts: grade_program_measure.c. */
#include "grader/grade/program/grade_program.h"

#include "grader/exercise/threshold.h"
#include "grader/grade/measure/grade_measure.h"
#include "grader/judge/judge.h"
#include "grader/judge/speed_check.h"
#include "reports/message.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 1 << 20 };

/* What the tuned solution gives; the session's, once for each exercise. */
struct grade_program_tuned {
    char *directory; /* of the exercise */
    struct plan_launch launch;
    void *data; /* after the run */
    struct counters counters;
    double ms;
    struct grade_program_tuned *next;
};

void grade_program_tuned_free(struct grade_program_tuned *list) {
    while (list) {
        struct grade_program_tuned *next = list->next;
        plan_launch_free(&list->launch);
        free(list->directory);
        free(list->data);
        free(list);
        list = next;
    }
}

/* ---- one run ----------------------------------------------------------------------------------
 */

struct speed_run {
    struct plan_launch launch;
    void *data; /* before, and after it */
    struct engine_result result;
};

static void free_speed_run(struct speed_run *speed) {
    plan_launch_free(&speed->launch);
    free(speed->data);
    engine_result_free(&speed->result);
}

static enum status run_speed(const struct grade_run *run, uint64_t budget, struct speed_run *speed,
                             struct error *error) {
    size_t index = run->plan->case_count - 1;
    *speed = (struct speed_run){0};
    enum status status = grade_bind(run, index, &speed->launch, error);
    if (status != STATUS_OK)
        return status;
    speed->data = mem_zalloc(speed->launch.data_length + 1);
    plan_fill(run->plan, index, PLAN_SUBMISSION, &speed->launch, speed->data);
    struct engine_launch launch = grade_request(run, &speed->launch, speed->data, budget);
    launch.threads = run->threads;
    struct worker_limits limits = grade_limits(run);
    return grade_program_run(run, &launch, &limits, &speed->result, error);
}

/* ---- the tuned solution -----------------------------------------------------------------------
 */

enum status grade_program_tuned_failed(const struct grade_run *run, const char *why,
                                       struct error *error) {
    return error_set(error, STATUS_INVALID, "the tuned solution of %s cannot be run: %.500s",
                     run->exercise->id, why);
}

enum status grade_program_build_tuned(const struct grade_run *run, struct grade_kernel *kernel,
                                      struct error *error) {
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = run->exercise->tuned.file};
    enum status status = file_read(source.file, SOURCE_MAX, &text, &source.length, error);
    if (status != STATUS_OK)
        return status;
    source.text = text;
    status = grade_build(run->exercise, &source, kernel, error);
    return status == STATUS_OK && kernel->message
               ? grade_program_tuned_failed(run, kernel->message, error)
               : status;
}

static enum status run_tuned(const struct grade_run *run, struct grade_program_tuned *tuned,
                             struct error *error) {
    struct grade_kernel kernel = {0};
    enum status status = grade_program_build_tuned(run, &kernel, error);
    if (status == STATUS_OK) {
        struct grade_run own = *run;
        struct speed_run speed;
        own.kernel = &kernel;
        own.file_name = file_base_name(run->exercise->tuned.file);
        status = run_speed(&own, 0, &speed, error);
        if (status == STATUS_OK && speed.result.end != ENGINE_COMPLETED)
            status = grade_program_tuned_failed(run, speed.result.message, error);
        if (status == STATUS_OK) {
            tuned->launch = speed.launch;
            speed.launch = (struct plan_launch){0};
            tuned->data = steal_pointer(&speed.data);
            tuned->counters = speed.result.counters;
            tuned->ms = speed.result.profile.estimate.ms;
        }
        free_speed_run(&speed);
    }
    grade_kernel_free(&kernel);
    return status;
}

/* Others wait: all that they could do meanwhile is the same. */
static enum status ask_tuned(const struct grade_run *run, const struct grade_program_tuned **out,
                             struct error *error) {
    struct grade_session *session = run->session;
    enum status status = STATUS_OK;
    pthread_mutex_lock(&session->program_mutex);
    struct grade_program_tuned *found = session->program_tuned;
    while (found && strcmp(found->directory, run->exercise->directory) != 0)
        found = found->next;
    if (!found) {
        found = mem_zalloc(sizeof *found);
        found->directory = mem_strdup(run->exercise->directory);
        status = run_tuned(run, found, error);
        if (status == STATUS_OK) {
            found->next = session->program_tuned;
            session->program_tuned = found;
        } else {
            grade_program_tuned_free(found);
        }
    }
    pthread_mutex_unlock(&session->program_mutex);
    *out = found;
    return status;
}

/* ---- judging ----------------------------------------------------------------------------------
 */

/* What the submission did, simulated and measured; one of both may be missing. */
struct program_evidence {
    bool simulated;
    const struct grade_program_tuned *tuned;
    struct speed_run speed;
    struct grade_measured card;
};

static struct threshold_facts collect_facts(const struct grade_run *run,
                                            const struct program_evidence *evidence,
                                            const struct expr_name *names, size_t count) {
    struct threshold_facts facts = {.names = names,
                                    .name_count = count,
                                    .file = run->file_name,
                                    .measured_names = evidence->card.names,
                                    .measured_name_count = evidence->card.name_count};
    if (evidence->simulated) {
        facts.submission =
            (struct threshold_launch){.counters = &evidence->speed.result.counters,
                                      .time_ms = evidence->speed.result.profile.estimate.ms};
        facts.tuned = (struct threshold_launch){.counters = &evidence->tuned->counters,
                                                .time_ms = evidence->tuned->ms};
    }
    if (evidence->card.report.present) {
        facts.measured = &evidence->card.report;
        facts.measured_ms = evidence->card.time.median_ms;
    }
    return facts;
}

static void take_simulated(const struct grade_run *run, const struct program_evidence *evidence,
                           struct report_case *the_case) {
    struct report_speed *out = &the_case->speed;
    struct device_profile device;
    double ms = evidence->speed.result.profile.estimate.ms, tuned_ms = evidence->tuned->ms;
    if (grade_device_of(run->session, run->exercise, &device, NULL) == STATUS_OK) {
        out->device_id = mem_strdup(device.id);
        out->device_name = mem_strdup(device.name);
        out->device_rates = device_rate_provenance(&device);
    }
    the_case->time = (struct report_time){.present = ms > 0,
                                          .median_ms = ms,
                                          .ci_low_ms = ms,
                                          .ci_high_ms = ms,
                                          .ratio_to_reference = tuned_ms > 0 ? ms / tuned_ms : 0};
}

static void decide(const struct grade_run *run, struct program_evidence *evidence,
                   struct report_case *the_case) {
    const struct exercise *exercise = run->exercise;
    enum language language = run->session->options.language;
    struct report_speed *out = &the_case->speed;
    size_t count = exercise->speed_size_count;
    cleanup_free struct expr_name *names = mem_calloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] =
            (struct expr_name){exercise->speed_sizes[i].name, exercise->speed_sizes[i].value};
    const struct threshold_facts facts = collect_facts(run, evidence, names, count);
    *out = (struct report_speed){.present = true, .threshold_count = exercise->threshold_count};
    if (evidence->simulated)
        take_simulated(run, evidence, the_case);
    if (evidence->card.report.present)
        the_case->time = evidence->card.time;
    out->thresholds = mem_calloc(exercise->threshold_count, sizeof *out->thresholds);
    for (size_t i = 0; i < exercise->threshold_count; i++)
        threshold_decide(&exercise->thresholds[i], &facts, language, &out->thresholds[i]);
    if (evidence->card.report.present) {
        out->measured = evidence->card.report;
        evidence->card.report = (struct report_measured){.present = false}; /* the case's now */
    }
    enum verdict verdict = threshold_verdict(out);
    judge_speed(exercise, language, verdict,
                verdict == VERDICT_SKIPPED ? mem_strdup(WORDS(language, no_engine_decides))
                                           : grade_speed_message(out, language),
                the_case);
}

static bool correctness_passed(const struct plan *plan, const struct report_case *cases) {
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->cases[i].group == GROUP_CORRECTNESS && cases[i].verdict != VERDICT_PASS)
            return false;
    return true;
}

/* *right where the run ended well, and its outputs are the tuned solution's; else the case has its
 * verdict. */
static enum status simulate(const struct grade_run *run, struct program_evidence *evidence,
                            bool *right, struct report_case *the_case, struct error *error) {
    struct speed_run *speed = &evidence->speed;
    *right = false;
    enum status status = ask_tuned(run, &evidence->tuned, error);
    if (status != STATUS_OK)
        return status;
    const struct grade_program_tuned *tuned = evidence->tuned;
    evidence->simulated = true;
    status = run_speed(run, grade_budget(tuned->counters.thread_instructions), speed, error);
    if (status != STATUS_OK)
        return status;
    struct judge_evidence judged = {.exercise = run->exercise,
                                    .launch = &speed->launch,
                                    .result = &speed->result,
                                    .language = run->session->options.language};
    *right = judge_profiled(&judged, the_case) &&
             grade_speed_is_right(run, run->plan->case_count - 1,
                                  &(struct speed_outputs){&speed->launch, speed->data},
                                  &(struct speed_outputs){&tuned->launch, tuned->data}, the_case);
    return STATUS_OK;
}

static bool is_for_a_card(const struct exercise *exercise) {
    bool found = false;
    for (size_t i = 0; i < exercise->threshold_count; i++)
        found |= exercise->thresholds[i].engine != THRESHOLD_SIM;
    return found;
}

/* The simulated GPU first: what is wrong shows there with a line. */
static enum status judge_run(const struct grade_run *run, struct report_case *the_case,
                             struct error *error) {
    const struct grade_session *session = run->session;
    struct program_evidence evidence = {.simulated = false};
    bool right = true;
    enum status status =
        session->simulates ? simulate(run, &evidence, &right, the_case, error) : STATUS_OK;
    if (status == STATUS_OK && right && session->card_count && is_for_a_card(run->exercise))
        status = grade_program_measure(run, &session->cards[run->card], &evidence.card, the_case,
                                       &right, error);
    if (status == STATUS_OK && right)
        decide(run, &evidence, the_case);
    if (evidence.simulated)
        free_speed_run(&evidence.speed);
    grade_measured_free(&evidence.card);
    return status;
}

enum status grade_program_speed(const struct grade_run *run, struct report_case *cases,
                                struct error *error) {
    const struct plan *plan = run->plan;
    enum language language = run->session->options.language;
    struct report_case *the_case = &cases[plan->case_count - 1];
    double start = clock_ms();
    if (plan->cases[plan->case_count - 1].group != GROUP_SPEED)
        return STATUS_OK;
    if (!correctness_passed(plan, cases)) {
        judge_speed(run->exercise, language, VERDICT_SKIPPED,
                    mem_strdup(WORDS(language, speed_counts_only)), the_case);
        return STATUS_OK;
    }
    enum status status = judge_run(run, the_case, error);
    the_case->wall_ms = clock_ms() - start;
    return status;
}

/* ---- the stages -------------------------------------------------------------------------------
 */

enum status grade_program_cases(struct grade_run *run, struct report_case *cases, size_t checked,
                                bool *confirmed, struct error *error) {
    const struct grade_session *session = run->session;
    double begun = clock_ms();
    if (!session->simulates)
        run->program_card = &session->cards[run->card];
    enum status status = grade_pool_run(run, cases, NULL, checked, error);
    run->program_card = NULL;
    if (status == STATUS_OK && session->simulates && session->card_count)
        status = grade_confirm_program(run, cases, checked, confirmed, error);
    run->stage_ms[REPORT_STAGE_CASES] += clock_ms() - begun;
    begun = clock_ms();
    if (status == STATUS_OK)
        status = grade_program_speed(run, cases, error);
    run->stage_ms[REPORT_STAGE_SPEED] += clock_ms() - begun;
    return status;
}

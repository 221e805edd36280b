/* The speed case: the submission and the tuned kernel are launched once more, on the simulated GPU
 * with a device profile, and the thresholds decide from what both tell. Where there is a card it
 * measures both as well (grade_measure.c), and what is asked of times is asked of those.
 *
 * It comes last and only where every correctness case passed: points for speed are for right
 * kernels. Both kernels are launched twice: whole and without a device, for the results, and on the
 * device, where of a large grid only a sample of blocks is executed, at larger sizes as a rule. A
 * kernel that leaves out work when it sees the large size has a wrong result, also where only a
 * sample of the results is compared (grade_sampled.c); one whose sampled blocks do less than the
 * others has other counters than the whole launch, and is not sampled. One that hangs there, or
 * does far too much, runs out of a budget that follows from the tuned kernel's whole launch, and is
 * too slow either way. The checks ran already and are off here. Both kernels are compiled as the
 * checked build was, the same PTX in the submission's case: code that only the speed case would run
 * would be code that was not checked. */
#include "grader/grade/grade_ahead.h"
#include "grader/grade/grade_cost.h"
#include "grader/grade/grade_report.h"
#include "grader/grade/grade_sampled.h"
#include "grader/grade/grade_tuned.h"
#include "grader/grade/grade_work.h"
#include "grader/grade/measure/grade_measure.h"

#include "grader/exercise/threshold.h"
#include "grader/judge/judge.h"
#include "grader/judge/speed_check.h"
#include "reports/advice.h"
#include "reports/message.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool grade_has_speed_case(const struct plan *plan) {
    return plan->cases[plan->case_count - 1].group == GROUP_SPEED;
}

enum status grade_device_of(const struct grade_session *session, const struct exercise *exercise,
                            struct device_profile *device, struct error *error) {
    *device = session->device;
    return session->has_device ? STATUS_OK : device_load(exercise->device, device, error);
}

static bool correctness_passed(const struct plan *plan, const struct report_case *cases) {
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->cases[i].group == GROUP_CORRECTNESS && cases[i].verdict != VERDICT_PASS)
            return false;
    return true;
}

bool grade_speed_counts(const struct plan *plan, const struct report_case *cases) {
    return grade_has_speed_case(plan) && correctness_passed(plan, cases);
}

/* ---- the case -------------------------------------------------------------------------------- */

static struct threshold_launch launch_facts(const struct engine_result *result,
                                            unsigned registers) {
    return (struct threshold_launch){.counters = &result->counters,
                                     .time_ms = result->profile.estimate.ms,
                                     .registers = registers,
                                     .occupancy = result->profile.occupancy.theoretical};
}

/* Modelled times have no spread but that of the blocks that were drawn. */
static void take_time(const struct engine_result *result, const struct engine_result *tuned,
                      struct report_case *the_case) {
    double ms = result->profile.estimate.ms, error = 1.96 * profile_time_error(&result->profile);
    if (ms <= 0)
        return;
    double tuned_ms = tuned->profile.estimate.ms;
    the_case->time = (struct report_time){.present = true,
                                          .median_ms = ms,
                                          .ci_low_ms = ms * (error < 1 ? 1 - error : 0),
                                          .ci_high_ms = ms * (1 + error),
                                          .ratio_to_reference = tuned_ms > 0 ? ms / tuned_ms : 0};
}

static void take_profile(const struct engine_result *result, const struct grade_device *device,
                         const char *file, enum language language, struct report_speed *speed) {
    const struct launch_profile *profile = &result->profile;
    struct text limiter = {0};
    *speed = (struct report_speed){.present = true,
                                   .device_id = mem_strdup(device->profile->id),
                                   .device_name = mem_strdup(device->profile->name),
                                   .device_rates = device_rate_provenance(device->profile),
                                   .blocks = profile->blocks,
                                   .blocks_simulated = profile->blocks_simulated,
                                   .registers = device->registers,
                                   .occupancy = profile->occupancy.theoretical};
    if (device->registers)
        speed->occupancy_limit = mem_strdup(occupancy_limit_names[profile->occupancy.limit]);
    memcpy(speed->errors, profile->errors, sizeof speed->errors);
    advice_limiter(result, device->profile, file, language, &limiter);
    speed->limiter = limiter.length ? text_steal(&limiter) : NULL;
    text_free(&limiter);
    grade_take_costs(result, file, speed);
}

static void take_sizes(const struct exercise *exercise, enum grade_scale scale,
                       size_t elements_compared, struct report_speed *speed) {
    if (scale == SCALE_CASE)
        return;
    speed->elements_compared = elements_compared;
    speed->size_count = exercise->speed_size_count;
    speed->sizes = grade_report_sizes(grade_scale_sizes(exercise, scale), speed->size_count);
}

/* The sizes of the launch and the constants of the submission. */
static struct expr_name *threshold_names(const struct grade_run *run, enum grade_scale scale,
                                         size_t *count) {
    size_t size_count = run->exercise->speed_size_count;
    const struct exercise_size *sizes = grade_scale_sizes(run->exercise, scale);
    struct expr_name *names =
        mem_calloc(size_count + run->kernel->constant_count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; i < size_count; i++)
        names[(*count)++] = (struct expr_name){sizes[i].name, sizes[i].value};
    for (size_t i = 0; i < run->kernel->constant_count; i++)
        names[(*count)++] = run->kernel->constants[i];
    return names;
}

/* "ratio_to_tuned is 8.1 (modelled), at most 4 expected; line 14 reads ..." of the threshold that
 * was missed by all of its tiers or, where there is none, that could give more. */
char *grade_speed_message(const struct report_speed *speed, enum language language) {
    const struct report_threshold *reported = NULL;
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *t = &speed->thresholds[i];
        if ((t->state == THRESHOLD_MISSED && t->max_score > 0 &&
             (!reported || reported->state != THRESHOLD_MISSED)) ||
            (t->state == THRESHOLD_PART && !reported))
            reported = t;
    }
    if (!reported)
        return NULL;
    cleanup_text struct text value = {0}, target = {0};
    report_append_value(&value, reported->value);
    report_append_value(&target, reported->target);
    return mem_printf(reported->at_least ? WORDS(language, at_least_expected)
                                         : WORDS(language, at_most_expected),
                      reported->name, text_string(&value),
                      reported->measured   ? WORDS(language, is_measured)
                      : reported->modelled ? WORDS(language, is_modelled)
                                           : "",
                      text_string(&target), reported->why ? WORDS(language, semicolon) : "",
                      reported->why ? reported->why : "");
}

/* All that is known of the submission when its thresholds are decided: from the simulated GPU, from
 * a card, or from both. */
struct speed_evidence {
    bool simulated;
    enum grade_scale scale; /* of the launch that the result is of */
    struct engine_result result;
    size_t elements_compared; /* of a launch at SCALE_CARD */
    struct device_profile profile;
    struct grade_device device;
    const char *refusal; /* ptxas takes the kernel for no device; NULL: it does */
    const struct grade_tuned *tuned;
    bool measured;
    struct grade_measured card;
};

static struct threshold_facts collect_facts(const struct grade_run *run,
                                            const struct speed_evidence *evidence,
                                            const struct expr_name *names, size_t name_count) {
    const struct engine_result *result = &evidence->result;
    struct threshold_facts facts = {
        .names = names, .name_count = name_count, .file = run->file_name};
    if (evidence->simulated) {
        facts.submission = launch_facts(result, evidence->device.registers);
        facts.tuned =
            launch_facts(&evidence->tuned->results[evidence->scale], evidence->tuned->registers);
        facts.lines = result->lines;
        facts.line_count = result->line_count;
        facts.limiter = result->profile.estimate.limiter;
        facts.sample_error = profile_time_error(&result->profile);
    }
    if (evidence->measured) {
        facts.measured = &evidence->card.report;
        facts.measured_ms = evidence->card.time.median_ms;
        facts.measured_names = evidence->card.names;
        facts.measured_name_count = evidence->card.name_count;
    }
    return facts;
}

static void decide(const struct grade_run *run, struct speed_evidence *evidence,
                   struct report_case *the_case) {
    const struct exercise *exercise = run->exercise;
    enum language language = run->session->options.language;
    struct report_speed *speed = &the_case->speed;
    size_t name_count;
    cleanup_free struct expr_name *names = threshold_names(run, evidence->scale, &name_count);
    struct threshold_facts facts = collect_facts(run, evidence, names, name_count);
    *speed = (struct report_speed){.present = true};
    if (evidence->simulated) {
        take_profile(&evidence->result, &evidence->device, run->file_name, language, speed);
        take_sizes(run->exercise, evidence->scale, evidence->elements_compared, speed);
        take_time(&evidence->result, &evidence->tuned->results[evidence->scale], the_case);
    }
    if (evidence->measured)
        the_case->time = evidence->card.time;
    speed->threshold_count = exercise->threshold_count;
    speed->thresholds = mem_calloc(exercise->threshold_count, sizeof *speed->thresholds);
    for (size_t i = 0; i < exercise->threshold_count; i++)
        threshold_decide(&exercise->thresholds[i], &facts, language, &speed->thresholds[i]);
    speed->measured = evidence->card.report;
    if (evidence->simulated)
        grade_take_roofline(&evidence->result, &evidence->tuned->results[evidence->scale],
                            &evidence->profile, &the_case->time, speed);
    evidence->card.report = (struct report_measured){.present = false}; /* the case owns it now */
    enum verdict verdict = threshold_verdict(speed);
    char *message = verdict == VERDICT_SKIPPED ? mem_strdup(WORDS(language, no_engine_decides))
                                               : grade_speed_message(speed, language);
    judge_speed(exercise, language, verdict, message, the_case);
}

/* ---- the submission -------------------------------------------------------------------------- */

/* As shares: standard error of a sample, and difference from what the whole launch counted. */
#define MAX_STDERR 0.1
#define MAX_BIAS   0.1

static bool is_near(uint64_t scaled, uint64_t whole) {
    double difference = (double)scaled - (double)whole;
    return fabs(difference) <= MAX_BIAS * (double)whole;
}

/* A kernel may leave its work to blocks that are not in the sample. */
static bool is_representative(const struct engine_result *result, const struct counters *whole) {
    const struct launch_profile *profile = &result->profile;
    const struct counters *scaled = &result->counters;
    if (profile->blocks_simulated == profile->blocks)
        return true;
    return profile_time_error(profile) <= MAX_STDERR &&
           is_near(scaled->warp_instructions, whole->warp_instructions) &&
           is_near(scaled->thread_instructions, whole->thread_instructions) &&
           is_near(scaled->global_load_sectors + scaled->global_store_sectors,
                   whole->global_load_sectors + whole->global_store_sectors) &&
           is_near(scaled->shared_load_wavefronts + scaled->shared_store_wavefronts,
                   whole->shared_load_wavefronts + whole->shared_store_wavefronts);
}

static bool judge_launch(const struct grade_run *run, const struct plan_launch *launch,
                         const struct engine_result *result, struct report_case *the_case) {
    struct judge_evidence evidence = {.exercise = run->exercise,
                                      .launch = launch,
                                      .result = result,
                                      .language = run->session->options.language};
    return judge_profiled(&evidence, the_case);
}

bool grade_speed_is_right(const struct grade_run *run, size_t index,
                          const struct speed_outputs *own, const struct speed_outputs *tuned,
                          struct report_case *the_case) {
    enum language language = run->session->options.language;
    struct speed_difference found;
    if (speed_check(run->exercise, &run->plan->cases[index], own, tuned, &found))
        return true;
    const struct engine_argument *argument = &own->launch->arguments[found.output];
    char *where = judge_index_text(argument, found.index);
    the_case->difference =
        (struct report_difference){.present = true,
                                   .output = mem_strdup(argument->name),
                                   .index = where,
                                   .flat_index = found.index,
                                   .expected = found.expected,
                                   .actual = found.actual,
                                   .never_written = found.unwritten,
                                   .is_integer = !element_infos[argument->type].is_float};
    judge_speed(run->exercise, language, VERDICT_WRONG_ANSWER,
                mem_printf(found.unwritten ? WORDS(language, speed_never_written)
                                           : WORDS(language, speed_differs),
                           argument->name, where),
                the_case);
    return false;
}

/* Whether a kernel that was stopped here would have ended is not known: it did for all other
 * cases, and a block of one warp with one element a thread has good reason to need as much. */
static bool judge_amount(const struct grade_run *run, const struct engine_result *result,
                         uint64_t budget, struct report_case *the_case) {
    const struct hazard *stopped = NULL;
    for (size_t i = 0; i < result->hazard_count; i++)
        if (result->hazards[i].kind == HAZARD_INSTRUCTION_BUDGET)
            stopped = &result->hazards[i];
    if (!stopped)
        return true;
    cleanup_text struct text where = {0};
    enum language language = run->session->options.language;
    if (stopped->line)
        text_printf(&where, WORDS(language, in_line), stopped->line);
    judge_speed(run->exercise, run->session->options.language, VERDICT_TOO_SLOW,
                mem_printf(WORDS(language, stopped_after), text_string(&where), budget), the_case);
    return false;
}

/* The whole launch, whose results the data become: *whole is what it executed, without what is to
 * be freed; *right where its results are. */
static enum status run_whole(const struct grade_run *run, size_t index,
                             const struct plan_launch *launch, void *data, uint64_t budget,
                             const struct grade_tuned *tuned, struct engine_result *whole,
                             bool *right, struct report_case *the_case, struct error *error) {
    struct engine_result result;
    enum status status = grade_whole(run, launch, budget, data, &result, error);
    if (status != STATUS_OK)
        return status;
    *whole = (struct engine_result){.counters = result.counters,
                                    .blocks_communicate = result.blocks_communicate};
    *right = judge_amount(run, &result, budget, the_case) &&
             judge_launch(run, launch, &result, the_case) &&
             grade_speed_is_right(run, index, &(struct speed_outputs){launch, data},
                                  &(struct speed_outputs){&tuned->launch, tuned->data}, the_case);
    if (*right)
        judge_reset(the_case);
    engine_result_free(&result);
    return STATUS_OK;
}

/* False where no SM has room for a block: the launch would fail there, and nothing is modelled. */
static bool judge_fit(const struct grade_run *run, const struct plan_launch *launch,
                      const struct grade_device *device, const struct occupancy *occupancy,
                      struct report_case *the_case) {
    if (occupancy->blocks_per_sm)
        return true;
    judge_speed(run->exercise, run->session->options.language, VERDICT_TOO_SLOW,
                mem_printf(WORDS(run->session->options.language, no_room_on_sm),
                           launch->block.x * launch->block.y * launch->block.z, device->registers,
                           device->profile->name, occupancy_limit_names[occupancy->limit]),
                the_case);
    return false;
}

/* At the sizes of the case, where what counts was compared. */
static enum status run_small(const struct grade_run *run, const struct plan_launch *launch,
                             size_t index, const struct counters *whole,
                             struct speed_evidence *evidence, bool *right,
                             struct report_case *the_case, struct error *error) {
    struct engine_result *result = &evidence->result;
    struct grade_device *device = &evidence->device;
    cleanup_free void *data = grade_fill(run, launch, index);
    evidence->scale = SCALE_CASE;
    enum status status = grade_profile(run, launch, device, data, result, error);
    if (status == STATUS_OK && result->end == ENGINE_COMPLETED && !result->hazard_count &&
        !is_representative(result, whole)) {
        engine_result_free(result);
        device->sample_budget = 0;
        status = grade_profile(run, launch, device, data, result, error);
    }
    if (status != STATUS_OK)
        return status;
    evidence->simulated = true;
    *right = judge_amount(run, result, device->budget, the_case) &&
             judge_launch(run, launch, result, the_case) &&
             judge_fit(run, launch, device, &result->profile.occupancy, the_case);
    if (!*right)
        return STATUS_OK;
    return grade_tuned_ask(run->session, run->exercise, device->profile, TUNED_AT_BOTH,
                           &evidence->tuned, error);
}

/* At the sizes that a card is measured at, where both kernels have a sample there. What is wrong
 * with the results there is the case's verdict. */
static enum status run_large(const struct grade_run *run, const struct engine_result *whole,
                             struct grade_ahead_large *ahead, struct speed_evidence *evidence,
                             bool *right, struct report_case *the_case, struct error *error) {
    const struct grade_tuned **tuned = &evidence->tuned;
    struct grade_sampled sampled = {0};
    struct grade_large large;
    if (!(*tuned)->large || whole->blocks_communicate)
        return STATUS_OK;
    enum status status = grade_ahead_large_take(ahead, run, &evidence->device, &large, error);
    if (status == STATUS_OK && large.known)
        status = grade_sampled_compare(run, &large, &sampled, error);
    if (status == STATUS_OK)
        status = grade_tuned_ask(run->session, run->exercise, evidence->device.profile,
                                 TUNED_PROFILED, tuned, error);
    bool both = large.known && status == STATUS_OK && (*tuned)->known[SCALE_CARD];
    evidence->simulated =
        both && grade_work_grows(&large.result.counters, &whole->counters,
                                 &(*tuned)->results[SCALE_CARD].counters, &(*tuned)->counters);
    bool covers = both && grade_work_covers(&large.result, &(*tuned)->results[SCALE_CARD]);
    if (both && !(evidence->simulated && covers) && !sampled.difference.present)
        status = grade_sampled_confirm(run, &sampled, error);
    *right = grade_sampled_judge(run, &sampled, the_case);
    evidence->elements_compared = sampled.compared;
    if (evidence->simulated)
        evidence->result = large.result;
    else if (large.known)
        engine_result_free(&large.result);
    evidence->scale = SCALE_CARD;
    return status;
}

static enum status ask_registers(const struct grade_run *run, const struct grade_source *source,
                                 struct speed_evidence *evidence, struct error *error) {
    struct grade_assembly assembly;
    enum status status =
        grade_speed_registers(run, source, evidence->device.profile, &assembly, error);
    evidence->device.registers = assembly.registers;
    evidence->device.arrays_in_registers = assembly.arrays_in_registers;
    evidence->refusal = assembly.refusal;
    return status;
}

/* Without tensor cores a thread needs an instruction for each product and sum that they made. */
static uint64_t work_budget(const struct counters *tuned) {
    return grade_budget(tuned->thread_instructions + tuned->flops_matrix / 2);
}

/* Whole, and on the device meanwhile; the tuned kernel is a step ahead. */
static enum status simulate_launch(const struct grade_run *run, size_t index,
                                   const struct plan_launch *launch,
                                   struct speed_evidence *evidence, bool *right,
                                   struct report_case *the_case, struct error *error) {
    struct grade_device *device = &evidence->device;
    struct engine_result whole;
    cleanup_free void *data = grade_fill(run, launch, index);
    enum status status = grade_tuned_ask(run->session, run->exercise, device->profile, TUNED_WHOLE,
                                         &evidence->tuned, error);
    if (status != STATUS_OK)
        return status;
    device->budget = work_budget(&evidence->tuned->counters);
    struct grade_ahead_large *ahead =
        evidence->tuned->large ? grade_ahead_large_begin(run, device) : NULL;
    status = run_whole(run, index, launch, data, device->budget, evidence->tuned, &whole, right,
                       the_case, error);
    if (status == STATUS_OK && *right)
        status = run_large(run, &whole, ahead, evidence, right, the_case, error);
    grade_ahead_large_end(ahead);
    if (status == STATUS_OK && *right && !evidence->simulated)
        status = run_small(run, launch, index, &whole.counters, evidence, right, the_case, error);
    return status;
}

static enum status simulate(const struct grade_run *run, const struct grade_source *source,
                            size_t index, const struct device_profile *profile,
                            struct speed_evidence *evidence, bool *right,
                            struct report_case *the_case, struct error *error) {
    *right = false;
    evidence->device =
        (struct grade_device){.profile = profile, .sample_budget = run->exercise->speed_sample};
    /* Before the launch: what ptxas refuses has no points, also where it is wrong at this size. */
    enum status status = ask_registers(run, source, evidence, error);
    if (status != STATUS_OK || evidence->refusal)
        return status;
    struct plan_launch launch = {0};
    struct error cause = {0};
    if (grade_bind(run, index, &launch, &cause) != STATUS_OK) {
        judge_unlaunched(run->exercise, run->session->options.language, VERDICT_HAZARD,
                         cause.message, true, the_case);
        return STATUS_OK;
    }
    status = simulate_launch(run, index, &launch, evidence, right, the_case, error);
    plan_launch_free(&launch);
    return status;
}

/* The simulated GPU first: what is wrong with a kernel shows there with a line. */
static enum status collect_evidence(const struct grade_run *run, const struct grade_source *source,
                                    size_t index, struct speed_evidence *evidence, bool *right,
                                    struct report_case *the_case, struct error *error) {
    const struct grade_session *session = run->session;
    enum status status = STATUS_OK;
    *right = true;
    if (session->simulates) {
        status = grade_device_of(session, run->exercise, &evidence->profile, error);
        if (status == STATUS_OK)
            status =
                simulate(run, source, index, &evidence->profile, evidence, right, the_case, error);
    }
    if (status == STATUS_OK && *right && session->card_count) {
        const struct cuda_card *card = &session->cards[run->card];
        status = grade_measure(run, source, card, &evidence->card, the_case, right, error);
        evidence->measured = status == STATUS_OK && *right;
    }
    return status;
}

enum status grade_refused(const struct grade_run *run, const struct grade_source *source,
                          const struct report_case *cases, size_t count, const char **refusal,
                          struct error *error) {
    struct device_profile device;
    struct grade_assembly assembly = {0};
    *refusal = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!judge_is_undecided(&cases[i]))
            continue;
        enum status status = grade_device_of(run->session, run->exercise, &device, error);
        if (status == STATUS_OK)
            status = grade_speed_registers(run, source, &device, &assembly, error);
        *refusal = assembly.refusal;
        return status;
    }
    return STATUS_OK;
}

enum status grade_speed(const struct grade_run *run, const struct grade_source *source,
                        struct report_case *cases, const char **refusal, struct error *error) {
    const struct plan *plan = run->plan;
    size_t index = plan->case_count - 1;
    *refusal = NULL;
    if (!grade_has_speed_case(plan))
        return STATUS_OK;
    struct report_case *the_case = &cases[index];
    if (!correctness_passed(plan, cases)) {
        judge_speed(run->exercise, run->session->options.language, VERDICT_SKIPPED,
                    mem_strdup(WORDS(run->session->options.language, speed_counts_only)), the_case);
        return STATUS_OK;
    }
    double start = clock_ms();
    struct speed_evidence evidence = {.simulated = false};
    bool right;
    enum status status = collect_evidence(run, source, index, &evidence, &right, the_case, error);
    *refusal = evidence.refusal;
    if (status == STATUS_OK && right)
        decide(run, &evidence, the_case);
    if (evidence.simulated)
        engine_result_free(&evidence.result);
    grade_measured_free(&evidence.card);
    the_case->wall_ms = clock_ms() - start;
    return status;
}

/* One case of one submission: bind, fill, ask the oracle, launch in a worker, judge.
 *
 * The budget of a launch follows from what the reference needed, see grade_launch.c. An exercise
 * may name its own, where a good solution does more than twenty times the work of its reference. */
#include "grader/grade/grade_batch.h"
#include "grader/grade/program/grade_program.h"

#include "grader/cases/schedule.h"
#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static unsigned count_schedules(uint64_t instructions) {
    unsigned count = 1;
    while (count < GRADE_SCHEDULES &&
           (!grade_schedule_bound(count) || instructions <= grade_schedule_bound(count)))
        count++;
    return count;
}

/* Binds the case to the submission's constants. Where that cannot be launched, the constants are
 * to blame if the exercise's own is enough; *blamed then says so in the case. */
static enum status bind_submission(const struct grade_run *run, size_t index,
                                   struct plan_launch *launch, struct report_case *the_case,
                                   bool *blamed, struct error *error) {
    struct error cause = {0};
    *blamed = false;
    if (grade_bind(run, index, launch, &cause) == STATUS_OK)
        return STATUS_OK;
    size_t count;
    cleanup_free struct expr_name *fallbacks = oracle_constants(run->exercise, &count);
    enum status status = plan_bind(run->plan, index, &run->exercise->launch, PLAN_SUBMISSION,
                                   fallbacks, count, grade_memory_limit(run), launch, error);
    if (status != STATUS_OK)
        return status;
    plan_launch_free(launch);
    cleanup_free char *message =
        mem_printf("%s%s%s", cause.message, cause.hint[0] ? ". " : "", cause.hint);
    judge_unlaunched(run->exercise, run->session->options.language, VERDICT_HAZARD, message, true,
                     the_case);
    *blamed = true;
    return STATUS_OK;
}

/* What is launched: a case's data area as it is filled, and as each launch leaves it; `again` as in
 * struct judge_evidence. */
struct case_data {
    const struct plan_launch *launch;
    char *before, *after, *again;
};

static void fill_data(const struct grade_run *run, size_t index, const struct plan_launch *launch,
                      struct case_data *data) {
    *data = (struct case_data){.launch = launch,
                               .before = mem_zalloc(launch->data_length + 1),
                               .after = mem_alloc(launch->data_length + 1)};
    plan_fill(run->plan, index, PLAN_SUBMISSION, launch, data->before);
}

static void free_data(struct case_data *data) {
    free(data->before);
    free(data->after);
    free(data->again);
}

static enum status run_launch(const struct grade_run *run, const struct engine_launch *launch,
                              struct engine_result *result, struct error *error) {
    struct worker_limits limits = grade_limits(run);
    if (exercise_has_host_code(run->exercise))
        return grade_program_run(run, launch, &limits, result, error);
    if (launch->is_second)
        limits.wall_seconds *= 2; /* the first one runs again */
    return run->gpu ? grade_gpu_run(run->gpu, launch, &run->kernel->build, &limits, result, error)
                    : engine_run(launch, &limits, result, error);
}

static struct engine_launch request_launch(const struct grade_run *run,
                                           const struct case_data *data, uint64_t seed,
                                           uint64_t budget) {
    struct engine_launch launch = grade_request(run, data->launch, data->after, budget);
    launch.seed = seed;
    launch.threads = run->threads;
    return launch;
}

static enum status launch_case(const struct grade_run *run, size_t index,
                               const struct case_data *data, uint64_t seed, uint64_t budget,
                               struct engine_result *result, struct error *error) {
    enum status status = STATUS_OK;
    if (!grade_batch_take(run->batch, index, seed, budget, data->after, result)) {
        memcpy(data->after, data->before, data->launch->data_length);
        struct engine_launch launch = request_launch(run, data, seed, budget);
        status = run_launch(run, &launch, result, error);
    }
    if (status == STATUS_OK && run->communicates && result->blocks_communicate)
        atomic_store(run->communicates, true);
    return status;
}

static struct judge_evidence collect_evidence(const struct grade_run *run,
                                              const struct case_data *data,
                                              const struct engine_result *result,
                                              const struct oracle_answer *answer) {
    return grade_evidence(run, data->launch, data->before, data->after, result, answer);
}

/* Before a student is told that an element was never written: the same launch over other poison. */
static enum status launch_over_other_poison(const struct grade_run *run, size_t index,
                                            struct case_data *data,
                                            const struct engine_launch *first,
                                            struct judge_evidence *evidence, struct error *error) {
    if (!judge_asks_again(evidence))
        return STATUS_OK;
    if (!data->again)
        data->again = mem_alloc(data->launch->data_length + 1);
    memcpy(data->again, data->before, data->launch->data_length);
    plan_fill_other_poison(run->plan, PLAN_SUBMISSION, data->launch, data->again);
    struct engine_launch launch = *first;
    struct engine_result result;
    launch.data = data->again;
    enum status status = STATUS_OK;
    if (!grade_batch_take_again(run, index, first, data->again, &result))
        status = run_launch(run, &launch, &result, error);
    if (status != STATUS_OK)
        return status;
    if (result.end == ENGINE_COMPLETED)
        evidence->again = data->again;
    engine_result_free(&result);
    return STATUS_OK;
}

/* In the natural order first: its hazards name the first threads. Then in others, where that can
 * make a difference and nothing is wrong yet but the result. */
static enum status launch_and_judge(const struct grade_run *run, size_t index,
                                    struct case_data *data, const struct oracle_answer *answer,
                                    struct report_case *the_case, struct error *error) {
    uint64_t secret = plan_schedule_seed(run->plan, index);
    uint64_t budget = grade_case_budget(run, answer);
    unsigned schedules = 1;
    for (unsigned i = 0; i < schedules; i++) {
        struct engine_result result;
        enum status status =
            launch_case(run, index, data, schedule_seed(secret, i), budget, &result, error);
        if (status != STATUS_OK)
            return status;
        struct judge_evidence evidence = collect_evidence(run, data, &result, answer);
        struct engine_launch launch = request_launch(run, data, schedule_seed(secret, i), budget);
        status = launch_over_other_poison(run, index, data, &launch, &evidence, error);
        if (status != STATUS_OK) {
            engine_result_free(&result);
            return status;
        }
        if (i == 0) {
            judge_case(&evidence, the_case);
            if (run->gpu)
                schedules++; /* a card has orders of its own, and other addresses */
            else if (schedule_matters(&result))
                schedules = count_schedules(result.counters.thread_instructions);
        } else {
            judge_other_schedule(&evidence, the_case);
        }
        engine_result_free(&result);
        if (!judge_is_clean(the_case))
            break;
    }
    return STATUS_OK;
}

/* Does the module hold a variable that one launch can leave to the next? A hint: the strings of
 * printf and assert ($str) are constants. */
static bool keeps_state(const struct build_result *build) {
    static const char mark[] = ".global .align";
    const char *at = build->ptx, *end = build->ptx + build->ptx_length;
    while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1))) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        if (!memmem(at, length, "$str", 4) && !memmem(at, length, "__unnamed", 9))
            return true;
        at += length;
    }
    return false;
}

/* Once more in the same module, on fresh buffers, as a host does that calls the kernel twice. */
static enum status launch_again(const struct grade_run *run, size_t index, struct case_data *data,
                                const struct oracle_answer *answer, struct report_case *the_case,
                                struct error *error) {
    struct engine_result result;
    memcpy(data->after, data->before, data->launch->data_length);
    struct engine_launch launch = request_launch(run, data, 0, grade_case_budget(run, answer));
    launch.is_second = true;
    enum status status = run_launch(run, &launch, &result, error);
    if (status != STATUS_OK)
        return status;
    struct judge_evidence evidence = collect_evidence(run, data, &result, answer);
    status = launch_over_other_poison(run, index, data, &launch, &evidence, error);
    if (status == STATUS_OK)
        judge_second_launch(&evidence, the_case);
    engine_result_free(&result);
    return status;
}

static enum status grade_bound(const struct grade_run *run, size_t index,
                               const struct plan_launch *launch, struct report_case *the_case,
                               struct error *error) {
    const struct oracle_answer *answer;
    enum status status =
        oracle_ask(run->session->oracle, run->reference, run->plan, index, run->kernel->constants,
                   run->kernel->constant_count, run->threads, &answer, error);
    if (status != STATUS_OK)
        return status;
    if (answer->valid) {
        struct case_data data;
        fill_data(run, index, launch, &data);
        status = launch_and_judge(run, index, &data, answer, the_case, error);
        bool again = run->plan->cases[index].group == GROUP_CORRECTNESS && !run->gpu &&
                     !exercise_has_host_code(run->exercise) && keeps_state(&run->kernel->build) &&
                     the_case->verdict == VERDICT_PASS;
        if (status == STATUS_OK && again)
            status = launch_again(run, index, &data, answer, the_case, error);
        free_data(&data);
    } else {
        judge_unlaunched(run->exercise, run->session->options.language, VERDICT_INTERNAL_ERROR,
                         answer->message, false, the_case);
    }
    oracle_release(run->session->oracle, answer);
    return status;
}

enum status grade_case(const struct grade_run *run, size_t index, struct report_case *the_case,
                       struct error *error) {
    double start = clock_ms();
    struct plan_launch launch;
    bool blamed;
    enum status status = bind_submission(run, index, &launch, the_case, &blamed, error);
    if (status != STATUS_OK || blamed)
        return status;
    status = grade_bound(run, index, &launch, the_case, error);
    plan_launch_free(&launch);
    the_case->wall_ms = clock_ms() - start;
    return status;
}

enum status grade_unreferenced_case(const struct grade_run *run, size_t index,
                                    struct report_case *the_case, struct error *error) {
    double start = clock_ms();
    struct plan_launch launch;
    struct case_data data;
    struct engine_result result;
    bool blamed;
    enum status status = bind_submission(run, index, &launch, the_case, &blamed, error);
    if (status != STATUS_OK || blamed)
        return status;
    fill_data(run, index, &launch, &data);
    status = launch_case(run, index, &data, schedule_seed(plan_schedule_seed(run->plan, index), 0),
                         run->exercise->budget, &result, error);
    if (status == STATUS_OK) {
        struct judge_evidence evidence = collect_evidence(run, &data, &result, NULL);
        enum language language = run->session->options.language;
        if (judge_profiled(&evidence, the_case))
            judge_unlaunched(run->exercise, language, VERDICT_SKIPPED,
                             WORDS(language, not_compared), false, the_case);
        engine_result_free(&result);
    }
    free_data(&data);
    plan_launch_free(&launch);
    the_case->wall_ms = clock_ms() - start;
    return status;
}

/* The launch is the first one's, so it binds again; where it does not, there is nothing to add. */
enum status grade_unoptimised_case(const struct grade_run *run, size_t index,
                                   struct report_case *the_case, struct error *error) {
    struct plan_launch launch;
    if (grade_bind(run, index, &launch, NULL) != STATUS_OK)
        return STATUS_OK;
    uint64_t budget = grade_unoptimised_budget(the_case);
    double start = clock_ms();
    struct case_data data;
    struct engine_result result;
    fill_data(run, index, &launch, &data);
    enum status status = launch_case(run, index, &data, 0, budget, &result, error);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < result.hazard_count; i++)
            if (result.hazards[i].kind == HAZARD_UNSUPPORTED)
                grade_note_unchecked(&result.hazards[i], result.hazards[i].message);
        struct judge_evidence evidence = collect_evidence(run, &data, &result, NULL);
        judge_unoptimised(&evidence, the_case);
        engine_result_free(&result);
    }
    the_case->wall_ms += clock_ms() - start;
    free_data(&data);
    plan_launch_free(&launch);
    return status;
}

enum status grade_refute_case(const struct grade_run *run, size_t index,
                              struct report_case *the_case, struct error *error) {
    struct plan_launch launch;
    if (grade_bind(run, index, &launch, NULL) != STATUS_OK)
        return STATUS_OK;
    uint64_t secret = plan_schedule_seed(run->plan, index);
    uint64_t budget = grade_unoptimised_budget(the_case);
    struct case_data data;
    enum status status = STATUS_OK;
    bool refuted = true, again = true;
    fill_data(run, index, &launch, &data);
    for (unsigned i = 0; i < GRADE_SCHEDULES && again && refuted; i++) {
        struct engine_result result;
        status = launch_case(run, index, &data, schedule_seed(secret, i), budget, &result, error);
        refuted = status == STATUS_OK && judge_refutes(&result);
        again = refuted && schedule_matters(&result);
        if (status == STATUS_OK)
            engine_result_free(&result);
    }
    run->refuted[index] = refuted;
    free_data(&data);
    plan_launch_free(&launch);
    return status;
}

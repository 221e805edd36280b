/* One case of one submission: bind, fill, ask the oracle, launch in a worker, judge.
 *
 * The budget of a launch is what the reference needed, twenty times over, and BUDGET_FLOOR thread
 * instructions for whatever a small case needs besides. A kernel that hangs is thus stopped after
 * a fraction of a second, with the line it hangs in, and the same on every machine; the time limit
 * on the wall clock is the backstop. An exercise may name its own budget, where a good solution
 * does more than twenty times the work of its reference. */
#include "grader/grade_private.h"

#include "grader/base/clock.h"
#include "grader/base/memory.h"
#include "grader/judge.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET_FLOOR  UINT64_C(4000000)
#define BUDGET_FACTOR UINT64_C(20)

static uint64_t memory_limit(const struct grade_run *run) {
    uint64_t given = run->session->options.memory_limit_bytes;
    return given ? given : run->exercise->memory_limit_bytes;
}

static uint64_t case_budget(const struct exercise *exercise, const struct oracle_answer *answer) {
    uint64_t budget;
    if (exercise->budget)
        return exercise->budget;
    if (__builtin_mul_overflow(answer->thread_instructions, BUDGET_FACTOR, &budget) ||
        __builtin_add_overflow(budget, BUDGET_FLOOR, &budget))
        return 0;
    return budget;
}

/* Binds the case to the submission's constants. Where that cannot be launched, the constants are
 * to blame if the exercise's own would do; *blamed then says so in the case. */
static enum status bind_submission(const struct grade_run *run, size_t index,
                                   struct plan_launch *launch, struct report_case *the_case,
                                   bool *blamed, struct error *error) {
    struct error cause = {0};
    *blamed = false;
    if (plan_bind(run->plan, index, &run->exercise->launch, PLAN_SUBMISSION, run->kernel->constants,
                  run->kernel->constant_count, memory_limit(run), launch, &cause) == STATUS_OK)
        return STATUS_OK;
    size_t count;
    cleanup_free struct expr_name *fallbacks = oracle_constants(run->exercise, &count);
    enum status status = plan_bind(run->plan, index, &run->exercise->launch, PLAN_SUBMISSION,
                                   fallbacks, count, memory_limit(run), launch, error);
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

static enum status launch_and_judge(const struct grade_run *run, size_t index,
                                    const struct plan_launch *plan_launch,
                                    const struct oracle_answer *answer,
                                    struct report_case *the_case, struct error *error) {
    const struct exercise *exercise = run->exercise;
    const struct grade_options *options = &run->session->options;
    cleanup_free char *before = mem_zalloc(plan_launch->data_length + 1);
    plan_fill(run->plan, index, PLAN_SUBMISSION, plan_launch, before);
    cleanup_free char *after = mem_dup(before, plan_launch->data_length + 1);
    struct engine_launch launch = {.ptx = run->kernel->build.ptx,
                                   .ptx_length = run->kernel->build.ptx_length,
                                   .kernel = run->kernel->lowered,
                                   .file_name = run->file_name,
                                   .grid = plan_launch->grid,
                                   .block = plan_launch->block,
                                   .shared_bytes = plan_launch->shared_bytes,
                                   .arguments = plan_launch->arguments,
                                   .argument_count = plan_launch->argument_count,
                                   .data = after,
                                   .data_length = plan_launch->data_length,
                                   .seed = plan_schedule_seed(run->plan, index),
                                   .budget = case_budget(exercise, answer),
                                   .threads = run->threads};
    struct worker_limits limits = {.wall_seconds = options->time_limit_seconds > 0
                                                       ? options->time_limit_seconds
                                                       : exercise->time_limit_seconds,
                                   .memory_bytes = memory_limit(run)};
    struct engine_result result;
    enum status status = engine_run(&launch, &limits, &result, error);
    if (status != STATUS_OK)
        return status;
    struct judge_evidence evidence = {.exercise = exercise,
                                      .launch = plan_launch,
                                      .result = &result,
                                      .before = before,
                                      .after = after,
                                      .reference_launch = &answer->launch,
                                      .expected = answer->data,
                                      .language = options->language};
    judge_case(&evidence, the_case);
    engine_result_free(&result);
    return STATUS_OK;
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
    if (answer->valid)
        status = launch_and_judge(run, index, launch, answer, the_case, error);
    else
        judge_unlaunched(run->exercise, run->session->options.language, VERDICT_INTERNAL_ERROR,
                         answer->message, false, the_case);
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

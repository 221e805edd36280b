/* What all launches of a submission have in common: its PTX, the plan's grid, block and arguments,
 * the limits of the worker, the orders it is tried in, and how a budget follows from what a right
 * kernel needs.
 *
 * The budget of a launch is what the right kernel needed, twenty times over, and BUDGET_FLOOR
 * thread instructions for whatever a small case needs besides. A kernel that hangs is thus stopped
 * after a fraction of a second, with the line it hangs in, and the same on every machine; the time
 * limit on the wall clock is the backstop. */
#include "grader/grade/grade_private.h"

/* Launches of up to this many thread instructions cost less than the start of their worker: they
 * are tried under two other schedules, larger ones under one. */
#define CHEAP_INSTRUCTIONS UINT64_C(200000)

/* Unoptimised code executes three to ten times the instructions. Where it needs more than this,
 * what it showed until then is enough. */
#define UNOPTIMISED_FLOOR  UINT64_C(1000000)
#define UNOPTIMISED_FACTOR UINT64_C(16)

#define BUDGET_FLOOR       UINT64_C(4000000)
#define BUDGET_FACTOR      UINT64_C(20)

uint64_t grade_budget(uint64_t instructions) {
    uint64_t budget;
    if (__builtin_mul_overflow(instructions, BUDGET_FACTOR, &budget) ||
        __builtin_add_overflow(budget, BUDGET_FLOOR, &budget))
        return 0;
    return budget;
}

uint64_t grade_case_budget(const struct grade_run *run, const struct oracle_answer *answer) {
    return run->exercise->budget ? run->exercise->budget
                                 : grade_budget(answer->thread_instructions);
}

uint64_t grade_unoptimised_budget(const struct report_case *the_case) {
    uint64_t budget;
    if (__builtin_mul_overflow(the_case->counters.thread_instructions, UNOPTIMISED_FACTOR,
                               &budget) ||
        __builtin_add_overflow(budget, UNOPTIMISED_FLOOR, &budget))
        budget = 0;
    return budget;
}

uint64_t grade_schedule_bound(unsigned number) {
    return number < 2 ? 0 : CHEAP_INSTRUCTIONS;
}

enum status grade_bind(const struct grade_run *run, size_t index, struct plan_launch *launch,
                       struct error *error) {
    return plan_bind(run->plan, index, &run->exercise->launch, PLAN_SUBMISSION,
                     run->kernel->constants, run->kernel->constant_count, grade_memory_limit(run),
                     launch, error);
}

struct engine_launch grade_request(const struct grade_run *run, const struct plan_launch *planned,
                                   void *data, uint64_t budget) {
    struct engine_launch launch = plan_engine_launch(planned, data);
    launch.ptx = run->kernel->build.ptx;
    launch.ptx_length = run->kernel->build.ptx_length;
    launch.kernel = run->kernel->lowered;
    launch.file_name = run->file_name;
    launch.threads = run->session->options.threads;
    launch.budget = budget;
    launch.is_plain = true;
    return launch;
}

uint64_t grade_memory_limit(const struct grade_run *run) {
    uint64_t given = run->session->options.memory_limit_bytes;
    return given ? given : run->exercise->memory_limit_bytes;
}

struct worker_limits grade_limits(const struct grade_run *run) {
    double given = run->session->options.time_limit_seconds;
    return (struct worker_limits){.wall_seconds =
                                      given > 0 ? given : run->exercise->time_limit_seconds,
                                  .memory_bytes = grade_memory_limit(run)};
}

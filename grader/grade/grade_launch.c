/* What all launches of a submission have in common: its PTX, the plan's grid, block and arguments,
 * the limits of the worker, and how a budget follows from what a right kernel needs.
 *
 * The budget of a launch is what the right kernel needed, twenty times over, and BUDGET_FLOOR
 * thread instructions for whatever a small case needs besides. A kernel that hangs is thus stopped
 * after a fraction of a second, with the line it hangs in, and the same on every machine; the time
 * limit on the wall clock is the backstop. */
#include "grader/grade/grade_private.h"

#define BUDGET_FLOOR  UINT64_C(4000000)
#define BUDGET_FACTOR UINT64_C(20)

uint64_t grade_budget(uint64_t instructions) {
    uint64_t budget;
    if (__builtin_mul_overflow(instructions, BUDGET_FACTOR, &budget) ||
        __builtin_add_overflow(budget, BUDGET_FLOOR, &budget))
        return 0;
    return budget;
}

struct engine_launch grade_request(const struct grade_run *run, const struct plan_launch *planned,
                                   void *data, uint64_t budget) {
    return (struct engine_launch){.ptx = run->kernel->build.ptx,
                                  .ptx_length = run->kernel->build.ptx_length,
                                  .kernel = run->kernel->lowered,
                                  .file_name = run->file_name,
                                  .grid = planned->grid,
                                  .block = planned->block,
                                  .shared_bytes = planned->shared_bytes,
                                  .arguments = planned->arguments,
                                  .argument_count = planned->argument_count,
                                  .data = data,
                                  .data_length = planned->data_length,
                                  .threads = run->session->options.one_thread ? 1 : 0,
                                  .budget = budget};
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

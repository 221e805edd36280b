/* A clean launch may be clean because the optimiser has left nothing to check: a store whose value
 * comes back to the same thread, a loop whose result nothing reads, a whole kernel that writes
 * nothing. So the same launch is made in a build with -G, and what lines do in both is compared.
 *
 * A line has lost its stores where it stores in the unoptimised build alone. The optimiser also
 * joins stores of neighbouring lines: to global memory nothing is lost while as many bytes are
 * stored; to shared memory, where bytes are not counted, only what has no store at all any more
 * counts as lost. A line has lost a loop where the unoptimised build loads there again and again,
 * and the optimised one has no instruction left of it. */
#include "grader/cli/sim_unoptimised.h"

#include "grader/cases/schedule.h"
#include "reports/message.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* An unoptimised launch takes some ten times as long: where it may be asked for a remark alone. */
#define MOST_INSTRUCTIONS 20e6
/* Of a thread: what an empty kernel has without optimisation. */
enum { EMPTY_INSTRUCTIONS = 16 };

static uint64_t shared_stores(const struct counters *c) {
    return c->shared_store_requests + c->shared_atomic_requests;
}

static uint64_t accesses(const struct counters *c) {
    return c->global_load_requests + c->global_store_requests + c->shared_load_requests +
           c->local_load_requests + c->local_store_requests + c->atomic_requests + shared_stores(c);
}

/* No instruction of the line: all counters are 0. */
static const struct counters *find_line(const struct engine_result *result,
                                        const struct line_counters *wanted) {
    static const struct counters none;
    for (size_t i = 0; i < result->line_count; i++)
        if (result->lines[i].line == wanted->line &&
            strcmp(result->lines[i].file, wanted->file) == 0)
            return &result->lines[i].counters;
    return &none;
}

static bool has_lost(const struct engine_result *plain, const struct engine_result *optimised,
                     const struct counters *line, const struct counters *left, uint64_t warps) {
    const struct counters *all = &plain->counters, *kept = &optimised->counters;
    bool global = line->global_store_requests && !left->global_store_requests &&
                  all->global_store_bytes > kept->global_store_bytes;
    bool shared = shared_stores(line) && !left->warp_instructions && !shared_stores(kept);
    bool loop = line->global_load_requests > warps && !left->warp_instructions &&
                all->global_load_bytes > kept->global_load_bytes;
    return global || shared || loop;
}

static void compare(const struct kernel_launch *launch, const struct engine_result *plain,
                    const struct engine_result *result, struct sim_optimised *optimised) {
    const struct dim3 grid = launch->engine.grid, block = launch->engine.block;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    uint64_t warps = blocks * ((threads + WARP_LANES - 1) / WARP_LANES);
    const struct counters *all = &plain->counters, *kept = &result->counters;
    for (size_t i = 0; i < plain->hazard_count; i++)
        optimised->hidden += plain->hazards[i].severity == SEVERITY_ERROR;
    for (size_t i = 0; i < plain->line_count; i++) {
        const struct line_counters *line = &plain->lines[i];
        if (strcmp(line->file, file_base_name(launch->file)) == 0 &&
            optimised->line_count < SIM_OPTIMISED_LINES &&
            has_lost(plain, result, &line->counters, find_line(result, line), warps))
            optimised->lines[optimised->line_count++] = line->line;
    }
    optimised->all = !accesses(kept) && !result->printed.length &&
                     all->thread_instructions >
                         kept->thread_instructions + EMPTY_INSTRUCTIONS * threads * blocks;
}

static void join_overruns(enum language language, struct engine_result *result,
                          struct engine_result *plain) {
    size_t count = 0;
    for (size_t i = 0; i < plain->hazard_count; i++)
        if (plain->hazards[i].kind == HAZARD_OUT_OF_BOUNDS)
            plain->hazards[count++] = plain->hazards[i];
    plain->hazard_count = count;
    schedule_join_hazards(&result->hazards, &result->hazard_count, plain->hazards, count,
                          WORDS(language, seen_in_debug_build));
}

void sim_unoptimised_ask(const struct kernel_launch *launch, const void *before,
                         struct engine_result *result, struct sim_optimised *optimised) {
    struct build_result build = {0};
    struct engine_launch unoptimised;
    struct engine_result plain;
    struct error ignored = {0};
    /* which of a thread's local variables an index runs off, only this build tells */
    bool local = result->counters.local_load_requests || result->counters.local_store_requests;
    bool cheap = (double)result->counters.thread_instructions <= MOST_INSTRUCTIONS;
    if (result->end != ENGINE_COMPLETED || result->hazard_count || !(local || cheap))
        return;
    if (kernel_launch_unoptimised(launch, &build, &unoptimised, &ignored) == STATUS_OK) {
        cleanup_free void *data = mem_dup(before, unoptimised.data_length);
        unoptimised.data = data;
        unoptimised.seed = schedule_seed(launch->seed, 0);
        if (engine_run(&unoptimised, &launch->limits, &plain, &ignored) == STATUS_OK) {
            if (local)
                join_overruns(launch->language, result, &plain);
            if (plain.end == ENGINE_COMPLETED && !result->hazard_count)
                compare(launch, &plain, result, optimised);
            engine_result_free(&plain);
        }
    }
    build_result_free(&build);
}

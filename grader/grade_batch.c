/* See grade_batch.h.
 *
 * Starting and guarding a worker takes some ten milliseconds of a processor, a small launch less
 * than one; an exercise has twenty cases, and each may be launched three times. So the launches of
 * a thread's cases go to one worker where they are small and their budget is known beforehand. A
 * launch that is not small, hangs, or breaks its worker is run by itself as ever, with limits,
 * messages and verdicts of its own. */
#include "grader/grade_batch.h"

#include "grader/base/memory.h"
#include "grader/plan.h"
#include "grader/schedule.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 3, MAX_CASE_BYTES = 256 << 10 };

#define MAX_INSTRUCTIONS                                                                           \
    UINT64_C(200000) /* of a case: those that are tried under three schedules */

struct asked {
    size_t index; /* of the case */
    struct plan_launch launch;
};

struct grade_batch {
    struct engine_batch_entry entries[ENGINE_MAX_BATCH];
    size_t case_of[ENGINE_MAX_BATCH];
    size_t count;
    struct asked asked[GRADE_BATCH_CASES];
    size_t asked_count;
};

/* What the case's launch may execute, and whether it is small; the oracle keeps its answer for the
 * case itself. */
static bool find_budget(const struct grade_run *run, bool unoptimised,
                        const struct report_case *the_case, size_t index, uint64_t *budget) {
    if (unoptimised) {
        *budget = grade_unoptimised_budget(the_case);
        return the_case->counters.thread_instructions <= MAX_INSTRUCTIONS;
    }
    const struct oracle_answer *answer;
    if (oracle_ask(run->session->oracle, run->reference, run->plan, index, run->kernel->constants,
                   run->kernel->constant_count, run->threads, &answer, NULL) != STATUS_OK)
        return false;
    *budget = grade_case_budget(run, answer);
    bool small = answer->valid && answer->thread_instructions <= MAX_INSTRUCTIONS;
    oracle_release(run->session->oracle, answer);
    return small;
}

static void add_entries(const struct grade_run *run, struct grade_batch *batch, size_t index,
                        const struct plan_launch *launch, uint64_t budget, unsigned schedules) {
    uint64_t secret = plan_schedule_seed(run->plan, index);
    size_t first = batch->count;
    char *before = mem_zalloc(launch->data_length + 1);
    plan_fill(run->plan, index, PLAN_SUBMISSION, launch, before);
    for (unsigned i = 0; i < schedules; i++) {
        char *data = i == 0 ? before : mem_dup(before, launch->data_length + 1);
        struct engine_batch_entry *entry = &batch->entries[batch->count];
        batch->case_of[batch->count++] = index;
        entry->launch = grade_request(run, launch, data, budget);
        entry->launch.seed = schedules == 1 ? 0 : schedule_seed(secret, i);
        entry->launch.threads = run->threads;
        entry->after = i == 0 ? ENGINE_MAX_BATCH : first;
    }
}

static void ask(const struct grade_run *run, bool unoptimised, const struct report_case *cases,
                size_t index, struct grade_batch *batch) {
    unsigned schedules = unoptimised ? 1 : SCHEDULES;
    struct asked *asked = &batch->asked[batch->asked_count];
    uint64_t budget;
    if (batch->count + schedules > ENGINE_MAX_BATCH ||
        grade_bind(run, index, &asked->launch, NULL) != STATUS_OK)
        return;
    if (asked->launch.data_length > MAX_CASE_BYTES ||
        !find_budget(run, unoptimised, &cases[index], index, &budget)) {
        plan_launch_free(&asked->launch);
        return;
    }
    asked->index = index;
    batch->asked_count++;
    add_entries(run, batch, index, &asked->launch, budget, schedules);
}

struct grade_batch *grade_batch_run(const struct grade_run *run, bool unoptimised,
                                    const struct report_case *cases, const size_t *indices,
                                    size_t count) {
    struct grade_batch *batch = mem_zalloc(sizeof *batch);
    for (size_t i = 0; i < count && i < GRADE_BATCH_CASES; i++)
        ask(run, unoptimised, cases, indices[i], batch);
    struct worker_limits limits = grade_limits(run);
    /* What goes wrong here goes wrong again, and is told, when a launch runs by itself. */
    if (batch->count > 1)
        engine_run_batch(batch->entries, batch->count, &limits, NULL);
    return batch;
}

bool grade_batch_take(struct grade_batch *batch, size_t index, uint64_t seed, uint64_t budget,
                      void *after, struct engine_result *result) {
    for (size_t i = 0; batch && i < batch->count; i++) {
        struct engine_batch_entry *entry = &batch->entries[i];
        if (!entry->done || batch->case_of[i] != index || entry->launch.seed != seed ||
            entry->launch.budget != budget)
            continue;
        memcpy(after, entry->launch.data, entry->launch.data_length);
        *result = entry->result;
        entry->result = (struct engine_result){0};
        entry->done = false;
        return true;
    }
    return false;
}

void grade_batch_free(struct grade_batch *batch) {
    if (!batch)
        return;
    for (size_t i = 0; i < batch->count; i++) {
        free(batch->entries[i].launch.data);
        engine_result_free(&batch->entries[i].result);
    }
    for (size_t i = 0; i < batch->asked_count; i++)
        plan_launch_free(&batch->asked[i].launch);
    free(batch);
}

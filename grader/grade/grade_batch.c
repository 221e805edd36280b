/* See grade_batch.h.
 *
 * Starting and guarding a worker takes some ten milliseconds of a processor, a small launch less
 * than one; an exercise has twenty cases, and each may be launched three times. So the launches of
 * a thread's cases go to one worker where they take no second in all and their budget is known
 * beforehand. A launch that is larger, hangs, or breaks its worker is run by itself as ever, with
 * limits, messages and verdicts of its own. */
#include "grader/grade/grade_batch.h"

#include "grader/cases/plan.h"
#include "grader/cases/schedule.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CASE_BYTES = 4 << 20, MAX_BYTES = 48 << 20 };

/* Of all threads in the natural order, for a case and for a batch: so much is executed in a second
 * or two. A good solution often does far less than its reference. */
#define MAX_CASE_INSTRUCTIONS UINT64_C(32000000)
#define MAX_INSTRUCTIONS      UINT64_C(128000000)

struct asked_launch {
    size_t index; /* of the case */
    struct plan_launch launch;
};

struct grade_batch {
    struct engine_batch_entry entries[ENGINE_MAX_BATCH];
    size_t case_of[ENGINE_MAX_BATCH];
    size_t count;
    struct asked_launch asked[GRADE_BATCH_CASES];
    size_t asked_count;
    size_t bytes;              /* of data, in all launches */
    uint64_t instructions;     /* that the reference executes in the natural order */
    bool meets;                /* an order of blocks or warps may matter to the kernel */
    struct grade_batch *again; /* its launches over other poison, once one was asked for */
};

/* What PTX in which blocks or warps can meet holds at least one of. A hint: what the engine then
 * says of a launch counts (schedule_matters). */
static bool may_meet(const char *ptx, size_t length) {
    static const char *const words[] = {"atom.",  "red.",     "volatile", "mbarrier", "membar.",
                                        "fence.", "relaxed.", "acquire.", "release.", "malloc"};
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
        if (memmem(ptx, length, words[i], strlen(words[i])))
            return true;
    return false;
}

/* What the case's launch may execute, and what a right kernel does; the oracle keeps its answer for
 * the case itself. False where that is not known. */
static bool find_budget(const struct grade_run *run, bool unoptimised,
                        const struct report_case *the_case, size_t index, uint64_t *budget,
                        uint64_t *instructions) {
    if (unoptimised) {
        *budget = grade_unoptimised_budget(the_case);
        *instructions = the_case->counters.thread_instructions;
        return true;
    }
    const struct oracle_answer *answer;
    if (oracle_ask(run->session->oracle, run->reference, run->plan, index, run->kernel->constants,
                   run->kernel->constant_count, run->threads, &answer, NULL) != STATUS_OK)
        return false;
    *budget = grade_case_budget(run, answer);
    *instructions = answer->thread_instructions;
    bool valid = answer->valid;
    oracle_release(run->session->oracle, answer);
    return valid;
}

/* Whether this many launches of the case still go into the batch. */
static bool has_room(const struct grade_batch *batch, size_t bytes, uint64_t instructions,
                     unsigned schedules) {
    return batch->count + schedules <= ENGINE_MAX_BATCH && bytes <= MAX_CASE_BYTES &&
           instructions <= MAX_CASE_INSTRUCTIONS && batch->bytes + bytes * schedules <= MAX_BYTES &&
           batch->instructions + instructions <= MAX_INSTRUCTIONS;
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
        entry->launch.seed = schedule_seed(secret, i);
        entry->launch.threads = run->threads;
        entry->after = i == 0 ? ENGINE_MAX_BATCH : first;
        entry->at_most = grade_schedule_bound(i);
    }
}

static void ask(const struct grade_run *run, bool unoptimised, const struct report_case *cases,
                size_t index, struct grade_batch *batch) {
    struct asked_launch *asked = &batch->asked[batch->asked_count];
    uint64_t budget, instructions;
    if (grade_bind(run, index, &asked->launch, NULL) != STATUS_OK)
        return;
    size_t bytes = asked->launch.data_length;
    bool known = bytes <= MAX_CASE_BYTES &&
                 find_budget(run, unoptimised, &cases[index], index, &budget, &instructions);
    unsigned schedules = batch->meets ? GRADE_SCHEDULES : 1;
    if (!known || !has_room(batch, bytes, instructions, schedules)) {
        plan_launch_free(&asked->launch);
        return;
    }
    batch->bytes += bytes * schedules;
    batch->instructions += instructions;
    asked->index = index;
    batch->asked_count++;
    add_entries(run, batch, index, &asked->launch, budget, schedules);
}

struct grade_batch *grade_batch_run(const struct grade_run *run, bool unoptimised,
                                    const struct report_case *cases, const size_t *indices,
                                    size_t count) {
    struct grade_batch *batch = mem_zalloc(sizeof *batch);
    const struct build_result *build = &run->kernel->build;
    batch->meets = !unoptimised && may_meet(build->ptx, build->ptx_length);
    if (!unoptimised)
        oracle_prepare(run->session->oracle, run->reference, run->plan, indices, count,
                       run->kernel->constants, run->kernel->constant_count, run->threads);
    for (size_t i = 0; i < count && i < GRADE_BATCH_CASES; i++)
        ask(run, unoptimised, cases, indices[i], batch);
    struct worker_limits limits = grade_limits(run);
    /* What goes wrong here goes wrong again, and is reported, when a launch runs by itself. */
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

/* --- over other poison ---------------------------------------------------------------------------
 *
 * A kernel that leaves elements of one case unwritten mostly leaves some of every case. */

struct judge_evidence grade_evidence(const struct grade_run *run, const struct plan_launch *launch,
                                     const void *before, const void *after,
                                     const struct engine_result *result,
                                     const struct oracle_answer *answer) {
    return (struct judge_evidence){.exercise = run->exercise,
                                   .launch = launch,
                                   .result = result,
                                   .before = before,
                                   .after = after,
                                   .reference_launch = answer ? &answer->launch : NULL,
                                   .expected = answer ? answer->data : NULL,
                                   .language = run->session->options.language,
                                   .refuted = run->ignored,
                                   .refuted_count = run->ignored_count};
}

static const struct plan_launch *launch_of(const struct grade_batch *batch, size_t index) {
    for (size_t i = 0; i < batch->asked_count; i++)
        if (batch->asked[i].index == index)
            return &batch->asked[i].launch;
    return NULL;
}

/* Will the case ask what its first launch gives over other poison? `before` is filled for it. */
static bool will_ask_again(const struct grade_run *run, const struct engine_batch_entry *entry,
                           size_t index, const struct plan_launch *launch, char *before) {
    const struct oracle_answer *answer;
    if (oracle_ask(run->session->oracle, run->reference, run->plan, index, run->kernel->constants,
                   run->kernel->constant_count, run->threads, &answer, NULL) != STATUS_OK)
        return false;
    plan_fill(run->plan, index, PLAN_SUBMISSION, launch, before);
    struct judge_evidence evidence =
        grade_evidence(run, launch, before, entry->launch.data, &entry->result, answer);
    bool asks = answer->valid && judge_asks_again(&evidence);
    oracle_release(run->session->oracle, answer);
    return asks;
}

/* Takes `data`. */
static void add_again(struct grade_batch *again, size_t index, const struct engine_launch *first,
                      char *data) {
    struct engine_batch_entry *entry = &again->entries[again->count];
    again->case_of[again->count++] = index;
    entry->launch = *first;
    entry->launch.data = data;
    entry->after = ENGINE_MAX_BATCH;
}

static struct grade_batch *run_again(const struct grade_run *run, size_t index,
                                     const struct engine_launch *first, const void *data) {
    struct grade_batch *again = mem_zalloc(sizeof *again);
    add_again(again, index, first, mem_dup(data, first->data_length));
    for (size_t i = 0; i < run->batch->count; i++) {
        const struct engine_batch_entry *entry = &run->batch->entries[i];
        size_t other = run->batch->case_of[i];
        const struct plan_launch *launch = launch_of(run->batch, other);
        if (!entry->done || entry->after != ENGINE_MAX_BATCH || other == index || !launch)
            continue;
        cleanup_free char *before = mem_zalloc(launch->data_length + 1);
        if (!will_ask_again(run, entry, other, launch, before))
            continue;
        plan_fill_other_poison(run->plan, PLAN_SUBMISSION, launch, before);
        add_again(again, other, &entry->launch, steal_pointer(&before));
    }
    struct worker_limits limits = grade_limits(run);
    if (again->count > 1)
        engine_run_batch(again->entries, again->count, &limits, NULL);
    return again;
}

bool grade_batch_take_again(const struct grade_run *run, size_t index,
                            const struct engine_launch *first, void *data,
                            struct engine_result *result) {
    if (!run->batch || first->is_second || !launch_of(run->batch, index))
        return false;
    if (!run->batch->again)
        run->batch->again = run_again(run, index, first, data);
    return grade_batch_take(run->batch->again, index, first->seed, first->budget, data, result);
}

void grade_batch_free(struct grade_batch *batch) {
    if (!batch)
        return;
    grade_batch_free(batch->again);
    for (size_t i = 0; i < batch->count; i++) {
        free(batch->entries[i].launch.data);
        engine_result_free(&batch->entries[i].result);
    }
    for (size_t i = 0; i < batch->asked_count; i++)
        plan_launch_free(&batch->asked[i].launch);
    free(batch);
}

/* The proof of a reference: its answer to every case is valid, and the same under another schedule.
 *
 * A large case is launched again only where the order of blocks and warps can matter at all, as it
 * is with submissions; what else may differ from one launch to the next, a clock that is read,
 * shows in the small ones too.
 *
 * The other launch finds other poison in its outputs, so that an element that neither of them
 * writes shows, also in types in which the poison is a value like any other.
 *
 * The answers are the oracle's, which keeps them for the submissions. To ask it twice would take
 * two sessions with the same data and other schedules, so the second launches are made here, as
 * many as have room in one worker; one that this worker did not complete is launched by itself. */
#include "grader/validate/validate_private.h"
#include "sandbox/engine/engine.h"

#include "grader/cases/schedule.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define AGAIN_BYTES        ((size_t)64 << 20) /* of data, in one worker */
#define SMALL_INSTRUCTIONS UINT64_C(200000)   /* of all threads */

struct proof {
    const struct oracle_kernel *kernel;
    const struct plan *plan;
    const struct oracle_answer **answers; /* of all cases */
    struct engine_batch_entry entries[ENGINE_MAX_BATCH];
    size_t case_of[ENGINE_MAX_BATCH];
    size_t count, bytes;
};

static struct worker_limits limits_of(const struct exercise *exercise) {
    return (struct worker_limits){.wall_seconds = exercise->time_limit_seconds,
                                  .memory_bytes = exercise->memory_limit_bytes};
}

static void add_launch(struct proof *proof, size_t index) {
    const struct plan_launch *planned = &proof->answers[index]->launch;
    char *data = mem_zalloc(planned->data_length + 1);
    plan_fill(proof->plan, index, PLAN_REFERENCE, planned, data);
    plan_fill_other_poison(proof->plan, PLAN_REFERENCE, planned, data);
    struct engine_launch launch = oracle_launch(proof->kernel, proof->plan, planned, data, 1);
    launch.seed = schedule_seed(plan_schedule_seed(proof->plan, index), 1);
    proof->case_of[proof->count] = index;
    proof->entries[proof->count++] =
        (struct engine_batch_entry){.launch = launch, .after = ENGINE_MAX_BATCH};
    proof->bytes += planned->data_length;
}

/* Fills the data again: a launch that was not completed left it as it was then. */
static enum status run_alone(struct proof *proof, struct engine_batch_entry *entry, size_t index,
                             struct error *error) {
    struct worker_limits limits = limits_of(proof->plan->exercise);
    const struct plan_launch *planned = &proof->answers[index]->launch;
    memset(entry->launch.data, 0, planned->data_length);
    plan_fill(proof->plan, index, PLAN_REFERENCE, planned, entry->launch.data);
    plan_fill_other_poison(proof->plan, PLAN_REFERENCE, planned, entry->launch.data);
    return engine_run(&entry->launch, &limits, &entry->result, error);
}

static void append_problem(const struct proof *proof, size_t index,
                           const struct engine_launch *again, struct text *problem) {
    cleanup_free char *unwritten =
        oracle_find_unwritten(proof->plan, proof->answers[index], again->data);
    text_printf(problem, "%s: ", proof->plan->cases[index].name);
    if (unwritten)
        text_printf(problem, "the reference of %s leaves %s unwritten", proof->plan->exercise->id,
                    unwritten);
    else
        text_append(problem, "another schedule gives another result");
}

/* Launches what was added, and forgets it. */
static enum status run_added(struct proof *proof, struct text *problem, struct error *error) {
    struct worker_limits limits = limits_of(proof->plan->exercise);
    enum status status = STATUS_OK;
    if (proof->count > 1)
        engine_run_batch(proof->entries, proof->count, &limits, NULL);
    for (size_t i = 0; i < proof->count; i++) {
        struct engine_batch_entry *entry = &proof->entries[i];
        size_t index = proof->case_of[i];
        if (status == STATUS_OK && !entry->done)
            status = run_alone(proof, entry, index, error);
        bool same =
            entry->result.end == ENGINE_COMPLETED &&
            memcmp(entry->launch.data, proof->answers[index]->data, entry->launch.data_length) == 0;
        if (status == STATUS_OK && !same && !problem->length)
            append_problem(proof, index, &entry->launch, problem);
        engine_result_free(&entry->result);
        free(entry->launch.data);
    }
    proof->count = proof->bytes = 0;
    return status;
}

static bool is_worth_repeating(const struct oracle_answer *answer) {
    return answer->order_matters || answer->thread_instructions <= SMALL_INSTRUCTIONS;
}

static enum status prove(struct proof *proof, struct text *problem, struct error *error) {
    const struct plan *plan = proof->plan;
    for (size_t i = 0; i < plan->case_count; i++) {
        const struct oracle_answer *answer = proof->answers[i];
        size_t bytes = answer->launch.data_length;
        if (proof->count &&
            (proof->count == ENGINE_MAX_BATCH || bytes + proof->bytes > AGAIN_BYTES)) {
            enum status status = run_added(proof, problem, error);
            if (status != STATUS_OK)
                return status;
        }
        if (answer->valid && is_worth_repeating(answer))
            add_launch(proof, i);
        else if (!answer->valid && !problem->length)
            text_printf(problem, "%s: %s", plan->cases[i].name, answer->message);
    }
    return run_added(proof, problem, error);
}

enum status validate_reference(struct oracle *oracle, const struct oracle_kernel *kernel,
                               const struct plan *plan, struct text *problem, struct error *error) {
    size_t count, asked = 0;
    cleanup_free struct expr_name *constants = oracle_constants(plan->exercise, &count);
    cleanup_free size_t *indices = mem_calloc(plan->case_count + 1, sizeof *indices);
    cleanup_free const struct oracle_answer **answers =
        mem_calloc(plan->case_count + 1, sizeof *answers);
    for (size_t i = 0; i < plan->case_count; i++)
        indices[i] = i;
    oracle_prepare(oracle, kernel, plan, indices, plan->case_count, constants, count, 1);
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && asked < plan->case_count; asked += status == STATUS_OK)
        status =
            oracle_ask(oracle, kernel, plan, asked, constants, count, 1, &answers[asked], error);
    if (status == STATUS_OK) {
        struct proof *proof = mem_zalloc(sizeof *proof);
        proof->kernel = kernel;
        proof->plan = plan;
        proof->answers = answers;
        status = prove(proof, problem, error);
        free(proof);
    }
    for (size_t i = 0; i < asked; i++)
        oracle_release(oracle, answers[i]);
    return status;
}

/* The reference on changed data: the launches of grader/diagnose/experiment.h, many small ones in
 * one worker. Changes that come to the same launch are made once. */
#include "grader/grade/grade_cause.h"

#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Of the launches of one batch: their data, and what they execute. */
enum { MAX_BYTES = 32 << 20, MOST_BATCHES = 4 };
#define MAX_INSTRUCTIONS UINT64_C(15000000)

/* In place of a launch's number. */
#define NO_CHANGE        SIZE_MAX
#define NO_ROOM          (SIZE_MAX - 1)

struct changed_launch {
    struct engine_argument *arguments;
    char *data;
    struct sha256 hash; /* of both */
};

struct experiment_batch {
    struct engine_batch_entry entries[ENGINE_MAX_BATCH];
    struct changed_launch changed[ENGINE_MAX_BATCH];
    size_t count, most;
    size_t *launch_of; /* of each experiment, or one of the words below */
};

static struct changed_launch change(const struct exercise *exercise,
                                    const struct experiment *experiment,
                                    const int64_t pieces[PIECE_COUNT],
                                    const struct plan_launch *launch, const char *original,
                                    bool *differs) {
    struct changed_launch changed = {
        .arguments = mem_dup(launch->arguments, launch->argument_count * sizeof *launch->arguments),
        .data = mem_dup(original, launch->data_length + 1)};
    *differs = experiment_apply(exercise, experiment, pieces, changed.arguments, changed.data);
    if (*differs) {
        struct hash_part parts[] = {
            {changed.arguments, launch->argument_count * sizeof *launch->arguments},
            {changed.data, launch->data_length}};
        changed.hash = hash_parts(parts, ARRAY_LENGTH(parts));
    }
    return changed;
}

/* The number of the launch that the experiment comes to, NO_CHANGE or NO_ROOM. */
static size_t add_launch(const struct grade_run *run, const struct experiment *experiment,
                         const int64_t pieces[PIECE_COUNT], const struct oracle_answer *answer,
                         const char *original, struct experiment_batch *batch) {
    bool differs;
    struct changed_launch changed =
        change(run->exercise, experiment, pieces, &answer->launch, original, &differs);
    size_t found = !differs ? NO_CHANGE : NO_ROOM;
    for (size_t i = 0; i < batch->count && found == NO_ROOM; i++)
        if (memcmp(&batch->changed[i].hash, &changed.hash, sizeof changed.hash) == 0)
            found = i;
    if (found != NO_ROOM || batch->count == batch->most) {
        free(changed.arguments);
        free(changed.data);
        return found;
    }
    struct engine_batch_entry *entry = &batch->entries[batch->count];
    entry->launch = oracle_launch(run->reference, run->plan, &answer->launch, changed.data, 1);
    entry->launch.arguments = changed.arguments;
    entry->launch.no_checks = true;
    entry->launch.budget = grade_budget(answer->thread_instructions);
    entry->after = ENGINE_MAX_BATCH;
    batch->changed[batch->count] = changed;
    return batch->count++;
}

/* What one worker may do, whatever a change makes of a launch. */
static size_t most_launches(const struct oracle_answer *answer) {
    uint64_t by_work = MAX_INSTRUCTIONS / (answer->thread_instructions + 1);
    uint64_t by_bytes = MAX_BYTES / (answer->launch.data_length + 1);
    uint64_t most = by_work < by_bytes ? by_work : by_bytes;
    return most < ENGINE_MAX_BATCH ? (size_t)most : ENGINE_MAX_BATCH;
}

/* Experiments from *next on, until a batch is full; false where there is none left. */
static bool fill_batch(const struct grade_run *run, const struct oracle_answer *answer,
                       const char *original, const struct diagnosis *diagnosis, size_t *next,
                       struct experiment_batch *batch) {
    for (size_t i = 0; i < diagnosis->experiment_count; i++)
        batch->launch_of[i] = NO_ROOM;
    for (; *next < diagnosis->experiment_count; ++*next) {
        if (diagnosis->experimental[*next].dropped)
            continue;
        size_t launch = add_launch(run, &diagnosis->experiments[*next], diagnosis->pieces, answer,
                                   original, batch);
        if (launch == NO_ROOM && batch->count)
            break;
        batch->launch_of[*next] = launch;
    }
    return batch->count != 0;
}

static void free_batch(struct experiment_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        free(batch->changed[i].arguments);
        free(batch->changed[i].data);
        engine_result_free(&batch->entries[i].result);
    }
    free(batch->launch_of);
    free(batch);
}

void grade_try_experiments(const struct grade_run *run, size_t index,
                           const struct oracle_answer *answer, const char *case_name,
                           const struct view_evidence *evidence, struct diagnosis *diagnosis) {
    cleanup_free char *original = mem_zalloc(answer->launch.data_length + 1);
    plan_fill(run->plan, index, PLAN_REFERENCE, &answer->launch, original);
    size_t left = most_launches(answer) * MOST_BATCHES;
    for (size_t next = 0; next < diagnosis->experiment_count && left;) {
        struct experiment_batch *batch = mem_zalloc(sizeof *batch);
        size_t first = next;
        batch->launch_of = mem_calloc(diagnosis->experiment_count + 1, sizeof *batch->launch_of);
        batch->most = left < most_launches(answer) ? left : most_launches(answer);
        struct worker_limits limits = {0};
        if (fill_batch(run, answer, original, diagnosis, &next, batch))
            engine_run_batch(batch->entries, batch->count, &limits, NULL);
        left -= batch->count;
        for (size_t i = first; i < next; i++) {
            size_t at = batch->launch_of[i];
            if (at == NO_CHANGE || (at != NO_ROOM && batch->entries[at].done))
                diagnosis_try(diagnosis, i, case_name, evidence,
                              at == NO_CHANGE ? NULL : batch->changed[at].data);
        }
        free_batch(batch);
    }
}

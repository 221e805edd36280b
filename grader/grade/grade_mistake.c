/* The exercise's wrong solutions beside a submission: does one of them give what it gave?
 *
 * They are the instructor's files, and still compiled and launched in workers of the jail, as
 * everything is; never in one that has seen the submission. Compiled code comes from the build's
 * cache. A launch has the mutant's own constants. */
#include "grader/grade/grade_cause.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Mutants that are tried, in the order of the exercise. */
enum { MOST_MISTAKES = 12, SOURCE_MAX = 1 << 20 };

struct trial {
    const struct grade_run *run;
    size_t index; /* of the case */
    const struct view_evidence *evidence;
    uint64_t budget;
    struct diagnosis *diagnosis;
    const size_t *mutants;
    size_t count;
    pthread_mutex_t mutex; /* of next */
    size_t next;
};

/* Its result is wrong, and not only at the size of the speed case. */
static bool is_tried(const struct exercise_mutant *mutant) {
    return (mutant->verdict == VERDICT_WRONG_ANSWER ||
            mutant->verdict == VERDICT_NONDETERMINISTIC) &&
           mutant->cause != CAUSE_LARGE_ONLY;
}

static bool compile_mutant(const struct exercise *exercise, const struct exercise_mutant *mutant,
                           struct grade_kernel *kernel) {
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = mutant->file};
    *kernel = (struct grade_kernel){0};
    if (file_read(mutant->file, SOURCE_MAX, &text, &source.length, NULL) != STATUS_OK)
        return false;
    source.text = text;
    return grade_build(exercise, &source, kernel, NULL) == STATUS_OK && !kernel->message;
}

static bool gives_the_same(const struct trial *trial, const struct grade_kernel *kernel) {
    struct grade_run as_mutant = *trial->run;
    struct plan_launch launch;
    as_mutant.kernel = kernel;
    if (grade_bind(&as_mutant, trial->index, &launch, NULL) != STATUS_OK)
        return false;
    struct engine_result result;
    cleanup_free char *data = mem_zalloc(launch.data_length + 1);
    plan_fill(trial->run->plan, trial->index, PLAN_SUBMISSION, &launch, data);
    struct engine_launch request = grade_request(&as_mutant, &launch, data, trial->budget);
    struct worker_limits limits = grade_limits(&as_mutant);
    bool same = false;
    if (engine_run(&request, &limits, &result, NULL) == STATUS_OK) {
        same = result.end == ENGINE_COMPLETED && view_is_the_same(trial->evidence, &launch, data);
        engine_result_free(&result);
    }
    plan_launch_free(&launch);
    return same;
}

static void *try_mutants(void *argument) {
    struct trial *trial = argument;
    for (;;) {
        pthread_mutex_lock(&trial->mutex);
        size_t taken = trial->next < trial->count ? trial->mutants[trial->next++] : SIZE_MAX;
        pthread_mutex_unlock(&trial->mutex);
        if (taken == SIZE_MAX)
            return NULL;
        const struct exercise *exercise = trial->run->exercise;
        struct grade_kernel kernel;
        trial->diagnosis->mistakes[taken] =
            compile_mutant(exercise, &exercise->mutants[taken], &kernel) &&
            gives_the_same(trial, &kernel);
        grade_kernel_free(&kernel);
    }
}

void grade_try_mistakes(const struct grade_run *run, size_t index, bool all,
                        const struct view_evidence *evidence, struct diagnosis *diagnosis) {
    size_t mutants[MOST_MISTAKES];
    struct trial trial = {.run = run,
                          .index = index,
                          .evidence = evidence,
                          .diagnosis = diagnosis,
                          .mutants = mutants,
                          .budget = grade_budget(0)};
    for (size_t i = 0; i < run->exercise->mutant_count && trial.count < MOST_MISTAKES; i++)
        if (all ? is_tried(&run->exercise->mutants[i]) : diagnosis->mistakes[i])
            mutants[trial.count++] = i;
    pthread_t other;
    pthread_mutex_init(&trial.mutex, NULL);
    bool helped = run->session->options.jobs > 1 && trial.count > 1 &&
                  pthread_create(&other, NULL, try_mutants, &trial) == 0;
    try_mutants(&trial);
    if (helped)
        pthread_join(other, NULL);
    pthread_mutex_destroy(&trial.mutex);
}

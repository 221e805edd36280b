/* The reference while the submission is being compiled: compiled itself, and then asked for the
 * cases: for all in one worker, whose start takes longer than most launches, or, where there is
 * much data, in the shares that the pool's threads would take. Where the submission takes longer
 * than all that, its unoptimised build is made as well, which one that is right will need.
 *
 * What a case's answer is does not depend on the submission, unless its constants are in the
 * extents of buffers. Answers go to the session's oracle, where a caller that needs one that is on
 * its way waits for it. Once the submission is compiled nothing further is begun here: the pool's
 * threads do the rest side by side, and a submission that does not compile needs none. */
#include "grader/grade/grade_reference.h"

#include "grader/grade/grade_batch.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

/* Of less data, in a few dozen cases, the launches take no longer than a second worker's start. */
enum { ONE_BATCH_BYTES = 4 << 20 };

struct grade_reference {
    struct grade_session *session;
    const struct exercise *exercise;
    const struct plan *plan;
    const struct grade_source *source;
    const char *architecture;
    size_t checked;
    struct oracle_kernel kernel;
    enum status status;
    struct error error;
    pthread_t thread;
    bool started;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool compiled, awaited; /* the reference is; a caller waits for it, or for the end */
    bool asking;            /* for all cases in one worker, which nobody else need begin */
    bool ended;             /* nothing of it will be used any more */
    bool building, built;   /* the submission's unoptimised build: on its way; there */
    struct build_result unoptimised;
};

static bool is_wanted(struct grade_reference *reference) {
    pthread_mutex_lock(&reference->mutex);
    bool awaited = reference->awaited;
    pthread_mutex_unlock(&reference->mutex);
    return awaited;
}

/* What the cases' data take in all; SIZE_MAX where that is not known. */
static size_t data_of_cases(const struct grade_reference *reference,
                            const struct expr_name *constants, size_t constant_count) {
    const struct exercise *exercise = reference->exercise;
    size_t bytes = 0;
    for (size_t i = 0; i < reference->checked; i++) {
        struct plan_launch launch;
        if (plan_bind(reference->plan, i, &exercise->reference.launch, PLAN_REFERENCE, constants,
                      constant_count, exercise->memory_limit_bytes, &launch, NULL) != STATUS_OK)
            return SIZE_MAX;
        bytes += launch.data_length;
        plan_launch_free(&launch);
    }
    return bytes;
}

static bool is_one_batch(const struct grade_reference *reference) {
    size_t constant_count;
    if (!reference->session->simulates || reference->checked > GRADE_BATCH_CASES ||
        oracle_shapes_use_constants(reference->exercise))
        return false;
    cleanup_free struct expr_name *constants =
        oracle_constants(reference->exercise, &constant_count);
    return data_of_cases(reference, constants, constant_count) <= ONE_BATCH_BYTES;
}

/* `asks`: and then goes on to the cases. */
static void compile_reference(struct grade_reference *reference, bool asks) {
    bool one_batch = asks && is_one_batch(reference);
    reference->status = oracle_compile_for(reference->exercise, reference->architecture,
                                           &reference->kernel, &reference->error);
    pthread_mutex_lock(&reference->mutex);
    reference->compiled = true;
    reference->asking = one_batch && reference->status == STATUS_OK && !reference->ended;
    pthread_cond_broadcast(&reference->changed);
    pthread_mutex_unlock(&reference->mutex);
}

static void ask_cases(struct grade_reference *reference) {
    size_t jobs = reference->session->options.jobs, count = reference->checked;
    bool at_once = reference->asking; /* which only this thread changes by now */
    size_t share = at_once ? count : grade_pool_share(count, jobs), constant_count;
    cleanup_free struct expr_name *constants =
        oracle_constants(reference->exercise, &constant_count);
    for (size_t first = 0; first < count && (at_once || !is_wanted(reference)); first += share) {
        size_t indices[GRADE_BATCH_CASES], taken = 0;
        for (size_t i = first; i < count && i < first + share; i++)
            indices[taken++] = i;
        oracle_prepare(reference->session->oracle, &reference->kernel, reference->plan, indices,
                       taken, constants, constant_count, 1);
    }
    pthread_mutex_lock(&reference->mutex);
    reference->asking = false;
    pthread_cond_broadcast(&reference->changed);
    pthread_mutex_unlock(&reference->mutex);
}

/* What cannot be built is asked for again by the next caller, and reported there. */
static void build_unoptimised(struct grade_reference *reference) {
    pthread_mutex_lock(&reference->mutex);
    bool begun = reference->building = !reference->awaited;
    pthread_mutex_unlock(&reference->mutex);
    if (!begun)
        return;
    bool built = grade_build_unoptimised(reference->exercise, reference->source,
                                         &reference->unoptimised, NULL) == STATUS_OK;
    pthread_mutex_lock(&reference->mutex);
    reference->building = false;
    reference->built = built;
    pthread_cond_broadcast(&reference->changed);
    pthread_mutex_unlock(&reference->mutex);
}

static void *work_prefetch(void *argument) {
    struct grade_reference *reference = argument;
    compile_reference(reference, true);
    if (reference->status != STATUS_OK || !reference->session->simulates)
        return NULL;
    if (!oracle_shapes_use_constants(reference->exercise))
        ask_cases(reference);
    if (!exercise_has_host_code(reference->exercise))
        build_unoptimised(reference);
    return NULL;
}

struct grade_reference *grade_reference_begin(struct grade_session *session,
                                              const struct exercise *exercise,
                                              const struct plan *plan, size_t checked,
                                              const struct grade_source *source,
                                              const char *architecture) {
    struct grade_reference *reference = mem_zalloc(sizeof *reference);
    reference->session = session;
    reference->exercise = exercise;
    reference->plan = plan;
    reference->source = source;
    reference->checked = checked;
    reference->architecture = architecture;
    pthread_mutex_init(&reference->mutex, NULL);
    pthread_cond_init(&reference->changed, NULL);
    reference->started = session->options.jobs > 1 &&
                         pthread_create(&reference->thread, NULL, work_prefetch, reference) == 0;
    return reference;
}

enum status grade_reference_await(struct grade_reference *reference, struct oracle_kernel **kernel,
                                  struct error *error) {
    if (!reference->started)
        compile_reference(reference, false);
    pthread_mutex_lock(&reference->mutex);
    reference->awaited = true;
    while (!reference->compiled || reference->asking)
        pthread_cond_wait(&reference->changed, &reference->mutex);
    pthread_mutex_unlock(&reference->mutex);
    *kernel = &reference->kernel;
    if (reference->status != STATUS_OK && error)
        *error = reference->error;
    return reference->status;
}

bool grade_reference_unoptimised(struct grade_reference *reference, struct build_result *build) {
    pthread_mutex_lock(&reference->mutex);
    while (reference->building)
        pthread_cond_wait(&reference->changed, &reference->mutex);
    bool built = reference->built;
    reference->built = false;
    pthread_mutex_unlock(&reference->mutex);
    if (built)
        *build = reference->unoptimised;
    return built;
}

void grade_reference_end(struct grade_reference *reference) {
    pthread_mutex_lock(&reference->mutex);
    reference->awaited = reference->ended = true;
    pthread_mutex_unlock(&reference->mutex);
    if (reference->started)
        pthread_join(reference->thread, NULL);
    if (reference->compiled && reference->status == STATUS_OK)
        oracle_kernel_free(&reference->kernel);
    if (reference->built)
        build_result_free(&reference->unoptimised);
    pthread_mutex_destroy(&reference->mutex);
    pthread_cond_destroy(&reference->changed);
    free(reference);
}

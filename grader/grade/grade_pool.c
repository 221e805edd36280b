/* The cases of a submission over a few threads, which only wait for workers.
 *
 * The report does not depend on the number of threads: cases are reported in the plan's order, and
 * which ones are given up after two that did not end is decided by that order, not by which thread
 * came first. */
#include "grader/grade/grade_batch.h"

#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>

/* Cases that did not end; the student need not wait for more of them. */
/* A kernel is ended by its budget, host code by the clock: it gets one chance. */
enum { GIVE_UP_AFTER = 2, GIVE_UP_HOST_CODE_AFTER = 1 };

/* Thread instructions that take as long as a worker's start; and how many times those of the
 * optimised build an unoptimised one executes. */
#define WORTH_A_THREAD    UINT64_C(2000000)
#define UNOPTIMISED_TIMES 5

/* Shared by the threads of one submission; everything but `run` and `cases` under the mutex. Each
 * thread writes only the case it took. */
struct pool {
    const struct grade_run *run;
    grade_work *work;
    struct report_case *cases;
    const size_t *indices; /* NULL: all */
    bool gives_up;         /* after give_up_after() that did not end */
    size_t count;
    size_t share; /* that a thread takes at once */
    pthread_mutex_t mutex;
    size_t next;
    bool *ended;      /* case i was judged ... */
    bool *time_limit; /* ... and did not end in time */
    enum status status;
    struct error error;
    size_t finished;
};

static unsigned give_up_after(const struct grade_run *run) {
    return exercise_has_host_code(run->exercise) ? GIVE_UP_HOST_CODE_AFTER : GIVE_UP_AFTER;
}

/* Case `index` is not worth running once enough of those before it are known not to end. What the
 * other threads still do can only add to them. */
static bool is_given_up(const struct pool *pool, size_t index) {
    unsigned count = 0;
    for (size_t i = 0; i < index; i++)
        count += pool->ended[i] && pool->time_limit[i];
    return pool->gives_up && count >= give_up_after(pool->run);
}

/* Takes the next few cases; the number of them. */
static size_t pool_take(struct pool *pool, size_t *first) {
    pthread_mutex_lock(&pool->mutex);
    size_t left = pool->status == STATUS_OK ? pool->count - pool->next : 0;
    size_t taken = left < pool->share ? left : pool->share;
    *first = pool->next;
    pool->next += taken;
    pthread_mutex_unlock(&pool->mutex);
    return taken;
}

static bool is_worth_running(struct pool *pool, size_t taken) {
    pthread_mutex_lock(&pool->mutex);
    bool worth = pool->status == STATUS_OK && !is_given_up(pool, taken);
    pthread_mutex_unlock(&pool->mutex);
    return worth;
}

static void pool_finish(struct pool *pool, size_t taken, bool time_limit, enum status status,
                        const struct error *error) {
    pthread_mutex_lock(&pool->mutex);
    const struct grade_options *options = &pool->run->session->options;
    pool->ended[taken] = true;
    pool->finished++;
    if (options->progress && pool->gives_up)
        options->progress(options->progress_context, pool->finished, pool->count);
    pool->time_limit[taken] = time_limit;
    if (status != STATUS_OK && pool->status == STATUS_OK) {
        pool->status = status;
        pool->error = *error;
    }
    pthread_mutex_unlock(&pool->mutex);
}

/* Cases that others have made pointless are not run ahead either. */
static struct grade_batch *run_prefetch(struct pool *pool, size_t first, size_t count) {
    size_t indices[GRADE_BATCH_CASES], wanted = 0;
    for (size_t i = first; i < first + count; i++)
        if (is_worth_running(pool, i))
            indices[wanted++] = pool->indices ? pool->indices[i] : i;
    if (pool->run->gpu || wanted < 2 || exercise_has_host_code(pool->run->exercise))
        return NULL;
    return grade_batch_run(pool->run, pool->work != grade_case, pool->cases, indices, wanted);
}

static void *pool_thread(void *argument) {
    struct pool *pool = argument;
    size_t first, count;
    while ((count = pool_take(pool, &first)) > 0) {
        struct grade_run run = *pool->run;
        run.batch = run_prefetch(pool, first, count);
        for (size_t i = first; i < first + count; i++) {
            struct error error = {0};
            size_t index = pool->indices ? pool->indices[i] : i;
            struct report_case *the_case = &pool->cases[index];
            enum status status =
                is_worth_running(pool, i) ? pool->work(&run, index, the_case, &error) : STATUS_OK;
            pool_finish(pool, i, the_case->verdict == VERDICT_TIME_LIMIT, status, &error);
        }
        grade_batch_free(run.batch);
    }
    return NULL;
}

/* The same cases are given up whatever the threads did. */
static void settle_given_up(const struct grade_run *run, struct report_case *cases,
                            const size_t *indices, size_t count) {
    unsigned time_limited = 0;
    for (size_t i = 0; i < count; i++) {
        struct report_case *the_case = &cases[indices ? indices[i] : i];
        if (time_limited >= give_up_after(run)) {
            judge_reset(the_case);
            the_case->grid = the_case->block = (struct dim3){0}; /* nobody launched it */
            judge_unlaunched(run->exercise, run->session->options.language, VERDICT_SKIPPED,
                             exercise_has_host_code(run->exercise)
                                 ? WORDS(run->session->options.language, given_up_at_once)
                                 : WORDS(run->session->options.language, given_up),
                             false, the_case);
        }
        time_limited += the_case->verdict == VERDICT_TIME_LIMIT;
    }
}

size_t grade_pool_share(size_t count, size_t jobs) {
    if (jobs > count)
        jobs = count;
    size_t share = jobs ? (count + jobs - 1) / jobs : 1;
    return share > GRADE_BATCH_CASES ? GRADE_BATCH_CASES : share;
}

/* What the launch of a case executes, or one like it; false where that is not known. */
static bool expect_work(const struct pool *pool, size_t index, uint64_t *instructions) {
    const struct grade_run *run = pool->run;
    if (pool->work == grade_case)
        return oracle_has(run->session->oracle, run->reference, run->plan, index,
                          run->kernel->constants, run->kernel->constant_count, instructions);
    *instructions = UNOPTIMISED_TIMES * pool->cases[index].counters.thread_instructions;
    return true;
}

/* A second thread takes a second worker: only where it shortens the work by more than its start. */
static size_t threads_worth(const struct pool *pool, size_t most) {
    uint64_t all = 0, instructions;
    if (pool->run->gpu || exercise_has_host_code(pool->run->exercise))
        return most;
    for (size_t i = 0; i < pool->count; i++) {
        if (!expect_work(pool, pool->indices ? pool->indices[i] : i, &instructions) ||
            __builtin_add_overflow(all, instructions, &all))
            return most;
    }
    uint64_t worth = 1 + all / WORTH_A_THREAD;
    return worth < most ? (size_t)worth : most;
}

/* Does the pool's work, whose run, work, cases, indices, gives_up and count are set. */
static enum status work_off(struct pool *pool, struct grade_run *run, struct error *error) {
    size_t count = pool->count;
    size_t jobs = run->session->options.jobs < count ? run->session->options.jobs : count;
    unsigned asked = run->session->options.threads;
    run->threads = asked ? asked : jobs > 1 ? 1 : 0;
    jobs = threads_worth(pool, jobs);
    pool->share = grade_pool_share(count, jobs);
    pool->ended = mem_calloc(count + 1, sizeof *pool->ended);
    pool->time_limit = mem_calloc(count + 1, sizeof *pool->time_limit);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_t threads[GRADE_MAX_JOBS];
    size_t started = 0;
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, pool_thread, pool) == 0)
        started++;
    pool_thread(pool); /* this thread works too, and alone where no other can be made */
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->ended);
    free(pool->time_limit);
    if (pool->status != STATUS_OK && error)
        *error = pool->error;
    return pool->status;
}

enum status grade_pool_work(struct grade_run *run, grade_work *work, struct report_case *cases,
                            const size_t *indices, size_t count, struct error *error) {
    struct pool pool = {
        .run = run, .work = work, .cases = cases, .indices = indices, .count = count};
    return work_off(&pool, run, error);
}

enum status grade_pool_run(struct grade_run *run, struct report_case *cases, const size_t *indices,
                           size_t count, struct error *error) {
    struct pool pool = {.run = run,
                        .work = grade_case,
                        .cases = cases,
                        .indices = indices,
                        .gives_up = true,
                        .count = count};
    enum status status = work_off(&pool, run, error);
    if (status == STATUS_OK)
        settle_given_up(run, cases, indices, count);
    return status;
}

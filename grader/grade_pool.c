/* The cases of a submission over a few threads, which only wait for workers.
 *
 * The report does not depend on the number of threads: cases are reported in the plan's order, and
 * which ones are given up after two that did not end is decided by that order, not by which thread
 * came first. */
#include "grader/grade_private.h"

#include "grader/base/memory.h"
#include "grader/judge.h"

#include <pthread.h>
#include <stdlib.h>

/* Cases that did not end; the student need not wait for more of them. */
enum { GIVE_UP_AFTER = 2 };

/* Shared by the threads of one submission; everything but `run` and `cases` under the mutex. Each
 * thread writes only the case it took. */
struct pool {
    const struct grade_run *run;
    grade_work *work;
    struct report_case *cases;
    const size_t *indices; /* NULL: all, and some are given up */
    size_t count;
    pthread_mutex_t mutex;
    size_t next;
    bool *ended;      /* case i was judged ... */
    bool *time_limit; /* ... and did not end in time */
    enum status status;
    struct error error;
};

static const char given_up[] = "not run: the kernel did not end in two cases before this one";

/* Case `index` is not worth running once enough of those before it are known not to end. What the
 * other threads still do can only add to them. */
static bool is_given_up(const struct pool *pool, size_t index) {
    unsigned count = 0;
    for (size_t i = 0; i < index; i++)
        count += pool->ended[i] && pool->time_limit[i];
    return !pool->indices && count >= GIVE_UP_AFTER;
}

static bool pool_take(struct pool *pool, size_t *taken, bool *skip) {
    pthread_mutex_lock(&pool->mutex);
    bool more = pool->status == STATUS_OK && pool->next < pool->count;
    if (more) {
        *taken = pool->next++;
        *skip = is_given_up(pool, *taken);
    }
    pthread_mutex_unlock(&pool->mutex);
    return more;
}

static void pool_finish(struct pool *pool, size_t taken, bool time_limit, enum status status,
                        const struct error *error) {
    pthread_mutex_lock(&pool->mutex);
    pool->ended[taken] = true;
    pool->time_limit[taken] = time_limit;
    if (status != STATUS_OK && pool->status == STATUS_OK) {
        pool->status = status;
        pool->error = *error;
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void *pool_thread(void *argument) {
    struct pool *pool = argument;
    size_t taken;
    bool skip;
    while (pool_take(pool, &taken, &skip)) {
        struct error error = {0};
        size_t index = pool->indices ? pool->indices[taken] : taken;
        struct report_case *the_case = &pool->cases[index];
        enum status status = skip ? STATUS_OK : pool->work(pool->run, index, the_case, &error);
        pool_finish(pool, taken, the_case->verdict == VERDICT_TIME_LIMIT, status, &error);
    }
    return NULL;
}

/* The same cases are given up whatever the threads did: those after the second that did not end. */
static void settle_given_up(const struct grade_run *run, struct report_case *cases, size_t count) {
    unsigned time_limited = 0;
    for (size_t i = 0; i < count; i++) {
        if (time_limited >= GIVE_UP_AFTER) {
            judge_reset(&cases[i]);
            judge_unlaunched(run->exercise, run->session->options.language, VERDICT_SKIPPED,
                             given_up, false, &cases[i]);
        }
        time_limited += cases[i].verdict == VERDICT_TIME_LIMIT;
    }
}

enum status grade_pool_work(struct grade_run *run, grade_work *work, struct report_case *cases,
                            const size_t *indices, size_t count, struct error *error) {
    size_t jobs = run->session->options.jobs < count ? run->session->options.jobs : count;
    run->threads = jobs > 1 || run->session->options.one_thread ? 1 : 0;
    struct pool pool = {
        .run = run, .work = work, .cases = cases, .indices = indices, .count = count};
    pool.ended = mem_calloc(count + 1, sizeof *pool.ended);
    pool.time_limit = mem_calloc(count + 1, sizeof *pool.time_limit);
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_t threads[GRADE_MAX_JOBS];
    size_t started = 0;
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, pool_thread, &pool) == 0)
        started++;
    pool_thread(&pool); /* this thread works too, and alone where no other can be made */
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&pool.mutex);
    free(pool.ended);
    free(pool.time_limit);
    if (pool.status != STATUS_OK && error)
        *error = pool.error;
    return pool.status;
}

enum status grade_pool_run(struct grade_run *run, struct report_case *cases, size_t count,
                           struct error *error) {
    enum status status = grade_pool_work(run, grade_case, cases, NULL, count, error);
    if (status == STATUS_OK)
        settle_given_up(run, cases, count);
    return status;
}

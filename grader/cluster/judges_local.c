/* Judges in this process: a few threads that take units from a queue.
 *
 * Each unit has a judge of its own for as long as it takes, so that a class fills all processors
 * also while one submission compiles or waits; with cards, one submission is measured on each. */
#include "grader/cluster/judges.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH_MAX = 64, BACKLOG = 32 };

struct queue {
    struct batch_unit *first, **last;
};

struct local {
    struct batch_judges base;
    struct grade_session *session;
    pthread_t threads[WIDTH_MAX];
    size_t thread_count;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t given, judged;
    struct queue todo, done;
    bool closing;
};

void batch_unit_free(struct batch_unit *unit) {
    if (!unit)
        return;
    free(unit->name);
    free(unit->text);
    free(unit->owners);
    report_free(unit->report);
    free(unit);
}

static void queue_add(struct queue *queue, struct batch_unit *unit) {
    unit->next = NULL;
    *queue->last = unit;
    queue->last = &unit->next;
}

static void queue_put_first(struct queue *queue, struct batch_unit *unit) {
    unit->next = queue->first;
    queue->first = unit;
    if (!unit->next)
        queue->last = &unit->next;
}

static struct batch_unit *queue_take(struct queue *queue) {
    struct batch_unit *unit = queue->first;
    if (unit) {
        queue->first = unit->next;
        if (!queue->first)
            queue->last = &queue->first;
        unit->next = NULL;
    }
    return unit;
}

static void judge(struct grade_session *session, struct batch_unit *unit) {
    const struct grade_source source = {
        .file = unit->name, .text = unit->text, .length = unit->length};
    unit->status =
        grade_submission(session, unit->definition, &source, &unit->report, &unit->error);
    unit->tries++;
}

static void *work(void *argument) {
    struct local *local = argument;
    pthread_mutex_lock(&local->mutex);
    for (;;) {
        struct batch_unit *unit = local->closing ? NULL : queue_take(&local->todo);
        if (unit) {
            pthread_mutex_unlock(&local->mutex);
            judge(local->session, unit);
            pthread_mutex_lock(&local->mutex);
            queue_add(&local->done, unit);
            pthread_cond_signal(&local->judged);
        } else if (local->closing) {
            break;
        } else {
            pthread_cond_wait(&local->given, &local->mutex);
        }
    }
    pthread_mutex_unlock(&local->mutex);
    return NULL;
}

/* Threads start with the first units: a batch that finds nothing to judge needs none. */
static enum status give(struct batch_judges *judges, struct batch_unit *unit, struct error *error) {
    struct local *local = (struct local *)judges;
    if (local->thread_count < judges->width && local->thread_count <= judges->waiting) {
        int code = pthread_create(&local->threads[local->thread_count], NULL, work, local);
        local->thread_count += code == 0;
        if (local->thread_count == 0) {
            batch_unit_free(unit);
            errno = code;
            return error_set(error, STATUS_ENVIRONMENT, "no thread can be started: %m");
        }
    }
    pthread_mutex_lock(&local->mutex);
    (unit->urgent ? queue_put_first : queue_add)(&local->todo, unit);
    pthread_cond_signal(&local->given);
    pthread_mutex_unlock(&local->mutex);
    judges->waiting++;
    return STATUS_OK;
}

static struct batch_unit *take(struct batch_judges *judges, int timeout_ms, enum status *status,
                               struct error *error) {
    struct local *local = (struct local *)judges;
    struct timespec until;
    (void)error;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    *status = STATUS_OK;
    pthread_mutex_lock(&local->mutex);
    struct batch_unit *unit = queue_take(&local->done);
    while (!unit && timeout_ms > 0 &&
           pthread_cond_timedwait(&local->judged, &local->mutex, &until) == 0)
        unit = queue_take(&local->done);
    pthread_mutex_unlock(&local->mutex);
    judges->waiting -= unit != NULL;
    return unit;
}

/* What a jail runs is waited for: its limits end it. */
static void close_local(struct batch_judges *judges) {
    struct local *local = (struct local *)judges;
    pthread_mutex_lock(&local->mutex);
    local->closing = true;
    pthread_cond_broadcast(&local->given);
    pthread_mutex_unlock(&local->mutex);
    for (size_t i = 0; i < local->thread_count; i++)
        pthread_join(local->threads[i], NULL);
    struct queue *const queues[] = {&local->todo, &local->done};
    for (size_t i = 0; i < ARRAY_LENGTH(queues); i++)
        for (struct batch_unit *unit; (unit = queue_take(queues[i]));)
            batch_unit_free(unit);
    pthread_cond_destroy(&local->given);
    pthread_cond_destroy(&local->judged);
    pthread_mutex_destroy(&local->mutex);
    free(local);
}

struct batch_judges *judges_local(struct grade_session *session, size_t width) {
    struct local *local = mem_zalloc(sizeof *local);
    *local = (struct local){
        .base = {.give = give,
                 .take = take,
                 .close = close_local,
                 .backlog = BACKLOG,
                 .width = width < 1           ? 1
                          : width > WIDTH_MAX ? WIDTH_MAX
                                              : width},
        .session = session,
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .given = PTHREAD_COND_INITIALIZER,
        .judged = PTHREAD_COND_INITIALIZER,
    };
    local->todo.last = &local->todo.first;
    local->done.last = &local->done.first;
    return &local->base;
}

const char *judges_engine_name(enum grade_engine engine, bool has_cards) {
    return !has_cards || engine == GRADE_ENGINE_SIM ? "sim"
           : engine == GRADE_ENGINE_CUDA            ? "cuda"
                                                    : "sim+cuda";
}

enum status judges_open_local(struct grade_options *options, size_t width,
                              struct grade_session **session, struct batch_judges **judges,
                              struct error *error) {
    options->jobs = options->threads = 1;
    enum status status = grade_open(options, session, error);
    size_t cards = status == STATUS_OK ? grade_card_count(*session) : 0;
    if (status == STATUS_OK) {
        options->has_seed = true;
        options->seed = grade_seed(*session);
    }
    if (cards > 0) { /* the judge of each card has the processors for what it simulates */
        options->jobs = (unsigned)(width > cards ? width / cards : 1);
        options->threads = 0;
        width = cards;
        grade_close(steal_pointer(session));
        status = grade_open(options, session, error);
    }
    if (status == STATUS_OK)
        *judges = judges_local(*session, width);
    return status;
}

/* The end of a launch's time, by the wall clock.
 *
 * The process that started the worker kills it when its time is over, and all findings are lost. So
 * a launch stops itself before that: a thread sleeps until then and raises a flag, which warps look
 * at where they look at the budget. What is found by then depends on the speed of the machine, and
 * the result's end says so; a run that must end at the same point everywhere has a budget of
 * instructions.
 */
#include "sandbox/simgpu/launch/deadline.h"

#include "sandbox/simgpu/state/launch.h"

#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct deadline {
    struct launch *launch;
    struct timespec at;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t closed;
    bool is_closed;
};

static void *wait_for_it(void *argument) {
    struct deadline *deadline = argument;
    pthread_mutex_lock(&deadline->mutex);
    int waited = 0;
    while (!deadline->is_closed && waited == 0)
        waited = pthread_cond_timedwait(&deadline->closed, &deadline->mutex, &deadline->at);
    if (!deadline->is_closed) {
        atomic_store(&deadline->launch->expired, true);
        atomic_store(&deadline->launch->stopped, true);
    }
    pthread_mutex_unlock(&deadline->mutex);
    return NULL;
}

static struct timespec time_in(double seconds) {
    const long second_ns = 1000000000;
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)seconds;
    at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * (double)second_ns);
    at.tv_sec += at.tv_nsec / second_ns;
    at.tv_nsec %= second_ns;
    return at;
}

static void free_deadline(struct deadline *deadline) {
    pthread_cond_destroy(&deadline->closed);
    pthread_mutex_destroy(&deadline->mutex);
    free(deadline);
}

void deadline_open(struct launch *launch) {
    double seconds = launch->request->wall_seconds;
    if (!(seconds > 0) || seconds > 1e9)
        return;
    struct deadline *deadline = mem_zalloc(sizeof *deadline);
    deadline->launch = launch;
    deadline->at = time_in(seconds);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&deadline->closed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&deadline->mutex, NULL);
    /* without a thread the launch has only the limit of the process that started this one */
    if (pthread_create(&deadline->thread, NULL, wait_for_it, deadline) == 0)
        launch->deadline = deadline;
    else
        free_deadline(deadline);
}

void deadline_close(struct launch *launch) {
    struct deadline *deadline = launch->deadline;
    if (!deadline)
        return;
    pthread_mutex_lock(&deadline->mutex);
    deadline->is_closed = true;
    pthread_cond_signal(&deadline->closed);
    pthread_mutex_unlock(&deadline->mutex);
    pthread_join(deadline->thread, NULL);
    free_deadline(deadline);
    launch->deadline = NULL;
}

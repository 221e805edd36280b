/* The end of a launch's time: by the wall clock on a machine that has nothing else to do. On a busy
 * one the launch goes on until it has had as much processor time, or until its last moment: whether
 * a kernel ends in time is the kernel's, not its neighbours'.
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

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define LEAST_WAIT 0.01 /* seconds */

struct deadline {
    struct launch *launch;
    struct timespec at, last;
    double enough_seconds; /* of the process's processor time */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t closed;
    bool is_closed;
};

static struct timespec time_after(struct timespec at, double seconds) {
    const long second_ns = 1000000000;
    at.tv_sec += (time_t)seconds;
    at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * (double)second_ns);
    at.tv_sec += at.tv_nsec / second_ns;
    at.tv_nsec %= second_ns;
    return at;
}

static double seconds_of(struct timespec time) {
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double processor_seconds(void) {
    struct timespec used;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 ? seconds_of(used) : 1e300;
}

/* The earliest moment at which the launch can have had enough; false: it has, or must end. The last
 * moment is taken as it is: a sum that is cut to whole nanoseconds would stay before it for ever.
 */
static bool postpone(struct deadline *deadline) {
    double missing = deadline->enough_seconds - processor_seconds();
    double left = seconds_of(deadline->last) - seconds_of(deadline->at);
    if (missing <= 0 || left <= 0)
        return false;
    double wait = fmax(missing, LEAST_WAIT);
    deadline->at = wait < left ? time_after(deadline->at, wait) : deadline->last;
    return true;
}

static void *wait_for_it(void *argument) {
    struct deadline *deadline = argument;
    pthread_mutex_lock(&deadline->mutex);
    int waited = 0;
    while (!deadline->is_closed && (waited == 0 || postpone(deadline)))
        waited = pthread_cond_timedwait(&deadline->closed, &deadline->mutex, &deadline->at);
    if (!deadline->is_closed) {
        atomic_store(&deadline->launch->expired, true);
        atomic_store(&deadline->launch->stopped, true);
    }
    pthread_mutex_unlock(&deadline->mutex);
    return NULL;
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
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double most = launch->request->most_seconds;
    deadline->at = time_after(now, seconds);
    deadline->last = time_after(now, most > seconds && most < 1e9 ? most : seconds);
    deadline->enough_seconds = processor_seconds() + seconds;
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

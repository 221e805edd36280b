/* Functions of the host in streams. They run on one thread of the library's, in the order in which
 * they were asked for; the next work of whichever stream waits for them, as does the host where it
 * waits for the card. A program in which such a function waits for something that the host does
 * later in its own thread hangs here if work comes between the two. */
#include "sandbox/runtime/stream.h"

#include <pthread.h>
#include <stdlib.h>

struct callback {
    void (*plain)(void *);
    void (*with_status)(cudaStream_t, cudaError_t, void *);
    cudaStream_t stream;
    void *data;
    struct callback *next;
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool started;
    struct callback *first, **last; /* the first one may be running */
} queue = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local bool is_own_thread;

static void *run(void *unused) {
    is_own_thread = true;
    pthread_mutex_lock(&queue.mutex);
    for (;;) {
        struct callback *callback = queue.first;
        if (!callback) {
            pthread_cond_wait(&queue.changed, &queue.mutex);
            continue;
        }
        pthread_mutex_unlock(&queue.mutex);
        if (callback->plain)
            callback->plain(callback->data);
        else
            callback->with_status(callback->stream, cudaSuccess, callback->data);
        pthread_mutex_lock(&queue.mutex);
        queue.first = callback->next;
        if (!queue.first)
            queue.last = &queue.first;
        free(callback);
        pthread_cond_broadcast(&queue.changed);
    }
    return unused;
}

static cudaError_t add(struct callback callback) {
    struct callback *kept = malloc(sizeof *kept);
    pthread_t thread;
    if (!kept)
        return cudaErrorMemoryAllocation;
    *kept = callback;
    pthread_mutex_lock(&queue.mutex);
    if (!queue.started) {
        if (pthread_create(&thread, NULL, run, NULL) != 0)
            link_give_up("the CUDA runtime cannot start a thread for functions of the host");
        pthread_detach(thread);
        queue.started = true;
        queue.last = &queue.first;
    }
    *queue.last = kept;
    queue.last = &kept->next;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.mutex);
    return cudaSuccess;
}

cudaError_t callback_add(void (*function)(void *), void *data) {
    return add((struct callback){.plain = function, .data = data});
}

cudaError_t callback_add_with_status(void (*function)(cudaStream_t, cudaError_t, void *),
                                     cudaStream_t stream, void *data) {
    return add((struct callback){.with_status = function, .stream = stream, .data = data});
}

void callback_wait(void) {
    pthread_mutex_lock(&queue.mutex);
    while (queue.first && !is_own_thread)
        pthread_cond_wait(&queue.changed, &queue.mutex);
    pthread_mutex_unlock(&queue.mutex);
}

bool callback_is_thread(void) {
    return is_own_thread;
}

/* The program has ended: what it has asked for still comes. */
__attribute__((destructor)) static void run_the_last(void) {
    callback_wait();
}

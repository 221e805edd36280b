/* Streams as the library knows them: what the program's handles stand for. Private to it. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_STREAM_H
#define WARPGRADE_SANDBOX_RUNTIME_STREAM_H

#include "sandbox/runtime/launch_attribute.h"
#include "sandbox/runtime/runtime.h"

struct capture;
struct graph_node;

/* Nodes of a graph: those that what comes next depends on. */
struct node_set {
    struct graph_node **nodes;
    size_t count;
};

enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2 }; /* handles that are no pointers */

struct stream {
    struct stream *next;
    uint64_t number; /* the card's */
    uint64_t id;     /* as the program asks for it: never used twice */
    unsigned flags;
    int priority;
    struct launch_attributes attributes;
    bool legacy;             /* the default stream itself */
    struct capture *capture; /* NULL: what it is asked for is done */
    struct node_set tail;    /* while it is captured */
};

/* The nearest priority that there is. */
int stream_priority(int asked);

/* The stream of a handle; cudaErrorInvalidResourceHandle. */
cudaError_t stream_find(cudaStream_t handle, struct stream **stream);

/* Work is asked for: until work_end() all calls of this thread are of that stream. The first
 * refuses a stream that is captured; the second leaves it to the caller (capture_takes()). */
cudaError_t work_begin(cudaStream_t handle, struct stream **stream);
cudaError_t work_begin_any(cudaStream_t handle, struct stream **stream);
/* Remembers the error, too. */
cudaError_t work_end(cudaError_t error);

/* The host waits for the stream and prints what kernels have. */
cudaError_t stream_wait(const struct stream *stream);

cudaError_t cudaStreamSynchronize(cudaStream_t handle);

/* While a function of the thread was called by its name for per-thread default streams. */
extern _Thread_local bool default_is_per_thread;

/* callback.c: functions of the host, on a thread of the library, one after the other. */
cudaError_t callback_add(void (*function)(void *), void *data);
cudaError_t callback_add_with_status(void (*function)(cudaStream_t, cudaError_t, void *),
                                     cudaStream_t stream, void *data);
void callback_wait(void);      /* for all of them; not on their own thread */
bool callback_is_thread(void); /* this is one of them: it may not use the card */

#endif

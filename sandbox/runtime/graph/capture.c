/* Capturing: what streams are asked for becomes nodes of a graph. A stream's next node depends on
 * its tail; an event carries a tail to another stream, which is captured from then on, and has to
 * come back before the end. What cannot be captured makes the whole capture invalid, and the
 * program learns it when it ends it. */
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum mode { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED, MODE_COUNT }; /* cudaStreamCaptureMode */
enum status { STATUS_NONE, STATUS_ACTIVE, STATUS_INVALID };       /* cudaStreamCaptureStatus */
enum { MOST_STREAMS = 256, NON_BLOCKING = 1 };

struct capture {
    struct capture *next;
    struct graph *graph;
    bool graph_is_the_programs; /* cudaStreamBeginCaptureToGraph() */
    uint64_t id;
    enum mode mode;
    pthread_t thread;
    bool invalid;
    struct stream *streams[MOST_STREAMS]; /* the first one is where it began */
    size_t count;
};

static struct {
    pthread_mutex_t mutex;
    struct capture *first;
    uint64_t next_id;
} captures = {.mutex = PTHREAD_MUTEX_INITIALIZER, .next_id = 1};
static _Thread_local enum mode thread_mode;

/* graph.c */
cudaError_t cudaGraphCreate(struct graph **graph, unsigned flags);
cudaError_t cudaGraphDestroy(struct graph *graph);

/* ---- what is not allowed ----------------------------------------------------------------------
 */

cudaError_t capture_error(const struct stream *stream) {
    return stream->capture && stream->capture->invalid ? cudaErrorStreamCaptureInvalidated
                                                       : cudaSuccess;
}

void capture_invalidate(struct stream *stream) {
    if (stream->capture)
        stream->capture->invalid = true;
}

/* Calls that may wait for all work are not for a thread while others rely on it that nothing is
 * done: of all captures, of its own, of none. */
cudaError_t capture_forbids(void) {
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&captures.mutex);
    for (struct capture *capture = captures.first; capture; capture = capture->next) {
        bool own = pthread_equal(capture->thread, pthread_self());
        if (capture->mode == MODE_RELAXED || thread_mode == MODE_RELAXED ||
            ((capture->mode == MODE_THREAD || thread_mode == MODE_THREAD) && !own))
            continue;
        capture->invalid = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    pthread_mutex_unlock(&captures.mutex);
    return error;
}

/* The default stream would have to wait for blocking streams. */
cudaError_t capture_forbids_default(void) {
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&captures.mutex);
    for (struct capture *capture = captures.first; capture; capture = capture->next)
        for (size_t i = 0; i < capture->count; i++)
            if (!(capture->streams[i]->flags & NON_BLOCKING)) {
                capture->invalid = true;
                error = cudaErrorStreamCaptureImplicit;
            }
    pthread_mutex_unlock(&captures.mutex);
    return error;
}

/* ---- nodes ------------------------------------------------------------------------------------
 */

bool capture_takes(struct stream *stream, cudaError_t *error, struct node_work work) {
    struct graph_node *node;
    if (!stream->capture)
        return false;
    if (work.type == NODE_ALLOCATE || work.type == NODE_FREE)
        work_use_memory(&work, 1);
    *error = graph_add(stream->capture->graph, stream->tail.nodes, stream->tail.count, work, &node);
    if (*error == cudaSuccess) {
        set_free(&stream->tail);
        *error = set_add(&stream->tail, node);
    }
    if (*error != cudaSuccess)
        stream->capture->invalid = true;
    return true;
}

static cudaError_t set_join(struct node_set *set, const struct node_set *other) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < other->count && error == cudaSuccess; i++)
        error = set_add(set, other->nodes[i]);
    return error;
}

bool capture_records(struct stream *stream, struct captured_event *event) {
    set_free(&event->after);
    event->capture = stream->capture ? stream->capture->id : 0;
    if (stream->capture)
        set_join(&event->after, &stream->tail);
    return stream->capture != NULL;
}

static struct capture *find(uint64_t id) {
    struct capture *capture = captures.first;
    while (capture && capture->id != id)
        capture = capture->next;
    return capture;
}

void capture_invalidate_of(const struct captured_event *event) {
    pthread_mutex_lock(&captures.mutex);
    struct capture *capture = find(event->capture);
    if (capture)
        capture->invalid = true;
    pthread_mutex_unlock(&captures.mutex);
}

static cudaError_t enter(struct capture *capture, struct stream *stream) {
    if (capture->count == MOST_STREAMS)
        return cudaErrorMemoryAllocation;
    capture->streams[capture->count++] = stream;
    stream->capture = capture;
    return cudaSuccess;
}

bool capture_waits(struct stream *stream, const struct captured_event *event, cudaError_t *error) {
    if (!event->capture && !stream->capture)
        return false;
    pthread_mutex_lock(&captures.mutex);
    struct capture *from = event->capture ? find(event->capture) : NULL;
    if (!from)
        *error = stream->capture ? cudaErrorStreamCaptureIsolation : cudaErrorCapturedEvent;
    else if (from->invalid)
        *error = cudaErrorInvalidValue;
    else if (stream->capture && stream->capture != from)
        *error = cudaErrorStreamCaptureMerge;
    else if (stream->legacy)
        *error = cudaErrorStreamCaptureImplicit;
    else
        *error = stream->capture ? cudaSuccess : enter(from, stream);
    pthread_mutex_unlock(&captures.mutex);
    if (*error == cudaSuccess)
        *error = set_join(&stream->tail, &event->after);
    else
        capture_invalidate(stream);
    return true;
}

void capture_forget(struct stream *stream) {
    struct capture *capture = stream->capture;
    pthread_mutex_lock(&captures.mutex);
    for (size_t i = 0; capture && i < capture->count; i++)
        if (capture->streams[i] == stream) {
            capture->streams[i] = capture->streams[--capture->count];
            capture->invalid = true;
        }
    pthread_mutex_unlock(&captures.mutex);
    set_free(&stream->tail);
}

/* ---- beginning and ending ---------------------------------------------------------------------
 */

static cudaError_t begin(cudaStream_t handle, struct graph *graph, struct graph_node *const *after,
                         size_t count, int mode) {
    struct stream *stream;
    cudaError_t error = stream_find(handle, &stream);
    if (error != cudaSuccess)
        return error;
    if (stream->legacy)
        return cudaErrorStreamCaptureUnsupported;
    if (stream->capture || mode < 0 || mode >= MODE_COUNT)
        return stream->capture ? cudaErrorIllegalState : cudaErrorInvalidValue;
    struct capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return cudaErrorMemoryAllocation;
    capture->graph_is_the_programs = graph != NULL;
    capture->graph = graph;
    if (!graph)
        error = cudaGraphCreate(&capture->graph, 0);
    if (error != cudaSuccess) {
        free(capture);
        return error;
    }
    capture->mode = (enum mode)mode;
    capture->thread = pthread_self();
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = set_add(&stream->tail, after[i]);
    pthread_mutex_lock(&captures.mutex);
    capture->id = captures.next_id++;
    capture->next = captures.first;
    captures.first = capture;
    enter(capture, stream);
    pthread_mutex_unlock(&captures.mutex);
    return error;
}

API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode) {
    return remember(begin(stream, NULL, NULL, 0, mode));
}

API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, struct graph *handle,
                                              struct graph_node *const *after, const void *data,
                                              size_t count, int mode) {
    struct graph *graph = graph_find(handle);
    bool sound = graph && (!count || after);
    (void)data;
    for (size_t i = 0; i < count && sound; i++)
        sound = node_find(after[i]) && after[i]->graph == graph;
    return remember(sound ? begin(stream, graph, after, count, mode) : cudaErrorInvalidValue);
}

/* Every stream's last nodes lead to the first stream's. */
static bool is_joined(const struct capture *capture) {
    const struct node_set *end = &capture->streams[0]->tail;
    for (size_t i = 1; i < capture->count; i++)
        for (size_t k = 0; k < capture->streams[i]->tail.count; k++) {
            bool found = false;
            for (size_t m = 0; m < end->count && !found; m++)
                found = node_follows(end->nodes[m], capture->streams[i]->tail.nodes[k]);
            if (!found)
                return false;
        }
    return true;
}

static void leave(struct capture *capture) {
    pthread_mutex_lock(&captures.mutex);
    struct capture **at = &captures.first;
    while (*at != capture)
        at = &(*at)->next;
    *at = capture->next;
    for (size_t i = 0; i < capture->count; i++) {
        capture->streams[i]->capture = NULL;
        set_free(&capture->streams[i]->tail);
    }
    pthread_mutex_unlock(&captures.mutex);
    free(capture);
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream_handle, struct graph **handle) {
    struct stream *stream;
    cudaError_t error = stream_find(stream_handle, &stream);
    if (error != cudaSuccess)
        return remember(error);
    struct capture *capture = stream->capture;
    if (!capture)
        return remember(cudaErrorIllegalState);
    if (!handle && !capture->graph_is_the_programs) /* who has the graph need not ask for it */
        return remember(cudaErrorInvalidValue);
    if (handle)
        *handle = NULL;
    if (capture->mode != MODE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
        return remember(cudaErrorStreamCaptureWrongThread);
    if (capture->streams[0] != stream) {
        capture->invalid = true;
        return remember(cudaErrorStreamCaptureUnmatched);
    }
    error = capture->invalid      ? cudaErrorStreamCaptureInvalidated
            : !is_joined(capture) ? cudaErrorStreamCaptureUnjoined
                                  : cudaSuccess;
    struct graph *graph = capture->graph;
    bool is_the_programs = capture->graph_is_the_programs;
    leave(capture);
    if (error == cudaSuccess && handle)
        *handle = graph;
    if (error != cudaSuccess && !is_the_programs)
        cudaGraphDestroy(graph);
    return remember(error);
}

/* ---- asking -----------------------------------------------------------------------------------
 */

static enum status status_of(const struct stream *stream) {
    return !stream->capture           ? STATUS_NONE
           : stream->capture->invalid ? STATUS_INVALID
                                      : STATUS_ACTIVE;
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, int *status) {
    struct stream *stream;
    cudaError_t error = status ? stream_find(handle, &stream) : cudaErrorInvalidValue;
    if (error == cudaSuccess && stream->legacy)
        error = capture_forbids_default();
    if (error == cudaSuccess)
        *status = (int)status_of(stream);
    return remember(error);
}

/* The program may look at the graph while it is made. */
API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, int *status, unsigned long long *id,
                                         struct graph **graph, struct graph_node *const **after,
                                         const void **data, size_t *count) {
    struct stream *stream;
    cudaError_t error = status ? stream_find(handle, &stream) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return remember(error);
    *status = (int)status_of(stream);
    bool active = *status == STATUS_ACTIVE;
    if (id && active)
        *id = stream->capture->id;
    if (graph && active)
        *graph = stream->capture->graph;
    if (after)
        *after = active ? stream->tail.nodes : NULL;
    if (data)
        *data = NULL;
    if (count)
        *count = active ? stream->tail.count : 0;
    return cudaSuccess;
}

API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, struct graph_node **nodes,
                                                    const void *data, size_t count,
                                                    unsigned flags) {
    enum { ADD, SET }; /* cudaStreamUpdateCaptureDependenciesFlags */
    struct stream *stream;
    cudaError_t error = stream_find(handle, &stream);
    (void)data;
    if (error == cudaSuccess && (flags > SET || (count && !nodes)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !stream->capture)
        error = cudaErrorIllegalState;
    if (error == cudaSuccess && flags == SET)
        set_free(&stream->tail);
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = set_add(&stream->tail, nodes[i]);
    return remember(error);
}

API cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode) {
    if (!mode || *mode < 0 || *mode >= MODE_COUNT)
        return remember(cudaErrorInvalidValue);
    enum mode before = thread_mode;
    thread_mode = (enum mode) * mode;
    *mode = (int)before;
    return cudaSuccess;
}

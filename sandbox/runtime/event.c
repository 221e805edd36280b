/* Events. The card knows what comes before one, and its modelled time; here are their flags, and
 * whether they have been recorded at all. */
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    DISABLE_TIMING = 2,
    INTERPROCESS = 4,
    ALL_FLAGS = 7,
    EXTERNAL = 1, /* cudaEventRecordExternal, cudaEventWaitExternal */
};

struct event {
    struct event *next;
    uint64_t number; /* the card's */
    unsigned flags;
    bool recorded;
    uint64_t clock_ns;
    struct captured_event captured; /* by the last record, if that was captured */
};

static struct {
    pthread_mutex_t mutex;
    struct event *first;
} events = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* NULL: there is none. A program may use one that it has destroyed. */
static struct event *find(cudaEvent_t handle) {
    pthread_mutex_lock(&events.mutex);
    struct event *event = events.first;
    while (event && event != handle)
        event = event->next;
    pthread_mutex_unlock(&events.mutex);
    return event;
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags) {
    if (!handle || flags & ~(unsigned)ALL_FLAGS ||
        (flags & INTERPROCESS && !(flags & DISABLE_TIMING)))
        return remember(cudaErrorInvalidValue);
    struct event *event = calloc(1, sizeof *event);
    if (!event)
        return remember(cudaErrorMemoryAllocation);
    cudaError_t error = link_ask(WIRE_EVENT, 0, 0, 0, &event->number);
    if (error != cudaSuccess) {
        free(event);
        return remember(error);
    }
    event->flags = flags;
    pthread_mutex_lock(&events.mutex);
    event->next = events.first;
    events.first = event;
    pthread_mutex_unlock(&events.mutex);
    *handle = event;
    return cudaSuccess;
}

API cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}

/* Who waits for it waits no longer for what comes; what it has ordered stays so. */
API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    pthread_mutex_lock(&events.mutex);
    struct event **at = &events.first;
    while (*at && *at != handle)
        at = &(*at)->next;
    struct event *event = *at;
    if (event)
        *at = event->next;
    pthread_mutex_unlock(&events.mutex);
    if (!event)
        return remember(cudaErrorInvalidResourceHandle);
    cudaError_t error = link_ask(WIRE_EVENT_END, event->number, 0, 0, NULL);
    set_free(&event->captured.after);
    free(event);
    return remember(error);
}

cudaError_t event_record(cudaEvent_t handle) {
    struct event *event = find(handle);
    if (!event)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = link_ask(WIRE_RECORD, event->number, 0, 0, &event->clock_ns);
    event->recorded = error == cudaSuccess;
    return error;
}

cudaError_t event_delay(cudaEvent_t handle) {
    const struct event *event = find(handle);
    return event ? link_ask(WIRE_WAIT, event->number, 0, 0, NULL) : cudaErrorInvalidResourceHandle;
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle,
                                         unsigned flags) {
    struct stream *stream;
    struct event *event = find(handle);
    if (flags & ~(unsigned)EXTERNAL)
        return remember(cudaErrorInvalidValue);
    cudaError_t error =
        event ? work_begin_any(stream_handle, &stream) : cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && stream->capture && flags) {
        capture_takes(stream, &error,
                      (struct node_work){.type = NODE_RECORD_EVENT, .event = handle});
        return work_end(error);
    }
    if (error == cudaSuccess && !capture_records(stream, &event->captured))
        error = event_record(handle);
    return work_end(error);
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, 0);
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle,
                                    unsigned flags) {
    struct stream *stream;
    const struct event *event = find(handle);
    if (flags & ~(unsigned)EXTERNAL)
        return remember(cudaErrorInvalidValue);
    cudaError_t error =
        event ? work_begin_any(stream_handle, &stream) : cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && stream->capture && flags) {
        capture_takes(stream, &error, (struct node_work){.type = NODE_WAIT_EVENT, .event = handle});
        return work_end(error);
    }
    if (error == cudaSuccess && !capture_waits(stream, &event->captured, &error))
        error = event_delay(handle);
    return work_end(error);
}

/* One that was never recorded has nothing before it. */
API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    const struct event *event = find(handle);
    if (event && event->captured.capture) {
        capture_invalidate_of(&event->captured);
        return remember(cudaErrorCapturedEvent);
    }
    cudaError_t error = event ? capture_forbids() : cudaErrorInvalidResourceHandle;
    return remember(error == cudaSuccess ? event_wait(event->number) : error);
}

API cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return cudaEventSynchronize(handle);
}

/* As long as events are a microsecond apart at least, as on cards, a rate is a number. */
API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t first, cudaEvent_t second) {
    const struct event *start = find(first), *end = find(second);
    if (!ms)
        return remember(cudaErrorInvalidValue);
    if (!start || !end || !start->recorded || !end->recorded ||
        (start->flags | end->flags) & DISABLE_TIMING)
        return remember(cudaErrorInvalidResourceHandle);
    if (link_device()->is_real) {
        uint64_t measured = 0;
        cudaError_t error = link_ask(WIRE_ELAPSED, start->number, end->number, 0, &measured);
        *ms = (float)((double)(int64_t)measured * 1e-6);
        return remember(error);
    }
    double ns = (double)(int64_t)(end->clock_ns - start->clock_ns);
    *ms = (float)((start != end && ns >= 0 && ns < 1000 ? 1000 : ns) * 1e-6);
    return cudaSuccess;
}

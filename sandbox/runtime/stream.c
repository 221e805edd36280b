/* Streams and waiting. All work is done in the order of the calls, which is one of the orders that
 * streams allow; the card keeps what is ordered, and says where a program relies on more.
 *
 * Handles of the default streams are numbers, others are pointers, which are looked for before they
 * are used: a program may give one that it has destroyed. */
#include "sandbox/runtime/graph/graph.h"
#include "sandbox/runtime/pinned.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NON_BLOCKING = 1, LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

_Thread_local bool default_is_per_thread;

static struct {
    pthread_mutex_t mutex;
    struct stream *first;
    uint64_t next_id;
} streams = {.mutex = PTHREAD_MUTEX_INITIALIZER, .next_id = 3};

static struct stream legacy = {.legacy = true, .id = STREAM_LEGACY};
static _Thread_local struct stream per_thread = {.id = STREAM_PER_THREAD};

/* ---- handles ----------------------------------------------------------------------------------
 */

/* Also on cudaStreamNonBlocking: it waits for the default stream, as long as that is not told. */
static cudaError_t find_per_thread(struct stream **stream) {
    *stream = &per_thread;
    return per_thread.number ? cudaSuccess : link_ask(WIRE_STREAM, 0, 0, 0, &per_thread.number);
}

cudaError_t stream_find(cudaStream_t handle, struct stream **stream) {
    uintptr_t number = (uintptr_t)handle;
    if (number == STREAM_PER_THREAD || (number == 0 && default_is_per_thread))
        return find_per_thread(stream);
    *stream = &legacy;
    if (number == 0 || number == STREAM_LEGACY)
        return cudaSuccess;
    pthread_mutex_lock(&streams.mutex);
    struct stream *at = streams.first;
    while (at && at != handle)
        at = at->next;
    pthread_mutex_unlock(&streams.mutex);
    *stream = at;
    return at ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t work_begin_any(cudaStream_t handle, struct stream **stream) {
    cudaError_t error = callback_is_thread() ? cudaErrorNotPermitted : stream_find(handle, stream);
    if (error == cudaSuccess)
        error = (*stream)->legacy ? capture_forbids_default() : capture_error(*stream);
    if (error != cudaSuccess)
        return error;
    callback_wait();
    link_set_stream((*stream)->number);
    return cudaSuccess;
}

cudaError_t work_begin(cudaStream_t handle, struct stream **stream) {
    cudaError_t error = work_begin_any(handle, stream);
    if (error != cudaSuccess || !(*stream)->capture)
        return error;
    capture_invalidate(*stream);
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t work_end(cudaError_t error) {
    link_set_stream(0);
    return remember(error);
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

/* What a kernel's assertion says, once. */
static void print_assertion(void) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char line[1024];
    struct link_call call = {.call = WIRE_ASSERTED, .received = line, .received_max = sizeof line};
    if (!atomic_flag_test_and_set(&said) && link_do(&call) == cudaSuccess)
        fwrite(line, 1, call.received_bytes, stderr);
}

/* Kernels print when the host waits, as on a card. */
static cudaError_t wait_for(enum wire_wait what, uint64_t event) {
    char answer[WIRE_PRINTED_MAX];
    struct link_call call = {.call = WIRE_SYNCHRONIZE,
                             .argument = {what, event},
                             .received = answer,
                             .received_max = sizeof answer};
    cudaError_t error;
    if (callback_is_thread())
        return cudaErrorNotPermitted;
    callback_wait();
    do {
        error = link_do(&call);
        size_t guards = (size_t)call.value[0] * sizeof(uint64_t);
        if (guards > call.received_bytes)
            break;
        for (size_t at = 0; at < guards; at += sizeof(uint64_t)) {
            uint64_t number;
            memcpy(&number, answer + at, sizeof number);
            guard_end(number);
        }
        fwrite(answer + guards, 1, call.received_bytes - guards, stdout);
    } while (call.value[1]);
    if (error == cudaErrorAssert)
        print_assertion();
    return error;
}

cudaError_t synchronize(void) {
    cudaError_t error = capture_forbids();
    return error == cudaSuccess ? wait_for(WIRE_WAIT_ALL, 0) : error;
}

cudaError_t event_wait(uint64_t event) {
    return wait_for(WIRE_WAIT_EVENT, event);
}

cudaError_t stream_wait(const struct stream *stream) {
    link_set_stream(stream->number);
    cudaError_t error = wait_for(WIRE_WAIT_STREAM, 0);
    link_set_stream(0);
    return error;
}

API cudaError_t cudaDeviceSynchronize(void) {
    return remember(synchronize());
}

API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = stream_find(handle, &stream);
    if (error == cudaSuccess)
        error = stream->legacy ? capture_forbids_default() : capture_error(stream);
    if (error == cudaSuccess && stream->capture) {
        capture_invalidate(stream);
        error = cudaErrorStreamCaptureUnsupported;
    }
    if (error == cudaSuccess)
        error = capture_forbids();
    return remember(error == cudaSuccess ? stream_wait(stream) : error);
}

/* All that was asked for is done. */
API cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return cudaStreamSynchronize(handle);
}

/* ---- making and asking ------------------------------------------------------------------------
 */

int stream_priority(int asked) {
    return asked < GREATEST_PRIORITY ? GREATEST_PRIORITY
           : asked > LEAST_PRIORITY  ? LEAST_PRIORITY
                                     : asked;
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *handle, unsigned flags, int priority) {
    if (!handle || flags > NON_BLOCKING)
        return remember(cudaErrorInvalidValue);
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return remember(cudaErrorMemoryAllocation);
    cudaError_t error = link_ask(WIRE_STREAM, (flags & NON_BLOCKING) != 0, 0, 0, &stream->number);
    if (error != cudaSuccess) {
        free(stream);
        return remember(error);
    }
    stream->flags = flags;
    stream->priority = stream_priority(priority);
    pthread_mutex_lock(&streams.mutex);
    stream->id = streams.next_id++;
    stream->next = streams.first;
    streams.first = stream;
    pthread_mutex_unlock(&streams.mutex);
    *handle = stream;
    return cudaSuccess;
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, 0, 0);
}

/* What it was asked for is done all the same. */
API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    pthread_mutex_lock(&streams.mutex);
    struct stream **at = &streams.first;
    while (*at && *at != handle)
        at = &(*at)->next;
    struct stream *stream = *at;
    if (stream)
        *at = stream->next;
    pthread_mutex_unlock(&streams.mutex);
    if (!stream)
        return remember(cudaErrorInvalidResourceHandle);
    capture_forget(stream);
    callback_wait();
    link_set_stream(stream->number);
    cudaError_t error = link_ask(WIRE_STREAM_END, 0, 0, 0, NULL);
    free(stream);
    return work_end(error);
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
}

/* The stream, where there is room for the answer. */
static cudaError_t ask(cudaStream_t handle, const void *room, struct stream **stream) {
    return remember(room ? stream_find(handle, stream) : cudaErrorInvalidValue);
}

API cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
    struct stream *stream;
    cudaError_t error = ask(handle, priority, &stream);
    if (error == cudaSuccess)
        *priority = stream->priority;
    return error;
}

API cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
    struct stream *stream;
    cudaError_t error = ask(handle, flags, &stream);
    if (error == cudaSuccess)
        *flags = stream->flags;
    return error;
}

API cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
    struct stream *stream;
    cudaError_t error = ask(handle, id, &stream);
    if (error == cudaSuccess)
        *id = stream->id;
    return error;
}

API cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device) {
    struct stream *stream;
    cudaError_t error = ask(handle, device, &stream);
    if (error == cudaSuccess)
        *device = 0;
    return error;
}

/* ---- functions of the host --------------------------------------------------------------------
 */

/* They come after what the stream was asked for before, and the host's memory is theirs then. */
API cudaError_t cudaLaunchHostFunc(cudaStream_t handle, void (*function)(void *), void *data) {
    struct stream *stream;
    const struct node_work work = {.type = NODE_HOST, .host = {function, data}};
    cudaError_t error = function ? work_begin_any(handle, &stream) : cudaErrorInvalidValue;
    if (error != cudaSuccess || capture_takes(stream, &error, work))
        return work_end(error);
    return work_end(work_do(&work, stream));
}

API cudaError_t cudaStreamAddCallback(cudaStream_t handle,
                                      void (*function)(cudaStream_t, cudaError_t, void *),
                                      void *data, unsigned flags) {
    struct stream *stream;
    cudaError_t error = function && !flags ? work_begin(handle, &stream) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_wait(stream);
    return work_end(error == cudaSuccess ? callback_add_with_status(function, handle, data)
                                         : error);
}

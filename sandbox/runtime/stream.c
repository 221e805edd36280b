/* Streams, events and waiting. All work is done in the order of the calls, which is correct for
 * every program that is: streams only say what may be done at the same time. The time between two
 * events is the card's modelled one. */
#include "sandbox/runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>

struct stream {
    unsigned flags;
};

struct event {
    bool recorded, untimed;
    uint64_t clock_ns;
};

/* Kernels print when the host waits, as on a card. */
cudaError_t synchronize(void) {
    char printed[WIRE_PRINTED_MAX];
    struct link_call call = {
        .call = WIRE_SYNCHRONIZE, .received = printed, .received_max = sizeof printed};
    cudaError_t error;
    do {
        error = link_do(&call);
        fwrite(printed, 1, call.received_bytes, stdout);
    } while (call.received_bytes == sizeof printed);
    return error;
}

API cudaError_t cudaDeviceSynchronize(void) {
    return remember(synchronize());
}

/* ---- streams ----------------------------------------------------------------------------------
 */

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    (void)priority;
    if (!stream || flags > 1)
        return remember(cudaErrorInvalidValue);
    *stream = malloc(sizeof **stream);
    if (!*stream)
        return remember(cudaErrorMemoryAllocation);
    (*stream)->flags = flags;
    return cudaSuccess;
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, 0, 0);
}

API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if ((uintptr_t)stream <= 2) /* the default streams */
        return remember(cudaErrorInvalidResourceHandle);
    free(stream);
    return cudaSuccess;
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    return remember(synchronize());
}

API cudaError_t cudaStreamQuery(cudaStream_t stream) {
    (void)stream;
    return remember(synchronize());
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    (void)stream;
    return remember(!event || flags ? cudaErrorInvalidValue : cudaSuccess);
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

/* What comes before it in the stream is done. */
API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *data) {
    (void)stream;
    cudaError_t error = function ? synchronize() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        function(data);
    return remember(error);
}

API cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                      void (*function)(cudaStream_t, cudaError_t, void *),
                                      void *data, unsigned flags) {
    if (!function || flags)
        return remember(cudaErrorInvalidValue);
    function(stream, synchronize(), data);
    return cudaSuccess;
}

/* ---- events -----------------------------------------------------------------------------------
 */

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    if (!event)
        return remember(cudaErrorInvalidValue);
    *event = calloc(1, sizeof **event);
    if (!*event)
        return remember(cudaErrorMemoryAllocation);
    (*event)->untimed = flags & cudaEventDisableTiming;
    return cudaSuccess;
}

API cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}

API cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event)
        return remember(cudaErrorInvalidResourceHandle);
    free(event);
    return cudaSuccess;
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    (void)stream, (void)flags;
    if (!event)
        return remember(cudaErrorInvalidResourceHandle);
    cudaError_t error = link_ask(WIRE_CLOCK, 0, 0, 0, &event->clock_ns);
    event->recorded = error == cudaSuccess;
    return remember(error);
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, 0);
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return remember(event ? synchronize() : cudaErrorInvalidResourceHandle);
}

API cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    if (!ms)
        return remember(cudaErrorInvalidValue);
    if (!start || !end || !start->recorded || !end->recorded || start->untimed || end->untimed)
        return remember(cudaErrorInvalidResourceHandle);
    *ms = (float)((double)(int64_t)(end->clock_ns - start->clock_ns) * 1e-6);
    return cudaSuccess;
}

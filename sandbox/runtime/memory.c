/* Memory of the card and copies. Device pointers are the card's own numbers, which no host has: who
 * reads one gets the segmentation fault that it is on metal.
 *
 * Copies go through the window in parts, and in the order of the calls: asynchronous ones are done
 * when they return, which is one of the orders that the runtime allows. */
#include "sandbox/runtime/graph/graph.h"
#include "sandbox/runtime/host/report.h"
#include "sandbox/runtime/pinned.h"
#include "sandbox/runtime/shared.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* ---- allocating -------------------------------------------------------------------------------
 */

/* The process may have something else where a real card has put it: then it is given another one.
 */
static cudaError_t allocate(size_t bytes, uint64_t *address) {
    enum { TRIES = 16 };
    uint64_t refused[TRIES];
    size_t count = 0;
    cudaError_t error = link_ask(WIRE_ALLOCATE, bytes, 0, 0, address);
    while (error == cudaSuccess && !place_keep(*address, bytes)) {
        refused[count++] = *address;
        error = count == TRIES ? cudaErrorMemoryAllocation
                               : link_ask(WIRE_ALLOCATE, bytes, 0, 0, address);
    }
    while (count)
        link_ask(WIRE_FREE, refused[--count], 0, 0, NULL);
    return error;
}

/* While a stream is captured, too. */
cudaError_t memory_allocate(void **pointer, size_t bytes) {
    uint64_t address = 0;
    if (!pointer)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = bytes ? allocate(bytes, &address) : cudaSuccess;
    if (error == cudaSuccess)
        *pointer = (void *)(uintptr_t)address;
    return remember(error);
}

API cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    cudaError_t error = capture_forbids();
    return error == cudaSuccess ? memory_allocate(pointer, bytes) : remember(error);
}

/* It waits for the whole card, as the driver's does. */
API cudaError_t cudaFree(void *pointer) {
    if (!pointer) /* cudaFree(0) is how programs wake the card up */
        return remember(link_ask(WIRE_CLOCK, 0, 0, 0, NULL));
    cudaError_t error = synchronize();
    if (error == cudaSuccess)
        error = is_device_address(pointer) ? link_ask(WIRE_FREE, (uintptr_t)pointer, 0, 0, NULL)
                                           : shared_free(pointer, SHARED_MANAGED);
    if (error == cudaSuccess)
        pool_forget(pointer);
    else if (error == cudaErrorInvalidValue && !is_device_address(pointer))
        report_free(pointer, false);
    return remember(error);
}

/* Where the card has no address left for it, kernels cannot reach it. */
API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    enum { ALL_FLAGS = 7 };
    if (!pointer || flags > ALL_FLAGS)
        return remember(cudaErrorInvalidValue);
    *pointer = NULL;
    if (!bytes)
        return cudaSuccess;
    size_t rounded = (bytes + PAGE - 1) / PAGE * PAGE;
    cudaError_t error = rounded < bytes ? cudaErrorMemoryAllocation
                                        : shared_make(bytes, SHARED_PINNED, flags, pointer);
    if (error == cudaErrorMemoryAllocation && rounded >= bytes &&
        posix_memalign(pointer, PAGE, rounded) == 0)
        error = cudaSuccess;
    if (error == cudaSuccess)
        pinned_add(*pointer, bytes, true);
    return remember(error);
}

API cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, 0);
}

API cudaError_t cudaFreeHost(void *pointer) {
    if (!pointer)
        return cudaSuccess;
    if (is_device_address(pointer) || !pinned_contains(pointer, 1)) {
        report_free(pointer, true);
        return remember(cudaErrorInvalidValue);
    }
    cudaError_t error = synchronize();
    bool is_mapped = is_shared(pointer);
    cudaError_t freed = is_mapped ? shared_free(pointer, SHARED_PINNED) : cudaSuccess;
    if (freed == cudaSuccess)
        pinned_remove(pointer);
    if (!is_mapped)
        free(pointer);
    return remember(error == cudaSuccess ? freed : error);
}

API cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    struct link_call call = {.call = WIRE_CLOCK};
    cudaError_t error = link_do(&call);
    uint64_t used = call.value[1], all = link_device()->memory_bytes;
    if (total)
        *total = (size_t)all;
    if (available)
        *available = used < all ? (size_t)(all - used) : 0;
    return remember(error);
}

/* ---- copying ----------------------------------------------------------------------------------
 */

static cudaError_t write_card(uint64_t to, const char *from, size_t bytes) {
    cudaError_t error = link_ask(WIRE_CHECK, to, bytes, 0, NULL);
    if (error == cudaSuccess)
        report_host_side(from, bytes, false);
    for (size_t at = 0; at < bytes && error == cudaSuccess;) {
        size_t part = bytes - at < WIRE_WINDOW ? bytes - at : WIRE_WINDOW;
        struct link_call call = {.call = WIRE_WRITE,
                                 .argument = {to + at, part, at, pinned_contains(from, bytes)},
                                 .put = from + at,
                                 .put_bytes = part};
        error = link_do(&call);
        at += part;
    }
    return error;
}

static cudaError_t read_card(char *to, uint64_t from, size_t bytes) {
    cudaError_t error = link_ask(WIRE_CHECK, from, bytes, 0, NULL);
    if (error == cudaSuccess)
        report_host_side(to, bytes, true);
    for (size_t at = 0; at < bytes && error == cudaSuccess;) {
        size_t part = bytes - at < WIRE_WINDOW ? bytes - at : WIRE_WINDOW;
        struct link_call call = {
            .call = WIRE_READ,
            .argument = {from + at, part, at, pinned_contains(to, bytes), (uintptr_t)(to + at)},
            .taken = to + at,
            .taken_bytes = part};
        error = link_do(&call);
        at += part;
    }
    return error;
}

/* A real card reaches shared memory by itself, and copies in the order of the stream. */
static cudaError_t copy_on_card(void *to, const void *from, size_t bytes) {
    guard_lift(to, is_shared(to) ? bytes : 0);
    guard_lift(from, is_shared(from) ? bytes : 0);
    return link_ask(WIRE_COPY, shared_translate((uintptr_t)to), shared_translate((uintptr_t)from),
                    bytes, NULL);
}

/* The addresses say where the bytes are. A side that the kind calls the card's must be so; one that
 * it calls the host's may be the card's, too: a card copies it (tests/gpu/programs/errors.cu). */
cudaError_t memory_copy(void *to, const void *from, size_t bytes, int kind) {
    bool to_card = is_device_address(to), from_card = is_device_address(from);
    static const struct {
        bool to_card, from_card;
    } kinds[] = {[cudaMemcpyHostToHost] = {false, false},
                 [cudaMemcpyHostToDevice] = {true, false},
                 [cudaMemcpyDeviceToHost] = {false, true},
                 [cudaMemcpyDeviceToDevice] = {true, true}};
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!bytes)
        return cudaSuccess;
    bool to_shared = is_shared(to), from_shared = is_shared(from);
    bool is_other =
        kind != cudaMemcpyDefault && ((kinds[kind].to_card != to_card && !to_shared) ||
                                      (kinds[kind].from_card != from_card && !from_shared));
    if (!to || !from || is_other)
        report_direction(to, from, bytes, kind);
    if (!to || !from ||
        (is_other && ((kinds[kind].to_card && !to_card && !to_shared) ||
                      (kinds[kind].from_card && !from_card && !from_shared))))
        return cudaErrorInvalidValue;
    if (link_device()->is_real && (to_shared || to_card) && (from_shared || from_card))
        return copy_on_card(to, from, bytes);
    cudaError_t error = to_shared || from_shared ? shared_update() : cudaSuccess;
    if (error != cudaSuccess)
        return error;
    to = to_shared ? shared_for_host(to) : to;
    from = from_shared ? shared_for_host(from) : from;
    if (!to_card)
        guard_lift(to, bytes);
    if (!from_card)
        guard_lift(from, bytes);
    if (to_card && from_card)
        return link_ask(WIRE_COPY, (uintptr_t)to, (uintptr_t)from, bytes, NULL);
    if (to_card)
        return write_card((uintptr_t)to, from, bytes);
    if (from_card)
        return read_card(to, (uintptr_t)from, bytes);
    report_host_side(from, bytes, false);
    report_host_side(to, bytes, true);
    memmove(to, from, bytes);
    return cudaSuccess;
}

/* What the documentation says of "API synchronization behavior": the host waits, but for copies
 * inside of the card. */
cudaError_t memory_copied(const struct stream *stream, const void *to, const void *from) {
    return is_device_address(to) && is_device_address(from) ? cudaSuccess : stream_wait(stream);
}

/* The same of asynchronous ones: the host waits only where its memory is pageable, and then for
 * what it gets; what it gives is taken when the call returns. */
cudaError_t memory_copied_async(const struct stream *stream, void *to, const void *from,
                                size_t bytes) {
    bool to_card = is_device_address(to), from_card = is_device_address(from);
    if (!bytes || (to_card && from_card))
        return cudaSuccess;
    if (to_card)
        return pinned_contains(from, bytes) ? guard_add((void *)(uintptr_t)from, bytes, false)
                                            : cudaSuccess;
    return from_card && pinned_contains(to, bytes) ? guard_add(to, bytes, true)
                                                   : stream_wait(stream);
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    struct stream *stream;
    cudaError_t error = work_begin(NULL, &stream);
    if (error == cudaSuccess)
        error = memory_copy(to, from, bytes, kind);
    if (error == cudaSuccess)
        error = memory_copied(stream, to, from);
    return work_end(error);
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                                cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess && capture_takes(stream, &error, work_of_row(to, from, bytes, kind)))
        return work_end(error);
    if (error == cudaSuccess)
        error = memory_copy(to, from, bytes, kind);
    if (error == cudaSuccess)
        error = memory_copied_async(stream, to, from, bytes);
    return work_end(error);
}

cudaError_t memory_fill(void *to, int value, size_t bytes) {
    if (!bytes)
        return cudaSuccess;
    if (shared_find(to, bytes) && link_device()->is_real) {
        guard_lift(to, bytes);
        return link_ask(WIRE_FILL, shared_translate((uintptr_t)to), (unsigned char)value, bytes,
                        NULL);
    }
    if (shared_find(to, bytes)) {
        cudaError_t error = shared_update();
        guard_lift(to, bytes);
        memset(shared_for_host(to), value, bytes);
        return error;
    }
    if (!is_device_address(to)) {
        report_fill(to, bytes);
        return cudaErrorInvalidValue;
    }
    return link_ask(WIRE_FILL, (uintptr_t)to, (unsigned char)value, bytes, NULL);
}

API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t handle) {
    struct stream *stream;
    const struct node_work work = {.type = NODE_FILL,
                                   .fill = {to, bytes, (unsigned char)value, 1, bytes, 1}};
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess && capture_takes(stream, &error, work))
        return work_end(error);
    return work_end(error == cudaSuccess ? memory_fill(to, value, bytes) : error);
}

API cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return cudaMemsetAsync(to, value, bytes, NULL);
}

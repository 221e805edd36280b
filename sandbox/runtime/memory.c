/* Memory of the card and copies. Device pointers are the card's own numbers, which no host has: who
 * reads one gets the segmentation fault that it is on metal.
 *
 * Copies go through the window in parts, and in the order of the calls: asynchronous ones are done
 * when they return, which is one of the orders that the runtime allows. */
#include "sandbox/runtime/pinned.h"
#include "sandbox/runtime/stream.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* ---- allocating -------------------------------------------------------------------------------
 */

API cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    uint64_t address = 0;
    if (!pointer)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = bytes ? link_ask(WIRE_ALLOCATE, bytes, 0, 0, &address) : cudaSuccess;
    if (error == cudaSuccess)
        *pointer = (void *)(uintptr_t)address;
    return remember(error);
}

/* It waits for the whole card, as the driver's does. */
API cudaError_t cudaFree(void *pointer) {
    if (!pointer) /* cudaFree(0) is how programs wake the card up */
        return remember(link_ask(WIRE_CLOCK, 0, 0, 0, NULL));
    cudaError_t error = synchronize();
    if (error == cudaSuccess)
        error = link_ask(WIRE_FREE, (uintptr_t)pointer, 0, 0, NULL);
    if (error == cudaSuccess)
        pool_forget(pointer);
    return remember(error);
}

API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    if (!pointer)
        return remember(cudaErrorInvalidValue);
    *pointer = NULL;
    size_t rounded = (bytes + PAGE - 1) / PAGE * PAGE;
    if (rounded < bytes || (bytes && posix_memalign(pointer, PAGE, rounded) != 0))
        return remember(cudaErrorMemoryAllocation);
    pinned_add(*pointer, bytes, true);
    return cudaSuccess;
}

API cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, 0);
}

API cudaError_t cudaFreeHost(void *pointer) {
    if (is_device_address(pointer))
        return remember(cudaErrorInvalidValue);
    cudaError_t error = pointer ? synchronize() : cudaSuccess;
    pinned_remove(pointer);
    free(pointer);
    return remember(error);
}

API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    (void)flags;
    if (!pointer || !bytes || is_device_address(pointer))
        return remember(cudaErrorInvalidValue);
    pinned_add(pointer, bytes, false);
    return cudaSuccess;
}

API cudaError_t cudaHostUnregister(void *pointer) {
    if (!pointer || is_device_address(pointer))
        return remember(cudaErrorInvalidValue);
    cudaError_t error = synchronize();
    pinned_remove(pointer);
    return remember(error);
}

API cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    uint64_t used = 0;
    if (!available || !total)
        return remember(cudaErrorInvalidValue);
    struct link_call call = {.call = WIRE_CLOCK};
    cudaError_t error = link_do(&call);
    used = call.value[1];
    *total = (size_t)link_device()->memory_bytes;
    *available = used < *total ? *total - (size_t)used : 0;
    return remember(error);
}

/* ---- copying ----------------------------------------------------------------------------------
 */

static cudaError_t write_card(uint64_t to, const char *from, size_t bytes) {
    cudaError_t error = link_ask(WIRE_CHECK, to, bytes, 0, NULL);
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
    for (size_t at = 0; at < bytes && error == cudaSuccess;) {
        size_t part = bytes - at < WIRE_WINDOW ? bytes - at : WIRE_WINDOW;
        struct link_call call = {.call = WIRE_READ,
                                 .argument = {from + at, part, at, pinned_contains(to, bytes)},
                                 .taken = to + at,
                                 .taken_bytes = part};
        error = link_do(&call);
        at += part;
    }
    return error;
}

/* cudaMemcpyDefault goes by the addresses; the other kinds must agree with them. */
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
    if (!to || !from ||
        (kind != cudaMemcpyDefault &&
         (kinds[kind].to_card != to_card || kinds[kind].from_card != from_card)))
        return cudaErrorInvalidValue;
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
    cudaError_t error = work_begin(handle, &stream);
    if (error == cudaSuccess)
        error = memory_copy(to, from, bytes, kind);
    if (error == cudaSuccess)
        error = memory_copied_async(stream, to, from, bytes);
    return work_end(error);
}

cudaError_t memory_fill(void *to, int value, size_t bytes) {
    if (!bytes)
        return cudaSuccess;
    if (!is_device_address(to))
        return cudaErrorInvalidValue;
    return link_ask(WIRE_FILL, (uintptr_t)to, (unsigned char)value, bytes, NULL);
}

API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = work_begin(handle, &stream);
    return work_end(error == cudaSuccess ? memory_fill(to, value, bytes) : error);
}

API cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return cudaMemsetAsync(to, value, bytes, NULL);
}

/* ---- variables --------------------------------------------------------------------------------
 */

/* Between a variable and the host, or memory of the card by way of the host. */
static cudaError_t copy_variable(const void *symbol, void *other, size_t bytes, size_t offset,
                                 bool to_variable) {
    uint64_t number, size;
    cudaError_t error = variable_find(symbol, &number, &size);
    if (error != cudaSuccess)
        return error;
    if (offset > size || bytes > size - offset || !other)
        return cudaErrorInvalidValue;
    guard_lift(other, bytes);
    for (size_t at = 0; at < bytes && error == cudaSuccess;) {
        size_t part = bytes - at < WIRE_WINDOW ? bytes - at : WIRE_WINDOW;
        struct link_call call = {.call = to_variable ? WIRE_WRITE_VARIABLE : WIRE_READ_VARIABLE,
                                 .argument = {number, offset + at, part}};
        if (to_variable) {
            call.put = (char *)other + at;
            call.put_bytes = part;
        } else {
            call.taken = (char *)other + at;
            call.taken_bytes = part;
        }
        error = link_do(&call);
        at += part;
    }
    return error;
}

static cudaError_t through_host(const void *symbol, void *other, size_t bytes, size_t offset,
                                bool to_variable) {
    if (!is_device_address(other))
        return copy_variable(symbol, other, bytes, offset, to_variable);
    char *buffer = malloc(bytes ? bytes : 1);
    if (!buffer)
        return cudaErrorMemoryAllocation;
    cudaError_t error = to_variable ? read_card(buffer, (uintptr_t)other, bytes) : cudaSuccess;
    if (error == cudaSuccess)
        error = copy_variable(symbol, buffer, bytes, offset, to_variable);
    if (error == cudaSuccess && !to_variable)
        error = write_card((uintptr_t)other, buffer, bytes);
    free(buffer);
    return error;
}

static cudaError_t check_kind(const void *other, int kind, int host, int card) {
    bool fits = kind == cudaMemcpyDefault || kind == (is_device_address(other) ? card : host);
    return fits ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                        size_t offset, int kind, cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = check_kind(from, kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess)
        error = work_begin(handle, &stream);
    if (error == cudaSuccess)
        error = through_host(symbol, (void *)(uintptr_t)from, bytes, offset, true);
    return work_end(error);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                          int kind, cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = check_kind(to, kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess)
        error = work_begin(handle, &stream);
    if (error == cudaSuccess)
        error = through_host(symbol, to, bytes, offset, false);
    if (error == cudaSuccess && !is_device_address(to))
        error = memory_copied_async(stream, to, (void *)UINTPTR_MAX, bytes);
    return work_end(error);
}

/* The host waits, unless the other side is the card's. */
API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                                   size_t offset, int kind) {
    cudaError_t error = cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, NULL);
    return error == cudaSuccess && !is_device_address(from) ? cudaStreamSynchronize(NULL) : error;
}

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                     int kind) {
    cudaError_t error = cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, NULL);
    return error == cudaSuccess && !is_device_address(to) ? cudaStreamSynchronize(NULL) : error;
}

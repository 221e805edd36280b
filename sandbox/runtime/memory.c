/* Memory of the card and copies. Device pointers are the card's own numbers, which no host has: who
 * reads one gets the segmentation fault that it is on metal.
 *
 * Copies go through the window in parts, and in the order of the calls: asynchronous ones are done
 * when they return, which is one of the orders that the runtime allows. */
#include "sandbox/runtime/runtime.h"

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

API cudaError_t cudaFree(void *pointer) {
    /* cudaFree(0) is how programs wake the card up */
    cudaError_t error = link_ask(pointer ? WIRE_FREE : WIRE_CLOCK, (uintptr_t)pointer, 0, 0, NULL);
    if (pointer && error == cudaSuccess)
        pool_forget(pointer);
    return remember(error);
}

API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    if (!pointer)
        return remember(cudaErrorInvalidValue);
    *pointer = NULL;
    if (bytes && posix_memalign(pointer, PAGE, bytes) != 0)
        return remember(cudaErrorMemoryAllocation);
    return cudaSuccess;
}

API cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, 0);
}

API cudaError_t cudaFreeHost(void *pointer) {
    if (is_device_address(pointer))
        return remember(cudaErrorInvalidValue);
    free(pointer);
    return cudaSuccess;
}

/* Pinned or not, the host's memory is copied alike. */
API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    (void)flags;
    return remember(!pointer || !bytes || is_device_address(pointer) ? cudaErrorInvalidValue
                                                                     : cudaSuccess);
}

API cudaError_t cudaHostUnregister(void *pointer) {
    return remember(!pointer || is_device_address(pointer) ? cudaErrorInvalidValue : cudaSuccess);
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
        struct link_call call = {
            .call = WIRE_WRITE, .argument = {to + at, part}, .put = from + at, .put_bytes = part};
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
                                 .argument = {from + at, part},
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
    if (to_card && from_card)
        return link_ask(WIRE_COPY, (uintptr_t)to, (uintptr_t)from, bytes, NULL);
    if (to_card)
        return write_card((uintptr_t)to, from, bytes);
    if (from_card)
        return read_card(to, (uintptr_t)from, bytes);
    memmove(to, from, bytes);
    return cudaSuccess;
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    cudaError_t error = synchronize();
    return remember(error == cudaSuccess ? memory_copy(to, from, bytes, kind) : error);
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                                cudaStream_t stream) {
    (void)stream;
    return remember(memory_copy(to, from, bytes, kind));
}

cudaError_t memory_fill(void *to, int value, size_t bytes) {
    if (!bytes)
        return cudaSuccess;
    if (!is_device_address(to))
        return cudaErrorInvalidValue;
    return link_ask(WIRE_FILL, (uintptr_t)to, (unsigned char)value, bytes, NULL);
}

API cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return remember(memory_fill(to, value, bytes));
}

API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    (void)stream;
    return remember(memory_fill(to, value, bytes));
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

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                                   size_t offset, int kind) {
    cudaError_t error = check_kind(from, kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess)
        error = through_host(symbol, (void *)(uintptr_t)from, bytes, offset, true);
    return remember(error);
}

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                     int kind) {
    cudaError_t error = check_kind(to, kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess)
        error = synchronize();
    if (error == cudaSuccess)
        error = through_host(symbol, to, bytes, offset, false);
    return remember(error);
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                        size_t offset, int kind, cudaStream_t stream) {
    (void)stream;
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                          int kind, cudaStream_t stream) {
    (void)stream;
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

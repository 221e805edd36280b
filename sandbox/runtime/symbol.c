/* Variables of kernels: where they are, and copies to and from them. The host knows a variable by
 * its shadow, the card by an address that stays. */
#include "sandbox/runtime/graph/graph.h"
#include "sandbox/runtime/host/report.h"

cudaError_t symbol_find(const void *symbol, size_t bytes, size_t offset, char **at) {
    uint64_t address, size;
    cudaError_t error = variable_find(symbol, &address, &size);
    if (error != cudaSuccess)
        return error;
    *at = (char *)address + offset;
    if (offset <= size && bytes <= size - offset)
        return cudaSuccess;
    report_variable(bytes, offset, size);
    return cudaErrorInvalidValue;
}

API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    uint64_t address, found = 0;
    cudaError_t error = bytes ? variable_find(symbol, &address, &found) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *bytes = (size_t)found;
    return remember(error);
}

API cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    uint64_t address = 0, bytes;
    cudaError_t error = pointer ? variable_find(symbol, &address, &bytes) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *pointer = (void *)address;
    return remember(error);
}

static cudaError_t check_kind(const void *other, int kind, int host, int card) {
    bool fits = kind == cudaMemcpyDefault || kind == (is_device_address(other) ? card : host);
    return fits ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                        size_t offset, int kind, cudaStream_t handle) {
    struct stream *stream;
    char *at = NULL;
    cudaError_t error = check_kind(from, kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess)
        error = symbol_find(symbol, bytes, offset, &at);
    if (error == cudaSuccess)
        error = work_begin_any(handle, &stream);
    if (error == cudaSuccess &&
        capture_takes(stream, &error, work_of_row(at, from, bytes, cudaMemcpyDefault)))
        return work_end(error);
    if (error == cudaSuccess)
        error = memory_copy(at, from, bytes, cudaMemcpyDefault);
    return work_end(error);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                          int kind, cudaStream_t handle) {
    struct stream *stream;
    char *at = NULL;
    cudaError_t error = check_kind(to, kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess)
        error = symbol_find(symbol, bytes, offset, &at);
    if (error == cudaSuccess)
        error = work_begin_any(handle, &stream);
    if (error == cudaSuccess &&
        capture_takes(stream, &error, work_of_row(to, at, bytes, cudaMemcpyDefault)))
        return work_end(error);
    if (error == cudaSuccess)
        error = memory_copy(to, at, bytes, cudaMemcpyDefault);
    if (error == cudaSuccess)
        error = memory_copied_async(stream, to, at, bytes);
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

/* Planes: memory whose rows begin at multiples of a pitch, and copies of a part of each row. Rows
 * that lie side by side on both sides go in one copy. */
#include "sandbox/runtime/graph/graph.h"

enum { PITCH = 512 };

/* memory.c */
cudaError_t cudaMalloc(void **pointer, size_t bytes);

API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    size_t bytes, row = (width + PITCH - 1) / PITCH * PITCH;
    if (!pointer || !pitch || row < width || __builtin_mul_overflow(row, height, &bytes))
        return remember(cudaErrorInvalidValue);
    *pitch = row;
    return cudaMalloc(pointer, bytes);
}

static bool is_plane(const void *start, size_t pitch, size_t width) {
    return start && width <= pitch;
}

cudaError_t plane_copy(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                       size_t height, int kind) {
    if (!width || !height)
        return cudaSuccess;
    if (!is_plane(to, to_pitch, width) || !is_plane(from, from_pitch, width))
        return cudaErrorInvalidPitchValue;
    if (width == to_pitch && width == from_pitch)
        return memory_copy(to, from, width * height, kind);
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = memory_copy(to + row * to_pitch, from + row * from_pitch, width, kind);
    return error;
}

static size_t plane_bytes(size_t pitch, size_t width, size_t height) {
    return width && height ? pitch * (height - 1) + width : 0;
}

API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, int kind, cudaStream_t handle) {
    struct stream *stream;
    const struct node_work work = {
        .type = NODE_COPY,
        .copy = {.srcPtr = {(void *)(uintptr_t)from, from_pitch, width, height},
                 .dstPtr = {to, to_pitch, width, height},
                 .extent = {width, height, 1},
                 .kind = kind}};
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess && capture_takes(stream, &error, work))
        return work_end(error);
    if (error == cudaSuccess)
        error = plane_copy(to, to_pitch, from, from_pitch, width, height, kind);
    if (error == cudaSuccess)
        error = memory_copied_async(
            stream, to, from,
            plane_bytes(is_device_address(to) ? from_pitch : to_pitch, width, height));
    return work_end(error);
}

API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, int kind) {
    struct stream *stream;
    cudaError_t error = work_begin(NULL, &stream);
    if (error == cudaSuccess)
        error = plane_copy(to, to_pitch, from, from_pitch, width, height, kind);
    if (error == cudaSuccess)
        error = memory_copied(stream, to, from);
    return work_end(error);
}

cudaError_t plane_fill(char *to, size_t pitch, int value, size_t width, size_t height) {
    if (!width || !height)
        return cudaSuccess;
    if (!is_plane(to, pitch, width))
        return cudaErrorInvalidValue;
    if (width == pitch)
        return memory_fill(to, value, width * height);
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = memory_fill(to + row * pitch, value, width);
    return error;
}

API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                  cudaStream_t handle) {
    struct stream *stream;
    const struct node_work work = {.type = NODE_FILL,
                                   .fill = {to, pitch, (unsigned char)value, 1, width, height}};
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess && capture_takes(stream, &error, work))
        return work_end(error);
    return work_end(error == cudaSuccess ? plane_fill(to, pitch, value, width, height) : error);
}

API cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}

/* Volumes: slices of rows, each row and each slice at a multiple of a pitch, and copies of a box of
 * them. Slices that lie one after the other on both sides go in one copy. */
#include "sandbox/runtime/array.h"
#include "sandbox/runtime/graph/graph.h"

/* A box in memory: its first byte, and how far rows and slices are apart. */
struct box {
    char *start;
    size_t pitch, slice;
};

/* plane.c */
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
    size_t rows;
    if (!pitched || __builtin_mul_overflow(extent.height, extent.depth, &rows))
        return remember(cudaErrorInvalidValue);
    struct cudaPitchedPtr made = {.xsize = extent.width, .ysize = extent.height};
    cudaError_t error = cudaMallocPitch(&made.ptr, &made.pitch, extent.width, rows);
    if (error == cudaSuccess)
        *pitched = made;
    return error;
}

static bool is_empty(struct cudaExtent extent) {
    return !extent.width || !extent.height || !extent.depth;
}

static bool is_pitched_too_small(const struct cudaPitchedPtr *memory, struct cudaPos at,
                                 struct cudaExtent extent) {
    return memory->ptr && (at.x > memory->pitch || extent.width > memory->pitch - at.x ||
                           (extent.depth > 1 && extent.height > memory->ysize));
}

/* Where the box begins; false where its rows or slices overlap. */
static bool find_box(const struct cudaPitchedPtr *memory, struct cudaPos at,
                     struct cudaExtent extent, struct box *box) {
    size_t slice, offset, row;
    bool fits = memory->ptr && at.x <= memory->pitch && extent.width <= memory->pitch - at.x &&
                (extent.depth == 1 || extent.height <= memory->ysize) &&
                !__builtin_mul_overflow(memory->pitch, memory->ysize, &slice) &&
                !__builtin_mul_overflow(slice, at.z, &offset) &&
                !__builtin_mul_overflow(memory->pitch, at.y, &row);
    if (fits)
        *box = (struct box){(char *)memory->ptr + offset + row + at.x, memory->pitch, slice};
    return fits;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *copy) {
    struct box to, from;
    struct cudaExtent extent = copy->extent;
    if (is_pitched_too_small(&copy->dstPtr, copy->dstPos, extent) ||
        is_pitched_too_small(&copy->srcPtr, copy->srcPos, extent))
        return cudaErrorInvalidPitchValue;
    if (!find_box(&copy->dstPtr, copy->dstPos, extent, &to) ||
        !find_box(&copy->srcPtr, copy->srcPos, extent, &from))
        return cudaErrorInvalidValue;
    if (to.slice == from.slice && to.pitch == from.pitch && to.slice == to.pitch * extent.height) {
        extent.height *= extent.depth;
        extent.depth = 1;
    }
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = plane_copy(to.start + z * to.slice, to.pitch, from.start + z * from.slice,
                           from.pitch, extent.width, extent.height, copy->kind);
    return error;
}

cudaError_t volume_copy(const struct cudaMemcpy3DParms *copy) {
    struct cudaMemcpy3DParms lowered;
    cudaError_t error = array_lower(&copy, &lowered);
    if (error != cudaSuccess)
        return error;
    if (!copy || (copy->srcArray && copy->srcPtr.ptr) || (copy->dstArray && copy->dstPtr.ptr))
        return cudaErrorInvalidValue;
    if (copy->kind < cudaMemcpyHostToHost || copy->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (is_empty(copy->extent))
        return cudaSuccess;
    return copy_box(copy);
}

/* From the first to the last byte of the host's side; 0: there is none. */
static size_t host_bytes(const struct cudaMemcpy3DParms *copy, void **to, const void **from) {
    struct box boxes[2] = {{0}, {0}};
    if (is_empty(copy->extent) || copy->srcArray || copy->dstArray ||
        !find_box(&copy->dstPtr, copy->dstPos, copy->extent, &boxes[0]) ||
        !find_box(&copy->srcPtr, copy->srcPos, copy->extent, &boxes[1]))
        return 0;
    const struct box *host = &boxes[is_device_address(boxes[0].start)];
    *to = boxes[0].start;
    *from = boxes[1].start;
    return host->slice * (copy->extent.depth - 1) + host->pitch * (copy->extent.height - 1) +
           copy->extent.width;
}

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t handle) {
    struct stream *stream;
    void *to = NULL;
    const void *from = NULL;
    struct cudaMemcpy3DParms lowered;
    cudaError_t error = copy ? work_begin_any(handle, &stream) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = array_lower(&copy, &lowered);
    if (error == cudaSuccess && stream->capture) {
        capture_takes(stream, &error, (struct node_work){.type = NODE_COPY, .copy = *copy});
        return work_end(error);
    }
    if (error == cudaSuccess)
        error = volume_copy(copy);
    size_t bytes = error == cudaSuccess ? host_bytes(copy, &to, &from) : 0;
    if (bytes)
        error = memory_copied_async(stream, to, from, bytes);
    return work_end(error);
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy) {
    struct stream *stream;
    struct cudaMemcpy3DParms lowered;
    cudaError_t error = work_begin(NULL, &stream);
    if (error == cudaSuccess)
        error = array_lower(&copy, &lowered);
    if (error == cudaSuccess)
        error = volume_copy(copy);
    if (error == cudaSuccess)
        error = memory_copied(stream, copy->dstPtr.ptr, copy->srcPtr.ptr);
    return work_end(error);
}

API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy,
                                      cudaStream_t stream) {
    if (!copy)
        return remember(cudaErrorInvalidValue);
    if (copy->srcDevice != 0 || copy->dstDevice != 0)
        return remember(cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms plain = {.srcArray = copy->srcArray,
                                            .srcPos = copy->srcPos,
                                            .srcPtr = copy->srcPtr,
                                            .dstArray = copy->dstArray,
                                            .dstPos = copy->dstPos,
                                            .dstPtr = copy->dstPtr,
                                            .extent = copy->extent,
                                            .kind = cudaMemcpyDefault};
    return cudaMemcpy3DAsync(&plain, stream);
}

API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy) {
    return cudaMemcpy3DPeerAsync(copy, NULL);
}

cudaError_t volume_fill(const struct cudaPitchedPtr *memory, int value, struct cudaExtent extent) {
    struct box box;
    cudaError_t error = cudaSuccess;
    if (is_empty(extent))
        return cudaSuccess;
    if (!find_box(memory, (struct cudaPos){0, 0, 0}, extent, &box))
        return cudaErrorInvalidValue;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error =
            plane_fill(box.start + z * box.slice, box.pitch, value, extent.width, extent.height);
    return error;
}

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                                  cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = work_begin(handle, &stream);
    return work_end(error == cudaSuccess ? volume_fill(&memory, value, extent) : error);
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent) {
    return cudaMemset3DAsync(memory, value, extent, NULL);
}

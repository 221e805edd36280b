/* Volumes: slices of rows, each row and each slice at a multiple of a pitch, and copies of a box of
 * them. Slices that lie one after the other on both sides go in one copy. */
#include "sandbox/runtime/runtime.h"

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

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream) {
    (void)stream;
    if (!copy || (copy->srcArray && copy->srcPtr.ptr) || (copy->dstArray && copy->dstPtr.ptr))
        return remember(cudaErrorInvalidValue);
    if (copy->kind < cudaMemcpyHostToHost || copy->kind > cudaMemcpyDefault)
        return remember(cudaErrorInvalidMemcpyDirection);
    if (is_empty(copy->extent))
        return cudaSuccess;
    if (copy->srcArray || copy->dstArray)
        link_give_up("the program copies to or from an array with cudaMemcpy3D(), which "
                     "warpgrade's CUDA runtime does not have yet");
    return remember(copy_box(copy));
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy) {
    cudaError_t error = synchronize();
    return error == cudaSuccess ? cudaMemcpy3DAsync(copy, NULL) : remember(error);
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
    cudaError_t error = synchronize();
    return error == cudaSuccess ? cudaMemcpy3DPeerAsync(copy, NULL) : remember(error);
}

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                                  cudaStream_t stream) {
    struct box box;
    cudaError_t error = cudaSuccess;
    (void)stream;
    if (is_empty(extent))
        return cudaSuccess;
    if (!find_box(&memory, (struct cudaPos){0, 0, 0}, extent, &box))
        return remember(cudaErrorInvalidValue);
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error =
            plane_fill(box.start + z * box.slice, box.pitch, value, extent.width, extent.height);
    return remember(error);
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent) {
    return cudaMemset3DAsync(memory, value, extent, NULL);
}

/* Many copies, or many pieces of advice, by one call: one after the other, which is one of the
 * orders that the runtime allows. */
#include "sandbox/runtime/batch.h"

#include "sandbox/runtime/array.h"
#include "sandbox/runtime/shared.h"
#include "sandbox/runtime/stream.h"

/* memory.c, volume.c, advice.c */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct location location,
                                 unsigned flags, cudaStream_t stream);

/* Entry i is of the last group that begins at i or before; the first begins with the first. */
static bool are_groups(const size_t *starts, size_t group_count, size_t count) {
    if (!starts || !group_count || group_count > count || starts[0] != 0)
        return false;
    for (size_t i = 1; i < group_count; i++)
        if (starts[i] <= starts[i - 1] || starts[i] >= count)
            return false;
    return true;
}

/* The default stream takes no batches. */
static cudaError_t find_stream(cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = stream_find(handle, &stream);
    return error == cudaSuccess && stream->legacy ? cudaErrorInvalidValue : error;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

API cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes,
                                     size_t count, struct copy_attributes *attributes,
                                     size_t *starts, size_t attribute_count, cudaStream_t stream) {
    enum { FIRST_ORDER = 1, LAST_ORDER = 3 };
    if (!to || !from || !sizes || !count || !attributes ||
        !are_groups(starts, attribute_count, count))
        return remember(cudaErrorInvalidValue);
    for (size_t i = 0; i < attribute_count; i++)
        if (attributes[i].source_order < FIRST_ORDER || attributes[i].source_order > LAST_ORDER)
            return remember(cudaErrorInvalidValue);
    cudaError_t error = find_stream(stream);
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = to[i] && from[i] && sizes[i]
                    ? cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream)
                    : cudaErrorInvalidValue;
    return remember(error);
}

enum { OPERAND_MEMORY = 1, OPERAND_ARRAY = 2 };

/* Lengths count elements: an array's, or bytes where there is none. */
static cudaError_t element_bytes(const struct copy_operand *operand, size_t *bytes) {
    if (operand->type == OPERAND_MEMORY)
        return cudaSuccess;
    const struct array *array =
        operand->type == OPERAND_ARRAY ? array_find(operand->array.array) : NULL;
    if (array)
        *bytes = array_texel_bytes(&array->format);
    return array ? cudaSuccess : cudaErrorInvalidValue;
}

static void describe(const struct copy_operand *operand, struct cudaExtent extent, size_t element,
                     cudaArray_t *array, struct cudaPos *at, struct cudaPitchedPtr *memory) {
    if (operand->type == OPERAND_ARRAY) {
        *array = operand->array.array;
        *at = operand->array.at;
        return;
    }
    size_t row = operand->memory.row_length ? operand->memory.row_length : extent.width;
    size_t rows = operand->memory.layer_height ? operand->memory.layer_height : extent.height;
    *memory = (struct cudaPitchedPtr){operand->memory.start, row * element, row, rows};
}

static cudaError_t do_operation(const struct copy_operation *operation, cudaStream_t stream) {
    struct cudaMemcpy3DParms copy = {.extent = operation->extent, .kind = cudaMemcpyDefault};
    size_t element = 1;
    cudaError_t error = element_bytes(&operation->from, &element);
    if (error == cudaSuccess)
        error = element_bytes(&operation->to, &element);
    if (error != cudaSuccess)
        return error;
    describe(&operation->from, operation->extent, element, &copy.srcArray, &copy.srcPos,
             &copy.srcPtr);
    describe(&operation->to, operation->extent, element, &copy.dstArray, &copy.dstPos,
             &copy.dstPtr);
    return cudaMemcpy3DAsync(&copy, stream);
}

API cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct copy_operation *operations,
                                       unsigned long long flags, cudaStream_t stream) {
    if (!count || !operations || flags)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = find_stream(stream);
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = do_operation(&operations[i], stream);
    return remember(error);
}

/* ---- advice -----------------------------------------------------------------------------------
 */

API cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                          struct location *locations, size_t *starts,
                                          size_t location_count, unsigned long long flags,
                                          cudaStream_t stream) {
    if (!pointers || !sizes || !count || !locations || flags ||
        !are_groups(starts, location_count, count))
        return remember(cudaErrorInvalidValue);
    cudaError_t error = find_stream(stream);
    for (size_t i = 0, group = 0; i < count && error == cudaSuccess; i++) {
        while (group + 1 < location_count && starts[group + 1] <= i)
            group++;
        error = cudaMemPrefetchAsync(pointers[i], sizes[i], locations[group], 0, stream);
    }
    return remember(error);
}

/* What is in such memory afterwards is not said; here it is what there was. */
API cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *sizes, size_t count,
                                         unsigned long long flags, cudaStream_t stream) {
    if (!pointers || !sizes || !count || flags)
        return remember(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        const struct shared_range *range = shared_find(pointers[i], sizes[i]);
        if (!sizes[i] || !range || range->kind != SHARED_MANAGED)
            return remember(cudaErrorInvalidValue);
    }
    return remember(find_stream(stream));
}

API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                                    struct location *locations, size_t *starts,
                                                    size_t location_count, unsigned long long flags,
                                                    cudaStream_t stream) {
    cudaError_t error = cudaMemDiscardBatchAsync(pointers, sizes, count, flags, stream);
    return error == cudaSuccess ? cudaMemPrefetchBatchAsync(pointers, sizes, count, locations,
                                                            starts, location_count, flags, stream)
                                : error;
}

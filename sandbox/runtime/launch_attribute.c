/* Attributes of streams and of kernel nodes, by their ids. */
#include "sandbox/runtime/launch_attribute.h"

#include "sandbox/runtime/stream.h"

enum { POLICY_AUTO = 1, POLICY_LAST = 4, WINDOW_PROPERTIES = 3, REMOTE_DOMAIN = 1 };

static bool is_known(unsigned allowed, int id) {
    return id > 0 && id < ATTRIBUTE_COUNT && allowed & 1u << id;
}

static bool is_valid(int id, const union launch_value *value) {
    switch (id) {
    case ATTRIBUTE_WINDOW:
        return value->window.ratio >= 0 && value->window.ratio <= 1 && value->window.hit >= 0 &&
               value->window.hit < WINDOW_PROPERTIES && value->window.miss >= 0 &&
               value->window.miss < WINDOW_PROPERTIES - 1; /* a miss does not persist */
    case ATTRIBUTE_SYNC_POLICY:
        return value->number >= POLICY_AUTO && value->number <= POLICY_LAST;
    default:
        return true;
    }
}

cudaError_t attribute_set(struct launch_attributes *attributes, unsigned allowed, int id,
                          const union launch_value *value) {
    if (!value || !is_known(allowed, id) || !is_valid(id, value))
        return cudaErrorInvalidValue;
    attributes->values[id] = *value;
    attributes->set |= 1u << id;
    return cudaSuccess;
}

cudaError_t attribute_get(const struct launch_attributes *attributes, unsigned allowed, int id,
                          union launch_value *value) {
    if (!value || !is_known(allowed, id))
        return cudaErrorInvalidValue;
    *value = attributes->values[id];
    if (attributes->set & 1u << id)
        return cudaSuccess;
    if (id == ATTRIBUTE_SYNC_POLICY)
        value->number = POLICY_AUTO;
    if (id == ATTRIBUTE_DOMAIN_MAP)
        value->room[1] = REMOTE_DOMAIN;
    return cudaSuccess;
}

/* ---- streams ----------------------------------------------------------------------------------
 */

API cudaError_t cudaStreamSetAttribute(cudaStream_t handle, int id,
                                       const union launch_value *value) {
    struct stream *stream;
    cudaError_t error = stream_find(handle, &stream);
    if (error == cudaSuccess)
        error = attribute_set(&stream->attributes, ATTRIBUTES_OF_STREAMS, id, value);
    if (error == cudaSuccess && id == ATTRIBUTE_PRIORITY)
        stream->priority = stream_priority(value->number);
    return remember(error);
}

API cudaError_t cudaStreamGetAttribute(cudaStream_t handle, int id, union launch_value *value) {
    struct stream *stream;
    cudaError_t error = stream_find(handle, &stream);
    if (error == cudaSuccess)
        error = attribute_get(&stream->attributes, ATTRIBUTES_OF_STREAMS, id, value);
    if (error == cudaSuccess && id == ATTRIBUTE_PRIORITY)
        value->number = stream->priority;
    return remember(error);
}

API cudaError_t cudaStreamCopyAttributes(cudaStream_t to_handle, cudaStream_t from_handle) {
    struct stream *to, *from;
    cudaError_t error = stream_find(to_handle, &to);
    if (error == cudaSuccess)
        error = stream_find(from_handle, &from);
    if (error != cudaSuccess)
        return remember(error);
    to->attributes = from->attributes;
    to->priority = from->priority;
    return cudaSuccess;
}

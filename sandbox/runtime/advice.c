/* Managed memory's advice and questions about pointers. Where memory is best is a matter of speed:
 * advice is remembered, and changes nothing. */
#include "sandbox/runtime/batch.h"
#include "sandbox/runtime/shared.h"

#include <string.h>

/* cudaMemoryAdvise */
enum {
    SET_READ_MOSTLY = 1,
    UNSET_READ_MOSTLY,
    SET_PREFERRED,
    UNSET_PREFERRED,
    SET_ACCESSED_BY,
    UNSET_ACCESSED_BY,
};

static struct shared_range *find_managed(const void *pointer, size_t bytes) {
    struct shared_range *range = bytes ? shared_find(pointer, bytes) : NULL;
    return range && range->kind == SHARED_MANAGED ? range : NULL;
}

static cudaError_t find_device(struct location location, int *device) {
    *device = location.type == ON_DEVICE ? location.id : SHARED_HOST;
    if (location.type == ON_DEVICE && location.id != 0)
        return cudaErrorInvalidDevice;
    return location.type < ON_DEVICE ? cudaErrorInvalidValue : cudaSuccess;
}

API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct location location,
                                     unsigned flags, cudaStream_t stream) {
    int device;
    (void)stream;
    struct shared_range *range = find_managed(pointer, bytes);
    if (!range || flags)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = find_device(location, &device);
    if (error == cudaSuccess)
        range->prefetched = device;
    return remember(error);
}

API cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice,
                              struct location location) {
    int device = SHARED_NO_DEVICE;
    struct shared_range *range = find_managed(pointer, bytes);
    if (!range || advice < SET_READ_MOSTLY || advice > UNSET_ACCESSED_BY)
        return remember(cudaErrorInvalidValue);
    bool has_place = advice == SET_PREFERRED || advice >= SET_ACCESSED_BY;
    cudaError_t error = has_place ? find_device(location, &device) : cudaSuccess;
    if (error != cudaSuccess)
        return remember(error);
    if (advice == SET_READ_MOSTLY || advice == UNSET_READ_MOSTLY)
        range->read_mostly = advice == SET_READ_MOSTLY;
    if (advice == SET_PREFERRED || advice == UNSET_PREFERRED)
        range->preferred = device;
    return cudaSuccess;
}

API cudaError_t cudaMemRangeGetAttribute(void *data, size_t room, int attribute,
                                         const void *pointer, size_t bytes) {
    enum { READ_MOSTLY = 1, PREFERRED, ACCESSED_BY, PREFETCHED, PREFERRED_TYPE, PREFETCHED_ID = 8 };
    const struct shared_range *range = find_managed(pointer, bytes);
    if (!data || !range || room < sizeof(int) || room % sizeof(int) || attribute < READ_MOSTLY ||
        attribute > PREFETCHED_ID)
        return remember(cudaErrorInvalidValue);
    int types[] = {range->preferred, range->prefetched};
    for (int i = 0; i < 2; i++)
        types[i] = types[i] == SHARED_NO_DEVICE ? 0 : types[i] == SHARED_HOST ? ON_HOST : ON_DEVICE;
    const int values[] = {
        [READ_MOSTLY] = range->read_mostly, [PREFERRED] = range->preferred,
        [ACCESSED_BY] = SHARED_NO_DEVICE,   [PREFETCHED] = range->prefetched,
        [PREFERRED_TYPE] = types[0],        [PREFERRED_TYPE + 1] = range->preferred,
        [PREFERRED_TYPE + 2] = types[1],    [PREFETCHED_ID] = range->prefetched};
    for (size_t i = 0; i < room / sizeof(int); i++)
        ((int *)data)[i] = i ? SHARED_NO_DEVICE : values[attribute];
    return cudaSuccess;
}

API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *rooms, int *attributes, size_t count,
                                          const void *pointer, size_t bytes) {
    if (!data || !rooms || !attributes || !count)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = cudaMemRangeGetAttribute(data[i], rooms[i], attributes[i], pointer, bytes);
    return error;
}

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                         unsigned flags) {
    enum { GLOBAL = 1, HOST = 2, SINGLE = 4 };
    (void)stream;
    struct shared_range *range = find_managed(pointer, bytes ? bytes : 1);
    bool whole = range && (!bytes || (pointer == range->start && bytes == range->bytes));
    bool known = flags == GLOBAL || flags == HOST || flags == SINGLE;
    return remember(whole && known ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- pointers ---------------------------------------------------------------------------------
 */

struct attributes {
    int type, device;
    void *for_device, *for_host;
    long reserved[8];
};
enum { UNREGISTERED, HOST_MEMORY, DEVICE_MEMORY, MANAGED_MEMORY }; /* cudaMemoryType */

API cudaError_t cudaPointerGetAttributes(struct attributes *attributes, const void *pointer) {
    if (!attributes)
        return remember(cudaErrorInvalidValue);
    const struct shared_range *range = shared_find(pointer, 1);
    *attributes = (struct attributes){.device = SHARED_NO_DEVICE, .for_host = (void *)pointer};
    if (is_device_address(pointer)) {
        if (link_ask(WIRE_RANGE, (uintptr_t)pointer, 0, 0, NULL) == cudaSuccess)
            *attributes = (struct attributes){.type = DEVICE_MEMORY, .for_device = (void *)pointer};
    } else if (range) {
        bool is_device = (const char *)pointer < range->start ||
                         (const char *)pointer >= range->start + range->bytes;
        size_t offset =
            (size_t)((const char *)pointer - (is_device ? range->device : range->start));
        attributes->type = range->kind == SHARED_MANAGED ? MANAGED_MEMORY : HOST_MEMORY;
        attributes->device = 0;
        attributes->for_device = range->device + offset;
        attributes->for_host = range->start + offset;
    }
    return cudaSuccess;
}

/* Stream-ordered memory: pools keep accounts, and the card has the memory. What is freed in a
 * stream is free for what comes later, which is so where all work is done in the order of the
 * calls. */
#include "sandbox/runtime/batch.h"
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    RESERVED_UNIT = 32 << 20, /* by which a pool grows */
    ALIGNMENT = 512,
    READ_WRITE = 3, /* cudaMemAccessFlagsProtReadWrite */
    PINNED = 1,     /* cudaMemAllocationTypePinned */
};

/* cudaMemPoolAttr */
enum {
    REUSE_FOLLOW_EVENTS = 1,
    REUSE_OPPORTUNISTIC,
    REUSE_INTERNAL,
    RELEASE_THRESHOLD,
    RESERVED_CURRENT,
    RESERVED_HIGH,
    USED_CURRENT,
    USED_HIGH,
};

struct access {
    struct location location;
    int flags;
};
/* cudaMemPoolProps */
struct pool_properties {
    int type, handle_types;
    struct location location;
    void *security;
    size_t most_bytes;
    unsigned short usage;
    unsigned char reserved[54];
};
_Static_assert(sizeof(struct pool_properties) == 88, "as in CUDA 13.0's driver_types.h");

struct pool {
    int reuse[REUSE_INTERNAL + 1];
    uint64_t threshold, most_bytes;
    uint64_t reserved, reserved_high, used, used_high;
};

struct piece {
    void *address;
    size_t bytes;
    struct pool *pool;
    struct piece *next;
};

#define ALL_REUSE                                                                                  \
    { 0, 1, 1, 1 }
static struct pool default_pool = {.reuse = ALL_REUSE};
static struct pool graph_pool; /* no program has its handle */
static struct pool *current = &default_pool;
static struct piece *pieces;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of the list and the accounts */

/* memory.c */
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaFree(void *pointer);

static void grow(struct pool *pool, uint64_t bytes) {
    pool->used += bytes;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
    if (pool->used > pool->reserved)
        pool->reserved = (pool->used + RESERVED_UNIT - 1) / RESERVED_UNIT * RESERVED_UNIT;
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
}

/* What is kept is above the threshold only until somebody waits. */
static void trim(struct pool *pool, uint64_t keep) {
    uint64_t least = (pool->used + RESERVED_UNIT - 1) / RESERVED_UNIT * RESERVED_UNIT;
    if (pool->reserved > keep)
        pool->reserved = least > keep ? least : keep;
}

static uint64_t rounded(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static cudaError_t allocate(void **pointer, size_t bytes, struct pool *pool) {
    if (!pointer || !pool)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (!bytes)
        return cudaSuccess;
    if (pool->most_bytes && bytes > pool->most_bytes - pool->used)
        return cudaErrorMemoryAllocation;
    struct piece *piece = malloc(sizeof *piece);
    cudaError_t error = piece ? memory_allocate(pointer, bytes) : cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        free(piece);
        return error;
    }
    pthread_mutex_lock(&mutex);
    *piece = (struct piece){*pointer, bytes, pool, pieces};
    pieces = piece;
    grow(pool, rounded(bytes));
    pthread_mutex_unlock(&mutex);
    return cudaSuccess;
}

cudaError_t pool_allocate_for_graph(void **pointer, size_t bytes) {
    return allocate(pointer, bytes, &graph_pool);
}

API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, struct pool *pool,
                                        cudaStream_t handle) {
    struct stream *stream;
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess)
        error = allocate(pointer, bytes, pool);
    if (error == cudaSuccess && *pointer)
        capture_takes(stream, &error,
                      (struct node_work){.type = NODE_ALLOCATE, .memory = *pointer});
    return work_end(error);
}

API cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(pointer, bytes, current, stream);
}

void pool_forget(const void *pointer) {
    pthread_mutex_lock(&mutex);
    struct piece **at = &pieces;
    while (*at && (*at)->address != pointer)
        at = &(*at)->next;
    struct piece *piece = *at;
    if (piece) {
        piece->pool->used -= rounded(piece->bytes);
        *at = piece->next;
    }
    pthread_mutex_unlock(&mutex);
    free(piece);
}

void pool_forget_all(void) {
    pthread_mutex_lock(&mutex);
    while (pieces) {
        struct piece *piece = pieces;
        piece->pool->used -= rounded(piece->bytes);
        pieces = piece->next;
        free(piece);
    }
    pthread_mutex_unlock(&mutex);
}

/* Memory of cudaMalloc() may be freed so, too. */
API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
    struct stream *stream;
    if (!pointer)
        return cudaSuccess;
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess &&
        capture_takes(stream, &error, (struct node_work){.type = NODE_FREE, .memory = pointer}))
        return work_end(error);
    if (error == cudaSuccess)
        error = link_ask(WIRE_FREE, (uintptr_t)pointer, true, 0, NULL);
    if (error == cudaSuccess)
        pool_forget(pointer);
    return work_end(error);
}

/* ---- pools ------------------------------------------------------------------------------------
 */

API cudaError_t cudaMemPoolCreate(struct pool **pool, const struct pool_properties *properties) {
    if (!pool || !properties || properties->type != PINNED)
        return remember(cudaErrorInvalidValue);
    if (properties->handle_types)
        return remember(cudaErrorNotSupported);
    if (properties->location.type == ON_DEVICE && properties->location.id != 0)
        return remember(cudaErrorInvalidDevice);
    *pool = malloc(sizeof **pool);
    if (!*pool)
        return remember(cudaErrorMemoryAllocation);
    **pool = (struct pool){.reuse = ALL_REUSE, .most_bytes = properties->most_bytes};
    return cudaSuccess;
}

/* Its memory stays until it is freed; the accounts go on in the default pool. */
API cudaError_t cudaMemPoolDestroy(struct pool *pool) {
    if (!pool || pool == &default_pool)
        return remember(cudaErrorInvalidValue);
    pthread_mutex_lock(&mutex);
    for (struct piece *piece = pieces; piece; piece = piece->next)
        if (piece->pool == pool) {
            piece->pool = &default_pool;
            grow(&default_pool, rounded(piece->bytes));
        }
    pthread_mutex_unlock(&mutex);
    if (current == pool)
        current = &default_pool;
    free(pool);
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetDefaultMemPool(struct pool **pool, int number) {
    if (!pool)
        return remember(cudaErrorInvalidValue);
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    *pool = &default_pool;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetMemPool(struct pool **pool, int number) {
    cudaError_t error = cudaDeviceGetDefaultMemPool(pool, number);
    if (error == cudaSuccess)
        *pool = current;
    return error;
}

API cudaError_t cudaDeviceSetMemPool(int number, struct pool *pool) {
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    if (!pool)
        return remember(cudaErrorInvalidValue);
    current = pool;
    return cudaSuccess;
}

/* Pools of other places than the device there are none. */
static cudaError_t check_place(const void *pool, const struct location *location, int type) {
    if (!pool || !location)
        return cudaErrorInvalidValue;
    if (type != PINNED || location->type != ON_DEVICE)
        return cudaErrorNotSupported;
    return location->id != 0 ? cudaErrorInvalidDevice : cudaSuccess;
}

API cudaError_t cudaMemGetDefaultMemPool(struct pool **pool, const struct location *location,
                                         int type) {
    cudaError_t error = check_place(pool, location, type);
    return remember(error == cudaSuccess ? cudaDeviceGetDefaultMemPool(pool, 0) : error);
}

API cudaError_t cudaMemGetMemPool(struct pool **pool, const struct location *location, int type) {
    cudaError_t error = check_place(pool, location, type);
    return remember(error == cudaSuccess ? cudaDeviceGetMemPool(pool, 0) : error);
}

API cudaError_t cudaMemSetMemPool(const struct location *location, int type, struct pool *pool) {
    cudaError_t error = check_place(pool, location, type);
    return remember(error == cudaSuccess ? cudaDeviceSetMemPool(0, pool) : error);
}

API cudaError_t cudaMemPoolTrimTo(struct pool *pool, size_t keep) {
    if (!pool)
        return remember(cudaErrorInvalidValue);
    trim(pool, keep);
    return cudaSuccess;
}

API cudaError_t cudaMemPoolSetAttribute(struct pool *pool, int attribute, void *value) {
    if (!pool || !value)
        return remember(cudaErrorInvalidValue);
    switch (attribute) {
    case REUSE_FOLLOW_EVENTS:
    case REUSE_OPPORTUNISTIC:
    case REUSE_INTERNAL:
        pool->reuse[attribute] = *(const int *)value;
        return cudaSuccess;
    case RELEASE_THRESHOLD:
        pool->threshold = *(const uint64_t *)value;
        return cudaSuccess;
    case RESERVED_HIGH: /* only back to what is there */
    case USED_HIGH:
        if (*(const uint64_t *)value)
            return remember(cudaErrorInvalidValue);
        *(attribute == USED_HIGH ? &pool->used_high : &pool->reserved_high) =
            attribute == USED_HIGH ? pool->used : pool->reserved;
        return cudaSuccess;
    default:
        return remember(cudaErrorInvalidValue);
    }
}

API cudaError_t cudaMemPoolGetAttribute(struct pool *pool, int attribute, void *value) {
    if (!pool || !value || attribute < REUSE_FOLLOW_EVENTS || attribute > USED_HIGH)
        return remember(cudaErrorInvalidValue);
    if (attribute <= REUSE_INTERNAL) {
        *(int *)value = pool->reuse[attribute];
        return cudaSuccess;
    }
    const uint64_t numbers[] = {[RELEASE_THRESHOLD] = pool->threshold,
                                [RESERVED_CURRENT] = pool->reserved,
                                [RESERVED_HIGH] = pool->reserved_high,
                                [USED_CURRENT] = pool->used,
                                [USED_HIGH] = pool->used_high};
    *(uint64_t *)value = numbers[attribute];
    return cudaSuccess;
}

API cudaError_t cudaMemPoolSetAccess(struct pool *pool, const struct access *accesses,
                                     size_t count) {
    if (!pool || (count && !accesses))
        return remember(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        if (accesses[i].location.type != ON_DEVICE)
            return remember(cudaErrorInvalidValue);
        if (accesses[i].location.id != 0)
            return remember(cudaErrorInvalidDevice);
        if (accesses[i].flags != READ_WRITE) /* the pool's own device keeps its access */
            return remember(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

API cudaError_t cudaMemPoolGetAccess(int *flags, struct pool *pool,
                                     const struct location *location) {
    if (!flags || !pool || !location)
        return remember(cudaErrorInvalidValue);
    if (location->type != ON_DEVICE || location->id != 0)
        return remember(cudaErrorInvalidDevice);
    *flags = READ_WRITE;
    return cudaSuccess;
}

/* ---- other processes --------------------------------------------------------------------------
 *
 * No pool is made to be shared (cudaMemPoolCreate()), and so none can be handed over. */

API cudaError_t cudaMemPoolExportToShareableHandle(void *handle, struct pool *pool, int type,
                                                   unsigned flags) {
    (void)handle, (void)pool, (void)type, (void)flags;
    return remember(cudaErrorInvalidValue);
}

API cudaError_t cudaMemPoolImportFromShareableHandle(struct pool **pool, void *handle, int type,
                                                     unsigned flags) {
    (void)pool, (void)handle, (void)type, (void)flags;
    return remember(cudaErrorInvalidValue);
}

API cudaError_t cudaMemPoolExportPointer(void *data, void *pointer) {
    (void)data, (void)pointer;
    return remember(cudaErrorInvalidValue);
}

API cudaError_t cudaMemPoolImportPointer(void **pointer, struct pool *pool, void *data) {
    (void)pointer, (void)pool, (void)data;
    return remember(cudaErrorInvalidValue);
}

/* ---- graphs' memory ---------------------------------------------------------------------------
 */

enum { GRAPH_USED, GRAPH_USED_HIGH, GRAPH_RESERVED, GRAPH_RESERVED_HIGH };

API cudaError_t cudaDeviceGetGraphMemAttribute(int number, int attribute, void *value) {
    const uint64_t numbers[] = {[GRAPH_USED] = graph_pool.used,
                                [GRAPH_USED_HIGH] = graph_pool.used_high,
                                [GRAPH_RESERVED] = graph_pool.reserved,
                                [GRAPH_RESERVED_HIGH] = graph_pool.reserved_high};
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    if (!value || attribute < GRAPH_USED || attribute > GRAPH_RESERVED_HIGH)
        return remember(cudaErrorInvalidValue);
    *(uint64_t *)value = numbers[attribute];
    return cudaSuccess;
}

/* High-water marks go back to what there is, and nothing else can be set. */
API cudaError_t cudaDeviceSetGraphMemAttribute(int number, int attribute, void *value) {
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    bool is_high = attribute == GRAPH_USED_HIGH || attribute == GRAPH_RESERVED_HIGH;
    if (!value || !is_high || *(const uint64_t *)value)
        return remember(cudaErrorInvalidValue);
    if (attribute == GRAPH_USED_HIGH)
        graph_pool.used_high = graph_pool.used;
    else
        graph_pool.reserved_high = graph_pool.reserved;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGraphMemTrim(int number) {
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    trim(&graph_pool, 0);
    return cudaSuccess;
}

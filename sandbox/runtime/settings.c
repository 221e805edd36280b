/* What a program sets for the whole device: limits, which the card keeps, and preferences, which
 * are remembered and change nothing. Limits are rounded as the driver rounds them. */
#include "sandbox/runtime/runtime.h"

enum {
    KIB = 1 << 10,
    STACK_UNIT = 16,
    HEAP_UNIT = 4 << 20,
    MOST_PREFERENCE = 3, /* cudaFuncCachePreferEqual */
    MOST_BANK_SIZE = 2,  /* cudaSharedMemBankSizeEightByte */
    BANK_SIZE_FOUR = 1,
    MOST_GRANULARITY = 128,
    DEVICE_FLAGS = 0xff, /* schedules 0x7, map host 0x8, local memory 0x10, sync memops 0x80 */
};

/* cudaLimit */
enum limit { STACK, PRINTF, HEAP, SYNC_DEPTH, PENDING_LAUNCHES, FETCH, PERSISTING, LIMIT_COUNT };

static struct {
    size_t limits[LIMIT_COUNT];
    int cache, bank;
    unsigned flags;
} settings = {.limits = {[STACK] = 1 * KIB,
                         [PRINTF] = 1024 * KIB,
                         [HEAP] = 8192 * KIB,
                         [PENDING_LAUNCHES] = 2048,
                         [FETCH] = 64},
              .bank = BANK_SIZE_FOUR};

static size_t round_up(size_t value, size_t unit) {
    return value > SIZE_MAX - unit ? value : (value + unit - 1) / unit * unit;
}

/* The heap and the stack are the card's. */
static cudaError_t set(enum limit limit, size_t value) {
    cudaError_t error = cudaSuccess;
    if (limit == STACK || limit == HEAP)
        error = link_ask(WIRE_LIMIT, limit == STACK, value, 0, NULL);
    if (error == cudaSuccess)
        settings.limits[limit] = value;
    return error;
}

API cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
    switch (limit) {
    case STACK:
        return remember(set(STACK, round_up(value, STACK_UNIT)));
    case HEAP:
        return remember(set(HEAP, round_up(value, HEAP_UNIT)));
    case PRINTF:
        return remember(set(PRINTF, value < KIB ? KIB : value));
    case PENDING_LAUNCHES:
        return remember(set(PENDING_LAUNCHES, value));
    case FETCH:
        return remember(value > MOST_GRANULARITY ? cudaErrorInvalidValue : set(FETCH, value));
    case PERSISTING: /* clamped to what there is */
        return remember(set(
            PERSISTING, value < link_device()->l2_bytes ? value : (size_t)link_device()->l2_bytes));
    case SYNC_DEPTH: /* no longer there from compute capability 9.0 on, nor in this runtime */
        return remember(cudaErrorUnsupportedLimit);
    default:
        return remember(cudaErrorInvalidValue);
    }
}

API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
    if (!value || limit < 0 || limit >= LIMIT_COUNT)
        return remember(cudaErrorInvalidValue);
    if (limit == SYNC_DEPTH)
        return remember(cudaErrorUnsupportedLimit);
    *value = settings.limits[limit];
    return cudaSuccess;
}

API cudaError_t cudaDeviceSetCacheConfig(int preference) {
    if (preference < 0 || preference > MOST_PREFERENCE)
        return remember(cudaErrorInvalidValue);
    settings.cache = preference;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetCacheConfig(int *preference) {
    if (!preference)
        return remember(cudaErrorInvalidValue);
    *preference = settings.cache;
    return cudaSuccess;
}

/* Banks have had four bytes on all devices since compute capability 5.0. */
API cudaError_t cudaDeviceSetSharedMemConfig(int size) {
    return remember(size < 0 || size > MOST_BANK_SIZE ? cudaErrorInvalidValue : cudaSuccess);
}

API cudaError_t cudaDeviceGetSharedMemConfig(int *size) {
    if (!size)
        return remember(cudaErrorInvalidValue);
    *size = settings.bank;
    return cudaSuccess;
}

API cudaError_t cudaSetDeviceFlags(unsigned flags) {
    if (flags & ~(unsigned)DEVICE_FLAGS)
        return remember(cudaErrorInvalidValue);
    settings.flags = flags;
    return cudaSuccess;
}

API cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    enum { MAP_HOST = 8 }; /* always so with unified addressing */
    if (!flags)
        return remember(cudaErrorInvalidValue);
    *flags = settings.flags | MAP_HOST;
    return cudaSuccess;
}

API cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return cudaSuccess;
}

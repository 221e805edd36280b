/* The card as programs ask for it: one, as its profile says; what the profile does not say is as on
 * NVIDIA's cards of compute capability 8.0 and above (CUDA programming guide, "Technical
 * specifications per compute capability"). */
#include "sandbox/runtime/runtime.h"

#include <string.h>

/* maxTexture1D to maxSurfaceCubemapLayered, as an H200 answers. */
static const int textures[39] = {
    131072, 32768, 131072, 65536, 32768, 32768, 131072, 65000, 2097120, 32768, 32768, 16384, 16384,
    16384,  8192,  8192,   32768, 32768, 32768, 2048,   32768, 32768,   2048,  32768, 2046,  32768,
    131072, 65536, 16384,  16384, 16384, 32768, 2048,   32768, 32768,   2048,  32768, 32768, 2046};

enum { MAX_WINDOW = 134213632 }; /* bytes, of an access policy */

static void fill_sizes(const struct wire_device *device, struct cudaDeviceProp *properties) {
    properties->totalGlobalMem = (size_t)device->memory_bytes;
    properties->sharedMemPerBlock = 48 << 10;
    properties->sharedMemPerBlockOptin = (size_t)device->shared_per_block;
    properties->sharedMemPerMultiprocessor = (size_t)device->shared_per_sm;
    properties->reservedSharedMemPerBlock = (size_t)device->shared_reserved;
    properties->regsPerBlock = 65536;
    properties->regsPerMultiprocessor = (int)device->registers_per_sm;
    properties->warpSize = 32;
    properties->memPitch = INT32_MAX;
    properties->maxThreadsPerBlock = 1024;
    properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
    properties->maxThreadsDim[2] = 64;
    properties->maxGridSize[0] = INT32_MAX;
    properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
    properties->totalConstMem = 64 << 10;
    properties->multiProcessorCount = (int)device->sms;
    properties->memoryBusWidth = (int)device->bus_bits;
    properties->l2CacheSize = (int)device->l2_bytes;
    if (device->major >= 8) { /* as an A100 and an H200 answer */
        properties->persistingL2CacheMaxSize = (int)(device->l2_bytes / 8 * 5);
        properties->accessPolicyMaxWindowSize = MAX_WINDOW;
    }
    properties->maxThreadsPerMultiProcessor = (int)device->threads_per_sm;
    properties->maxBlocksPerMultiProcessor = (int)device->blocks_per_sm;
}

/* Abilities that this library does not have (other processes' memory) are not claimed. */
API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int number) {
    if (!properties)
        return remember(cudaErrorInvalidValue);
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    const struct wire_device *device = link_device();
    memset(properties, 0, sizeof *properties);
    memcpy(properties->name, device->name, sizeof device->name - 1);
    properties->major = (int)device->major;
    properties->minor = (int)device->minor;
    fill_sizes(device, properties);
    memcpy(properties->textures, textures, sizeof textures);
    properties->textureAlignment = properties->surfaceAlignment = 512;
    properties->texturePitchAlignment = 32;
    properties->canMapHostMemory = 1;
    properties->pciBusID = 1;
    properties->memoryPoolsSupported = 1;
    properties->managedMemory = properties->concurrentManagedAccess = 1;
    properties->canUseHostPointerForRegisteredMem = properties->hostRegisterSupported = 1;
    properties->concurrentKernels = 1;
    properties->asyncEngineCount = 3;
    properties->unifiedAddressing = 1;
    properties->streamPrioritiesSupported = 1;
    properties->globalL1CacheSupported = properties->localL1CacheSupported = 1;
    properties->computePreemptionSupported = 1;
    properties->cooperativeLaunch = 1;
    properties->clusterLaunch = device->major >= 9;
    properties->deviceNumaId = properties->hostNumaId = -1;
    return cudaSuccess;
}

/* cudaDeviceAttr: the numbers of driver_types.h. */
static int attribute(int which, const struct cudaDeviceProp *p) {
    const struct wire_device *device = link_device();
    switch (which) {
#define ATTRIBUTE(number, name, value)                                                             \
    case number:                                                                                   \
        return (int)(value);
#include "sandbox/runtime/attribute.def"
#undef ATTRIBUTE
    default:
        return 0;
    }
}

enum { MOST_ATTRIBUTES = 148 };

API cudaError_t cudaDeviceGetAttribute(int *value, int which, int number) {
    struct cudaDeviceProp properties;
    if (!value || which < 1 || which >= MOST_ATTRIBUTES)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = cudaGetDeviceProperties(&properties, number);
    if (error == cudaSuccess)
        *value = attribute(which, &properties);
    return error;
}

/* The answer is known here; the card is told that somebody has asked. */
static cudaError_t answer(int *value, int known) {
    link_device();
    if (!value)
        return remember(cudaErrorInvalidValue);
    *value = known;
    return cudaSuccess;
}

/* Meson runs what it has built to see whether the compiler works, and for which card. */
API cudaError_t cudaGetDeviceCount(int *count) {
    if (!link_is_there()) {
        if (count)
            *count = 0;
        return cudaErrorNoDevice; /* and there is nobody to remember it for */
    }
    return answer(count, 1);
}

API cudaError_t cudaGetDevice(int *number) {
    return answer(number, 0);
}

API cudaError_t cudaSetDevice(int number) {
    link_device();
    return remember(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

API cudaError_t cudaInitDevice(int number, unsigned device_flags, unsigned flags) {
    (void)device_flags, (void)flags;
    return cudaSetDevice(number);
}

/* Modules and variables stay as they are: few programs use the card afterwards. */
API cudaError_t cudaDeviceReset(void) {
    synchronize();
    texture_forget_all();
    array_forget_all();
    pool_forget_all();
    return remember(link_ask(WIRE_RESET, 0, 0, 0, NULL));
}

API cudaError_t cudaDriverGetVersion(int *value) {
    return answer(value, RUNTIME_VERSION);
}

API cudaError_t cudaRuntimeGetVersion(int *value) {
    return answer(value, RUNTIME_VERSION);
}

API cudaError_t cudaProfilerStart(void) {
    link_device();
    return cudaSuccess;
}

API cudaError_t cudaProfilerStop(void) {
    link_device();
    return cudaSuccess;
}

/* ---- what a program sets for the whole device -------------------------------------------------
 *
 * Limits, which the card keeps, and preferences, which are remembered and change nothing. Limits
 * are rounded as the driver rounds them. */

enum {
    KIB = 1 << 10,
    STACK_UNIT = 16,
    HEAP_UNIT = 64 << 10,
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
                         [PRINTF] = 8448 * KIB,
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

/* No other device writes into this one's memory. */
API cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) {
    (void)target, (void)scope;
    return remember(cudaErrorNotSupported);
}

API cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return cudaSuccess;
}

/* The card as programs ask for it: one, as its profile says; what the profile does not say is as on
 * NVIDIA's cards of compute capability 8.0 and above (CUDA programming guide, "Technical
 * specifications per compute capability"). */
#include "sandbox/runtime/runtime.h"

#include <string.h>

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
    properties->maxThreadsPerMultiProcessor = (int)device->threads_per_sm;
    properties->maxBlocksPerMultiProcessor = (int)device->blocks_per_sm;
}

/* Abilities that this library does not have (clusters, other processes' memory) are not claimed. */
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

API cudaError_t cudaGetDeviceCount(int *count) {
    if (!count)
        return remember(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

API cudaError_t cudaGetDevice(int *number) {
    if (!number)
        return remember(cudaErrorInvalidValue);
    *number = 0;
    return cudaSuccess;
}

API cudaError_t cudaSetDevice(int number) {
    return remember(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

API cudaError_t cudaInitDevice(int number, unsigned device_flags, unsigned flags) {
    (void)device_flags, (void)flags;
    return cudaSetDevice(number);
}

/* What was allocated lives on in a program that goes on; few do. */
API cudaError_t cudaDeviceReset(void) {
    return remember(synchronize());
}

static cudaError_t version(int *value) {
    if (!value)
        return remember(cudaErrorInvalidValue);
    *value = RUNTIME_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaDriverGetVersion(int *value) {
    return version(value);
}

API cudaError_t cudaRuntimeGetVersion(int *value) {
    return version(value);
}

API cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}

API cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}

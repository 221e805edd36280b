/* Kernels as the host asks for them: what they take, how many of their blocks fit on a
 * multiprocessor, and what a launch may have. What a kernel takes is a number of the card's: of
 * registers, which only the assembler knows, it is an estimate. */
#include "sandbox/runtime/launch.h"

#include <string.h>

enum {
    PLAIN_SHARED = 48 << 10, /* bytes of shared memory without asking for more */
    ANY_CARVEOUT = -1,
    MOST_CARVEOUT = 100,
    MOST_PREFERENCE = 3, /* cudaFuncCachePreferEqual */
    OCCUPANCY_FLAGS = 1, /* cudaOccupancyDisableCachingOverride */
    SHARED_UNIT = 128,
};

cudaError_t function_facts(const void *function, struct kernel **kernel,
                           struct wire_function *facts) {
    cudaError_t error = kernel_find(function, kernel);
    if (error == cudaSuccess)
        error = kernel_load(*kernel);
    if (error != cudaSuccess)
        return error;
    struct link_call call = {.call = WIRE_FUNCTION,
                             .argument = {(*kernel)->number},
                             .received = facts,
                             .received_max = sizeof *facts};
    return link_do(&call);
}

size_t function_dynamic_limit(const struct kernel *kernel, uint64_t static_shared) {
    if (kernel->most_dynamic)
        return kernel->most_dynamic;
    return static_shared < PLAIN_SHARED ? (size_t)(PLAIN_SHARED - static_shared) : 0;
}

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
    struct kernel *kernel;
    struct wire_function facts;
    if (!attributes)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = function_facts(function, &kernel, &facts);
    if (error != cudaSuccess)
        return remember(error);
    const struct wire_device *device = link_device();
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = (size_t)facts.static_shared,
        .constSizeBytes = (size_t)facts.constant_bytes,
        .localSizeBytes = (size_t)facts.local_bytes,
        .maxThreadsPerBlock = (int)facts.most_threads,
        .numRegs = (int)facts.registers,
        .ptxVersion = (int)facts.ptx_version,
        .binaryVersion = (int)(10 * device->major + device->minor),
        .maxDynamicSharedSizeBytes = (int)function_dynamic_limit(kernel, facts.static_shared),
        .preferredShmemCarveout = kernel->has_carveout ? kernel->carveout : ANY_CARVEOUT,
        .requiredClusterWidth = (int)facts.cluster[0],
        .requiredClusterHeight = (int)facts.cluster[1],
        .requiredClusterDepth = (int)facts.cluster[2],
        .clusterDimMustBeSet = facts.cluster[0] != 0,
        .nonPortableClusterSizeAllowed = kernel->large_cluster,
    };
    return cudaSuccess;
}

static cudaError_t allow_dynamic(struct kernel *kernel, const struct wire_function *facts,
                                 int value) {
    uint64_t most = link_device()->shared_per_block;
    if (value < 0 || (uint64_t)value + facts->static_shared > most)
        return cudaErrorInvalidValue;
    kernel->most_dynamic = (size_t)value;
    return cudaSuccess;
}

API cudaError_t cudaFuncSetAttribute(const void *function, int attribute, int value) {
    struct kernel *kernel;
    struct wire_function facts;
    cudaError_t error = function_facts(function, &kernel, &facts);
    if (error != cudaSuccess)
        return remember(error);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return remember(allow_dynamic(kernel, &facts, value));
    case cudaFuncAttributePreferredSharedMemoryCarveout: /* a preference */
        if (value < ANY_CARVEOUT || value > MOST_CARVEOUT)
            return remember(cudaErrorInvalidValue);
        kernel->has_carveout = true;
        kernel->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        kernel->large_cluster = value != 0;
        return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return cudaSuccess;
    default:
        return remember(cudaErrorInvalidValue);
    }
}

API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute, int value,
                                                int number) {
    return number == 0 ? cudaFuncSetAttribute(kernel, attribute, value)
                       : remember(cudaErrorInvalidDevice);
}

/* A preference, which the simulated card need not follow. */
API cudaError_t cudaFuncSetCacheConfig(const void *function, int preference) {
    struct kernel *kernel;
    cudaError_t error = kernel_find(function, &kernel);
    if (error == cudaSuccess && (preference < 0 || preference > MOST_PREFERENCE))
        error = cudaErrorInvalidValue;
    return remember(error);
}

API cudaError_t cudaFuncSetSharedMemConfig(const void *function, int size) {
    struct kernel *kernel;
    cudaError_t error = kernel_find(function, &kernel);
    return remember(error == cudaSuccess && (size < 0 || size > 2) ? cudaErrorInvalidValue : error);
}

API cudaError_t cudaFuncGetName(const char **name, const void *function) {
    struct kernel *kernel;
    cudaError_t error = name ? kernel_find(function, &kernel) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *name = kernel->name;
    return remember(error);
}

API cudaError_t cudaFuncGetParamInfo(const void *function, size_t number, size_t *offset,
                                     size_t *bytes) {
    struct kernel *kernel;
    cudaError_t error = offset ? kernel_find(function, &kernel) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = kernel_load(kernel);
    if (error == cudaSuccess && number >= kernel->parameter_count)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return remember(error);
    *offset = kernel->parameters[number].offset;
    if (bytes)
        *bytes = kernel->parameters[number].bytes;
    return cudaSuccess;
}

/* Handles of kernels are kernels. */
API cudaError_t cudaGetFuncBySymbol(struct kernel **handle, const void *function) {
    return remember(handle ? kernel_find(function, handle) : cudaErrorInvalidValue);
}

API cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *function) {
    return remember(handle ? kernel_find(function, handle) : cudaErrorInvalidValue);
}

/* ---- occupancy --------------------------------------------------------------------------------
 */

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t shared_bytes, unsigned flags) {
    struct kernel *kernel;
    struct wire_function facts;
    uint64_t fit = 0;
    if (!blocks || threads <= 0 || flags > OCCUPANCY_FLAGS)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = function_facts(function, &kernel, &facts);
    bool too_large = error == cudaSuccess && (uint32_t)threads > facts.most_threads;
    if (error == cudaSuccess && !too_large)
        error = link_ask(WIRE_OCCUPANCY, kernel->number, (uint64_t)threads, shared_bytes, &fit);
    if (error == cudaSuccess)
        *blocks = (int)fit;
    return remember(error);
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                              int threads, size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                  shared_bytes, 0);
}

/* Each block takes what the system keeps, its static and its dynamic memory. */
API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes,
                                                          const void *function, int blocks,
                                                          int threads) {
    struct kernel *kernel;
    struct wire_function facts;
    if (!shared_bytes || blocks <= 0 || threads <= 0)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = function_facts(function, &kernel, &facts);
    if (error != cudaSuccess)
        return remember(error);
    int fit = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, function, threads, 0);
    if (error != cudaSuccess)
        return error;
    const struct wire_device *device = link_device();
    uint64_t each = device->shared_per_sm / (uint64_t)blocks / SHARED_UNIT * SHARED_UNIT;
    uint64_t taken = device->shared_reserved + facts.static_shared;
    uint64_t most = device->shared_per_block - facts.static_shared;
    uint64_t left = blocks > fit || each < taken ? 0 : each - taken;
    *shared_bytes = (size_t)(left < most ? left : most);
    return cudaSuccess;
}

enum { ASK_ACTIVE_CLUSTERS, ASK_LARGEST_CLUSTER };

static cudaError_t ask_clusters(int what, int *answer, const void *function,
                                const struct launch_config *config) {
    struct kernel *kernel;
    struct launch_extras extras;
    cudaError_t error =
        answer && config ? launch_read_attributes(config, &extras) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = kernel_find(function, &kernel);
    if (error == cudaSuccess)
        error = kernel_load(kernel);
    if (error != cudaSuccess)
        return error;
    struct wire_launch launch = {
        .kernel = kernel->number,
        .grid = {config->grid.x, config->grid.y, config->grid.z},
        .block = {config->block.x, config->block.y, config->block.z},
        .shared_bytes = config->shared_bytes,
        .cluster = {extras.cluster[0], extras.cluster[1], extras.cluster[2]},
        .large_cluster = kernel->large_cluster,
    };
    struct link_call call = {.call = WIRE_CLUSTERS,
                             .argument = {(uint64_t)what},
                             .sent = &launch,
                             .sent_bytes = sizeof launch};
    error = link_do(&call);
    if (error == cudaSuccess)
        *answer = (int)call.value[0];
    return error;
}

API cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                               const struct launch_config *config) {
    return remember(ask_clusters(ASK_ACTIVE_CLUSTERS, clusters, function, config));
}

API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                     const struct launch_config *config) {
    return remember(ask_clusters(ASK_LARGEST_CLUSTER, blocks, function, config));
}

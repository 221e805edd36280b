/* Types of the CUDA runtime as its public headers lay them out, as far as this library has them.
 * Own declarations, so that it builds where there is no toolkit; tests/e2e compiles a program that
 * compares them with the headers. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_ABI_H
#define WARPGRADE_SANDBOX_RUNTIME_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int cudaError_t;
enum {
#define ERROR(code, name, text) name = code,
#include "sandbox/runtime/error.def"
#undef ERROR
};

enum {
    RUNTIME_VERSION = 13000,
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
    cudaEventDisableTiming = 2,
};

typedef struct {
    unsigned x, y, z;
} dim3;
typedef struct stream *cudaStream_t;
typedef struct event *cudaEvent_t;
typedef struct kernel *cudaKernel_t;

/* cudaLaunchConfig_t */
struct launch_config {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    void *attributes;
    unsigned attribute_count;
};

enum {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
};
_Static_assert(sizeof(struct cudaFuncAttributes) == 144, "as in CUDA 13.0's driver_types.h");

struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
typedef struct array *cudaArray_t;
typedef struct mipmap *cudaMipmappedArray_t;
struct cudaChannelFormatDesc {
    int x, y, z, w, f; /* f: signed, unsigned, float, none, ... */
};
enum {
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8,
};
enum {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D,
};
struct cudaResourceDesc {
    int resType;
    union {
        cudaArray_t array;
        cudaMipmappedArray_t mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned flags;
};
struct cudaResourceViewDesc {
    int format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};
struct cudaTextureDesc {
    int addressMode[3], filterMode, readMode, sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
_Static_assert(sizeof(struct cudaResourceDesc) == 144 &&
                   sizeof(struct cudaResourceViewDesc) == 112 &&
                   sizeof(struct cudaTextureDesc) == 72,
               "as in CUDA 13.0's driver_types.h and texture_types.h");
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    int kind;
};
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    int dstDevice;
    struct cudaExtent extent;
};
_Static_assert(sizeof(struct cudaMemcpy3DParms) == 160 &&
                   sizeof(struct cudaMemcpy3DPeerParms) == 168,
               "as in CUDA 13.0's driver_types.h");

struct cudaDeviceProp {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int textures[39]; /* maxTexture1D .. maxSurfaceCubemapLayered */
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
    int unifiedFunctionPointers, deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    int reserved[56];
};

_Static_assert(sizeof(struct cudaDeviceProp) == 1008, "as in CUDA 13.0's driver_types.h");

/* Everything that programs may call; the rest of the library is hidden. */
#define API __attribute__((visibility("default")))

#endif

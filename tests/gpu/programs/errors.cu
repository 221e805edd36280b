// What the CUDA runtime answers to calls that are wrong, one line each: "CALL: NAME". The simulated
// card's answers and a card's are to be the same. Needs one device; the last part breaks its
// context. Built for the card with `nvcc -arch=sm_90 errors.cu`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int variable[4];
__constant__ int constant[4];
__global__ void plain(int *x) {
    if (x)
        x[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(128) bounded(int *x) {
    x[threadIdx.x] = 1;
}
__global__ void dynamic(int *x) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void wild(int *x) {
    *x = 1;
}
static void on_host() {
}

// Prints the answer, and takes the error away, so that the next line starts clean.
#define ANSWER(...)                                                                                \
    do {                                                                                           \
        cudaError_t error = (__VA_ARGS__);                                                         \
        cudaGetLastError();                                                                        \
        printf("%s: %s\n", #__VA_ARGS__, cudaGetErrorName(error));                                 \
    } while (0)
// What a launch leaves, and what the next wait says.
#define LAUNCH(...)                                                                                \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        cudaError_t error = cudaGetLastError();                                                    \
        printf("%s: %s, ", #__VA_ARGS__, cudaGetErrorName(error));                                 \
        printf("then %s\n", cudaGetErrorName(cudaDeviceSynchronize()));                            \
        cudaGetLastError();                                                                        \
    } while (0)
// A part is one function of these, so that a call that ends the program names itself.
#define PART(name) printf("-- %s\n", name), fflush(stdout)

static int *device, *other, host[64];
static void *nowhere = nullptr;

static void memory() {
    PART("memory");
    ANSWER(cudaMalloc((void **)nullptr, 4));
    ANSWER(cudaMalloc(&nowhere, 0));
    printf("of no bytes: %d\n", nowhere != nullptr);
    ANSWER(cudaMalloc(&nowhere, (size_t)1 << 60));
    ANSWER(cudaFree(nullptr));
    ANSWER(cudaFree(host));
    ANSWER(cudaFree(device + 1));
    ANSWER((cudaMalloc(&nowhere, 64), cudaFree(nowhere)));
    ANSWER(cudaFree(nowhere));
    ANSWER(cudaMemset(device, 0, 65 * sizeof(int)));
    ANSWER(cudaMemset(host, 0, 4));
    ANSWER(cudaMemset(nullptr, 0, 4));
    ANSWER(cudaMemset(nullptr, 0, 0));
    size_t pitch;
    ANSWER(cudaMallocPitch(&nowhere, nullptr, 100, 10));
    ANSWER((cudaMallocPitch(&nowhere, &pitch, 100, 10), cudaMemset2D(nowhere, 50, 0, 100, 10)));
    ANSWER(cudaMemset2D(nowhere, pitch, 0, 100, 11));
    ANSWER(cudaFree(nowhere));
    cudaPitchedPtr volume;
    ANSWER(cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)));
    ANSWER(cudaMalloc3D(&volume, make_cudaExtent(0, 4, 4)));
    size_t available;
    ANSWER(cudaMemGetInfo(&available, nullptr));
    ANSWER(cudaMallocAsync(&nowhere, 0, 0));
    ANSWER(cudaFreeAsync(nullptr, 0));
    ANSWER(cudaFreeAsync(host, 0));
}

static void copies() {
    PART("copies");
    ANSWER(cudaMemcpy(device, host, 4, (cudaMemcpyKind)5));
    ANSWER(cudaMemcpy(device, host, 4, (cudaMemcpyKind)-1));
    ANSWER(cudaMemcpy(device, host, 65 * sizeof(int), cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(device, host, 4, cudaMemcpyDeviceToHost));
    ANSWER(cudaMemcpy(host, device, 4, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(device, host, 4, cudaMemcpyDeviceToDevice));
    ANSWER(cudaMemcpy(device, host, 4, cudaMemcpyHostToHost));
    ANSWER(cudaMemcpy(device, other, 4, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(host, host + 8, 4, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(host, host + 8, 4, cudaMemcpyDefault));
    ANSWER(cudaMemcpy(device, other, 4, cudaMemcpyDefault));
    ANSWER(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy(device, device, 4, cudaMemcpyDeviceToDevice));
    ANSWER(cudaMemcpy2D(host, 4, device, 16, 8, 2, cudaMemcpyDeviceToHost));
    ANSWER(cudaMemcpy2D(host, 16, device, 4, 8, 2, cudaMemcpyDeviceToHost));
    ANSWER(cudaMemcpy2D(host, 16, device, 16, 0, 2, cudaMemcpyDeviceToHost));
    ANSWER(cudaMemcpy2D(host, 16, device, 16, 8, 2, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy2D(host, 16, device, (size_t)1 << 40, 8, 2, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms copy = {};
    ANSWER(cudaMemcpy3D(nullptr));
    ANSWER(cudaMemcpy3D(&copy));
    copy.srcPtr = make_cudaPitchedPtr(host, 8, 8, 4);
    copy.dstPtr = make_cudaPitchedPtr(device, 8, 8, 4);
    copy.extent = make_cudaExtent(8, 4, 2);
    copy.kind = cudaMemcpyHostToDevice;
    ANSWER(cudaMemcpy3D(&copy));
    copy.extent.width = 16;
    ANSWER(cudaMemcpy3D(&copy));
    copy.extent = make_cudaExtent(8, 5, 2);
    ANSWER(cudaMemcpy3D(&copy));
    copy.extent = make_cudaExtent(8, 4, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    ANSWER(cudaMemcpy3D(&copy));
    ANSWER(cudaMemcpyPeer(device, 0, other, 0, 4));
    ANSWER(cudaMemcpyPeer(device, 1000, other, 0, 4));
}

static void symbols() {
    PART("symbols");
    ANSWER(cudaMemcpyToSymbol(variable, host, 17));
    ANSWER(cudaMemcpyToSymbol(variable, host, 8, 12));
    ANSWER(cudaMemcpyToSymbol(variable, host, 8, 8, cudaMemcpyDeviceToHost));
    ANSWER(cudaMemcpyToSymbol(host, host, 4));
    ANSWER(cudaMemcpyToSymbol(variable, nullptr, 4));
    ANSWER(cudaMemcpyFromSymbol(host, constant, 16));
    ANSWER(cudaMemcpyFromSymbol(host, variable, 4, 0, cudaMemcpyHostToDevice));
    void *address;
    size_t bytes;
    ANSWER(cudaGetSymbolAddress(&address, host));
    ANSWER(cudaGetSymbolAddress(&address, constant));
    ANSWER(cudaGetSymbolSize(&bytes, host));
    ANSWER((cudaGetSymbolAddress(&address, variable), cudaFree(address)));
}

static void host_memory() {
    PART("the host's memory");
    int *pinned, *pointer, *managed, *heap = (int *)malloc(1 << 20);
    unsigned flags;
    ANSWER(cudaMallocHost((void **)nullptr, 4));
    ANSWER(cudaHostAlloc(&pinned, 4, 64));
    ANSWER(cudaHostAlloc(&pinned, 0, 0));
    ANSWER(cudaHostAlloc(&pinned, 4096, cudaHostAllocDefault));
    ANSWER(cudaHostGetDevicePointer(&pointer, pinned, 0));
    printf("the same: %d\n", pointer == pinned);
    ANSWER(cudaHostGetDevicePointer(&pointer, heap, 0));
    ANSWER(cudaHostGetDevicePointer(&pointer, pinned, 1));
    ANSWER(cudaHostGetFlags(&flags, pinned));
    printf("flags: %u\n", flags);
    ANSWER(cudaHostGetFlags(&flags, heap));
    ANSWER(cudaFree(pinned));
    ANSWER(cudaFreeHost(heap));
    ANSWER(cudaFreeHost(pinned));
    ANSWER(cudaFreeHost(pinned));
    ANSWER(cudaFreeHost(nullptr));
    ANSWER(cudaHostRegister(nullptr, 4, 0));
    ANSWER(cudaHostRegister(heap, 0, 0));
    ANSWER(cudaHostRegister(heap, 1 << 20, cudaHostRegisterMapped));
    ANSWER(cudaHostRegister(heap, 1 << 20, 0));
    ANSWER(cudaHostRegister(heap + 1024, 4096, 0));
    ANSWER(cudaHostUnregister(heap + 1));
    ANSWER(cudaHostUnregister(heap));
    ANSWER(cudaHostUnregister(heap));
    ANSWER(cudaMallocManaged(&managed, 0));
    ANSWER(cudaMallocManaged(&managed, 4, 7));
    ANSWER(cudaMallocManaged(&managed, 4096));
    ANSWER(cudaFreeHost(managed));
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0},
                    wrong = {cudaMemLocationTypeDevice, 1000};
    ANSWER(cudaMemPrefetchAsync(managed, 4096, place, 0));
    ANSWER(cudaMemPrefetchAsync(managed, 4096, wrong, 0));
    ANSWER(cudaMemPrefetchAsync(managed, 0, place, 0));
    ANSWER(cudaMemPrefetchAsync(device, 64, place, 0));
    ANSWER(cudaMemAdvise(managed, 4096, (cudaMemoryAdvise)99, place));
    ANSWER(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, place));
    ANSWER(cudaStreamAttachMemAsync(0, managed, 0, cudaMemAttachGlobal));
    ANSWER(cudaFree(managed));
    ANSWER(cudaFree(managed));
    cudaPointerAttributes a;
    ANSWER(cudaPointerGetAttributes(nullptr, heap));
    ANSWER(cudaPointerGetAttributes(&a, heap));
    printf("heap: type %d, device %d, host %d, device's %d\n", a.type, a.device,
           a.hostPointer == heap, a.devicePointer == nullptr);
    ANSWER(cudaPointerGetAttributes(&a, device + 1));
    printf("device: type %d, device %d, host %d, device's %d\n", a.type, a.device,
           a.hostPointer == nullptr, a.devicePointer == device + 1);
    free(heap);
}

static void launches() {
    PART("launches");
    LAUNCH(plain<<<0, 1>>>(nullptr));
    LAUNCH(plain<<<1, 0>>>(nullptr));
    LAUNCH(plain<<<1, 1025>>>(nullptr));
    LAUNCH(plain<<<1, dim3(1, 1, 65)>>>(nullptr));
    LAUNCH(plain<<<dim3(1, 65536), 1>>>(nullptr));
    LAUNCH(plain<<<dim3(1, 1, 65536), 1>>>(nullptr));
    LAUNCH(bounded<<<1, 129>>>(device));
    LAUNCH(bounded<<<1, 64>>>(device));
    LAUNCH(dynamic<<<1, 64, 48 << 10>>>(device));
    LAUNCH(dynamic<<<1, 64, (48 << 10) + 1>>>(device));
    LAUNCH(dynamic<<<1, 64, 1 << 20>>>(device));
    LAUNCH(plain<<<1, 1, 0, (cudaStream_t)0>>>(nullptr));
    ANSWER(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    LAUNCH(dynamic<<<1, 64, 64 << 10>>>(device));
    ANSWER(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    ANSWER(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    ANSWER(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    ANSWER(cudaFuncSetAttribute(dynamic, (cudaFuncAttribute)77, 1));
    ANSWER(cudaFuncSetAttribute(on_host, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    ANSWER(cudaFuncSetCacheConfig(dynamic, cudaFuncCachePreferL1));
    ANSWER(cudaFuncSetCacheConfig(dynamic, (cudaFuncCache)9));
    void *arguments[] = {&device};
    ANSWER(cudaLaunchKernel((void *)on_host, dim3(1), dim3(1), arguments, 0, 0));
    ANSWER(cudaLaunchKernel((void *)nullptr, dim3(1), dim3(1), arguments, 0, 0));
    ANSWER(cudaLaunchKernel((void *)plain, dim3(1), dim3(1), arguments, 0, 0));
    ANSWER(cudaLaunchCooperativeKernel((void *)plain, dim3(1 << 20), dim3(64), arguments, 0, 0));
    cudaFuncAttributes a;
    ANSWER(cudaFuncGetAttributes(nullptr, (void *)plain));
    ANSWER(cudaFuncGetAttributes(&a, (void *)on_host));
    cudaFuncGetAttributes(&a, bounded);
    printf("bounded: %d threads, %d dynamic, %zu static\n", a.maxThreadsPerBlock,
           a.maxDynamicSharedSizeBytes, a.sharedSizeBytes);
    int blocks = -7;
    ANSWER(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0));
    ANSWER(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1025, 0));
    printf("blocks of 1025 threads: %d\n", blocks);
    ANSWER(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024, 0));
    printf("blocks of 1024 threads: %d\n", blocks);
    ANSWER(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 64, 1 << 20));
    printf("blocks with 1 MiB: %d\n", blocks);
    ANSWER(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain, 64, 0));
}

static void devices() {
    PART("devices");
    int value = -7, count = 0;
    char id[32];
    cudaDeviceProp properties;
    cudaGetDeviceCount(&count);
    ANSWER(cudaSetDevice(-1));
    ANSWER(cudaSetDevice(1000));
    ANSWER(cudaGetDevice(nullptr));
    ANSWER(cudaGetDeviceCount(nullptr));
    ANSWER(cudaGetDeviceProperties(&properties, 1000));
    ANSWER(cudaGetDeviceProperties(nullptr, 0));
    ANSWER(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)0, 0));
    ANSWER(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    ANSWER(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    ANSWER(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1000));
    ANSWER(cudaDeviceCanAccessPeer(&value, 0, 0));
    ANSWER(cudaDeviceCanAccessPeer(&value, 0, 1000));
    ANSWER(cudaDeviceEnablePeerAccess(0, 0));
    ANSWER(cudaDeviceEnablePeerAccess(1000, 0));
    ANSWER(cudaDeviceDisablePeerAccess(0));
    ANSWER(cudaDeviceDisablePeerAccess(1000));
    ANSWER(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    ANSWER(cudaDeviceGetPCIBusId(id, 4, 0));
    ANSWER(cudaDeviceGetPCIBusId(id, 32, 1000));
    ANSWER(cudaDeviceGetByPCIBusId(&value, "nonsense"));
    ANSWER(cudaSetDeviceFlags(0xffff));
    ANSWER(cudaSetValidDevices(nullptr, 0));
    size_t limit;
    ANSWER(cudaDeviceSetLimit((cudaLimit)99, 1));
    ANSWER(cudaDeviceGetLimit(&limit, (cudaLimit)99));
    ANSWER(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1));
    for (int i = 0; i < 6; i++) {
        cudaError_t error = cudaDeviceGetLimit(&limit, (cudaLimit)i);
        printf("limit %d: %s %zu\n", i, cudaGetErrorName(error), error ? 0 : limit);
    }
    ANSWER(cudaDeviceSetLimit(cudaLimitStackSize, 1000));
    cudaDeviceGetLimit(&limit, cudaLimitStackSize);
    printf("stack of 1000: %zu\n", limit);
    ANSWER(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 9000000));
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("heap of 9000000: %zu\n", limit);
    ANSWER(cudaDeviceSetCacheConfig((cudaFuncCache)9));
    cudaIpcMemHandle_t handle;
    ANSWER(cudaIpcGetMemHandle(&handle, host));
    void *entry;
    cudaDriverEntryPointQueryResult found;
    ANSWER(cudaGetDriverEntryPointByVersion("cuNothing", &entry, 12000, cudaEnableDefault, &found));
    printf("found: %d\n", (int)found);
    cudaGetLastError();
}

static void streams() {
    PART("streams and events");
    cudaStream_t stream;
    cudaEvent_t event, second, untimed;
    float ms;
    ANSWER(cudaStreamCreate(nullptr));
    ANSWER(cudaStreamCreateWithFlags(&stream, 99));
    ANSWER(cudaStreamDestroy(0));
    ANSWER(cudaStreamQuery(0));
    ANSWER(cudaEventCreate(nullptr));
    ANSWER(cudaEventCreateWithFlags(&event, 99));
    cudaEventCreate(&event);
    cudaEventCreate(&second);
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
    ANSWER(cudaEventElapsedTime(&ms, event, second));
    ANSWER(cudaEventElapsedTime(nullptr, event, second));
    ANSWER(cudaEventQuery(event));
    ANSWER(cudaEventSynchronize(event));
    cudaEventRecord(event);
    cudaEventRecord(untimed);
    cudaDeviceSynchronize();
    ANSWER(cudaEventElapsedTime(&ms, event, second));
    ANSWER(cudaEventElapsedTime(&ms, event, untimed));
    ANSWER(cudaEventRecord(nullptr));
    ANSWER(cudaEventDestroy(nullptr));
    ANSWER(cudaStreamWaitEvent(0, nullptr, 0));
    ANSWER(cudaStreamWaitEvent(0, event, 99));
    ANSWER(cudaLaunchHostFunc(0, nullptr, nullptr));
}

static void names() {
    PART("names");
    for (int code = 0; code <= 1000; code++) {
        const char *name = cudaGetErrorName((cudaError_t)code);
        if (strcmp(name, "unrecognized error code") != 0)
            printf("%d %s: %s\n", code, name, cudaGetErrorString((cudaError_t)code));
    }
    printf("%s %s\n", cudaGetErrorName((cudaError_t)-1), cudaGetErrorString((cudaError_t)12345));
}

static void last_errors() {
    PART("the last error");
    cudaMalloc((void **)nullptr, 4);
    printf("%s ", cudaGetErrorName(cudaPeekAtLastError()));
    cudaMalloc(&nowhere, 4);
    printf("%s ", cudaGetErrorName(cudaPeekAtLastError()));
    cudaSetDevice(1000);
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(nowhere);
}

// The context is broken from here on: every answer is the same.
static void sticky() {
    PART("sticky errors");
    wild<<<1, 1>>>((int *)16);
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    ANSWER(cudaMalloc(&nowhere, 4));
    ANSWER(cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
    ANSWER(cudaFree(device));
    plain<<<1, 1>>>(nullptr);
    printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    int count = 0;
    ANSWER(cudaGetDeviceCount(&count));
    ANSWER(cudaDeviceReset());
    ANSWER(cudaMalloc(&nowhere, 4));
}

int main() {
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&other, sizeof host);
    memory();
    copies();
    symbols();
    host_memory();
    launches();
    devices();
    streams();
    last_errors();
    names();
    sticky();
    return 0;
}

/* The few driver functions that a test needs. Signatures are those of cuda.h; no CUDA header is
 * needed to build this. A kernel that fails takes its context with it, so each failure opens a new
 * one and the tests behind it still run. */
#include "hardware.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long device_pointer;

#define DRIVER_FUNCTIONS(F)                                                                        \
    F(int, cuInit, (unsigned))                                                                     \
    F(int, cuDeviceGet, (int *, int))                                                              \
    F(int, cuCtxCreate_v2, (void **, unsigned, int))                                               \
    F(int, cuCtxDestroy_v2, (void *))                                                              \
    F(int, cuCtxSynchronize, (void))                                                               \
    F(int, cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **))                  \
    F(int, cuModuleUnload, (void *))                                                               \
    F(int, cuModuleGetFunction, (void **, void *, const char *))                                   \
    F(int, cuMemAlloc_v2, (device_pointer *, size_t))                                              \
    F(int, cuMemcpyHtoD_v2, (device_pointer, const void *, size_t))                                \
    F(int, cuMemcpyDtoH_v2, (void *, device_pointer, size_t))                                      \
    F(int, cuLaunchKernel,                                                                         \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,       \
       void **, void **))

#define F(type, name, arguments) static type(*name) arguments;
DRIVER_FUNCTIONS(F)
#undef F

static void *context;
static device_pointer memory;
enum { MEMORY_BYTES = 1 << 20, JIT_ERROR_BUFFER = 5, JIT_ERROR_BUFFER_BYTES = 6 };

static bool open_context(void) {
    int device;
    if (context)
        cuCtxDestroy_v2(context);
    return cuDeviceGet(&device, 0) == 0 && cuCtxCreate_v2(&context, 0, device) == 0 &&
           cuMemAlloc_v2(&memory, MEMORY_BYTES) == 0;
}

bool hardware_open(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "no CUDA driver: %s\n", dlerror());
        return false;
    }
#define F(type, name, arguments)                                                                   \
    *(void **)&name = dlsym(library, #name);                                                       \
    if (!name)                                                                                     \
        return false;
    DRIVER_FUNCTIONS(F)
#undef F
    if (cuInit(0) == 0 && open_context())
        return true;
    fprintf(stderr, "no GPU\n");
    return false;
}

bool hardware_run(const char *ptx, uint64_t *in, uint64_t *out, size_t bytes, const char *name) {
    char log[4096] = "";
    int options[] = {JIT_ERROR_BUFFER, JIT_ERROR_BUFFER_BYTES};
    void *values[] = {log, (void *)sizeof log};
    void *module, *function;
    int code = cuModuleLoadDataEx(&module, ptx, 2, options, values);
    if (code) {
        fprintf(stderr, "%s: the driver does not load it (%d): %s\n", name, code, log);
        return false;
    }
    device_pointer arguments[] = {memory, memory + bytes};
    void *parameters[] = {&arguments[0], &arguments[1]};
    bool ran = cuModuleGetFunction(&function, module, "t") == 0 &&
               cuMemcpyHtoD_v2(arguments[0], in, bytes) == 0 &&
               cuMemcpyHtoD_v2(arguments[1], out, bytes) == 0 &&
               cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) == 0 &&
               (code = cuCtxSynchronize()) == 0 && cuMemcpyDtoH_v2(out, arguments[1], bytes) == 0;
    if (ran) {
        cuModuleUnload(module);
        return true;
    }
    fprintf(stderr, "%s: the GPU does not run it (%d)\n", name, code);
    open_context();
    return false;
}

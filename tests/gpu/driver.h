/* The CUDA driver's functions that tests use, from a library that is loaded when it is asked for:
 * no CUDA header and no driver is needed to build this, and a machine without a GPU can say so. */
#ifndef WARPGRADE_TESTS_GPU_DRIVER_H
#define WARPGRADE_TESTS_GPU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long gpu_pointer; /* CUdeviceptr: an address of the real GPU */

/* Signatures are those of cuda.h; enumerations are passed as int, handles as void *. */
#define DRIVER_FUNCTIONS(F)                                                                        \
    F(cuInit, (unsigned))                                                                          \
    F(cuDriverGetVersion, (int *))                                                                 \
    F(cuGetErrorName, (int, const char **))                                                        \
    F(cuDeviceGet, (int *, int))                                                                   \
    F(cuDeviceGetName, (char *, int, int))                                                         \
    F(cuDeviceGetAttribute, (int *, int, int))                                                     \
    F(cuCtxCreate_v2, (void **, unsigned, int))                                                    \
    F(cuCtxDestroy_v2, (void *))                                                                   \
    F(cuCtxSynchronize, (void))                                                                    \
    F(cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **))                       \
    F(cuModuleUnload, (void *))                                                                    \
    F(cuModuleGetFunction, (void **, void *, const char *))                                        \
    F(cuFuncGetAttribute, (int *, int, void *))                                                    \
    F(cuFuncSetAttribute, (void *, int, int))                                                      \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, void *, int, size_t))                   \
    F(cuMemAlloc_v2, (gpu_pointer *, size_t))                                                      \
    F(cuMemFree_v2, (gpu_pointer))                                                                 \
    F(cuMemcpyHtoD_v2, (gpu_pointer, const void *, size_t))                                        \
    F(cuMemcpyDtoH_v2, (void *, gpu_pointer, size_t))                                              \
    F(cuMemcpyDtoDAsync_v2, (gpu_pointer, gpu_pointer, size_t, void *))                            \
    F(cuMemsetD8_v2, (gpu_pointer, unsigned char, size_t))                                         \
    F(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
                       unsigned, void *, void **, void **))                                        \
    F(cuEventCreate, (void **, unsigned))                                                          \
    F(cuEventDestroy_v2, (void *))                                                                 \
    F(cuEventRecord, (void *, void *))                                                             \
    F(cuEventElapsedTime, (float *, void *, void *))                                               \
    F(cuProfilerStart, (void))                                                                     \
    F(cuProfilerStop, (void))

struct driver {
#define F(name, arguments) int(*name) arguments;
    DRIVER_FUNCTIONS(F)
#undef F
};

/* CUdevice_attribute and CUfunction_attribute, as numbered in cuda.h. */
enum {
    DEVICE_CLOCK_KHZ = 13,
    DEVICE_MULTIPROCESSORS = 16,
    DEVICE_MEMORY_CLOCK_KHZ = 36,
    DEVICE_L2_BYTES = 38,
    DEVICE_CAPABILITY_MAJOR = 75,
    DEVICE_CAPABILITY_MINOR = 76,
    FUNCTION_STATIC_SHARED_BYTES = 1,
    FUNCTION_LOCAL_BYTES = 3,
    FUNCTION_REGISTERS = 4,
    FUNCTION_PTX_VERSION = 5,
    FUNCTION_BINARY_VERSION = 6,
    FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
};

/* CUresult. */
enum { DRIVER_INVALID_VALUE = 1, DRIVER_OUT_OF_RESOURCES = 701 };

/* Loads the library and initialises device 0; false, with the reason on stderr, where there is no
 * driver or no GPU. No context is made. */
bool driver_load(struct driver *driver, int *device);
const char *driver_error_name(const struct driver *driver, int code);
/* Loads PTX text as a module; on failure the driver's own words go to stderr. 0 or its code. */
int driver_load_module(const struct driver *driver, const char *ptx, const char *name,
                       void **module);

#endif

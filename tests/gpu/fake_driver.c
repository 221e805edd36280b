/* A CUDA driver that computes nothing: what the tests do when a launch fails is tried without a
 * GPU.
 *
 * Named libcuda.so.1 and found first, it takes every module and every launch. A module whose text
 * holds the word of FAKE_REFUSE is refused when it is launched, one with that of FAKE_FAULT stops
 * the context, which then answers every call with the same code, as the real one does.
 * cuProfilerStart() and Stop() must stand in pairs around a launch; where they do not, the calls
 * fail. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID_VALUE = 1, ILLEGAL_ADDRESS = 700, OUT_OF_RESOURCES = 701 };

typedef unsigned long long gpu_pointer;

static struct {
    int broken; /* what the context answers from now on */
    bool profiling;
} state;

static bool holds_word(const char *text, const char *variable) {
    const char *word = getenv(variable);
    return word && *word && strstr(text, word);
}

int cuInit(unsigned flags) {
    return flags ? INVALID_VALUE : OK;
}

int cuDriverGetVersion(int *version) {
    *version = 13000;
    return OK;
}

int cuGetErrorName(int code, const char **name) {
    *name = code == OUT_OF_RESOURCES  ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
            : code == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                      : "CUDA_ERROR_INVALID_VALUE";
    return OK;
}

int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return OK;
}

int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, (size_t)size, "fake device %d", device);
    return OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = attribute + device;
    return OK;
}

int cuCtxCreate_v2(void **context, unsigned flags, int device) {
    (void)flags, (void)device;
    *context = &state;
    return state.broken;
}

int cuCtxDestroy_v2(void *context) {
    return context == &state ? OK : INVALID_VALUE;
}

int cuCtxSynchronize(void) {
    return state.broken;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
    (void)count, (void)options, (void)values;
    *module = strdup(image);
    return state.broken;
}

int cuModuleUnload(void *module) {
    free(module);
    return state.broken;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = module;
    return strstr(module, name) ? state.broken : INVALID_VALUE;
}

int cuFuncGetAttribute(int *value, int attribute, void *function) {
    (void)attribute;
    *value = holds_word(function, "FAKE_REFUSE") ? 96 : 16;
    return state.broken;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
    (void)function, (void)attribute, (void)value;
    return state.broken;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared_bytes) {
    (void)function, (void)threads, (void)shared_bytes;
    *blocks = 1;
    return state.broken;
}

int cuMemAlloc_v2(gpu_pointer *pointer, size_t bytes) {
    *pointer = bytes ? 0x7f0000000000 : 0;
    return state.broken;
}

int cuMemFree_v2(gpu_pointer pointer) {
    return pointer ? state.broken : INVALID_VALUE;
}

int cuMemcpyHtoD_v2(gpu_pointer to, const void *from, size_t bytes) {
    return to && (from || !bytes) ? state.broken : INVALID_VALUE;
}

int cuMemcpyDtoH_v2(void *to, gpu_pointer from, size_t bytes) {
    memset(to, 0, from ? bytes : 0);
    return state.broken;
}

int cuMemcpyDtoDAsync_v2(gpu_pointer to, gpu_pointer from, size_t bytes, void *stream) {
    (void)bytes, (void)stream;
    return to && from ? state.broken : INVALID_VALUE;
}

int cuMemsetD8_v2(gpu_pointer to, unsigned char value, size_t bytes) {
    (void)value, (void)bytes;
    return to ? state.broken : INVALID_VALUE;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **parameters, void **extra) {
    (void)shared_bytes, (void)stream, (void)parameters, (void)extra;
    if (!grid_x || !grid_y || !grid_z || !block_x || !block_y || !block_z)
        return INVALID_VALUE;
    if (holds_word(function, "FAKE_REFUSE"))
        return OUT_OF_RESOURCES;
    if (holds_word(function, "FAKE_FAULT"))
        state.broken = ILLEGAL_ADDRESS; /* seen by the next call */
    return OK;
}

int cuEventCreate(void **event, unsigned flags) {
    (void)flags;
    *event = &state;
    return state.broken;
}

int cuEventDestroy_v2(void *event) {
    return event ? state.broken : INVALID_VALUE;
}

int cuEventRecord(void *event, void *stream) {
    (void)stream;
    return event ? state.broken : INVALID_VALUE;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    *milliseconds = 1.0f;
    return start && end ? state.broken : INVALID_VALUE;
}

int cuProfilerStart(void) {
    int code = state.profiling ? INVALID_VALUE : state.broken;
    state.profiling = true;
    return code;
}

int cuProfilerStop(void) {
    int code = state.profiling ? state.broken : INVALID_VALUE;
    state.profiling = false;
    return code;
}

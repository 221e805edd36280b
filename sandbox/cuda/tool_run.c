/* Uses of tools.cu in the worker: buffers made by a rule and compared with it, and the copy that
 * says how fast the card's memory is. */
#include "sandbox/cuda/gpu.h"

#include "sandbox/cuda/tools.h"

enum { TOOL_BLOCK = 256, TOOL_GRID = 4096, COPIES = 7 };

/* The module and one of its kernels; the module is to be unloaded where it is not NULL. */
static int load(const struct gpu *gpu, const char *kernel, void **module, void **function) {
    *module = NULL;
    int code = gpu->driver.cuModuleLoadData(module, gpu->tools_image);
    return code ? code : gpu->driver.cuModuleGetFunction(function, *module, kernel);
}

/* Both kernels take the same arguments, the comparison one more. */
static int launch(const struct gpu *gpu, void *function, const struct engine_argument *argument,
                  gpu_address at, gpu_address found) {
    const struct element_info *info = &element_infos[argument->type];
    const struct engine_fill *fill = &argument->fill;
    unsigned long long count = argument->count, seed = fill->seed;
    int kind = (int)fill->kind, bytes = (int)info->bytes, is_float = info->is_float;
    int drawn = fill->is_drawn && element_infos[fill->drawn].is_float
                    ? (int)element_infos[fill->drawn].bytes
                    : 0;
    double low = fill->low, high = fill->high;
    void *parameters[] = {&at,    &count, &kind, &bytes, &is_float,
                          &drawn, &seed,  &low,  &high,  &found};
    uint64_t blocks = (count + TOOL_BLOCK - 1) / TOOL_BLOCK;
    return gpu->driver.cuLaunchKernel(function, blocks < TOOL_GRID ? (unsigned)blocks : TOOL_GRID,
                                      1, 1, TOOL_BLOCK, 1, 1, 0, NULL, parameters, NULL);
}

int gpu_fill(const struct gpu *gpu, const struct engine_argument *argument, gpu_address at) {
    const struct driver *driver = &gpu->driver;
    if (argument->count == 0)
        return DRIVER_OK;
    if (argument->fill.kind == ENGINE_FILL_ZERO)
        return driver->cuMemsetD8Async(at, 0, argument->count * element_infos[argument->type].bytes,
                                       NULL);
    void *module, *function;
    int code = load(gpu, TOOLS_FILL, &module, &function);
    if (code == DRIVER_OK)
        code = launch(gpu, function, argument, at, 0);
    if (code == DRIVER_OK)
        code = driver->cuCtxSynchronize();
    if (module)
        driver->cuModuleUnload(module);
    return code;
}

int gpu_compare(const struct gpu *gpu, const struct engine_argument *argument, gpu_address at,
                uint64_t *differing, uint64_t *first) {
    const struct driver *driver = &gpu->driver;
    uint64_t found[2] = {0, UINT64_MAX};
    *differing = *first = 0;
    if (argument->count == 0)
        return DRIVER_OK;
    gpu_address place = 0;
    void *module, *function;
    int code = load(gpu, TOOLS_COMPARE, &module, &function);
    if (code == DRIVER_OK)
        code = driver->cuMemAlloc_v2(&place, sizeof found);
    if (code == DRIVER_OK)
        code = driver->cuMemcpyHtoD_v2(place, found, sizeof found);
    if (code == DRIVER_OK)
        code = launch(gpu, function, argument, at, place);
    if (code == DRIVER_OK)
        code = driver->cuMemcpyDtoH_v2(found, place, sizeof found);
    if (place)
        driver->cuMemFree_v2(place);
    if (module)
        driver->cuModuleUnload(module);
    *differing = found[0];
    *first = found[0] ? found[1] : 0;
    return code;
}

/* The fastest of a few: a ceiling, not an average. */
static int time_copies(const struct gpu *gpu, gpu_address from, uint64_t bytes, float *best_ms) {
    const struct driver *driver = &gpu->driver;
    int code = driver->cuMemsetD8Async(from, 0x5a, bytes, NULL);
    for (int i = 0; i < COPIES && code == DRIVER_OK; i++) {
        float ms = 0;
        code = driver->cuEventRecord(gpu->started, NULL);
        if (code == DRIVER_OK)
            code = driver->cuMemcpyDtoDAsync_v2(from + bytes, from, bytes, NULL);
        if (code == DRIVER_OK)
            code = driver->cuEventRecord(gpu->ended, NULL);
        if (code == DRIVER_OK)
            code = driver->cuCtxSynchronize();
        if (code == DRIVER_OK)
            code = driver->cuEventElapsedTime(&ms, gpu->started, gpu->ended);
        if (code == DRIVER_OK && (i == 0 || ms < *best_ms))
            *best_ms = ms;
    }
    return code;
}

void gpu_copy_ceiling(struct gpu *gpu, uint64_t bytes, struct wire_copied *copied) {
    gpu_address place = 0;
    float best_ms = 0;
    *copied = (struct wire_copied){0};
    bytes = bytes / 4096 * 4096;
    int code = bytes && bytes < (uint64_t)1 << 40 ? gpu->driver.cuMemAlloc_v2(&place, 2 * bytes)
                                                  : DRIVER_INVALID_VALUE;
    if (code == DRIVER_OK)
        code = time_copies(gpu, place, bytes, &best_ms);
    if (place)
        gpu->driver.cuMemFree_v2(place);
    if (code == DRIVER_OK && best_ms > 0)
        copied->bytes_per_second = 2.0 * (double)bytes / ((double)best_ms / 1e3);
    else
        copied->failure = (struct wire_failure){.stage = WIRE_STAGE_MEMORY, .code = code};
}

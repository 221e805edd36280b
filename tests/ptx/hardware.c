/* Runs instruction tests on the metal. A kernel that fails takes its context with it, so each
 * failure opens a new one and the tests after it still run. */
#include "hardware.h"

#include "tests/gpu/driver.h"

#include <stdio.h>

static struct driver driver;
static int device;
static void *context;
static gpu_pointer memory;
enum { MEMORY_BYTES = 1 << 20 };

static bool open_context(void) {
    if (context)
        driver.cuCtxDestroy_v2(context);
    return driver.cuCtxCreate_v2(&context, 0, device) == 0 &&
           driver.cuMemAlloc_v2(&memory, MEMORY_BYTES) == 0;
}

bool hardware_open(void) {
    if (!driver_load(&driver, &device))
        return false;
    if (open_context())
        return true;
    fprintf(stderr, "no GPU\n");
    return false;
}

bool hardware_run(const char *ptx, uint64_t *in, uint64_t *out, size_t bytes, const char *name) {
    void *module, *function;
    int code = driver_load_module(&driver, ptx, name, &module);
    if (code)
        return false;
    gpu_pointer arguments[] = {memory, memory + bytes};
    void *parameters[] = {&arguments[0], &arguments[1]};
    bool ran = driver.cuModuleGetFunction(&function, module, "t") == 0 &&
               driver.cuMemcpyHtoD_v2(arguments[0], in, bytes) == 0 &&
               driver.cuMemcpyHtoD_v2(arguments[1], out, bytes) == 0 &&
               driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) == 0 &&
               (code = driver.cuCtxSynchronize()) == 0 &&
               driver.cuMemcpyDtoH_v2(out, arguments[1], bytes) == 0;
    if (ran) {
        driver.cuModuleUnload(module);
        return true;
    }
    fprintf(stderr, "%s: the GPU does not run it (%d)\n", name, code);
    open_context();
    return false;
}

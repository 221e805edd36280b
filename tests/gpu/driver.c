/* Loads libcuda by its stable name and fills the table of driver.h. */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>

enum { JIT_ERROR_BUFFER = 5, JIT_ERROR_BUFFER_BYTES = 6 };

bool driver_load(struct driver *driver, int *device) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "no CUDA driver: %s\n", dlerror());
        return false;
    }
#define F(name, arguments)                                                                         \
    *(void **)&driver->name = dlsym(library, #name);                                               \
    if (!driver->name) {                                                                           \
        fprintf(stderr, "the CUDA driver has no %s\n", #name);                                     \
        return false;                                                                              \
    }
    DRIVER_FUNCTIONS(F)
#undef F
    int code = driver->cuInit(0);
    if (code == 0 && (code = driver->cuDeviceGet(device, 0)) == 0)
        return true;
    fprintf(stderr, "no GPU: %s\n", driver_error_name(driver, code));
    return false;
}

const char *driver_error_name(const struct driver *driver, int code) {
    const char *name = NULL;
    driver->cuGetErrorName(code, &name);
    return name ? name : "an unknown error";
}

int driver_load_module(const struct driver *driver, const char *ptx, const char *name,
                       void **module) {
    char log[4096] = "";
    int options[] = {JIT_ERROR_BUFFER, JIT_ERROR_BUFFER_BYTES};
    void *values[] = {log, (void *)sizeof log};
    int code = driver->cuModuleLoadDataEx(module, ptx, 2, options, values);
    if (code)
        fprintf(stderr, "%s: the driver does not load it (%d): %s\n", name, code, log);
    return code;
}

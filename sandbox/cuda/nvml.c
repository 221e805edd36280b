/* NVML is a luxury: without it a report has no clocks, and nothing else changes. */
#include "sandbox/cuda/nvml.h"

#include "sandbox/cuda/driver.h"

#include <dlfcn.h>

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 }; /* nvmlClockType_t */

void nvml_open(struct nvml *nvml, const char *path, const char *uuid) {
    *nvml = (struct nvml){0};
    void *library = *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*initialise)(void);
    int (*find)(const char *uuid, void **device);
    void *device = NULL;
    if (!library || !driver_symbol(library, "nvmlInit_v2", &initialise) ||
        !driver_symbol(library, "nvmlDeviceGetHandleByUUID", &find) ||
        !driver_symbol(library, "nvmlDeviceGetClockInfo", &nvml->clock) ||
        !driver_symbol(library, "nvmlDeviceGetMaxClockInfo", &nvml->max_clock) ||
        !driver_symbol(library, "nvmlDeviceGetCurrentClocksThrottleReasons", &nvml->throttle))
        return;
    if (initialise() == 0 && find(uuid, &device) == 0)
        nvml->device = device;
}

void nvml_read(const struct nvml *nvml, struct cuda_clocks *clocks) {
    unsigned long long reasons = 0;
    *clocks = (struct cuda_clocks){0};
    if (!nvml->device)
        return;
    clocks->available = nvml->clock(nvml->device, CLOCK_SM, &clocks->sm_mhz) == 0 &&
                        nvml->clock(nvml->device, CLOCK_MEMORY, &clocks->memory_mhz) == 0 &&
                        nvml->throttle(nvml->device, &reasons) == 0;
    clocks->throttle = reasons;
    if (nvml->max_clock(nvml->device, CLOCK_SM, &clocks->max_sm_mhz) != 0)
        clocks->max_sm_mhz = 0;
    if (nvml->max_clock(nvml->device, CLOCK_MEMORY, &clocks->max_memory_mhz) != 0)
        clocks->max_memory_mhz = 0;
}

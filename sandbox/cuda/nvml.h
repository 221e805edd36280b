/* Clocks and what slows them, from NVML where there is one. Private to the room; workers only. */
#ifndef WARPGRADE_SANDBOX_CUDA_NVML_H
#define WARPGRADE_SANDBOX_CUDA_NVML_H

#include "sandbox/cuda/session.h"

struct nvml {
    void *device; /* NULL: there is none */
    int (*clock)(void *device, int domain, unsigned *mhz);
    int (*max_clock)(void *device, int domain, unsigned *mhz);
    int (*throttle)(void *device, unsigned long long *reasons);
};

/* "" is no path. Where anything is missing, device stays NULL. */
void nvml_open(struct nvml *nvml, const char *path, const char *uuid);
void nvml_read(const struct nvml *nvml, struct cuda_clocks *clocks);

#endif

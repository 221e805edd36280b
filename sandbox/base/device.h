/* A GPU in numbers, as the cache simulation, the occupancy and the cost model know it. The numbers
 * come from the profiles in sandbox/devices/. */
#ifndef WARPGRADE_SANDBOX_BASE_DEVICE_H
#define WARPGRADE_SANDBOX_BASE_DEVICE_H

struct device_profile {
    char id[32];   /* "h200" */
    char name[64]; /* "NVIDIA H200" */
#define DEVICE_FIELD(name, unit, low, high, summary) double name;
#include "sandbox/base/device.def"
#undef DEVICE_FIELD
};

#endif

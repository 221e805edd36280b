/* What streams and kernel nodes of graphs are given besides their work: hints, which are remembered
 * and change nothing, and a few that do. Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_LAUNCH_ATTRIBUTE_H
#define WARPGRADE_SANDBOX_RUNTIME_LAUNCH_ATTRIBUTE_H

#include "sandbox/runtime/abi.h"

/* cudaLaunchAttributeID */
enum {
    ATTRIBUTE_WINDOW = 1,
    ATTRIBUTE_COOPERATIVE = 2,
    ATTRIBUTE_SYNC_POLICY = 3,
    ATTRIBUTE_CLUSTER = 4,
    ATTRIBUTE_CLUSTER_POLICY = 5,
    ATTRIBUTE_EVENT = 7,
    ATTRIBUTE_PRIORITY = 8,
    ATTRIBUTE_DOMAIN_MAP = 9,
    ATTRIBUTE_DOMAIN = 10,
    ATTRIBUTE_PREFERRED_CLUSTER = 11,
    ATTRIBUTE_COMPLETION_EVENT = 12,
    ATTRIBUTE_CARVEOUT = 14,
    ATTRIBUTE_NVLINK = 16,
    ATTRIBUTE_COUNT = 17,
};

/* cudaLaunchAttributeValue */
union launch_value {
    unsigned char room[64];
    int number;
    unsigned extents[3];
    cudaEvent_t event;
    struct {
        void *start;
        size_t bytes;
        float ratio;
        int hit, miss;
    } window;
};
/* cudaLaunchAttribute */
struct launch_attribute {
    int id, unused;
    union launch_value value;
};
_Static_assert(sizeof(struct launch_attribute) == 72, "as in CUDA 13.0's driver_types.h");

/* Those that have been set, by their ids. */
struct launch_attributes {
    union launch_value values[ATTRIBUTE_COUNT];
    uint32_t set; /* a bit for each */
};

/* Which ids there are for streams and for nodes of graphs. */
enum {
    ATTRIBUTES_OF_STREAMS = 1u << ATTRIBUTE_WINDOW | 1u << ATTRIBUTE_SYNC_POLICY |
                            1u << ATTRIBUTE_PRIORITY | 1u << ATTRIBUTE_DOMAIN_MAP |
                            1u << ATTRIBUTE_DOMAIN | 1u << ATTRIBUTE_NVLINK,
    ATTRIBUTES_OF_NODES = 1u << ATTRIBUTE_WINDOW | 1u << ATTRIBUTE_COOPERATIVE |
                          1u << ATTRIBUTE_CLUSTER | 1u << ATTRIBUTE_CLUSTER_POLICY |
                          1u << ATTRIBUTE_PRIORITY | 1u << ATTRIBUTE_DOMAIN_MAP |
                          1u << ATTRIBUTE_DOMAIN | 1u << ATTRIBUTE_PREFERRED_CLUSTER |
                          1u << ATTRIBUTE_CARVEOUT | 1u << ATTRIBUTE_NVLINK,
};

/* `allowed`: one of the two above. cudaErrorInvalidValue for another id, or a value that no card
 * takes. One that was not set has its default. */
cudaError_t attribute_set(struct launch_attributes *attributes, unsigned allowed, int id,
                          const union launch_value *value);
cudaError_t attribute_get(const struct launch_attributes *attributes, unsigned allowed, int id,
                          union launch_value *value);

#endif

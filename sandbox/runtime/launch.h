/* A launch that is ready to be sent. Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_LAUNCH_H
#define WARPGRADE_SANDBOX_RUNTIME_LAUNCH_H

#include "sandbox/runtime/runtime.h"

struct launch {
    struct wire_launch head;
    unsigned char parameters[WIRE_PARAMETER_BYTES_MAX]; /* as many as head says */
};

struct launch_shape {
    dim3 grid, block;
    size_t shared_bytes;
    bool cooperative;
    unsigned cluster[3]; /* blocks; 0: not said */
};

/* Loads the kernel, and takes the arguments' values. */
cudaError_t launch_pack(struct kernel *kernel, const struct launch_shape *shape, void **arguments,
                        struct launch *launch);
/* None of its extents is 0. */
bool launch_is_cluster(const unsigned *blocks);
/* What the attributes of a launch say; the others are hints. */
struct launch_extras {
    bool cooperative;
    unsigned cluster[3];
    cudaEvent_t event; /* recorded after it; NULL: none */
};
cudaError_t launch_read_attributes(const struct launch_config *config,
                                   struct launch_extras *extras);
size_t launch_bytes(const struct launch *launch);
/* By the stream of work_begin(); site 0: from where we were called. */
cudaError_t launch_send(const struct launch *launch, uint32_t site);

#endif

/* A launch from beginning to end, between the files of this room. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_LAUNCH_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_LAUNCH_H

#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/state/launch.h"

/* launch.c: how many blocks take turns, where they may wait for each other. */
size_t launch_resident_limit(const struct launch *launch);

/* host_view.c: where a kernel's parameters lie; false where they are too many. */
bool launch_parameters(const struct ptx_function *kernel, struct sim_parameter *parameters,
                       size_t *count);

/* setup.c: validates the launch and lays its memory out. False with a message or a hazard. */
bool launch_open(struct launch *launch, struct sim_module *module, struct engine_result *result);
uint64_t launch_block_bytes(const struct launch *launch); /* registers, local and shared memory */
void launch_close(struct launch *launch);

/* contents.c: brings all memory back to what it was before the first instruction. */
void launch_fill_memory(struct launch *launch);
/* Hands the caller what the launch has left in its buffers. */
void launch_read_back(struct launch *launch);

/* result.c: host threads -> engine_result. */
void launch_collect(struct launch *launch, struct engine_result *result);

/* What the launch has left in the module's variables, by window; `count` is its allocation_count.
 * Its heap is not kept. */
uint64_t launch_variable_bytes(const struct launch *launch);
unsigned char **launch_variables(const struct launch *launch);
void launch_variables_free(unsigned char **variables, uint32_t count);

#endif

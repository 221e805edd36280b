/* Threads that went past a barrier or a warp-level operation that others wait at. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_BARRIER_BYPASS_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_BARRIER_BYPASS_H

#include "sandbox/simgpu/state/host_thread.h"

#include <stdbool.h>
#include <stdint.h>

struct host_thread;

/* Is the point `to` (PC_NONE: none) after the one at `from`? In a loop that holds both, what
 * comes later in its body is; what is reached only by another turn of the loop is not, but for what
 * lies after the whole loop. The last answer is kept in the host thread. */
bool barrier_bypass_is_after(struct host_thread *host_thread, uint32_t from, uint32_t to);

#endif

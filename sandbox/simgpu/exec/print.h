/* Functions that every kernel may call: printf, assert, malloc, free. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_PRINT_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_PRINT_H

#include "sandbox/simgpu/state/warp.h"

void builtin_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
                  lane_mask lanes);

#endif

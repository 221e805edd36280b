/* Special registers (PTX ISA 9.0, chapter 10). */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_SPECIAL_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_SPECIAL_H

#include "sandbox/simgpu/state/warp.h"

void special_fill(struct warp *warp, const struct program_function *function,
                  unsigned char *registers);
uint64_t special_clock(const struct warp *warp, enum special special);

struct dim3 special_thread_index(const struct warp *warp, unsigned lane);

#endif

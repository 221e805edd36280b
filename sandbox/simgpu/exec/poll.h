/* Noticing threads that read the same again and again. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_POLL_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_POLL_H

#include "sandbox/simgpu/state/warp.h"

/* The first lane has read `value` by an access that waits for others, perhaps. */
void warp_poll_elsewhere(struct warp *warp, uint32_t pc, uint64_t address,
                         uint64_t value); /* warp.c */
static inline void warp_note_poll(struct warp *warp, uint32_t pc, uint64_t address,
                                  uint64_t value) {
    struct poll *poll = &warp->poll;
    if (poll->pc == pc && poll->address == address && poll->value == value)
        poll->count++;
    else
        warp_poll_elsewhere(warp, pc, address, value);
}

#endif

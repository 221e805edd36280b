/* Threads that read the same again and again, and that sleep until there is something new. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_POLL_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_POLL_H

#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

/* The first lane has read `value` by an access that waits for others, perhaps. */
void warp_poll_elsewhere(struct warp *warp, uint32_t pc, uint64_t address, uint64_t value);
static inline void warp_note_poll(struct warp *warp, uint32_t pc, uint64_t address,
                                  uint64_t value) {
    struct poll *poll = &warp->poll;
    if (poll->pc == pc && poll->address == address && poll->value == value)
        poll->count++;
    else
        warp_poll_elsewhere(warp, pc, address, value);
}

/* After an atomic: has it changed the location that it has just polled? */
static inline void poll_note_atomic(struct warp *warp, const unsigned char *place, unsigned bytes) {
    if (warp->poll.count)
        warp->poll.wrote |= memcmp(&warp->poll.value, place, bytes < 8 ? bytes : 8) != 0;
}

/* Has the running split, which has slept in this loop, looked in vain again at what it slept for?
 */
bool poll_dozes(const struct warp *warp, const struct split *split);

/* Lanes that part from others have slept as they did. */
static inline void poll_inherit(struct split *split, const struct split *before) {
    if (!before->dozed)
        return;
    split->dozed = true;
    split->polled_count = before->polled_count;
    memcpy(split->polled, before->polled, sizeof split->polled);
}

/* The running split has polled in vain: true where it sleeps now. */
bool poll_sleep(const struct warp *warp, struct split *split);
/* Is a runnable split awake? One that sleeps wakes when a location holds something else. */
bool poll_wakes(const struct warp *warp, struct split *split);
/* The warp's turn begins, one more of those that its splits sleep for. */
void poll_start_turn(struct warp *warp);

#endif

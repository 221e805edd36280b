/* Values that were loaded from memory nobody had written: reported when they are used. See
 * poison.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_POISON_H
#define WARPGRADE_SANDBOX_SIMGPU_POISON_H

#include "sandbox/simgpu/machine.h"

/* Can the load leave its report to the first use of the value? */
bool poison_can_wait(const struct warp *warp, const struct insn *insn);
/* The lanes have loaded `bytes` bytes at their addresses, not all of them initialised. */
void poison_load(struct warp *warp, const struct insn *insn, lane_mask lanes,
                 const device_address *addresses, unsigned bytes);
/* Called before and after an instruction while the warp holds such values. */
void poison_before(struct warp *warp, const struct insn *insn, lane_mask lanes);
void poison_after(struct warp *warp, const struct insn *insn, lane_mask lanes);
/* A frame begins: its registers that the function may read before it writes them hold nothing. */
void poison_start(struct warp *warp, const struct frame *frame, lane_mask lanes);
/* A branch whose guard comes of such a register. */
void poison_branch(struct warp *warp, const struct insn *insn, lane_mask lanes);
/* `bytes` bytes of one frame's parameters are copied to another's: by a call, by a return. */
struct poison_place {
    const struct frame *frame;
    uint32_t offset; /* in its parameters */
};
void poison_pass(struct warp *warp, lane_mask lanes, const struct poison_place *to,
                 const struct poison_place *from, uint32_t bytes);
void poison_forget_frame(struct warp *warp, const struct frame *frame); /* NULL: all */

static inline void execute_insn(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (__builtin_expect(warp->poison_count == 0, 1)) {
        insn->execute(warp, insn, lanes);
        return;
    }
    poison_before(warp, insn, lanes);
    insn->execute(warp, insn, lanes);
    poison_after(warp, insn, lanes);
}

#endif

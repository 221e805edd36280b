/* What the warp's loop does with splits: see split.c. Pointers to splits are into warp->splits and
 * are not valid after anything that adds or removes one, but where it is said. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_SPLIT_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_SPLIT_H

#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

/* A new split after the others; the ones that are there stay where they are. */
struct split *split_add(struct warp *warp, uint32_t pc, lane_mask lanes, struct frame *frame,
                        struct join *join);
/* Lanes that a guard leaves out continue after the instruction, on their own; `split` stays valid.
 */
void split_leave_out(struct warp *warp, struct split *split, lane_mask lanes);
/* The lanes `taken` go to `target` in a split of their own; `split` stays valid. */
void split_diverge(struct warp *warp, struct split *split, const struct insn *insn, lane_mask taken,
                   uint32_t target);
void split_exit(struct warp *warp, struct split *split, uint32_t pc, lane_mask lanes);
/* False when the launch must stop (reported); else `split` stands in the callee. */
bool split_call(struct warp *warp, struct split *split, const struct insn *insn, lane_mask lanes);
void split_return(struct warp *warp, struct split *split, lane_mask lanes);
/* True when all lanes have come: then they are the last split of the warp. */
bool split_arrive_at_join(struct warp *warp, struct split *split, struct join *join);
/* What a split that passes the join at pc has come by: the join, or what it had before where only
 * the kernel's end follows. */
uint32_t split_passed_join(const struct warp *warp, uint32_t pc, uint32_t before);
void split_free_join(struct warp *warp, struct join *join);
void split_open_frame(struct warp *warp, const struct frame *frame, lane_mask lanes);

#endif

/* Values that were never written: followed through registers and memory, reported when they are
 * used. See undef.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_UNDEF_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_UNDEF_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

/* Fills program->touched, once it is decoded. */
void undef_prepare(struct program *program);
/* Can the load leave its report to the first use of the value? */
bool undef_can_wait(const struct insn *insn);
/* The lanes have loaded `bytes` bytes at their addresses, not all of them initialised. */
void undef_load(struct warp *warp, const struct insn *insn, lane_mask lanes,
                const device_address *addresses, unsigned bytes);
/* An access that cannot wait meets bytes that are not initialised: true where that is no mistake of
 * its own, because they are so only in part, or hold what came of another load, which is reported.
 */
bool undef_excuses(struct warp *warp, const struct insn *insn, unsigned lane,
                   const struct memory_location *place, unsigned bytes);
/* Executes an instruction while the warp holds such values. */
void undef_execute(struct warp *warp, const struct insn *insn, lane_mask lanes);
/* A shuffle has given the lanes values of others that do not participate in it. */
void undef_absent(struct warp *warp, const struct insn *insn, lane_mask lanes);
/* A frame begins: its registers that the function may read before it writes them hold nothing. */
void undef_start(struct warp *warp, const struct frame *frame, lane_mask lanes);
/* Called while the warp holds such values. What the scheduler does not execute uses its operands:
 * guards, barriers, indexed branches, calls through pointers and of what every kernel may call. */
__attribute__((cold)) void undef_guard(struct warp *warp, const struct insn *insn, lane_mask lanes);
__attribute__((cold)) void undef_operands(struct warp *warp, const struct insn *insn,
                                          lane_mask lanes);
__attribute__((cold)) void undef_call(struct warp *warp, const struct insn *insn,
                                      const struct call_site *call, lane_mask lanes);
/* A lane prints `bytes` bytes of its memory. */
void undef_print(struct warp *warp, const struct insn *insn, unsigned lane, device_address address,
                 unsigned bytes);
/* `bytes` bytes of one frame's parameters are copied to another's: by a call, by a return. */
struct undef_parameters {
    const struct frame *frame;
    uint32_t offset; /* in its parameters */
};
void undef_pass(struct warp *warp, lane_mask lanes, const struct undef_parameters *to,
                const struct undef_parameters *from, uint32_t bytes);
void undef_forget_frame(struct warp *warp, const struct frame *frame); /* NULL: all */
/* undef_memory.c: a block begins, or is freed. */
void undef_forget_memory(struct block *block);

static inline void execute_insn(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (__builtin_expect(warp->undef_count == 0, 1))
        insn->execute(warp, insn, lanes);
    else
        undef_execute(warp, insn, lanes);
}

#endif

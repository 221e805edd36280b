/* Splits that poll, and sleep while what they poll does not change.
 *
 * A split that finds the same value again and again waits for another thread. It sleeps: its turns
 * are left out until one of the locations holds something else. So the threads that wait for a lock
 * cost nothing while another one has it, and do not use up the budget of a kernel that is right. It
 * is a schedule like any other, for a card may also let a thread look rarely.
 *
 * What a split polls is known of its first lane alone, and a loop may end after so many trips. So
 * none sleeps for long: each looks again after a number of turns, and all do at once where all
 * sleep. Those are the rounds in which spin_deadlock.c looks for threads that wait for ever. A
 * split does not sleep whose loop writes something: it works, or hands something on. */
#include "sandbox/simgpu/exec/poll.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"

#include "sandbox/base/memory.h"

enum { NAPS = 64 };

/* A loop may poll several locations in turn: it waits when all of them stay what they were. */
void warp_poll_elsewhere(struct warp *warp, uint32_t pc, uint64_t address, uint64_t value) {
    struct poll *poll = &warp->poll;
    struct poll_place last = {poll->pc, poll->address, poll->value};
    unsigned i = 0;
    while (i < poll->earlier_count && poll->earlier[i].pc != pc)
        i++;
    bool again = i < poll->earlier_count && poll->earlier[i].address == address &&
                 poll->earlier[i].value == value;
    poll->count = again ? poll->count + 1 : 0;
    poll->wrote &= again;
    if (i == poll->earlier_count)
        i = poll->earlier_count < ARRAY_LENGTH(poll->earlier) ? poll->earlier_count++ : 0;
    if (last.pc != pc)
        poll->earlier[i] = last;
    poll->pc = pc;
    poll->address = address;
    poll->value = value;
}

/* Local memory changes by the thread itself: no other one wakes it. */
static bool is_unchanged(const struct warp *warp, unsigned lane, const struct poll_place *place) {
    const struct insn *insn = &warp->block->launch->program->code[place->pc];
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8; /* 0: an mbarrier */
    struct memory_location at =
        memory_locate(warp, (enum ptx_space)insn->space, lane, place->address);
    bytes = bytes && bytes < sizeof place->value ? bytes : (unsigned)sizeof place->value;
    return (at.space == SPACE_GLOBAL || at.space == SPACE_SHARED) && at.left >= bytes &&
           memcmp(at.bytes, &place->value, bytes) == 0;
}

static bool is_still(const struct warp *warp, const struct split *split) {
    for (unsigned i = 0; i < split->polled_count; i++)
        if (!is_unchanged(warp, (unsigned)__builtin_ctz(split->lanes), &split->polled[i]))
            return false;
    return true;
}

bool poll_sleep(const struct warp *warp, struct split *split) {
    const struct poll *poll = &warp->poll;
    split->polled_count = 0;
    for (unsigned i = 0; i < poll->earlier_count; i++)
        if (poll->earlier[i].pc != PC_NONE)
            split->polled[split->polled_count++] = poll->earlier[i];
    split->polled[split->polled_count++] =
        (struct poll_place){poll->pc, poll->address, poll->value};
    split->naps = poll->wrote || !is_still(warp, split) ? 0 : NAPS;
    return split->naps;
}

bool poll_wakes(const struct warp *warp, struct split *split) {
    if (split->naps && !warp->block->roused && is_still(warp, split))
        return false;
    split->naps = 0;
    return true;
}

void poll_start_turn(struct warp *warp) {
    for (unsigned i = 0; i < warp->split_count; i++)
        if (warp->splits[i].naps)
            warp->splits[i].naps--;
}

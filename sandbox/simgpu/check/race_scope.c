/* Memory scopes (PTX ISA 8.5 and 8.7): which strong accesses are atomic for each other.
 *
 * Two atomic, volatile or ordered accesses are no race where each one's scope holds the other's
 * thread ("morally strong"). Device and system scope hold all threads of a launch, block scope
 * those of the same block, as does cluster scope where clusters have one block; where they have
 * several, it is taken for the device's, so that a race between clusters may be missed. What
 * fences and releases of block scope order is in race_order.c.
 *
 * For the report this file notes for each block up to which time its accesses were published with
 * block scope only, and whether it read what others published with block scope only. A later race
 * across blocks gets the scope as its reason. It is a hint, not a part of the verdict.
 */
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NOTED_BLOCKS = 1 << 20 };

struct block_reach {
    uint32_t held_until; /* accesses before, by the block's time, were published to itself ... */
    uint32_t far_until;  /* ... and those before this time, to all */
    bool looked;         /* by a load or an atomic of block scope, at what was published to all */
};

static const struct insn *insn_of(const struct launch *launch, const struct access_record *record) {
    return &launch->program->code[record->pc];
}

bool race_is_mutual_apart(const struct warp *warp, const struct insn *insn,
                          const struct access_record *other) {
    return !insn_is_scope_cta(insn) && !insn_is_scope_cta(insn_of(warp->block->launch, other));
}

unsigned race_rank(const struct launch *launch, const struct access_record *record) {
    if (!record->strong)
        return 0;
    return launch->program->scoped && insn_is_scope_cta(insn_of(launch, record)) ? 1 : 2;
}

/* ---- for the report -----------------------------------------------------------------------------
 */

/* Until when accesses of these lanes are before a fence, but none that reaches other blocks. */
static uint32_t held_until(const struct warp *warp, lane_mask lanes) {
    const uint32_t *near = warp->fences[REACH_BLOCK].time, *far = warp->fences[REACH_DEVICE].time;
    uint32_t last = 0;
    for (lane_mask rest = lanes & warp->fences[REACH_BLOCK].lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (near[lane] > far[lane] && near[lane] > last)
            last = near[lane];
    }
    return last;
}

static struct block_reach *reach_of(struct launch *launch, uint64_t block) {
    if (!launch->reaches && launch->block_count <= MAX_NOTED_BLOCKS)
        launch->reaches = mem_calloc(launch->block_count, sizeof *launch->reaches);
    return launch->reaches ? &launch->reaches[block] : NULL;
}

void race_note_look(struct warp *warp) {
    struct block_reach *own = reach_of(warp->block->launch, warp->block->index);
    if (own)
        own->looked = true;
}

static void keep_later(uint32_t *time, uint32_t other) {
    *time = other > *time ? other : *time;
}

void race_note_barrier(struct warp *warp) {
    struct block_races *races = &warp->block->races;
    const struct fences *far = &warp->fences[REACH_DEVICE];
    if (warp->fences[REACH_BLOCK].lanes)
        keep_later(&races->held_until, held_until(warp, UINT32_MAX));
    for (lane_mask rest = far->lanes; rest; rest &= rest - 1)
        keep_later(&races->far_until, far->time[__builtin_ctz(rest)]);
}

void race_note_store(struct warp *warp, const struct insn *insn, unsigned lane) {
    const struct block_races *races = &warp->block->races;
    struct block_reach *own = reach_of(warp->block->launch, warp->block->index);
    if (!own)
        return;
    keep_later(&own->held_until, races->held_until);
    keep_later(&own->held_until, held_until(warp, (lane_mask)1 << lane));
    if (insn_is_scope_cta(insn)) {
        keep_later(&own->held_until, warp->fences[REACH_BLOCK].time[lane]);
        return;
    }
    keep_later(&own->far_until, warp->fences[REACH_DEVICE].time[lane]);
    keep_later(&own->far_until, races->far_until);
}

void race_forget_reach(struct launch *launch) {
    free(launch->reaches);
    launch->reaches = NULL;
}

/* What atom.cta without an order came from. */
static const char *const functions[OP_COUNT] = {
    [OP_atomic_add] = "atomicAdd",   [OP_atomic_min] = "atomicMin", [OP_atomic_max] = "atomicMax",
    [OP_atomic_inc] = "atomicInc",   [OP_atomic_dec] = "atomicDec", [OP_atomic_and] = "atomicAnd",
    [OP_atomic_or] = "atomicOr",     [OP_atomic_xor] = "atomicXor", [OP_atomic_cas] = "atomicCAS",
    [OP_atomic_exch] = "atomicExch",
};

static void say_scope_cta(const struct launch *launch, uint32_t pc, char *buffer, size_t size) {
    const struct insn *insn = &launch->program->code[pc];
    const char *function = functions[insn_op(insn)];
    if (function && insn->order == ORDER_WEAK) {
        snprintf(buffer, size,
                 "%s_block() is atomic only among the threads of one block; between blocks use "
                 "%s()",
                 function, function);
        return;
    }
    snprintf(buffer, size,
             "an access of cuda::thread_scope_block is atomic only among the threads of one "
             "block; between blocks use cuda::thread_scope_device");
}

const char *race_scope_reason(const struct warp *warp, const struct insn *insn,
                              const struct access_record *other, char *buffer, size_t size) {
    const struct launch *launch = warp->block->launch;
    const struct block_reach *reaches = launch->reaches;
    if (!launch->program->scoped)
        return NULL;
    if (insn_is_strong(insn) && other->strong) {
        say_scope_cta(launch, insn_is_scope_cta(insn) ? insn_pc(warp, insn) : other->pc, buffer,
                      size);
        return buffer;
    }
    if (reaches && other->time < reaches[other->block].held_until &&
        other->time >= reaches[other->block].far_until)
        return "the fence or release after the other access orders only threads of its own "
               "block; between blocks use __threadfence() or cuda::thread_scope_device";
    if (reaches && reaches[warp->block->index].looked)
        return "the acquire or atomic by which this block learns of others has block scope; "
               "between blocks use cuda::thread_scope_device";
    return NULL;
}

/* Running a warp: the hot loop and warp-level operations.
 *
 * A warp holds splits, each a set of lanes with one program counter. The loop runs one split until
 * it waits (join, barrier, warp-level operation), ends, or has had its turn: how splits part and
 * meet is in split.c. */
#include "sandbox/simgpu/exec/warp.h"
#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/exec/async.h"
#include "sandbox/simgpu/exec/barrier.h"
#include "sandbox/simgpu/exec/barrier_bypass.h"
#include "sandbox/simgpu/exec/poll.h"
#include "sandbox/simgpu/exec/print.h"
#include "sandbox/simgpu/exec/spin_deadlock.h"
#include "sandbox/simgpu/exec/split.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/stats.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN_LENGTH = 500000, /* warp instructions before other splits and warps have their turn */
    TURN_POLLS = 4,       /* a split that finds the same value so often waits for another thread */
    TURN_NAPS = 64,       /* splits of a warp that fall asleep before other warps have their turn */
    TURN_LOOKS = 256, /* looks of splits that meet at votes again and again: they wait, perhaps */
};

static lane_mask guarded(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (insn->guard == GUARD_NONE)
        return lanes;
    if (__builtin_expect(warp->undef_count != 0, 0))
        undef_guard(warp, insn, lanes);
    lane_mask mask;
    memcpy(&mask, warp->bases[0] + (insn->guard & ~(uint32_t)3), sizeof mask);
    return lanes & (insn->guard & OPERAND_NEGATED ? ~mask : mask);
}

/* The lanes of the warp that the masks of a warp-level operation name, exited ones included. */
static lane_mask named_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const uint32_t *masks = (const uint32_t *)(warp->bases[insn->operands[5] & OPERAND_CONSTANT] +
                                               (insn->operands[5] & ~(uint32_t)3));
    lane_mask named = 0, outside = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        named |= masks[lane];
        outside |= masks[lane] >> lane & 1 ? 0 : rest & -rest;
    }
    if (outside && warp->block->launch->checks) {
        char theirs[LANES_TEXT];
        hazard_describe_lanes(masks[__builtin_ctz(outside)], theirs, sizeof theirs);
        hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_WARP_MASK_MISMATCH, SEVERITY_ERROR,
                      outside, "lane %d executes this with a mask that names %s, and not itself",
                      __builtin_ctz(outside), theirs);
    }
    return named & warp->existing;
}

/* `how`: what kept the absent lanes away. */
static void report_absent(struct warp *warp, uint32_t pc, uint32_t other_pc, lane_mask present,
                          lane_mask absent, const char *how) {
    char here[LANES_TEXT], there[LANES_TEXT];
    hazard_describe_lanes(present, here, sizeof here);
    hazard_describe_lanes(absent, there, sizeof there);
    hazard_report(warp, pc, other_pc, HAZARD_WARP_MASK_MISMATCH, SEVERITY_ERROR, present,
                  "%s execute%s this warp-level operation and its mask also names %s, which %s",
                  here, present & (present - 1) ? "" : "s", there, how);
}

/* Lanes that have left the kernel need not come, unless they went past the operation to get there.
 */
static void check_bypassed(struct warp *warp, uint32_t pc, lane_mask present, lane_mask exited) {
    lane_mask bypassed = 0;
    for (lane_mask rest = exited; rest; rest &= rest - 1)
        if (barrier_bypass_is_after(warp->host_thread, pc, warp->exit_passed[__builtin_ctz(rest)]))
            bypassed |= rest & -rest;
    if (!bypassed || !warp->block->launch->checks)
        return;
    report_absent(warp, pc, warp->exit_passed[__builtin_ctz(bypassed)], present, bypassed,
                  "went past it without executing it and left the kernel");
}

static void use_frame(struct warp *warp, struct frame *frame) {
    warp->frame = frame;
    warp->bases[0] = frame->registers;
}

/* Each lane's mask, from the split's own frame. */
static const uint32_t *split_masks(const struct warp *warp, const struct split *split) {
    uint32_t operand = warp->block->launch->program->code[split->pc].operands[5];
    return (
        const uint32_t *)((operand & OPERAND_CONSTANT ? warp->bases[1] : split->frame->registers) +
                          (operand & ~(uint32_t)3));
}

/* Lanes that name the same mask are ordered with each other: one event for each mask. */
static void sync_groups(struct warp *warp, const uint32_t *masks, lane_mask lanes) {
    bool tracked = warp->tracked;
    while (lanes) {
        uint32_t mask = masks[__builtin_ctz(lanes)];
        lane_mask group = 0;
        for (lane_mask rest = lanes; rest; rest &= rest - 1)
            if (masks[__builtin_ctz(rest)] == mask)
                group |= rest & -rest;
        warp->tracked = tracked;
        race_warp_sync(warp, group);
        lanes &= ~group;
    }
}

static void execute_together(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    warp->absent = 0;
    execute_insn(warp, insn, lanes);
    if (warp->absent && warp->block->launch->checks)
        undef_absent(warp, insn, warp->absent);
}

static bool same_place(const struct split *a, const struct split *b) {
    return a->pc == b->pc && a->frame == b->frame;
}

/* Lanes that name each other must do so with the same mask. */
static bool same_masks(const struct warp *warp, const struct split *a, const struct split *b) {
    const uint32_t *masks = split_masks(warp, a), *others = split_masks(warp, b);
    for (lane_mask rest = a->lanes; rest; rest &= rest - 1) {
        uint32_t mask = masks[__builtin_ctz(rest)];
        for (lane_mask named = mask & b->lanes; named; named &= named - 1)
            if (others[__builtin_ctz(named)] != mask)
                return false;
    }
    return true;
}

/* Do splits that wait for lanes of their warp wait for each other? */
static bool waits_together(const struct warp *warp, const struct split *a, const struct split *b) {
    const struct insn *code = warp->block->launch->program->code;
    return same_place(a, b) ||
           (insn_syncs_anywhere(&code[a->pc]) && insn_syncs_anywhere(&code[b->pc]) &&
            a->sync_mask == b->sync_mask && same_masks(warp, a, b) && same_masks(warp, b, a));
}

/* The lanes that have come to where the split waits. */
static lane_mask waiting_with(const struct warp *warp, const struct split *split) {
    lane_mask waiting = 0;
    for (unsigned i = 0; i < warp->split_count; i++)
        if (warp->splits[i].state == SPLIT_AT_WARP_SYNC &&
            waits_together(warp, split, &warp->splits[i]))
            waiting |= warp->splits[i].lanes;
    return waiting;
}

/* Executes a warp-level operation for those of the lanes that wait where `first` does; gives them.
 */
static lane_mask execute_place(struct warp *warp, const struct split *first, lane_mask lanes) {
    struct split at = *first;
    const struct insn *insn = &warp->block->launch->program->code[at.pc];
    lane_mask here = 0;
    for (unsigned i = 0; i < warp->split_count; i++) {
        struct split *split = &warp->splits[i];
        if (!(split->lanes & lanes) || !same_place(split, &at))
            continue;
        here |= split->lanes;
        split->state = SPLIT_RUNNABLE;
        split->pc++;
    }
    use_frame(warp, at.frame);
    warp->running = here;
    warp->host_thread->stats[at.pc].warps++;
    warp->host_thread->stats[at.pc].threads += (uint64_t)__builtin_popcount(here);
    execute_together(warp, insn, here);
    return here;
}

/* The lanes have met: one event for all, then each split goes on from where it is. */
static void execute_sync(struct warp *warp, lane_mask lanes) {
    uint32_t masks[WARP_LANES] = {0};
    for (unsigned i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (!(split->lanes & lanes))
            continue;
        const uint32_t *own = split_masks(warp, split);
        for (lane_mask rest = split->lanes; rest; rest &= rest - 1)
            masks[__builtin_ctz(rest)] = own[__builtin_ctz(rest)];
    }
    spin_deadlock_note_change(warp);
    warp->running = lanes;
    sync_groups(warp, masks, lanes);
    for (unsigned i = 0; i < warp->split_count; i++)
        if (warp->splits[i].lanes & lanes)
            lanes &= ~execute_place(warp, &warp->splits[i], lanes);
}

bool warp_release_sync(struct warp *warp) {
    for (unsigned i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state != SPLIT_AT_WARP_SYNC)
            continue;
        lane_mask present = waiting_with(warp, split);
        lane_mask missing = split->sync_mask & ~present & ~warp->exited;
        if (missing && warp->block->launch->checks)
            report_absent(warp, split->pc, PC_NONE, present, missing,
                          missing & (missing - 1) ? "never come" : "never comes");
        check_bypassed(warp, split->pc, present, split->sync_mask & warp->exited);
        execute_sync(warp, present);
        return true;
    }
    return false;
}

/* True when the split can go on at once. */
static bool reach_sync(struct warp *warp, struct split *split, const struct insn *insn) {
    lane_mask named = named_lanes(warp, insn, split->lanes);
    lane_mask alive = named & ~warp->exited;
    if (!(alive & ~split->lanes)) {
        check_bypassed(warp, split->pc, split->lanes, named & ~alive);
        return true;
    }
    split->state = SPLIT_AT_WARP_SYNC;
    split->sync_mask = named;
    lane_mask present = waiting_with(warp, split);
    if (!(alive & ~present)) {
        check_bypassed(warp, split->pc, present, named & ~alive);
        execute_sync(warp, present);
    }
    return false;
}

static void report_unsupported(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    hazard_unsupported(warp, insn_pc(warp, insn), lanes,
                       warp->block->launch->program->unsupported[insn->message]);
    warp->host_thread->stop = true;
}

static bool over_budget(struct warp *warp, uint32_t pc, lane_mask lanes) {
    struct block *block = warp->block;
    bool expired = atomic_load_explicit(&block->launch->expired, memory_order_relaxed);
    if (block->executed <= block->budget && !expired)
        return false;
    if (!expired)
        hazard_budget(warp, pc, lanes);
    warp->host_thread->stop = true;
    return true;
}

enum step_outcome {
    OUTCOME_WAITS,
    OUTCOME_SLEEPS,
    OUTCOME_TURN_OVER,
    OUTCOME_SLICE_OVER,
    OUTCOME_STOP
};

/* Runs one split. `split` is not valid afterwards. */
static enum step_outcome run_split(struct warp *warp, struct split *split) {
    struct host_thread *host_thread = warp->host_thread;
    struct block *block = warp->block;
    const struct insn *code = block->launch->program->code;
    struct insn_stats *stats = host_thread->stats;
    const uint8_t *turn_before = block->launch->turn_before;
    uint32_t pc = split->pc, start = pc; /* of the straight line that is being executed */
    if (warp->line_start != PC_NONE) {
        start = warp->line_start;
        warp->line_start = PC_NONE;
    }
    observe_line(warp, start);
    lane_mask lanes = split->lanes, mask;
    uint64_t active = (uint64_t)__builtin_popcount(lanes), turn = warp->turn;
    uint64_t slice_end = turn + block->launch->turn_slice;
    use_frame(warp, split->frame);
    warp->running = lanes;
    if (warp->poll.lanes != lanes) { /* else it comes back from a call in its loop */
        warp->poll.pc = PC_NONE;
        warp->poll.count = warp->poll.earlier_count = 0;
        warp->poll.lanes = lanes;
    }
    for (;;) {
        const struct insn *insn = &code[pc];
        if (insn->flow != FLOW_JOIN) {
            stats[pc].warps++;
            stats[pc].threads += active;
            block->executed += active;
            turn++;
        }
        switch ((enum flow)insn->flow) {
        case FLOW_EXECUTE:
            mask = lanes;
            if (insn->guard != GUARD_NONE) {
                mask = guarded(warp, insn, lanes);
                stats[pc].guarded_lanes += active - (uint64_t)__builtin_popcount(mask);
            }
            if (mask)
                execute_insn(warp, insn, mask);
            pc++;
            if (turn_before && turn_before[pc]) {
                split->pc = pc;
                warp->line_start = start;
                warp->turn = turn;
                warp->slice_over = true;
                return OUTCOME_SLICE_OVER;
            }
            continue;
        case FLOW_JOIN:
            if (!split->join || split->join->pc != pc || split->join->frame != split->frame) {
                split->passed = split_passed_join(warp, pc, split->passed);
                pc++;
                continue;
            }
            observe_path(warp, start, pc);
            warp->turn = turn;
            if (!split_arrive_at_join(warp, split, split->join))
                return OUTCOME_WAITS;
            split = &warp->splits[warp->split_count - 1]; /* where join_resume put it */
            pc = start = observe_line(warp, split->pc);
            lanes = split->lanes;
            active = (uint64_t)__builtin_popcount(lanes);
            warp->running = lanes;
            continue;
        case FLOW_BRANCH: {
            uint32_t target = (uint32_t)insn->target;
            mask = guarded(warp, insn, lanes);
            if (insn->guard != GUARD_NONE)
                split->passed = pc;
            if (mask == lanes) {
                bool backward = target <= pc;
                observe_path(warp, start, pc);
                pc = start = observe_line(warp, target);
                if (!backward)
                    continue;
                split->pc = pc;
                if (over_budget(warp, pc, lanes))
                    return OUTCOME_STOP;
                if (turn > TURN_LENGTH)
                    return OUTCOME_TURN_OVER;
                if (warp->poll.count >= TURN_POLLS || (split->dozed && poll_dozes(warp, split))) {
                    warp->turn = turn;
                    return poll_sleep(warp, split) ? OUTCOME_SLEEPS : OUTCOME_TURN_OVER;
                }
                if (turn > slice_end) {
                    warp->turn = turn;
                    warp->slice_over = true;
                    return OUTCOME_SLICE_OVER;
                }
                continue;
            }
            if (mask) {
                stats[pc].diverged++;
                observe_divergence(warp, start, pc);
                start = split->pc = observe_line(warp, pc + 1);
                split_diverge(warp, split, insn, mask, target);
                lanes = split->lanes;
                active = (uint64_t)__builtin_popcount(lanes);
                warp->running = lanes;
            }
            pc++;
            continue;
        }
        case FLOW_INDEXED: {
            mask = guarded(warp, insn, lanes);
            split->pc = pc;
            split_leave_out(warp, split, mask ? mask : lanes);
            if (!mask) {
                pc++;
                continue;
            }
            if (warp->undef_count != 0)
                undef_operands(warp, insn, mask);
            const uint32_t *targets = &block->launch->program->targets[insn->targets];
            const uint32_t *index = (const uint32_t *)(warp->bases[0] + insn->operands[0]);
            uint32_t first = index[__builtin_ctz(mask)];
            lane_mask others = 0;
            for (lane_mask rest = mask; rest; rest &= rest - 1)
                if (index[__builtin_ctz(rest)] != first)
                    others |= rest & -rest;
            if (first >= targets[0]) { /* undefined by the ISA: end it where it can be seen */
                hazard_report(warp, pc, PC_NONE, HAZARD_TRAP, SEVERITY_ERROR, mask,
                              "an indexed branch with index %u of %u targets", first, targets[0]);
                host_thread->stop = true;
                return OUTCOME_STOP;
            }
            if (others) { /* the others come back to the same instruction */
                stats[pc].diverged++;
                split_diverge(warp, split, insn, others, pc);
            }
            lanes = split->lanes;
            active = (uint64_t)__builtin_popcount(lanes);
            warp->running = lanes;
            observe_path(warp, start, pc);
            pc = start = observe_line(warp, targets[1 + first]);
            split->pc = pc;
            if (over_budget(warp, pc, lanes))
                return OUTCOME_STOP;
            continue;
        }
        case FLOW_EXIT:
        case FLOW_RETURN:
            mask = guarded(warp, insn, lanes);
            if (!mask) {
                pc++;
                continue;
            }
            split->pc = pc;
            observe_path(warp, start, pc);
            warp->turn = turn;
            if (mask != lanes)
                split_leave_out(warp, split, mask);
            if (insn->flow == FLOW_EXIT)
                split_exit(warp, split, pc, mask);
            else
                split_return(warp, split, mask);
            return OUTCOME_WAITS;
        case FLOW_CALL: {
            mask = guarded(warp, insn, lanes);
            const struct call_site *call = &block->launch->program->calls[insn->call];
            split->pc = pc;
            if (mask && warp->undef_count != 0)
                undef_call(warp, insn, call, mask);
            if (mask && call->builtin != BUILTIN_NONE)
                builtin_call(warp, insn, call, mask);
            if (!mask || call->builtin != BUILTIN_NONE) {
                if (host_thread->stop)
                    return OUTCOME_STOP;
                pc++;
                continue;
            }
            if (!split_call(warp, split, insn, mask) || over_budget(warp, pc, mask)) {
                host_thread->stop = true;
                return OUTCOME_STOP;
            }
            observe_path(warp, start, pc);
            pc = start = observe_line(warp, split->pc);
            lanes = split->lanes;
            active = (uint64_t)__builtin_popcount(lanes);
            use_frame(warp, split->frame);
            warp->running = lanes;
            continue;
        }
        case FLOW_BARRIER:
            mask = guarded(warp, insn, lanes);
            if (!mask) {
                stats[pc].guarded_warps++;
                pc++;
                continue;
            }
            split->pc = pc;
            observe_path(warp, start, pc);
            split_leave_out(warp, split, mask);
            if (warp->undef_count != 0)
                undef_operands(warp, insn, mask);
            barrier_arrive(warp, split, insn, mask);
            return host_thread->stop ? OUTCOME_STOP : OUTCOME_WAITS;
        case FLOW_WARP_SYNC:
            mask = guarded(warp, insn, lanes);
            if (!mask) {
                pc++;
                continue;
            }
            split->pc = pc;
            split_leave_out(warp, split, mask);
            stats[pc].warps--; /* counted when it is executed, once for all its splits */
            stats[pc].threads -= active;
            if (!reach_sync(warp, split, insn)) {
                observe_path(warp, start, pc);
                return OUTCOME_WAITS;
            }
            stats[pc].warps++;
            stats[pc].threads += (uint64_t)__builtin_popcount(mask);
            sync_groups(warp, split_masks(warp, split), mask);
            execute_together(warp, insn, mask);
            lanes = mask;
            active = (uint64_t)__builtin_popcount(lanes);
            warp->running = lanes;
            pc++;
            continue;
        case FLOW_TRAP:
            mask = guarded(warp, insn, lanes);
            if (!mask) {
                pc++;
                continue;
            }
            hazard_trap(warp, pc, mask);
            host_thread->stop = true;
            return OUTCOME_STOP;
        case FLOW_UNSUPPORTED:
            mask = guarded(warp, insn, lanes);
            if (!mask) {
                pc++;
                continue;
            }
            report_unsupported(warp, insn, mask);
            return OUTCOME_STOP;
        }
    }
}

/* The next one that is awake. */
static struct split *next_runnable(struct warp *warp) {
    for (unsigned i = 0; i < warp->split_count; i++) {
        unsigned index = (warp->next_split + i) % warp->split_count;
        struct split *split = &warp->splits[index];
        if (split->state == SPLIT_RUNNABLE && poll_wakes(warp, split)) {
            warp->next_split = index;
            return split;
        }
    }
    return NULL;
}

/* A split that falls asleep waits for lanes of its own warp, perhaps: those run before other warps
 * ask for the same lock, but where all sleep and each split looks once. */
enum warp_state warp_run(struct warp *warp) {
    struct split *split;
    unsigned naps = 0;
    bool ran = false;
    if (!warp->slice_over) {
        warp->turn = 0;
        warp->poll.lanes = 0;
    }
    warp->slice_over = false;
    warp->poll.looks = 0;
    poll_start_turn(warp);
    while ((split = next_runnable(warp)) ||
           (naps && split_any_runnable(warp) && split_release_join(warp))) {
        if (!split)
            continue;
        ran = true;
        enum step_outcome outcome = run_split(warp, split);
        if (outcome == OUTCOME_STOP)
            return WARP_STOPPED;
        if (outcome == OUTCOME_SLICE_OVER)
            return WARP_YIELDS; /* the same split goes on when the warp's turn comes again */
        if (outcome == OUTCOME_WAITS && warp->poll.looks < TURN_LOOKS)
            continue;
        if (outcome == OUTCOME_WAITS)
            return WARP_YIELDS;
        warp->next_split++;
        warp->poll.lanes = 0;
        if (outcome == OUTCOME_SLEEPS && ++naps < TURN_NAPS && !warp->block->roused)
            continue;
        /* It may be waiting for lanes that a join holds back, or for another warp. */
        split_release_join(warp);
        return WARP_YIELDS;
    }
    return !split_any_runnable(warp) ? WARP_WAITS : ran ? WARP_YIELDS : WARP_SLEEPS;
}

void warp_start(struct warp *warp, lane_mask existing) {
    warp->existing = existing;
    warp->exited = 0;
    warp->split_count = 0;
    warp->next_split = 0;
    warp->slice_over = false;
    warp->line_start = PC_NONE;
    memset(warp->carry, 0, sizeof warp->carry);
    warp->cluster_arrived = warp->cluster_passed = 0;
    warp->cluster_shared = 0;
    const struct program *program = warp->block->launch->program;
    const struct program_function *kernel = &program->functions[0];
    /* a block must not see what an earlier block left in a register */
    for (uint32_t i = 0; i < kernel->clear_count; i++) {
        const struct register_range *range = &program->ranges[kernel->clear_start + i];
        memset(warp->bottom->registers + range->offset, 0, range->bytes);
    }
    special_fill(warp, kernel, warp->bottom->registers);
    size_t local_bytes = (size_t)WARP_LANES * warp->block->launch->local_bytes;
    memset(warp->local_shadow, SHADOW_NOBODY, local_bytes);
    memset(warp->local, 0xcd, local_bytes);
    split_open_frame(warp, warp->bottom, UINT32_MAX);
    undef_start(warp, warp->bottom, existing);
    split_add(warp, kernel->entry_pc, existing, warp->bottom, NULL)->passed = PC_NONE;
}

void warp_reset(struct warp *warp) {
    undef_forget_frame(warp, NULL);
    async_reset(warp);
    while (warp->joins)
        split_free_join(warp, warp->joins);
}

void warp_free(struct warp *warp) {
    warp_reset(warp);
    async_free(warp);
    while (warp->free_joins) {
        struct join *next = warp->free_joins->parent;
        free(warp->free_joins);
        warp->free_joins = next;
    }
    free(warp->undef_values);
}

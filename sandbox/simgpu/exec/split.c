/* Splits, joins and frames: how the lanes of a warp part and meet.
 *
 * A divergent branch makes two splits under one join; a split that reaches the join is dissolved
 * into it, and the join becomes a split again when all its lanes have come. A call is a join as
 * well, at the callee's return, and owns the callee's frame. Joins are a convenience, not a
 * promise: when the lanes that a join waits for spin, or wait for something themselves, those that
 * have come go on without them (split_release_join). That gives each lane the forward progress of
 * Volta and later. */
#include "sandbox/simgpu/exec/split.h"

#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/exec/barrier.h"
#include "sandbox/simgpu/exec/poll.h"
#include "sandbox/simgpu/exec/warp.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's own frame is its block's (block.c). */
static struct frame *push_frame(struct warp *warp, const struct program_function *function,
                                struct frame *caller) {
    struct frame *frame = mem_zalloc(sizeof *frame);
    frame->caller = caller;
    frame->function = function;
    frame->depth = caller->depth + 1;
    frame->local_base = caller->param_base + caller->function->param_area_bytes;
    frame->param_base = frame->local_base + function->local_bytes;
    frame->registers = mem_aligned(64, function->register_bytes + 64);
    warp->block->frame_bytes += function->register_bytes;
    memset(frame->registers, 0, function->register_bytes);
    special_fill(warp, function, frame->registers);
    return frame;
}

/* Fresh local variables hold nothing that a program may rely on. */
void split_open_frame(struct warp *warp, const struct frame *frame, lane_mask lanes) {
    size_t stride = warp->block->launch->local_bytes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        memset(warp->local_shadow + (size_t)__builtin_ctz(rest) * stride + frame->local_base,
               SHADOW_UNINITIALIZED, frame->function->local_bytes);
}

static void free_frame(struct warp *warp, struct frame *frame) {
    warp->block->frame_bytes -= frame->function->register_bytes;
    free(frame->registers);
    free(frame);
}

static struct join *join_new(struct warp *warp, struct join *parent, uint32_t pc,
                             struct frame *frame, lane_mask expected) {
    struct join *join = warp->free_joins;
    if (join)
        warp->free_joins = join->parent;
    else
        join = mem_alloc(sizeof *join);
    *join = (struct join){.parent = parent, .pc = pc, .frame = frame, .expected = expected};
    join->next = warp->joins;
    if (join->next)
        join->next->previous = join;
    warp->joins = join;
    return join;
}

/* A call's join owns the callee's frame. */
void split_free_join(struct warp *warp, struct join *join) {
    if (join->pc == PC_NONE) {
        if (warp->undef_count)
            undef_forget_frame(warp, join->frame);
        free_frame(warp, join->frame);
    }
    if (join->previous)
        join->previous->next = join->next;
    else
        warp->joins = join->next;
    if (join->next)
        join->next->previous = join->previous;
    join->parent = warp->free_joins;
    warp->free_joins = join;
}

struct split *split_add(struct warp *warp, uint32_t pc, lane_mask lanes, struct frame *frame,
                        struct join *join) {
    struct split *split = &warp->splits[warp->split_count++];
    *split = (struct split){.pc = pc, .lanes = lanes, .frame = frame, .join = join};
    return split;
}

static void split_remove(struct warp *warp, struct split *split) {
    *split = warp->splits[--warp->split_count];
}

/* Passing a join counts as coming by it, unless only the end of the kernel follows. */
uint32_t split_passed_join(const struct warp *warp, uint32_t pc, uint32_t before) {
    unsigned next = warp->block->launch->program->code[pc + 1].flow;
    return next == FLOW_RETURN || next == FLOW_EXIT ? before : pc;
}

/* The lanes that have come continue after the join, whether or not they are all. */
static void join_resume(struct warp *warp, struct join *join) {
    lane_mask lanes = join->arrived;
    join->arrived = 0;
    join->expected &= ~lanes;
    if (join->pc == PC_NONE)
        split_add(warp, join->frame->return_pc, lanes, join->frame->caller, join->parent);
    else
        split_add(warp, join->pc + 1, lanes, join->frame, join->parent)->passed =
            split_passed_join(warp, join->pc, join->passed);
    if (join->expected == 0)
        split_free_join(warp, join);
}

/* Lanes that will never come to this join and those around it, up to that of the call which made
 * `frame`, because they return from it; NULL: to none, because they have exited. Gives that join.
 */
static struct join *join_forget(struct warp *warp, struct join *join, lane_mask lanes,
                                const struct frame *frame) {
    while (join && !(frame && join->pc == PC_NONE && join->frame == frame)) {
        struct join *parent = join->parent;
        join->expected &= ~lanes;
        if (join->expected == 0)
            split_free_join(warp, join);
        else if (join->arrived == join->expected)
            join_resume(warp, join);
        join = parent;
    }
    return join;
}

bool split_arrive_at_join(struct warp *warp, struct split *split, struct join *join) {
    join->arrived |= split->lanes;
    join->passed = split->passed;
    split_remove(warp, split);
    if (join->arrived != join->expected)
        return false;
    join_resume(warp, join);
    return true;
}

bool split_any_runnable(const struct warp *warp) {
    for (unsigned i = 0; i < warp->split_count; i++)
        if (warp->splits[i].state == SPLIT_RUNNABLE)
            return true;
    return false;
}

bool split_release_join(struct warp *warp) {
    bool released = false;
    for (struct join *join = warp->joins, *next; join; join = next) {
        next = join->next;
        if (!join->arrived)
            continue;
        join_resume(warp, join);
        released = true;
    }
    return released;
}

void split_exit(struct warp *warp, struct split *split, uint32_t pc, lane_mask lanes) {
    struct join *join = split->join;
    warp->exited |= lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        warp->exit_pc[__builtin_ctz(rest)] = pc;
        warp->exit_passed[__builtin_ctz(rest)] = split->passed;
    }
    warp->block->live_threads -= (uint32_t)__builtin_popcount(lanes);
    split->lanes &= ~lanes;
    if (!split->lanes)
        split_remove(warp, split);
    join_forget(warp, join, lanes, NULL);
    barrier_recheck(warp->block);
}

/* Lanes that a guard leaves out continue after the instruction, on their own. */
void split_leave_out(struct warp *warp, struct split *split, lane_mask lanes) {
    if (lanes == split->lanes)
        return;
    lane_mask others = split->lanes & ~lanes;
    split->lanes = lanes;
    split_add(warp, split->pc + 1, others, split->frame, split->join)->passed = split->passed;
}

/* Parameters from frame to frame. */
static void pass_bytes(struct warp *warp, lane_mask lanes, const struct undef_parameters *target,
                       const struct undef_parameters *source, uint32_t bytes) {
    uint32_t to = target->frame->param_base + target->offset;
    uint32_t from = source->frame->param_base + source->offset;
    if (warp->undef_count)
        undef_pass(warp, lanes, target, source, bytes);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memmove(lane_local(warp, lane) + to, lane_local(warp, lane) + from, bytes);
    }
}

/* A parameter that the function reads as memory: all of it counts as written. What the caller had
 * not written of it (members, padding) is known at reads by name only. */
static void open_parameter(struct warp *warp, lane_mask lanes, const struct frame *frame,
                           uint32_t index) {
    size_t stride = warp->block->launch->local_bytes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        memset(warp->local_shadow + (size_t)__builtin_ctz(rest) * stride + frame->param_base +
                   frame->function->params[index],
               SHADOW_INITIALIZED, frame->function->param_bytes[index]);
}

static const struct program_function *call_function(struct warp *warp, const struct split *split,
                                                    const struct call_site *call,
                                                    lane_mask *lanes) {
    const struct program *program = warp->block->launch->program;
    if (call->function >= 0)
        return &program->functions[call->function];
    /* indirect: the lanes with the first lane's target go now, the others in a split of their own
     */
    const uint64_t *targets = (const uint64_t *)(warp->bases[call->address & OPERAND_CONSTANT] +
                                                 (call->address & ~(uint32_t)3));
    uint64_t target = targets[__builtin_ctz(*lanes)];
    lane_mask same = 0;
    for (lane_mask rest = *lanes; rest; rest &= rest - 1)
        if (targets[__builtin_ctz(rest)] == target)
            same |= rest & -rest;
    uint64_t index = (target - ADDRESS_OF(WINDOW_FUNCTION)) / 16;
    if (index >= program->function_count || target % 16 ||
        program->functions[index].param_count < call->argument_count) {
        hazard_report(warp, split->pc, PC_NONE, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, same,
                      "call through a pointer that is no function (0x%llx)",
                      (unsigned long long)target);
        return NULL;
    }
    *lanes = same;
    return &program->functions[index];
}

/* The join at which the lanes of a diverging instruction will meet, unless they stand under it. */
static void meet_behind(struct warp *warp, struct split *split, const struct insn *insn) {
    struct join *join = split->join;
    if (insn->reconverge != PC_NONE &&
        !(join && join->pc == insn->reconverge && join->frame == split->frame))
        split->join = join_new(warp, join, insn->reconverge, split->frame, split->lanes);
}

bool split_call(struct warp *warp, struct split *split, const struct insn *insn, lane_mask lanes) {
    struct launch *launch = warp->block->launch;
    const struct call_site *call = &launch->program->calls[insn->call];
    lane_mask called = lanes;
    const struct program_function *function = call_function(warp, split, call, &called);
    if (!function)
        return false;
    if (called != lanes) { /* the others come back to the same call */
        meet_behind(warp, split, insn);
        split_add(warp, split->pc, split->lanes & ~called, split->frame, split->join);
        split->lanes = called;
    } else {
        split_leave_out(warp, split, lanes);
    }
    struct frame *caller = split->frame;
    uint64_t top = (uint64_t)caller->param_base + caller->function->param_area_bytes +
                   function->local_bytes + function->param_area_bytes;
    if (top > launch->local_bytes || caller->depth >= 10000) {
        hazard_report(warp, split->pc, PC_NONE, HAZARD_STACK_OVERFLOW, SEVERITY_ERROR, called,
                      "calls nest %u deep and need more than the %u bytes of stack a thread has",
                      caller->depth + 1, launch->local_bytes);
        return false;
    }
    if (warp->block->frame_bytes + function->register_bytes > MAX_HOST_BYTES) {
        hazard_report(warp, split->pc, PC_NONE, HAZARD_STACK_OVERFLOW, SEVERITY_ERROR, called,
                      "calls nest %u deep: their registers take more than %d MiB in this block",
                      caller->depth + 1, MAX_HOST_BYTES >> 20);
        return false;
    }
    struct frame *frame = push_frame(warp, function, caller);
    split_open_frame(warp, frame, called);
    undef_start(warp, frame, called);
    frame->call = call;
    frame->return_pc = split->pc + 1;
    for (uint32_t i = 0; i < call->argument_count; i++) {
        uint32_t bytes = call->argument_bytes[i] < function->param_bytes[i]
                             ? call->argument_bytes[i]
                             : function->param_bytes[i];
        pass_bytes(warp, called, &(struct undef_parameters){frame, function->params[i]},
                   &(struct undef_parameters){caller, call->arguments[i]}, bytes);
        if (function->has_parameter_addresses)
            open_parameter(warp, called, frame, i);
    }
    split->join = join_new(warp, split->join, PC_NONE, frame, called);
    split->frame = frame;
    split->pc = function->entry_pc;
    return true;
}

void split_return(struct warp *warp, struct split *split, lane_mask lanes) {
    struct frame *frame = split->frame;
    if (!frame->caller) {
        split_exit(warp, split, split->pc, lanes);
        return;
    }
    split_leave_out(warp, split, lanes);
    if (frame->call->has_result && frame->function->has_result) {
        uint32_t bytes = frame->call->result_bytes < frame->function->result_bytes
                             ? frame->call->result_bytes
                             : frame->function->result_bytes;
        pass_bytes(warp, lanes, &(struct undef_parameters){frame->caller, frame->call->result},
                   &(struct undef_parameters){frame, frame->function->result}, bytes);
    }
    struct join *join = join_forget(warp, split->join, lanes, frame);
    /* join_resume may have moved the splits: find this one again by its lanes */
    for (unsigned i = 0; i < warp->split_count; i++)
        if (warp->splits[i].lanes & lanes) {
            split_arrive_at_join(warp, &warp->splits[i], join);
            return;
        }
}

void split_diverge(struct warp *warp, struct split *split, const struct insn *insn, lane_mask taken,
                   uint32_t target) {
    meet_behind(warp, split, insn);
    split->lanes &= ~taken;
    struct split *other = split_add(warp, target, taken, split->frame, split->join);
    other->passed = split->passed;
    poll_inherit(other, split);
}

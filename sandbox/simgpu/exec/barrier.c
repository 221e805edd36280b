/* Block barriers: bar.sync, bar.arrive, bar.red (PTX ISA 9.7.13.1), and what goes wrong with them.
 *
 * A barrier without a thread count is complete when every thread of the block that still runs has
 * come. Hardware lets it pass as well when some threads have exited, or when they wait at different
 * barrier instructions with the same number; both are undefined or at least wrong in CUDA C, and
 * that is what barrier-divergence reports. Since the compiler never makes a barrier depend on more
 * conditions than the source does, two program counters at one barrier mean two places in the
 * source. */
#include "sandbox/simgpu/exec/barrier.h"
#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/barrier_bypass.h"
#include "sandbox/simgpu/exec/barrier_scene.h"
#include "sandbox/simgpu/exec/cluster.h"
#include "sandbox/simgpu/exec/spin_deadlock.h"
#include "sandbox/simgpu/ptx/ptx.h"
#include "sandbox/simgpu/state/barrier.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/source_note.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

static uint32_t lane_value(const struct warp *warp, uint32_t operand, lane_mask lanes) {
    uint32_t value;
    memcpy(&value,
           warp->bases[operand & OPERAND_CONSTANT] + (operand & ~(uint32_t)3) +
               4 * (unsigned)__builtin_ctz(lanes),
           sizeof value);
    return value;
}

static void add_reduction(struct barrier *barrier, const struct warp *warp, const struct insn *insn,
                          lane_mask lanes) {
    if (insn->barrier < BARRIER_RED_POPC)
        return;
    uint32_t operand = insn->operands[3];
    lane_mask predicate;
    memcpy(&predicate, warp->bases[operand & OPERAND_CONSTANT] + (operand & ~(uint32_t)3), 4);
    predicate = (operand & OPERAND_NEGATED ? ~predicate : predicate) & lanes;
    barrier->reduced_popc += (uint32_t)__builtin_popcount(predicate);
    barrier->reduced_and &= predicate == lanes;
    barrier->reduced_or |= predicate != 0;
}

static void write_reduction(const struct barrier *barrier, const struct split *split,
                            const struct insn *insn) {
    if (insn->barrier < BARRIER_RED_POPC)
        return;
    unsigned char *to = split->frame->registers + (insn->operands[0] & ~(uint32_t)3);
    if (insn->barrier == BARRIER_RED_POPC) {
        for (lane_mask rest = split->lanes; rest; rest &= rest - 1)
            memcpy(to + 4 * (unsigned)__builtin_ctz(rest), &barrier->reduced_popc, 4);
        return;
    }
    bool value = insn->barrier == BARRIER_RED_AND ? barrier->reduced_and : barrier->reduced_or;
    lane_mask mask;
    memcpy(&mask, to, 4);
    mask = value ? mask | split->lanes : mask & ~split->lanes;
    memcpy(to, &mask, 4);
}

/* Calls `visit` for each split that waits at the barrier, in thread order of the warps. */
#define FOR_EACH_WAITING(block, id, warp, split)                                                   \
    for (struct warp *warp = (block)->warps; warp < (block)->warps + (block)->warp_count; warp++)  \
        for (struct split *split = warp->splits; split < warp->splits + warp->split_count;         \
             split++)                                                                              \
            if (split->state == SPLIT_AT_BARRIER && split->barrier == (id))

static uint32_t count_at(struct block *block, unsigned id, uint32_t pc) {
    uint32_t count = 0;
    FOR_EACH_WAITING(block, id, warp, split)
    if (split->pc == pc)
        count += (uint32_t)__builtin_popcount(split->lanes);
    return count;
}

/* Is there a `return` from the line where threads left to the barrier's? In PTX it is the branch
 * that an `if` makes that reaches to the end of the kernel: the build room notes where the source
 * has one. Without a note, true. */
static bool left_by_return(const struct launch *launch, uint32_t left_pc, uint32_t barrier_pc) {
    const struct insn_origin *left = &launch->program->origins[left_pc];
    const struct insn_origin *barrier = &launch->program->origins[barrier_pc];
    const struct ptx_span *text = &launch->module->text;
    const char *note =
        memmem(text->start, text->length, "\n" RETURNS_COMMENT, strlen(RETURNS_COMMENT) + 1);
    if (!note || !left->line || left->file != barrier->file)
        return true;
    const char *at = note + strlen(RETURNS_COMMENT) + 1, *end = text->start + text->length;
    while (at < end && *at == ' ') {
        unsigned line = 0;
        for (at++; at < end && *at >= '0' && *at <= '9' && line < 100000000; at++)
            line = line * 10 + (unsigned)(*at - '0');
        if (line >= left->line && line <= barrier->line)
            return true;
    }
    return false;
}

/* Some threads have left the kernel, and the others pass a barrier without them. Threads that came
 * by code after the barrier have skipped it: an error. Threads that returned before it are released
 * by cards since Volta, and hang older ones: a warning. */
static void report_exited(struct block *block, unsigned id, struct warp *at, uint32_t pc,
                          lane_mask lanes) {
    uint32_t exited = block->thread_count - block->live_threads;
    struct warp *who = NULL;
    unsigned who_lane = 0;
    bool bypassed = false;
    for (struct warp *warp = block->warps; warp < block->warps + block->warp_count && !bypassed;
         warp++)
        for (lane_mask rest = warp->exited; rest && !bypassed; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            bypassed = barrier_bypass_is_after(block->host_thread, pc, warp->exit_passed[lane]);
            if (who && !bypassed)
                continue;
            who = warp;
            who_lane = lane;
        }
    if (!who)
        return;
    /* A return is compiled into a branch to the kernel's end: the branch is where they left. */
    uint32_t left_pc = who->exit_pc[who_lane];
    if (!bypassed && who->exit_passed[who_lane] != PC_NONE)
        left_pc = who->exit_passed[who_lane];
    struct dim3 thread = special_thread_index(who, who_lane);
    char here[LINE_TEXT], there[LINE_TEXT];
    describe_line(block->launch->program, pc, here);
    describe_line(block->launch->program, left_pc, there);
    uint32_t waiting = count_at(block, id, pc);
    struct hazard *hazard =
        bypassed
            ? hazard_report(at, pc, left_pc, HAZARD_BARRIER_DIVERGENCE, SEVERITY_ERROR, lanes,
                            "not all threads of the block reach the barrier at %s: %u of %u "
                            "wait at it, but %u thread%s, thread (%u, %u, %u) first, went past "
                            "it without waiting and left the kernel (%s)",
                            here, waiting, block->thread_count, exited, text_plural(exited),
                            thread.x, thread.y, thread.z, there)
            : hazard_report(at, pc, left_pc, HAZARD_BARRIER_DIVERGENCE, SEVERITY_WARNING, lanes,
                            "%u of %u threads of the block wait at the barrier at %s; %u "
                            "thread%s, thread (%u, %u, %u) first, had left the kernel (%s) and "
                            "never reach%s it",
                            waiting, block->thread_count, here, exited, text_plural(exited),
                            thread.x, thread.y, thread.z, there, exited == 1 ? "es" : "");
    hazard_suggest(hazard, bypassed || !left_by_return(block->launch, left_pc, pc)
                               ? FIX_OF_PAGE
                               : FIX_LATE_RETURN);
    barrier_scene(block, pc, hazard);
    if (hazard && hazard->thread_count < ENGINE_HAZARD_THREADS)
        hazard->threads[hazard->thread_count++] = (struct hazard_thread){block->id, thread};
}

/* Threads of one block wait at different barriers at the same time. */
static void report_places(struct block *block, struct warp *a, const struct split *first,
                          struct warp *b, const struct split *other) {
    struct dim3 here = special_thread_index(a, (unsigned)__builtin_ctz(first->lanes));
    struct dim3 there = special_thread_index(b, (unsigned)__builtin_ctz(other->lanes));
    char line_here[LINE_TEXT], line_there[LINE_TEXT];
    describe_line(block->launch->program, first->pc, line_here);
    describe_line(block->launch->program, other->pc, line_there);
    uint32_t others_here = count_at(block, first->barrier, first->pc) - 1;
    uint32_t others_there = count_at(block, other->barrier, other->pc) - 1;
    struct hazard *hazard = hazard_report(
        a, first->pc, other->pc, HAZARD_BARRIER_DIVERGENCE, SEVERITY_ERROR, first->lanes,
        "not all threads of the block reach this barrier: thread (%u, %u, %u) and %u other%s wait "
        "at %s while thread (%u, %u, %u) and %u other%s wait at %s%s",
        here.x, here.y, here.z, others_here, text_plural(others_here), line_here, there.x, there.y,
        there.z, others_there, text_plural(others_there), line_there,
        first->barrier == other->barrier && strcmp(line_here, line_there) == 0
            ? " in another turn of a loop or another copy of the code"
            : "");
    barrier_scene(block, first->pc, hazard);
    if (hazard && hazard->thread_count < ENGINE_HAZARD_THREADS)
        hazard->threads[hazard->thread_count++] = (struct hazard_thread){block->id, there};
}

static void check_divergence(struct block *block, unsigned id) {
    struct warp *first_warp = NULL;
    const struct split *first = NULL;
    FOR_EACH_WAITING(block, id, warp, split) {
        if (!first) {
            first = split;
            first_warp = warp;
        } else if (split->pc != first->pc) {
            report_places(block, first_warp, first, warp, split);
            return;
        }
    }
    if (first && block->live_threads < block->thread_count)
        report_exited(block, id, first_warp, first->pc, first->lanes);
}

/* Splits of one warp that stand at one point again become one, as they would on hardware. */
static void merge_splits(struct warp *warp) {
    for (unsigned i = 0; i < warp->split_count; i++)
        for (unsigned j = i + 1; j < warp->split_count;) {
            struct split *a = &warp->splits[i], *b = &warp->splits[j];
            if (a->state == SPLIT_RUNNABLE && b->state == SPLIT_RUNNABLE && a->pc == b->pc &&
                a->join == b->join && a->frame == b->frame) {
                a->lanes |= b->lanes;
                *b = warp->splits[--warp->split_count];
            } else {
                j++;
            }
        }
}

static void complete(struct block *block, unsigned id) {
    struct barrier *barrier = &block->barriers[id];
    if (barrier->whole_block && block->launch->checks)
        check_divergence(block, id);
    const struct insn *code = block->launch->program->code;
    uint32_t warps = 0;
    FOR_EACH_WAITING(block, id, warp, split) {
        warps |= (uint32_t)1 << warp->index;
        write_reduction(barrier, split, &code[split->pc]);
        split->state = SPLIT_RUNNABLE;
        split->pc++;
    }
    for (unsigned w = 0; w < block->warp_count; w++)
        if (block->warps[w].split_count > 1)
            merge_splits(&block->warps[w]);
    if (barrier->whole_block ||
        (barrier->arrived >= block->live_threads && !barrier->arriving_warps))
        race_block_barrier(block);
    else
        race_partial_barrier(block, id, warps, barrier->arriving_warps);
    *barrier = (struct barrier){.reduced_and = true};
}

static bool is_complete(const struct block *block, const struct barrier *barrier) {
    uint32_t expected = barrier->whole_block ? block->live_threads : barrier->expected;
    return barrier->arrived && barrier->arrived >= expected;
}

void barrier_recheck(struct block *block) {
    for (unsigned id = 0; id < MAX_BARRIERS; id++)
        if (block->barriers[id].whole_block && is_complete(block, &block->barriers[id]))
            complete(block, id);
    cluster_recheck(block);
}

void barrier_arrive(struct warp *warp, struct split *split, const struct insn *insn,
                    lane_mask lanes) {
    struct block *block = warp->block;
    spin_deadlock_note_change(warp);
    if (insn->barrier >= BARRIER_CLUSTER_ARRIVE) {
        cluster_barrier(warp, split, insn, lanes);
        return;
    }
    uint32_t id = lane_value(warp, insn->operands[1], lanes);
    bool counted = insn->operands[2] != OPERAND_NONE;
    uint32_t count = counted ? lane_value(warp, insn->operands[2], lanes) : 0;
    if (id >= MAX_BARRIERS ||
        (counted && (count == 0 || count % WARP_LANES || count > MAX_WARPS * WARP_LANES))) {
        hazard_suggest(hazard_report(warp, split->pc, PC_NONE, HAZARD_TRAP, SEVERITY_ERROR, lanes,
                                     "a barrier with number %u and %u threads: there are 16 "
                                     "barriers, and the count is a multiple of 32",
                                     id, count),
                       FIX_BARRIER_NUMBER);
        warp->host_thread->stop = true;
        return;
    }
    struct barrier *barrier = &block->barriers[id];
    if (barrier->arrived == 0)
        *barrier = (struct barrier){.reduced_and = true};
    if (counted)
        barrier->expected = count;
    else
        barrier->whole_block = true;
    add_reduction(barrier, warp, insn, lanes);
    barrier->arrived += (uint32_t)__builtin_popcount(lanes);
    if (insn->barrier == BARRIER_ARRIVE) {
        barrier->arriving_warps |= (uint32_t)1 << warp->index;
        race_arrive(warp, id);
        split->pc++;
    } else {
        split->state = SPLIT_AT_BARRIER;
        split->barrier = (uint8_t)id;
    }
    if (is_complete(block, barrier))
        complete(block, id);
}

/* Two barriers with counts, each of which waits for threads that stand at the other. */
static void report_crossed(struct block *block, struct warp *a, const struct split *first,
                           struct warp *b, const struct split *other) {
    struct dim3 here = special_thread_index(a, (unsigned)__builtin_ctz(first->lanes));
    struct dim3 there = special_thread_index(b, (unsigned)__builtin_ctz(other->lanes));
    const struct barrier *one = &block->barriers[first->barrier];
    const struct barrier *two = &block->barriers[other->barrier];
    char line_here[LINE_TEXT], line_there[LINE_TEXT];
    struct hazard *hazard = hazard_report(
        a, first->pc, other->pc, HAZARD_DEADLOCK, SEVERITY_ERROR, first->lanes,
        "every thread that still runs waits: thread (%u, %u, %u) at %s at barrier %u, to which %u "
        "of %u threads have come, and thread (%u, %u, %u) at %s at barrier %u, to which %u of %u "
        "have come",
        here.x, here.y, here.z, describe_line(block->launch->program, first->pc, line_here),
        first->barrier, one->arrived, one->expected, there.x, there.y, there.z,
        describe_line(block->launch->program, other->pc, line_there), other->barrier, two->arrived,
        two->expected);
    barrier_scene(block, first->pc, hazard);
    if (hazard && hazard->thread_count < ENGINE_HAZARD_THREADS)
        hazard->threads[hazard->thread_count++] = (struct hazard_thread){block->id, there};
}

void barrier_report_deadlock(struct block *block) {
    struct warp *first_warp = NULL;
    const struct split *first = NULL;
    for (struct warp *warp = block->warps; warp < block->warps + block->warp_count; warp++)
        for (struct split *split = warp->splits; split < warp->splits + warp->split_count;
             split++) {
            if (split->state != SPLIT_AT_BARRIER)
                continue;
            if (!first) {
                first = split;
                first_warp = warp;
            } else if (split->barrier != first->barrier &&
                       !block->barriers[split->barrier].whole_block &&
                       !block->barriers[first->barrier].whole_block) {
                report_crossed(block, first_warp, first, warp, split);
                return;
            } else if (split->pc != first->pc) {
                report_places(block, first_warp, first, warp, split);
                return;
            }
        }
    if (!first)
        return;
    if (first->barrier == MAX_BARRIERS && block->cluster) {
        cluster_report_deadlock(first_warp, first);
        return;
    }
    const struct barrier *barrier = &block->barriers[first->barrier];
    char here[LINE_TEXT];
    struct hazard *hazard = hazard_report(
        first_warp, first->pc, PC_NONE, HAZARD_DEADLOCK, SEVERITY_ERROR, first->lanes,
        "every thread that still runs waits here: barrier %u at %s waits for %u threads, "
        "%u have come and no more can",
        first->barrier, describe_line(block->launch->program, first->pc, here), barrier->expected,
        barrier->arrived);
    hazard_suggest(hazard, FIX_BARRIER_COUNT);
    barrier_scene(block, first->pc, hazard);
}

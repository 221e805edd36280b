/* What a deadlock of polling threads says: who polls what, that no thread can change it, and where
 * the other threads of the block are. How it is found: spin_deadlock.c. */
#include "sandbox/simgpu/exec/spin_deadlock_report.h"

#include "sandbox/base/text.h"
#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/mbarrier.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

#include <stdio.h>
#include <string.h>

void spin_deadlock_note_poll(struct watched_block *watched, const struct warp *warp,
                             lane_mask lanes) {
    watched->polled[warp->index] |= lanes;
    unsigned i = 0;
    while (i < watched->poll_count && watched->polls[i].pc != warp->poll.pc)
        i++;
    if (i == WATCHED_POLLS)
        return;
    struct watched_poll *poll = &watched->polls[i];
    if (i == watched->poll_count) {
        watched->poll_count++;
        *poll = (struct watched_poll){.pc = warp->poll.pc,
                                      .warp = warp->index,
                                      .lane = (unsigned)__builtin_ctz(lanes),
                                      .address = warp->poll.address,
                                      .value = warp->poll.value};
    }
    poll->lanes[warp->index] |= lanes;
}

bool spin_deadlock_all_poll(const struct watched_block *watched) {
    for (unsigned w = 0; w < watched->block->warp_count; w++) {
        const struct warp *warp = &watched->block->warps[w];
        for (unsigned i = 0; i < warp->split_count; i++)
            if (warp->splits[i].state == SPLIT_RUNNABLE &&
                (warp->splits[i].lanes & ~watched->polled[w]))
                return false;
    }
    return true;
}

static unsigned count_lanes(const struct watched_poll *poll, unsigned warps) {
    unsigned count = 0;
    for (unsigned w = 0; w < warps; w++)
        count += (unsigned)__builtin_popcount(poll->lanes[w]);
    return count;
}

/* Where threads of the block wait without polling; NULL: no such threads. */
static const struct split *find_waiting(const struct block *block, unsigned *threads) {
    const struct split *first = NULL;
    *threads = 0;
    for (unsigned w = 0; w < block->warp_count; w++)
        for (unsigned i = 0; i < block->warps[w].split_count; i++) {
            const struct split *split = &block->warps[w].splits[i];
            if (split->state == SPLIT_RUNNABLE || (first && split->pc != first->pc))
                continue;
            first = first ? first : split;
            *threads += (unsigned)__builtin_popcount(split->lanes);
        }
    return first;
}

/* The first location other than the first one that other threads poll; NULL: none. */
static const struct watched_poll *find_other(const struct watched_block *watched) {
    for (unsigned i = 1; i < watched->poll_count; i++) {
        bool same = false;
        for (unsigned w = 0; w < watched->block->warp_count; w++)
            same |= (watched->polls[i].lanes[w] & watched->polls[0].lanes[w]) != 0;
        if (!same)
            return &watched->polls[i];
    }
    return NULL;
}

/* "; 32 threads wait at line 12 and 8 have left the kernel" */
static void describe_others(const struct watched_block *watched, uint32_t *other_pc, char *text,
                            size_t size) {
    const struct block *block = watched->block;
    const struct insn_origin *origins = block->launch->program->origins;
    unsigned count = 0, exited = block->thread_count - block->live_threads;
    const struct split *waiting = find_waiting(block, &count);
    const char *verb = "wait";
    *other_pc = waiting ? waiting->pc : PC_NONE;
    /* grid.sync() is a barrier of the block, too: its threads wait for the one that polls */
    if (waiting && (origins[waiting->pc].line == origins[watched->polls[0].pc].line ||
                    origins[waiting->pc].line == 0)) {
        waiting = NULL;
        *other_pc = PC_NONE;
    }
    const struct watched_poll *other = waiting ? NULL : find_other(watched);
    if (other) {
        verb = "poll";
        *other_pc = other->pc;
        count = count_lanes(other, block->warp_count);
    }
    size_t used = 0;
    text[0] = '\0';
    if (*other_pc != PC_NONE)
        used =
            (size_t)snprintf(text, size, "; %u thread%s %s%s at line %u", count, text_plural(count),
                             verb, count == 1 ? "s" : "", origins[*other_pc].line);
    if (exited && used < size)
        snprintf(text + used, size - used, "%s %u thread%s left the kernel", used ? " and" : ";",
                 exited, exited == 1 ? " has" : "s have");
}

static void describe_mbarrier(const struct watched_poll *poll, const char *element, char *text,
                              size_t size) {
    struct mbarrier_missing missing = mbarrier_missing(poll->value);
    size_t used = (size_t)snprintf(text, size, " for the mbarrier %s, ", element);
    if (missing.arrivals && used < size)
        used += (size_t)snprintf(text + used, size - used, "whose phase lacks %u of %u arrival%s",
                                 missing.arrivals, missing.expected, text_plural(missing.expected));
    if (missing.bytes && used < size)
        used += (size_t)snprintf(text + used, size - used, "%s %lld bytes of asynchronous copies",
                                 missing.arrivals ? " and" : "whose phase lacks",
                                 (long long)missing.bytes);
    if (!missing.arrivals && !missing.bytes && used < size)
        snprintf(text + used, size - used, "whose phase is another than the one waited for");
}

/* Blocks wait for each other at grid.sync() by polling a word of its own. */
static void describe_grid_barrier(const struct launch *launch, char *text, size_t size) {
    int used = snprintf(text, size, " at grid.sync()");
    if (launch->grid_arrivals)
        snprintf(text + used, size - (size_t)used, ", to which %llu of %llu blocks have come",
                 (unsigned long long)launch->grid_arrivals,
                 (unsigned long long)launch->block_count);
}

/* What a poll is for: in words, and as a variable with a name where it has one. */
static enum hazard_fix describe_poll(const struct warp *warp, const struct watched_poll *poll,
                                     char element[128], char *what, size_t size) {
    const struct program *program = warp->block->launch->program;
    const struct insn *insn = &program->code[poll->pc];
    bool mbarrier = insn_operation(insn)->effect == EFFECT_WAIT;
    unsigned bytes = mbarrier ? 8 : ptx_type_bits((enum ptx_type)insn->type) / 8;
    struct access access = {.space = mbarrier ? SPACE_GENERIC : (enum ptx_space)insn->space,
                            .address = poll->address,
                            .bytes = bytes};
    char whole[192];
    element[0] = '\0';
    if (poll->address >> ADDRESS_SHIFT == WINDOW_GRID) {
        describe_grid_barrier(warp->block->launch, what, size);
        return FIX_GRID_SYNC;
    }
    if (!hazard_describe_address(warp, &access, element, 128, whole, sizeof whole))
        snprintf(element, 128, "address 0x%llx", (unsigned long long)poll->address);
    if (mbarrier) {
        describe_mbarrier(poll, element, what, size);
        return FIX_MBARRIER_COUNT;
    }
    snprintf(what, size, " for %s, which stays %llu", element, (unsigned long long)poll->value);
    return FIX_POLLED_VALUE;
}

void spin_deadlock_report(const struct watched_block *watched, bool grid) {
    struct block *block = watched->block;
    const struct watched_poll *poll = &watched->polls[0];
    struct warp *warp = &block->warps[poll->warp];
    char element[128], what[256], others[128];
    enum hazard_fix fix = describe_poll(warp, poll, element, what, sizeof what);
    uint32_t other_pc;
    describe_others(watched, &other_pc, others, sizeof others);
    char more[32] = "";
    if (count_lanes(poll, block->warp_count) > 1)
        snprintf(more, sizeof more, " and %u more", count_lanes(poll, block->warp_count) - 1);
    struct dim3 thread = special_thread_index(warp, poll->lane);
    struct hazard *hazard = hazard_report(
        warp, poll->pc, other_pc, HAZARD_DEADLOCK, SEVERITY_ERROR, poll->lanes[poll->warp],
        "thread (%u, %u, %u)%s of block (%u, %u, %u) wait%s%s%s. No thread of the %s is left that "
        "could %s",
        thread.x, thread.y, thread.z, more, block->id.x, block->id.y, block->id.z,
        more[0] ? "" : "s", what, others, grid ? "grid" : "block",
        fix == FIX_GRID_SYNC ? "come to it" : "change it");
    hazard_suggest(hazard, fix);
    if (hazard)
        snprintf(hazard->variable, sizeof hazard->variable, "%s", element);
}

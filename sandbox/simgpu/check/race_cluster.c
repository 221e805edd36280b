/* Clusters of several blocks: what their barrier orders, and how long a block's memory is there.
 *
 * A thread arrives at the barrier and may go on working until it waits (PTX ISA 9.7.13.4). So each
 * lane's time of arrival is kept: who has waited for a phase knows what the others did before they
 * arrived. Two phases are kept, because a lane that has not waited yet knows the phase before only.
 * An arrival that is relaxed passes on what came before the lane's last fence.
 *
 * Another block's shared memory is there from the time that the block starts until its last thread
 * leaves. Both are events like a write: an access of another block must be ordered after the first,
 * by any barrier of the cluster, and before the second, by one that the owner has waited for, or
 * through memory. */
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_EARLY = 16 };

struct visit { /* a lane's last access to a block's memory; time 0: none */
    uint32_t time, pc;
};

struct cluster_races {
    size_t lanes;       /* of a block, those of its warps one after the other */
    uint32_t *times[3]; /* [rank * lanes + lane]: of arrivals at this phase, at the last one that is
                           complete, at the one before */
    struct visit *visits[MAX_CLUSTER_BLOCKS]; /* by owner, then likewise; NULL: none */
    struct early { /* accesses before the first barrier, one for each instruction */
        struct warp *warp;
        const struct block *owner;
        uint32_t pc;
        lane_mask lanes;
    } early[MAX_EARLY];
    size_t early_count;
};

bool race_cluster_window(const struct block *owner, struct race_window *window) {
    const struct launch *launch = owner->launch;
    struct allocation *memory = owner->cluster_memory;
    if (!memory || !memory->writes.words)
        return false;
    *window = (struct race_window){.writes = &memory->writes,
                                   .reads = &memory->reads,
                                   .old = launch->first_global << CELL_SHIFT,
                                   .alone = true,
                                   .allocation = WINDOW_SHARED,
                                   .bytes = owner->shared,
                                   .owner = owner};
    return true;
}

static size_t place_of(const struct cluster_races *races, unsigned rank, unsigned warp,
                       unsigned lane) {
    return rank * races->lanes + warp * WARP_LANES + lane;
}

void race_cluster_start(struct cluster *cluster) {
    struct launch *launch = cluster->blocks[0]->launch;
    if (!launch->checks)
        return;
    struct cluster_races *races = cluster->races = mem_zalloc(sizeof *races);
    races->lanes = (size_t)cluster->blocks[0]->warp_count * WARP_LANES;
    for (unsigned i = 0; i < ARRAY_LENGTH(races->times); i++)
        races->times[i] = mem_calloc(cluster->size * races->lanes, sizeof *races->times[i]);
    uint64_t bytes = launch->program->shared_window_bytes;
    for (unsigned rank = 0; rank < cluster->size && bytes > SHARED_START; rank++) {
        struct allocation *memory = cluster->blocks[rank]->cluster_memory;
        memory->length = bytes;
        cells_free(&memory->writes);
        cells_free(&memory->reads);
        cells_make(&memory->writes, bytes);
        cells_make(&memory->reads, bytes);
    }
}

/* ---- the barrier --------------------------------------------------------------------------------
 */

void race_cluster_arrive(struct warp *warp, lane_mask lanes, bool relaxed) {
    const struct block *block = warp->block;
    struct cluster_races *races = block->cluster->races;
    if (!races)
        return;
    uint32_t now = race_next_event(warp->block);
    warp->event_time = now;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        size_t at = place_of(races, block->rank, warp->index, lane);
        uint32_t fence = warp->fences[REACH_DEVICE].time[lane], before = races->times[1][at];
        races->times[0][at] = !relaxed ? now : fence > before ? fence : before;
    }
}

/* What the threads have learnt through memory, they all know now. */
static void join_lists(const struct cluster *cluster) {
    struct hb_graph *graph = cluster->blocks[0]->launch->hb_graph;
    hb_ref first = cluster->blocks[0]->warps[0].known, all = 0;
    bool differ = false;
    for (unsigned rank = 0; rank < cluster->size; rank++)
        for (unsigned w = 0; w < cluster->blocks[rank]->warp_count; w++)
            differ |= cluster->blocks[rank]->warps[w].known != first;
    if (!graph || !differ)
        return;
    race_acqrel_make_room(cluster->blocks[0]->launch);
    for (unsigned rank = 0; rank < cluster->size; rank++)
        for (unsigned w = 0; w < cluster->blocks[rank]->warp_count; w++) {
            hb_ref known = cluster->blocks[rank]->warps[w].known;
            if (known)
                all = hb_graph_acquire(graph, UINT32_MAX, known, UINT32_MAX, all);
        }
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        struct block *block = cluster->blocks[rank];
        block->races.common = all;
        for (unsigned w = 0; w < block->warp_count; w++) {
            block->warps[w].known = all;
            block->warps[w].unacquired.lanes = 0;
        }
    }
}

/* A thread that has left has done all that it will. */
void race_cluster_complete(struct cluster *cluster) {
    struct cluster_races *races = cluster->races;
    if (!races)
        return;
    uint32_t *oldest = races->times[2];
    races->times[2] = races->times[1];
    races->times[1] = races->times[0];
    races->times[0] = oldest;
    for (unsigned rank = 0; rank < cluster->size; rank++) {
        const struct block *block = cluster->blocks[rank];
        for (unsigned w = 0; w < block->warp_count; w++)
            for (lane_mask rest = block->warps[w].exited; rest; rest &= rest - 1)
                races->times[1][place_of(races, rank, w, (unsigned)__builtin_ctz(rest))] =
                    UINT32_MAX;
    }
    join_lists(cluster);
}

/* The phase that the lane has waited for last. */
static const uint32_t *known_times(const struct warp *warp, unsigned lane) {
    const struct cluster_races *races = warp->block->cluster->races;
    return races->times[warp->cluster_passed >> lane & 1 ? 2 : 1];
}

static const struct block *find_block(const struct cluster *cluster, uint32_t index) {
    for (unsigned rank = 0; rank < cluster->size; rank++)
        if ((uint32_t)cluster->blocks[rank]->index == index)
            return cluster->blocks[rank];
    return NULL;
}

lane_mask race_cluster_ordered(const struct warp *warp, unsigned lane,
                               const struct access_record *record, lane_mask lanes) {
    const struct cluster *cluster = warp->block->cluster;
    const struct block *other = cluster->races ? find_block(cluster, record->block) : NULL;
    lane_mask ordered = 0;
    if (!other)
        return 0;
    const uint32_t *times =
        known_times(warp, lane) + place_of(cluster->races, other->rank, record->warp, 0);
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        ordered |= times[__builtin_ctz(rest)] > record->time ? rest & -rest : 0;
    return ordered;
}

/* The earliest arrival of a warp's lanes at the last phase; 0: not all of them have come. */
static uint32_t arrived_by(const struct cluster_races *races, const struct warp *warp) {
    uint32_t least = UINT32_MAX;
    for (lane_mask rest = warp->existing; rest; rest &= rest - 1) {
        uint32_t time = races->times[1][place_of(races, warp->block->rank, warp->index,
                                                 (unsigned)__builtin_ctz(rest))];
        least = time < least ? time : least;
    }
    return least;
}

void race_cluster_share(struct warp *warp) {
    const struct block *block = warp->block;
    struct cluster *cluster = block->cluster;
    struct hb_graph *graph = block->launch->hb_graph;
    lane_mask live = warp->existing & ~warp->exited;
    bool waited = !(live & warp->cluster_passed);
    if (!cluster->races || !graph || !waited || warp->cluster_shared == cluster->phases)
        return;
    warp->cluster_shared = cluster->phases;
    for (unsigned rank = 0; rank < cluster->size; rank++)
        for (unsigned w = 0; w < block->warp_count; w++) {
            const struct warp *other = &cluster->blocks[rank]->warps[w];
            const struct hb_lanes known = {(uint32_t)other->block->index, (uint16_t)w, UINT32_MAX,
                                           arrived_by(cluster->races, other)};
            if (known.until)
                warp->known = hb_graph_note(graph, &known, warp->known);
        }
}

/* ---- the memory of other blocks -----------------------------------------------------------------
 */

static void describe_own(const struct block *owner, struct warp *warp, unsigned lane, char *text,
                         size_t size) {
    struct dim3 thread = special_thread_index(warp, lane), block = warp->block->id;
    snprintf(text, size,
             "thread (%u, %u, %u) of block (%u, %u, %u) is at the shared memory of "
             "block (%u, %u, %u)",
             thread.x, thread.y, thread.z, block.x, block.y, block.z, owner->id.x, owner->id.y,
             owner->id.z);
}

/* A block that has ended by a deadlock has not left: its threads are still there. */
static void report_gone(const struct block *owner, struct warp *warp, uint32_t pc, unsigned lane) {
    if (owner->live_threads)
        return;
    const struct warp *last = &owner->warps[owner->warp_count - 1];
    uint32_t left_pc = last->exit_pc[__builtin_ctz(last->existing)];
    char who[160], where[LINE_TEXT];
    describe_own(owner, warp, lane, who, sizeof who);
    struct hazard *hazard = hazard_report(
        warp, pc, left_pc, HAZARD_SHARED_RACE, SEVERITY_ERROR, (lane_mask)1 << lane,
        "%s, and nothing makes that block wait before it leaves the kernel (%s) and its memory "
        "is another's",
        who, describe_line(owner->launch->program, left_pc, where));
    hazard_suggest(hazard, FIX_CLUSTER_STAY);
}

static void note_early(struct cluster_races *races, struct warp *warp, const struct block *owner,
                       uint32_t pc, lane_mask bit) {
    for (size_t i = 0; i < races->early_count; i++)
        if (races->early[i].pc == pc)
            return;
    if (races->early_count < MAX_EARLY)
        races->early[races->early_count++] = (struct early){warp, owner, pc, bit};
}

void race_cluster_access(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses) {
    struct block *block = warp->block;
    struct cluster *cluster = block->cluster;
    struct cluster_races *races = cluster->races;
    for (lane_mask rest = races ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct block *owner =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]).owner;
        if (!owner || owner == block)
            continue;
        uint32_t pc = insn_pc(warp, insn);
        bool waited = cluster->phases > (warp->cluster_passed >> lane & 1 ? 1u : 0u);
        if (cluster->ended[owner->rank])
            report_gone(owner, warp, pc, lane);
        if (!waited && !warp->known)
            note_early(races, warp, owner, pc, rest & -rest);
        struct visit **visits = &races->visits[owner->rank];
        if (!*visits)
            *visits = mem_calloc(cluster->size * races->lanes, sizeof **visits);
        (*visits)[place_of(races, block->rank, warp->index, lane)] =
            (struct visit){block->races.time, pc};
    }
}

/* Has any thread of the block that leaves learnt that the access is over? */
static bool is_over(struct block *owner, const struct access_record *record) {
    for (unsigned w = 0; w < owner->warp_count; w++)
        for (lane_mask rest = owner->warps[w].existing; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (!race_unordered(&owner->warps[w], lane, record, record->lanes, true))
                return true;
        }
    return false;
}

void race_cluster_end_block(struct block *block) {
    struct cluster *cluster = block->cluster;
    struct cluster_races *races = cluster->races;
    const struct visit *visits = races ? races->visits[block->rank] : NULL;
    for (size_t i = 0; visits && i < cluster->size * races->lanes; i++) {
        if (!visits[i].time)
            continue;
        struct block *visitor = cluster->blocks[i / races->lanes];
        unsigned warp = (unsigned)(i % races->lanes / WARP_LANES), lane = i % WARP_LANES;
        const struct access_record record = {.block = (uint32_t)visitor->index,
                                             .time = visits[i].time,
                                             .warp = warp & 31,
                                             .lanes = (lane_mask)1 << lane};
        if (is_over(block, &record))
            continue;
        report_gone(block, &visitor->warps[warp], visits[i].pc, lane);
        break; /* the others have the same reason */
    }
}

static bool has_race_at(const struct host_thread *host_thread, uint32_t pc) {
    for (size_t i = 0; i < host_thread->hazard_count; i++) {
        const struct hazard_record *record = &host_thread->hazards[i];
        if (record->hazard.kind == HAZARD_SHARED_RACE &&
            (record->pc == pc || record->other_pc == pc))
            return true;
    }
    return false;
}

/* An access that comes too early may have raced with the owner's own, which says more. */
void race_cluster_end(struct cluster *cluster) {
    struct cluster_races *races = cluster->races;
    for (size_t i = 0; races && i < races->early_count; i++) {
        const struct early *early = &races->early[i];
        const struct program *program = early->owner->launch->program;
        uint32_t start = program->functions[0].entry_pc;
        if (has_race_at(early->warp->host_thread, early->pc))
            continue;
        char who[160], where[LINE_TEXT];
        describe_own(early->owner, early->warp, (unsigned)__builtin_ctz(early->lanes), who,
                     sizeof who);
        struct hazard *hazard = hazard_report(
            early->warp, early->pc, start, HAZARD_SHARED_RACE, SEVERITY_ERROR, early->lanes,
            "%s, and no barrier of the cluster comes before: that block may not have started yet "
            "(%s)",
            who, describe_line(program, start, where));
        hazard_suggest(hazard, FIX_CLUSTER_START);
    }
    race_cluster_free(cluster);
}

void race_cluster_free(struct cluster *cluster) {
    struct cluster_races *races = cluster->races;
    if (!races)
        return;
    for (unsigned i = 0; i < ARRAY_LENGTH(races->times); i++)
        free(races->times[i]);
    for (unsigned i = 0; i < MAX_CLUSTER_BLOCKS; i++)
        free(races->visits[i]);
    free(races);
    cluster->races = NULL;
}

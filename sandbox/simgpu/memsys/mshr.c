/* Who waits for whom in the caches: what a request finds there may still be on its way.
 *
 * Blocks of the simulated GPU take turns and find what others have fetched long before; on the
 * device they run side by side. Each line remembers which block asked for it, how far its warp was
 * and by which instruction, so that a hit can be found that would have waited with the warp that
 * was first. Stores to the same sectors one right after the other go to the L2 together.
 *
 * All of it is counted by instruction, for the cost model (replay_memory.c); no hit becomes a miss
 * here. */
#include "sandbox/simgpu/memsys/mshr.h"

#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

#include <math.h>

/* AHEAD_LIMIT: instructions of a warp in the time of a read of device memory, about.
 * OUTGOING_TURNS: of the load/store unit, for which stores are on their way to the L2. */
enum { AHEAD_LIMIT = 64, OUTGOING_TURNS = 64 };

double mshr_elapsed_clocks(const struct device_profile *device, double waits, double instructions) {
    return (waits + instructions / AHEAD_LIMIT) * device->dram_cycles;
}

/* When the warp would come to the piece of code that pc is in, whose loads the assembler puts
 * together, after the start of its block. */
static double clocks_of(const struct warp *warp, uint32_t pc) {
    const struct launch *launch = warp->block->launch;
    const struct warp_path *path = warp->path;
    if (!path)
        return 0;
    const uint32_t *waits = launch->trace->waits;
    uint32_t piece = launch->trace->regions[pc];
    uint32_t begin = piece > path->line ? piece : path->line;
    double waited = (double)path->waits + waits[begin] - waits[path->line];
    double executed = (double)path->instructions + begin - path->line;
    return mshr_elapsed_clocks(launch->request->device, waited, executed);
}

/* Whether both start in the same wave of as many blocks as have room; others meet long after. */
static bool is_same_wave(const struct memory_system *system, const struct warp *warp,
                         const struct fetch *fetch) {
    return warp->block->index / system->running == fetch->block / system->running;
}

/* How much later than the one that fetched it a warp of another block of its wave comes: blocks
 * start one after the other, and who comes later finds in the L2 what the other one had to wait
 * for, and catches up. */
static double clocks_behind(const struct warp *warp, uint32_t pc, const struct fetch *fetch) {
    const struct device_profile *device = warp->block->launch->request->device;
    double clocks = clocks_of(warp, pc);
    double apart = ((double)warp->block->index - fetch->block) * device->block_interval_cycles;
    double caught_up = fmin(clocks, fetch->clocks) * (1 - device->l2_cycles / device->dram_cycles);
    return clocks - fetch->clocks + copysign(fmax(0, fabs(apart) - caught_up), apart);
}

void mshr_note_fetch(const struct warp *warp, uint32_t pc, bool reads, struct fetch *fetch) {
    *fetch = (struct fetch){(uint32_t)warp->block->index, mshr_progress_of(warp),
                            reads ? pc + 1 : 0, clocks_of(warp, pc)};
}

/* Another block has fetched what this one reads now. On the device, too, blocks that run at the
 * same time come to it in the order of their paths, though not to the clock: where they come within
 * a part of the time by which reads of device memory differ, either may be first. Of others the one
 * that is dealt out first is. */
void mshr_note_order(struct memory_system *system, const struct warp *warp, uint32_t pc,
                     const struct fetch *fetch, unsigned sectors) {
    uint32_t block = (uint32_t)warp->block->index;
    if (!fetch->pc || fetch->block == block)
        return;
    double spread = fmax(1, warp->block->launch->request->device->dram_spread_cycles);
    double after = block < fetch->block ? 0 : 1;
    if (is_same_wave(system, warp, fetch))
        after = fmin(1, fmax(0, 0.5 + clocks_behind(warp, pc, fetch) / (2 * spread)));
    warp->host_thread->cache[pc].read_met += sectors;
    system->requests[pc].after += after * sectors;
    system->requests[fetch->pc - 1].after += (1 - after) * sectors;
}

/* What another block has fetched may still be on its way to the L2, where blocks read the same at
 * about the same time: the later one waits for the rest of that time. Blocks that start together
 * and read the same in the same order advance together, because the warp that is ahead waits for
 * memory. So do the warps of a block: where another one's same instruction has fetched it, as the
 * other sector of a pair most often, it is on its way, too. */
void mshr_note_l2_hit(struct memory_system *system, const struct warp *warp, uint32_t pc,
                      const struct fetch *fetch) {
    struct request_stats *requests = &system->requests[pc];
    if (fetch->block == (uint32_t)warp->block->index) {
        system->follows_fetch |= fetch->pc == pc + 1 && fetch->progress == mshr_progress_of(warp);
        return;
    }
    requests->shared++;
    if (is_same_wave(system, warp, fetch))
        inflight_sharing_note(&requests->inflight_sharing, clocks_behind(warp, pc, fetch),
                              clocks_of(warp, pc) - fetch->clocks,
                              (double)warp->block->index - fetch->block,
                              warp->block->launch->request->device->dram_cycles);
}

/* A request finds what another one has just asked for: it is still on its way. Warps that follow
 * each other through a loop and read the same wait together for the one that is first in each pass.
 */
void mshr_note_inflight(const struct warp *warp, uint32_t pc, const struct fetch *fetch,
                        struct inflight_hit *found) {
    uint32_t progress = mshr_progress_of(warp), ahead = progress - fetch->progress;
    uint32_t behind = fetch->progress - progress;
    if (fetch->pc == pc + 1 && !ahead) {
        found->by_same = true;
        found->by_far |= fetch->block != (uint32_t)warp->block->index;
    } else if (fetch->pc && fetch->block == (uint32_t)warp->block->index &&
               (ahead < AHEAD_LIMIT || behind < AHEAD_LIMIT)) {
        found->other_pc = fetch->pc;
    }
}

void mshr_follow_run(struct memory_system *system, const struct warp *warp, uint32_t pc) {
    struct write_combining_run *run = &system->run;
    const struct write_combining_run now = {warp,
                                            (uint32_t)warp->block->index,
                                            mshr_progress_of(warp),
                                            system->combining_runs[pc],
                                            run->number,
                                            run->turns};
    if (now.warp == run->warp && now.block == run->block && now.progress == run->progress &&
        now.code == run->code && now.code)
        return;
    *run = now;
    run->number++;
    run->turns = 0;
}

uint8_t mshr_not_outgoing(const struct write_combining_run *run, struct outgoing *outgoing,
                          uint8_t sectors) {
    if (outgoing->run != run->number || run->turns - outgoing->turn >= OUTGOING_TURNS)
        *outgoing = (struct outgoing){run->number, run->turns, 0};
    uint8_t below = (uint8_t)(sectors & ~outgoing->sectors);
    outgoing->sectors |= sectors;
    return below;
}

static void note_found_in_l1(const struct inflight_hit *found, struct request_stats *requests) {
    if (found->by_same) {
        requests->found++;
        requests->found_far += found->by_far;
    } else if (found->other_pc) {
        requests->found_other++;
        if (!requests->other_votes)
            requests->other_pc = found->other_pc;
        requests->other_votes += requests->other_pc == found->other_pc ? 1 : UINT64_MAX;
    }
}

void mshr_note_request(const struct warp *warp, uint32_t pc, unsigned passes,
                       const struct cache_stats *before) {
    struct request_stats *requests = &warp->block->launch->caches->requests[pc];
    const struct cache_stats *after = &warp->host_thread->cache[pc];
    requests->requests++;
    requests->passes += passes;
    if (after->l2_sectors > before->l2_sectors)
        requests->missing++;
    else
        note_found_in_l1(&warp->block->launch->caches->found, requests);
    if (after->read_first + after->read_again > before->read_first + before->read_again)
        requests->fetching++;
    else
        requests->following_fetch += warp->block->launch->caches->follows_fetch;
}

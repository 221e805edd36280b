/* Who waits for whom in the caches: what a request finds there may still be on its way.
 *
 * Blocks of the simulated GPU take turns and find what others have fetched long before; on the
 * device they run side by side. Each line remembers which block asked for it, how far its warp was
 * and by which instruction, so that a hit can be told that would have waited with whoever was
 * first. Stores to the same sectors one right after the other go to the L2 together.
 *
 * All of it is counted by instruction, for the cost model (replay_memory.c); no hit becomes a miss
 * here. */
#include "sandbox/simgpu/cache_waits.h"

/* AHEAD_LIMIT: instructions of a warp in the time of a read of device memory, about.
 * OUTGOING_TURNS: of the load/store unit, for which stores are on their way to the L2. */
enum { AHEAD_LIMIT = 64, OUTGOING_TURNS = 64 };

void note_fetch(const struct warp *warp, uint32_t asking, struct fetch *fetch) {
    *fetch = (struct fetch){(uint32_t)warp->block->index, progress_of(warp), asking};
}

/* Another block has fetched what this one reads now. On the device, too, blocks that run at the
 * same time come to it in the order of their paths; of others the one that is dealt out first does.
 */
void note_order(struct memory_system *system, const struct warp *warp, uint32_t pc,
                const struct fetch *fetch, unsigned sectors) {
    uint32_t block = (uint32_t)warp->block->index, progress = progress_of(warp);
    if (!fetch->pc || fetch->block == block)
        return;
    uint32_t apart = block > fetch->block ? block - fetch->block : fetch->block - block;
    bool first = block < fetch->block, together = false;
    if (apart < system->running) {
        first = progress < fetch->progress;
        together = (first ? fetch->progress - progress : progress - fetch->progress) < AHEAD_LIMIT;
    }
    unsigned before = together ? 1 : first ? 2 : 0;
    struct request_stats *own = &system->requests[pc], *other = &system->requests[fetch->pc - 1];
    own->before += before * sectors;
    own->after += (2 - before) * sectors;
    other->before += (2 - before) * sectors;
    other->after += before * sectors;
}

/* What another block has fetched may still be on its way to the L2: blocks that start at the same
 * time and read the same in the same order advance together, because whoever is ahead waits for
 * memory. So do the warps of a block: where another one's same instruction has fetched it, as
 * the other sector of a pair most often, it is on its way, too. */
void note_found(struct memory_system *system, const struct warp *warp, uint32_t pc,
                const struct fetch *fetch) {
    struct request_stats *requests = &system->requests[pc];
    uint32_t progress = progress_of(warp), ahead = progress - fetch->progress;
    uint32_t behind = fetch->progress - progress;
    if (fetch->block == (uint32_t)warp->block->index) {
        system->follows_fetch |= fetch->pc == pc + 1 && !ahead;
        return;
    }
    requests->shared++;
    requests->abreast += ahead < AHEAD_LIMIT || behind < AHEAD_LIMIT;
}

/* A request finds what another one has just asked for: it is still on its way. Warps that follow
 * one another through a loop and read the same wait together for whoever is first in each pass. */
void note_on_its_way(const struct warp *warp, uint32_t pc, const struct fetch *fetch,
                     struct on_its_way *found) {
    uint32_t progress = progress_of(warp), ahead = progress - fetch->progress;
    uint32_t behind = fetch->progress - progress;
    if (fetch->pc == pc + 1 && !ahead) {
        found->by_same = true;
        found->by_far |= fetch->block != (uint32_t)warp->block->index;
    } else if (fetch->pc && fetch->block == (uint32_t)warp->block->index &&
               (ahead < AHEAD_LIMIT || behind < AHEAD_LIMIT)) {
        found->other_pc = fetch->pc;
    }
}

void follow_run(struct memory_system *system, const struct warp *warp, uint32_t pc) {
    struct store_run *run = &system->run;
    const struct store_run now = {warp,
                                  (uint32_t)warp->block->index,
                                  progress_of(warp),
                                  system->store_runs[pc],
                                  run->number,
                                  run->turns};
    if (now.warp == run->warp && now.block == run->block && now.progress == run->progress &&
        now.code == run->code && now.code)
        return;
    *run = now;
    run->number++;
    run->turns = 0;
}

uint8_t not_outgoing(const struct store_run *run, struct outgoing *outgoing, uint8_t sectors) {
    if (outgoing->run != run->number || run->turns - outgoing->turn >= OUTGOING_TURNS)
        *outgoing = (struct outgoing){run->number, run->turns, 0};
    uint8_t below = (uint8_t)(sectors & ~outgoing->sectors);
    outgoing->sectors |= sectors;
    return below;
}

static void note_found_in_l1(const struct on_its_way *found, struct request_stats *requests) {
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

void note_request(const struct warp *warp, uint32_t pc, unsigned passes,
                  const struct cache_stats *before) {
    struct request_stats *requests = &warp->block->launch->caches->requests[pc];
    const struct cache_stats *after = &warp->host->cache[pc];
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

/* A block: its warps in turns, until all threads have left the kernel.
 *
 * Warps run until they wait. When none can run, lanes that wait at joins are released first (that
 * is always allowed), then warp-level operations whose other lanes do not come (a hazard), and when
 * only barriers are left that can never complete, the block is stuck and says so at once. */
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/exec/barrier.h"
#include "sandbox/simgpu/exec/warp.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdlib.h>
#include <string.h>

struct block *block_create(struct host_thread *host_thread) {
    struct launch *launch = host_thread->launch;
    struct block *block = mem_zalloc(sizeof *block);
    const struct engine_launch *request = launch->request;
    block->launch = launch;
    block->host_thread = host_thread;
    block->thread_count = request->block.x * request->block.y * request->block.z;
    block->warp_count = (block->thread_count + WARP_LANES - 1) / WARP_LANES;
    block->warps = mem_calloc(block->warp_count, sizeof *block->warps);
    size_t shared = launch->program->shared_window_bytes + 64;
    block->shared = mem_zalloc(shared);
    block->shared_shadow = mem_zalloc(shared);
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        warp->block = block;
        warp->host_thread = host_thread;
        warp->index = i;
        warp->bases[1] = launch->program->constants;
        warp->local = mem_calloc(WARP_LANES, launch->local_bytes + 16u);
        warp->local_shadow = mem_calloc(WARP_LANES, launch->local_bytes + 16u);
        warp->bottom = split_push_frame(warp, &launch->program->functions[0], NULL);
    }
    return block;
}

static void start_shared(struct block *block) {
    const struct program *program = block->launch->program;
    memset(block->shared_shadow, SHADOW_NOBODY, program->shared_window_bytes);
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct placed_variable *variable = &program->variables[i];
        if (variable->space != SPACE_SHARED)
            continue;
        memset(block->shared_shadow + variable->address, SHADOW_UNINITIALIZED, variable->bytes);
        /* what an earlier block left there must not look like an answer */
        memset(block->shared + variable->address, 0xcd, variable->bytes);
        memset(block->shared_shadow + variable->address, SHADOW_INITIALIZED,
               variable->zeroed_bytes);
        memset(block->shared + variable->address, 0, variable->zeroed_bytes);
    }
}

void block_start(struct block *block, uint64_t index, uint64_t budget) {
    struct dim3 grid = block->launch->request->grid;
    block->index = index;
    block->id = (struct dim3){(uint32_t)(index % grid.x), (uint32_t)(index / grid.x % grid.y),
                              (uint32_t)(index / grid.x / grid.y)};
    block->live_threads = block->thread_count;
    block->executed = 0;
    block->budget = budget;
    block->passes = 0;
    block->pausable = block->paused = block->roused = false;
    memset(block->barriers, 0, sizeof block->barriers);
    start_shared(block);
    undef_forget_memory(block);
    for (unsigned i = 0; i < block->warp_count; i++) {
        uint32_t threads = block->thread_count - i * WARP_LANES;
        warp_reset(&block->warps[i]);
        warp_start(&block->warps[i],
                   threads >= WARP_LANES ? UINT32_MAX : ((lane_mask)1 << threads) - 1);
    }
    race_start_block(block);
    observe_block(block);
}

static bool release_something(struct block *block) {
    bool released = false;
    for (unsigned i = 0; i < block->warp_count; i++)
        released |= split_release_join(&block->warps[i]);
    for (unsigned i = 0; i < block->warp_count && !released; i++)
        released = warp_release_sync(&block->warps[i]);
    return released;
}

/* Whether a block that could go on lets others run first: every second time, as the seed has it. */
static bool wants_pause(struct block *block) {
    uint64_t chance = mix_word(block->launch->request->seed ^ block->index << 32, block->passes);
    block->paused = block->pausable && chance >> 63;
    return block->paused;
}

enum block_state block_run(struct block *block) {
    /* seed 0: warps in their order; others turn the circle, each block by another amount */
    uint64_t seed = block->launch->request->seed;
    unsigned first = seed ? (unsigned)((seed + block->index * 7) % block->warp_count) : 0;
    bool ran = false;
    for (block->paused = false;; block->passes++) {
        bool runnable = false, worked = false;
        for (unsigned i = 0; i < block->warp_count; i++) {
            struct warp *warp = &block->warps[(first + i) % block->warp_count];
            if (!split_any_runnable(warp))
                continue;
            enum warp_state state = warp_run(warp);
            if (state == WARP_STOPPED)
                return BLOCK_STOPPED;
            runnable |= state != WARP_WAITS;
            worked |= state == WARP_WAITS;
            ran |= state != WARP_SLEEPS;
        }
        for (unsigned i = 0; i < block->warp_count && !runnable; i++)
            runnable = split_any_runnable(&block->warps[i]);
        if (runnable && !ran)
            return BLOCK_SLEEPS;
        if (runnable && (!worked || block->launch->caches))
            return BLOCK_YIELDS; /* with caches, blocks of an SM take turns as its warps do */
        if (runnable && wants_pause(block))
            return BLOCK_YIELDS;
        if (runnable)
            continue;
        if (block->live_threads == 0)
            return BLOCK_ENDED;
        if (!release_something(block)) {
            barrier_report_deadlock(block);
            return BLOCK_ENDED;
        }
    }
}

void block_free(struct block *block) {
    if (!block)
        return;
    race_free_block(block);
    undef_forget_memory(block);
    for (unsigned i = 0; i < block->warp_count; i++)
        warp_free(&block->warps[i]);
    free(block->warps);
    free(block->shared);
    free(block->shared_shadow);
    free(block);
}

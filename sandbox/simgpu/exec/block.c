/* A block: its warps in turns, until all threads have left the kernel.
 *
 * Warps run until they wait. When none can run, lanes that wait at joins are released first (that
 * is always allowed), then warp-level operations whose other lanes do not come (a hazard), and when
 * only barriers are left that can never complete, the block is stuck and says so at once. */
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/exec/barrier.h"
#include "sandbox/simgpu/exec/cluster.h"
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

enum { MAPPED_BYTES = 4 << 20 }; /* a block of so much has pages of its own */

/* Where the parts of a block lie in its memory, and those of a warp in the warp's part of it. */
struct block_layout {
    size_t warps, shared, shared_shadow, first_warp, all;
    size_t frame, local, local_shadow, registers, warp_bytes;
};

/* The place of `bytes` bytes after what has its place. */
static size_t add_part(size_t *end, size_t bytes) {
    size_t at = *end;
    *end += (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    return at;
}

static struct block_layout lay_out(const struct launch *launch) {
    enum { READ_BEYOND = 64 }; /* vectors may be read whole */
    struct block_layout at = {0};
    struct dim3 size = launch->request->block;
    size_t warps = ((size_t)size.x * size.y * size.z + WARP_LANES - 1) / WARP_LANES;
    size_t shared = launch->program->shared_window_bytes + READ_BEYOND;
    size_t local = (size_t)WARP_LANES * (launch->local_bytes + 16u);
    at.frame = add_part(&at.warp_bytes, sizeof(struct frame));
    at.local = add_part(&at.warp_bytes, local);
    at.local_shadow = add_part(&at.warp_bytes, local);
    at.registers = add_part(&at.warp_bytes,
                            launch->program->functions[0].register_bytes + (size_t)READ_BEYOND);
    add_part(&at.all, sizeof(struct block));
    at.warps = add_part(&at.all, warps * sizeof(struct warp));
    at.shared = add_part(&at.all, shared);
    at.shared_shadow = add_part(&at.all, shared);
    at.first_warp = add_part(&at.all, warps * at.warp_bytes);
    return at;
}

size_t block_bytes(const struct launch *launch) {
    return lay_out(launch).all;
}

static void create_warp(struct block *block, unsigned index, unsigned char *memory,
                        const struct block_layout *at) {
    const struct program *program = block->launch->program;
    struct warp *warp = &block->warps[index];
    warp->block = block;
    warp->host_thread = block->host_thread;
    warp->index = index;
    warp->bases[1] = program->constants;
    warp->local = memory + at->local;
    warp->local_shadow = memory + at->local_shadow;
    warp->bottom = (struct frame *)(memory + at->frame);
    warp->bottom->function = &program->functions[0];
    warp->bottom->param_base = program->functions[0].local_bytes;
    warp->bottom->registers = memory + at->registers;
    block->frame_bytes += program->functions[0].register_bytes;
}

/* All zeros. What a launch leaves takes the place of a block that was freed, and the next block
 * would have another part of the heap: large ones are not of the heap. */
static void *own_memory(size_t bytes) {
    if (bytes < MAPPED_BYTES)
        return memset(mem_aligned(BLOCK_ALIGNMENT, bytes), 0, bytes);
    void *memory = mem_map(bytes);
    mem_expect_use(memory, bytes);
    return memory;
}

struct block *block_create(struct host_thread *host_thread, void *room) {
    struct launch *launch = host_thread->launch;
    struct block_layout at = lay_out(launch);
    unsigned char *memory = room ? room : own_memory(at.all);
    struct block *block = (struct block *)memory;
    const struct engine_launch *request = launch->request;
    block->own_bytes = room ? 0 : at.all;
    block->launch = launch;
    block->host_thread = host_thread;
    block->thread_count = request->block.x * request->block.y * request->block.z;
    block->warp_count = (block->thread_count + WARP_LANES - 1) / WARP_LANES;
    block->warps = (struct warp *)(memory + at.warps);
    block->shared = memory + at.shared;
    block->shared_shadow = memory + at.shared_shadow;
    for (unsigned i = 0; i < block->warp_count; i++)
        create_warp(block, i, memory + at.first_warp + i * at.warp_bytes, &at);
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
    block->clock_reads = 0;
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
        if (release_something(block))
            continue;
        if (cluster_can_wait(block))
            return ran || block->launch->caches ? BLOCK_YIELDS : BLOCK_SLEEPS;
        barrier_report_deadlock(block);
        return BLOCK_ENDED;
    }
}

void block_free(struct block *block) {
    if (!block)
        return;
    race_free_block(block);
    undef_forget_memory(block);
    for (unsigned i = 0; i < block->warp_count; i++)
        warp_free(&block->warps[i]);
    if (block->own_bytes >= MAPPED_BYTES)
        mem_unmap(block, block->own_bytes);
    else if (block->own_bytes)
        free(block);
}

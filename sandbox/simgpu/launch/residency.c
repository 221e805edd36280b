/* Blocks on SMs.
 *
 * As many blocks as the occupancy allows are resident on each SM; they are assigned to the SMs in
 * turn, and an SM whose block ends gets the next one. Resident blocks run in turns, a block's warps
 * too, each until it comes to the end of a loop's pass or has to wait (yield_points.c): that is how
 * the L1 of an SM sees accesses of different warps mixed. All of it happens on one host thread, so
 * that the caches see the same order every time.
 *
 * A sampled launch first runs some blocks by themselves, to know what a block costs. It simulates
 * as many SMs as the sample fills and an L2 that is smaller in the same proportion. */
#include "sandbox/simgpu/launch/residency.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/base/number.h"
#include "sandbox/base/occupancy.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/exec/cluster.h"
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/launch/register_slots.h"
#include "sandbox/simgpu/memsys/block_dependency.h"
#include "sandbox/simgpu/memsys/sample.h"
#include "sandbox/simgpu/memsys/warp_trace.h"
#include "sandbox/simgpu/sass/sass_model.h"
#include "sandbox/simgpu/sass/yield_points.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/stats.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 16, /* warp instructions after which the end of a loop's pass ends a warp's turn */
    RESIDENT_BYTES = 512 << 20,
    MAX_RESIDENT = 16384,
    TRIED_BLOCKS = 32, /* to know what a block costs ... */
    TRIED_SHARE = 8,   /* ... for no more than that part of the sample's budget */
};
static const double MIN_SKEW = 1.1; /* so much more work is another kind of block */

struct resident_plan {
    uint32_t sms, blocks_per_sm; /* that are simulated at the same time */
    uint64_t l1_bytes, l2_bytes;
};

/* What the driver takes from the L1 for shared memory: the smallest size that holds the blocks. */
static uint64_t carve_out(const struct device_profile *device, uint64_t wanted) {
    static const unsigned kib[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
    for (size_t i = 0; i < sizeof kib / sizeof kib[0]; i++)
        if ((uint64_t)kib[i] << 10 >= wanted)
            return (uint64_t)kib[i] << 10;
    return (uint64_t)device->shared_bytes_per_sm;
}

static uint64_t l1_bytes_of(const struct launch *launch, const struct occupancy *occupancy) {
    const struct device_profile *device = launch->request->device;
    double unit = device->shared_unit_bytes;
    double block = (double)launch->program->static_shared_bytes +
                   (double)launch->request->shared_bytes + device->shared_reserved_bytes;
    uint64_t units = (uint64_t)((block + unit - 1) / unit);
    uint64_t taken = carve_out(device, units * (uint64_t)unit * occupancy->blocks_per_sm);
    uint64_t all = (uint64_t)device->l1_bytes, least = 4096;
    return taken + least < all ? all - taken : least;
}

static struct resident_plan make_plan(const struct launch *launch, uint64_t blocks) {
    const struct device_profile *device = launch->request->device;
    const struct engine_launch *request = launch->request;
    struct occupancy_capacity capacity = occupancy_capacity_of(device);
    struct occupancy occupancy = occupancy_compute(
        &capacity, request->block.x * request->block.y * request->block.z, request->registers,
        launch->program->static_shared_bytes + request->shared_bytes);
    uint64_t sms = number_min((uint64_t)device->multiprocessors, launch->block_count);
    uint64_t full = (launch->block_count + sms - 1) / sms; /* on one SM, if all were resident */
    uint64_t per_sm = number_min(occupancy.blocks_per_sm ? occupancy.blocks_per_sm : 1, full);
    uint64_t own =
        launch->program->length * (sizeof(struct insn_stats) + sizeof(struct cache_stats) +
                                   MEMORY_CLASS_COUNT * sizeof(struct memory_stats));
    uint64_t each = launch_block_bytes(launch) + 4096 + (launch->sample ? own : 0);
    uint64_t room = number_min(RESIDENT_BYTES / each, MAX_RESIDENT);
    uint64_t simulated = number_min((blocks + per_sm - 1) / per_sm, sms);
    simulated = number_min(simulated, room / per_sm ? room / per_sm : 1);
    struct resident_plan plan = {.sms = (uint32_t)simulated,
                                 .blocks_per_sm = (uint32_t)per_sm,
                                 .l1_bytes = l1_bytes_of(launch, &occupancy),
                                 .l2_bytes = (uint64_t)device->l2_bytes};
    if (launch->program->cooperative) /* all its blocks must run at once */
        plan.blocks_per_sm = (uint32_t)((blocks + simulated - 1) / simulated);
    if (launch->cluster_size > 1) /* a cluster has the same slots from its start to its end */
        plan.blocks_per_sm = (uint32_t)number_max(
            plan.blocks_per_sm, (launch->cluster_size + simulated - 1) / simulated);
    if (launch->sample)
        plan.l2_bytes = plan.l2_bytes * simulated / sms;
    return plan;
}

/* ---- running --------------------------------------------------------------------------------- */

/* What a block needs while it runs. */
struct resident_body {
    struct block *block;
    struct insn_stats *stats; /* of a sampled block: its own, until it ends */
    struct memory_stats *memory;
    struct cache_stats *cache;
    struct resident_body *next; /* of those that no block has */
};

/* A block gets a body when it first runs and gives it back when it ends: where blocks end in their
 * first turn, one body is enough for all of them, and stays in the host's caches. */
struct resident_slot {
    uint64_t number; /* of the block, in the order in which blocks start */
    const struct sample_block *sampled;
    struct resident_body *body;
    bool busy;
};

struct residency {
    struct host_thread *host_thread;
    struct resident_slot *slots;
    unsigned char *bodies; /* memory of `count` of them */
    size_t body_bytes;
    uint64_t body_count; /* that were needed */
    struct resident_body *spare;
    struct cluster *clusters; /* of slots n * size and following; NULL: there are none */
    struct host_thread own;   /* the host's own statistics */
    uint64_t count, next, running, blocks;
    uint32_t sms;
};

/* Where the parts of a body lie in its memory. */
struct body_layout {
    size_t stats, memory, cache, block, all;
};

static struct body_layout lay_out(const struct launch *launch) {
    size_t length = launch->sample ? launch->program->length : 0;
    struct body_layout at = {.stats = sizeof(struct resident_body)};
    at.memory = at.stats + length * sizeof(struct insn_stats);
    at.cache = at.memory + length * MEMORY_CLASS_COUNT * sizeof(struct memory_stats);
    size_t end = at.cache + length * sizeof(struct cache_stats);
    at.block = (end + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    at.all = at.block + block_bytes(launch);
    return at;
}

static struct resident_body *body_create(struct residency *resident) {
    const struct launch *launch = resident->host_thread->launch;
    struct body_layout at = lay_out(launch);
    unsigned char *memory = resident->bodies + resident->body_count++ * at.all;
    struct resident_body *body = (struct resident_body *)memory;
    body->block = block_create(resident->host_thread, memory + at.block);
    if (launch->sample) {
        body->stats = (struct insn_stats *)(memory + at.stats);
        body->memory = (struct memory_stats *)(memory + at.memory);
        body->cache = (struct cache_stats *)(memory + at.cache);
    }
    return body;
}

/* Ordinary pages: large ones are dear to get where a virtual machine has given them back. */
static void bodies_open(struct residency *resident) {
    resident->body_bytes = lay_out(resident->host_thread->launch).all * resident->count;
    resident->bodies = mem_map(resident->body_bytes);
}

static void bodies_close(struct residency *resident) {
    struct body_layout at = lay_out(resident->host_thread->launch);
    for (uint64_t i = 0; i < resident->body_count; i++)
        block_free(((struct resident_body *)(resident->bodies + i * at.all))->block);
    mem_unmap(resident->bodies, resident->body_bytes);
}

static struct resident_body *take_body(struct residency *resident) {
    struct resident_body *body = resident->spare;
    if (!body)
        return body_create(resident);
    resident->spare = body->next;
    return body;
}

static void give_body_back(struct residency *resident, struct resident_slot *slot) {
    slot->body->next = resident->spare;
    resident->spare = slot->body;
    slot->body = NULL;
}

static void slot_start(struct residency *resident, uint64_t at) {
    struct launch *launch = resident->host_thread->launch;
    resident->slots[at] = (struct resident_slot){
        .number = resident->next,
        .sampled = launch->sample ? &launch->sample->blocks[resident->next] : NULL,
        .busy = true};
    block_dependency_start_block(launch, (uint32_t)at);
    resident->next++;
    resident->running++;
}

static void slot_place(struct residency *resident, struct resident_slot *slot) {
    const struct sample_block *sampled = slot->sampled;
    uint32_t at = (uint32_t)(slot - resident->slots);
    struct block *block = slot->body->block;
    block->roused = true; /* what is polled on the device is counted */
    block->sm = at % resident->sms;
    block->slot = at;
    block->weight = sampled ? sampled->weight : 1;
    block->capture_mark = sampled ? capture_mark_of(slot->number, sampled->stratum) : CAPTURE_NONE;
}

static void slot_open(struct residency *resident, struct resident_slot *slot) {
    slot->body = take_body(resident);
    block_start(slot->body->block, slot->sampled ? slot->sampled->index : slot->number, 0);
    slot_place(resident, slot);
}

/* A cluster's blocks have their bodies from its start to its end: they reach each other's memory.
 */
static void cluster_open(struct residency *resident, uint64_t first) {
    const struct launch *launch = resident->host_thread->launch;
    struct block *blocks[MAX_CLUSTER_BLOCKS];
    uint64_t number = resident->next / launch->cluster_size;
    for (unsigned i = 0; i < launch->cluster_size; i++) {
        slot_start(resident, first + i);
        resident->slots[first + i].body = take_body(resident);
        blocks[i] = resident->slots[first + i].body->block;
    }
    cluster_start(&resident->clusters[first / launch->cluster_size], number, blocks, 0);
    for (unsigned i = 0; i < launch->cluster_size; i++)
        slot_place(resident, &resident->slots[first + i]);
}

/* A slot's block has ended: starts what comes next in its place, or in that of its whole cluster.
 */
static void slot_end(struct residency *resident, uint64_t at) {
    const struct launch *launch = resident->host_thread->launch;
    uint64_t size = launch->cluster_size, first = at / size * size;
    if (!cluster_end_block(resident->slots[at].body->block))
        return;
    for (uint64_t i = first; i < first + size; i++)
        give_body_back(resident, &resident->slots[i]);
    if (resident->next >= resident->blocks)
        return;
    if (resident->clusters)
        cluster_open(resident, first);
    else
        slot_start(resident, at);
}

static void use_stats(struct host_thread *host_thread, struct insn_stats *stats,
                      struct memory_stats *memory, struct cache_stats *cache) {
    host_thread->stats = stats;
    host_thread->memory = memory;
    host_thread->cache = cache;
}

/* False when the launch stops. */
static bool slot_run(struct residency *resident, struct resident_slot *slot) {
    struct host_thread *host_thread = resident->host_thread;
    struct launch *launch = host_thread->launch;
    if (!slot->body)
        slot_open(resident, slot);
    struct resident_body *body = slot->body;
    struct block *block = body->block;
    uint64_t before = block->executed, charged = atomic_load(&launch->executed);
    block->budget = before + (charged < launch->budget ? launch->budget - charged : 0);
    if (body->stats)
        use_stats(host_thread, body->stats, body->memory, body->cache);
    enum block_state state = block_run(block);
    charged += block->executed - before;
    atomic_store(&launch->executed, charged);
    if (state == BLOCK_ENDED && charged > launch->budget)
        hazard_budget(&block->warps[0], launch->program->functions[0].entry_pc, 1);
    bool stopped = state == BLOCK_STOPPED || charged > launch->budget;
    if (state != BLOCK_YIELDS) {
        warp_trace_end_block(block);
        block_dependency_end_block(block);
        if (slot->sampled)
            sample_take(launch->sample, slot->sampled, host_thread);
        slot->busy = false;
        resident->running--;
    }
    return !stopped;
}

static void run_resident(struct residency *resident) {
    struct launch *launch = resident->host_thread->launch;
    for (uint64_t i = 0; i < resident->count && resident->next < resident->blocks;
         i += launch->cluster_size) {
        if (resident->clusters)
            cluster_open(resident, i);
        else
            slot_start(resident, i);
    }
    while (resident->running)
        for (uint64_t i = 0; i < resident->count; i++) {
            struct resident_slot *slot = &resident->slots[i];
            if (!slot->busy)
                continue;
            if (!slot_run(resident, slot)) {
                atomic_store(&launch->stopped, true);
                return;
            }
            if (!slot->busy)
                slot_end(resident, i);
        }
}

void residency_run(struct host_thread *host_thread) {
    struct launch *launch = host_thread->launch;
    host_thread->cache = mem_calloc(launch->program->length, sizeof *host_thread->cache);
    struct residency resident = {.host_thread = host_thread,
                                 .own = *host_thread,
                                 .blocks =
                                     launch->sample ? launch->sample->count : launch->block_count};
    struct resident_plan plan = make_plan(launch, resident.blocks);
    resident.sms = plan.sms;
    resident.count = number_min((uint64_t)plan.sms * plan.blocks_per_sm, resident.blocks);
    resident.count = resident.count / launch->cluster_size * launch->cluster_size;
    resident.slots = mem_calloc(resident.count, sizeof *resident.slots);
    if (launch->cluster_size > 1)
        resident.clusters =
            mem_calloc(resident.count / launch->cluster_size, sizeof *resident.clusters);
    struct register_slots slots = {0};
    if (!launch->checks)
        register_slots_share(&launch->laid_out, &slots);
    bodies_open(&resident);
    uint64_t running = (uint64_t)launch->request->device->multiprocessors * plan.blocks_per_sm;
    launch->caches = memory_system_create(launch, plan.sms, running, plan.l1_bytes, plan.l2_bytes);
    run_resident(&resident);
    use_stats(host_thread, resident.own.stats, resident.own.memory, resident.own.cache);
    bodies_close(&resident);
    register_slots_restore(&launch->laid_out, &slots);
    free(resident.slots);
    free(resident.clusters);
}

/* ---- the sample ------------------------------------------------------------------------------ */

/* What a block costs, in thread instructions, at least `limit` where it is more; 0: it had a hazard
 * or did not end. */
static uint64_t try_block(struct launch *launch, struct block *block, uint64_t index,
                          uint64_t limit) {
    const struct host_thread *host_thread = &launch->host_thread_pool[0];
    limit = number_min(launch->budget, limit);
    block_start(block, index, limit);
    block->roused = true;
    enum block_state state;
    while ((state = block_run(block)) == BLOCK_YIELDS)
        ;
    bool over = block->executed > limit && limit < launch->budget;
    bool right = over || (state == BLOCK_ENDED && !host_thread->hazard_count);
    return right ? block->executed : 0;
}

/* What a block costs on average: as one from the middle of the grid, where some others all over it
 * do not cost clearly more or less. What they take together is a small part of the sample. */
static uint64_t try_blocks(struct launch *launch) {
    struct dim3 grid = launch->request->grid;
    struct block *block = block_create(&launch->host_thread_pool[0], NULL);
    uint64_t index = ((uint64_t)(grid.z / 2) * grid.y + grid.y / 2) * grid.x + grid.x / 2;
    uint64_t room = launch->request->sample_budget / TRIED_SHARE, tried = 1;
    uint64_t middle = try_block(launch, block, index, launch->request->sample_budget), all = middle;
    for (uint64_t i = 0; middle && all < room && i < TRIED_BLOCKS; i++) {
        uint64_t cost = try_block(launch, block, mix_word(i, 2) % launch->block_count, room);
        all += cost;
        tried += cost > 0;
    }
    block_free(block);
    double mean = (double)all / (double)tried;
    bool clearly = mean > MIN_SKEW * (double)middle || (double)middle > MIN_SKEW * mean;
    return clearly ? (uint64_t)mean + 1 : middle;
}

bool residency_open(struct launch *launch) {
    const struct engine_launch *request = launch->request;
    launch->turn_slice = SLICE;
    launch->sass = sass_model_create(launch->program, request);
    launch->turn_before = yield_points_find(launch->sass);
    launch->sampling = !request->sample_budget               ? SAMPLING_not_asked
                       : launch->program->blocks_communicate ? SAMPLING_dependent
                       : launch->block_count < 4             ? SAMPLING_small
                                                             : SAMPLING_sampled;
    if (launch->sampling != SAMPLING_sampled)
        return false;
    uint64_t cost = try_blocks(launch);
    if (cost)
        launch->sample = sample_create(launch, request->sample_budget / cost + 1);
    if (!launch->sample)
        launch->sampling = cost ? SAMPLING_small : SAMPLING_faulty;
    return true;
}

void residency_close(struct launch *launch) {
    free(launch->turn_before);
    memory_system_free(launch->caches);
    sample_free(launch->sample);
    sass_model_free(launch->sass);
}

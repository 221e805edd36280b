/* sim_run(): one launch from PTX text to results.
 *
 * Blocks that cannot see one another run side by side on host threads; those that can (ordered
 * atomics, flags, fences) run on one thread, in turns where they wait for one another. A launch
 * that a trap or the budget ends is repeated on one thread, so that what it reports never depends
 * on how many there were: the same seed gives the same report. */
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/exec/spin_deadlock.h"
#include "sandbox/simgpu/launch/deadline.h"
#include "sandbox/simgpu/launch/residency.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/memsys/block_dependency.h"
#include "sandbox/simgpu/memsys/warp_trace.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/simgpu/state/stats.h"
#include "sandbox/simgpu/time/cost.h"

#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFAULT_BUDGET_BILLIONS = 20,
    MAX_HOSTS = 64,
    PATIENCE = 4096, /* turns in which a block that runs side by side with others may only poll */
};

static uint64_t budget_left(struct launch *launch) {
    uint64_t executed = atomic_load(&launch->executed);
    return executed >= launch->budget ? 0 : launch->budget - executed;
}

static void *run_side_by_side(void *argument) {
    struct host *host = argument;
    struct launch *launch = host->launch;
    struct block *block = block_create(host);
    for (;;) {
        uint64_t index = atomic_fetch_add(&launch->next_block, 1);
        if (index >= launch->block_count || atomic_load(&launch->stopped))
            break;
        block_start(block, index, budget_left(launch));
        enum block_state state;
        unsigned polled = 0;
        while ((state = block_run(block)) == BLOCK_YIELDS && !atomic_load(&launch->stopped))
            if (++polled == PATIENCE) /* again on one thread, where spin_deadlock.c looks into it */
                atomic_store(&launch->stopped, true);
        uint64_t before = atomic_fetch_add(&launch->executed, block->executed);
        if (state == BLOCK_STOPPED || before + block->executed > launch->budget)
            atomic_store(&launch->stopped, true);
    }
    block_free(block);
    shadow_host_ends(host);
    return NULL;
}

struct resident {
    struct block *blocks[MAX_RESIDENT_BLOCKS];
    bool busy[MAX_RESIDENT_BLOCKS], ended[MAX_RESIDENT_BLOCKS];
    size_t count, limit;
};

/* As many blocks as fit into 256 MiB of registers and local memory. */
size_t launch_resident_limit(const struct launch *launch) {
    uint64_t fit = (256u << 20) / (launch_block_bytes(launch) + 4096);
    return fit < 1 ? 1 : fit > MAX_RESIDENT_BLOCKS ? MAX_RESIDENT_BLOCKS : (size_t)fit;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The block that is started as number `position`: in grid order for seed 0, else in steps that the
 * seed chooses, within runs of as many blocks as can be resident. Further apart blocks keep their
 * order, as on hardware: a kernel may wait for a block far before it, but not for one far behind.
 */
static uint64_t scheduled_block(const struct launch *launch, uint64_t position, uint64_t run) {
    uint64_t seed = launch->request->seed;
    if (seed == 0)
        return position;
    uint64_t first = position / run * run;
    uint64_t count = launch->block_count - first < run ? launch->block_count - first : run;
    uint64_t step = seed * 0x9e3779b97f4a7c15u % count;
    while (greatest_common_divisor(step, count) != 1)
        step++;
    return first + (position - first + seed % count) % count * step % count;
}

/* All running blocks poll: ends those that will for ever, and returns how many. */
static size_t end_stuck(struct stuck *stuck, struct resident *resident, bool all_started) {
    size_t ended = stuck_round(stuck, resident->blocks, resident->busy, resident->count,
                               all_started, resident->ended);
    for (size_t i = 0; i < resident->count && ended; i++)
        resident->busy[i] &= !resident->ended[i];
    return ended;
}

/* Blocks one after the other; the next is started only when all that have been are waiting or done.
 */
static void run_in_turns(struct host *host) {
    struct launch *launch = host->launch;
    struct resident *resident = mem_zalloc(sizeof *resident);
    resident->limit = launch_resident_limit(launch);
    struct stuck *stuck = stuck_create(host, resident->limit);
    uint64_t next = 0, running = 0, charged = 0;
    size_t turn = 0;
    while ((next < launch->block_count || running) && !atomic_load(&launch->stopped)) {
        size_t slot = 0;
        while (slot < resident->count && resident->busy[slot])
            slot++;
        bool start = next < launch->block_count && (running == 0 || turn >= running) &&
                     (slot < resident->count || resident->count < resident->limit);
        if (start) {
            if (slot == resident->count)
                resident->blocks[resident->count++] = block_create(host);
            block_start(resident->blocks[slot], scheduled_block(launch, next++, resident->limit),
                        0);
            /* In the natural order a block that waits for nobody runs to its end; in others it may
             * be overtaken between its barriers, as hardware overtakes it anywhere. */
            resident->blocks[slot]->pausable = launch->request->seed != 0;
            resident->busy[slot] = true;
            running++;
            turn = 0;
            stuck_moved(stuck);
        } else {
            if (turn >= running) {
                turn = 0;
                running -= end_stuck(stuck, resident, next == launch->block_count);
                if (running == 0)
                    continue;
            }
            size_t seen = 0;
            for (slot = 0; slot < resident->count; slot++)
                if (resident->busy[slot] && seen++ == turn)
                    break;
        }
        struct block *block = resident->blocks[slot];
        uint64_t before = block->executed;
        block->budget = before + budget_left(launch);
        enum block_state state = block_run(block);
        charged += block->executed - before;
        atomic_store(&launch->executed, charged);
        if (state != BLOCK_YIELDS || block->paused)
            stuck_moved(stuck);
        if (state == BLOCK_YIELDS) {
            turn++;
            continue;
        }
        /* blocks without a loop never ask: there may be more of them than the budget has */
        if (state == BLOCK_ENDED && charged > launch->budget)
            hazard_budget(&block->warps[0], launch->program->functions[0].entry_pc, 1);
        if (state == BLOCK_STOPPED || charged > launch->budget)
            atomic_store(&launch->stopped, true);
        resident->busy[slot] = false;
        running--;
        turn = 0;
    }
    stuck_free(stuck);
    for (size_t i = 0; i < resident->count; i++)
        block_free(resident->blocks[i]);
    free(resident);
}

static void free_hosts(struct launch *launch) {
    for (unsigned i = 0; i < launch->host_count; i++) {
        struct host *host = &launch->hosts[i];
        for (size_t j = 0; j < host->printed_count; j++)
            text_free(&host->printed[j].text);
        free(host->printed);
        free(host->stats);
        free(host->memory);
        free(host->cache);
        free(host->shapes);
        free(host->hazards);
        free(host->sites);
    }
    race_free_launch(launch);
    free(launch->hosts);
}

static void make_hosts(struct launch *launch, unsigned count) {
    launch->host_count = count;
    launch->hosts = mem_calloc(count, sizeof *launch->hosts);
    for (unsigned i = 0; i < count; i++) {
        struct host *host = &launch->hosts[i];
        host->launch = launch;
        host->stats = mem_calloc(launch->program->length, sizeof *host->stats);
        host->memory =
            mem_calloc(launch->program->length, MEMORY_CLASS_COUNT * sizeof *host->memory);
        host->shapes = mem_calloc(launch->program->length, sizeof *host->shapes);
        host->sites = mem_calloc(launch->program->length, sizeof *host->sites);
    }
    launch->first_global = 1;
    launch->grid_arrivals = 0;
    launch->clock_leapt = 0;
    shadow_start(launch);
    race_start_launch(launch);
    atomic_store(&launch->next_block, 0);
    atomic_store(&launch->executed, 0);
    atomic_store(&launch->stopped, atomic_load(&launch->expired));
}

static unsigned wanted_hosts(const struct launch *launch) {
    /* A jailed worker may not ask, and is told. */
    long cpus = launch->request->threads ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = launch->request->threads ? launch->request->threads
                      : cpus > 0               ? (unsigned)cpus
                                               : 1;
    if (launch->program->order_sensitive)
        return 1;
    if (wanted > MAX_HOSTS)
        wanted = MAX_HOSTS;
    const struct host *host = launch->hosts;
    uint64_t each =
        launch_block_bytes(launch) +
        launch->program->length * (sizeof *host->stats + MEMORY_CLASS_COUNT * sizeof *host->memory +
                                   sizeof *host->shapes + sizeof *host->sites);
    if (wanted > MAX_HOST_BYTES / each)
        wanted = each > MAX_HOST_BYTES / 2 ? 1 : (unsigned)(MAX_HOST_BYTES / each);
    return wanted > launch->block_count ? (unsigned)launch->block_count : wanted;
}

/* With a device profile: see residency.c. */
static void run_device(struct launch *launch) {
    launch->slices = 1;
    make_hosts(launch, 1);
    launch_fill_memory(launch);
    if (residency_open(launch)) {
        free_hosts(launch);
        make_hosts(launch, 1);
        launch->repeated = true;
        fill_forget(launch);
        if (!launch->sample)
            launch_fill_memory(launch);
    }
    launch->trace = trace_create(launch);
    launch->chain = launch->trace ? chain_create(launch) : NULL;
    residency_run(&launch->hosts[0]);
}

/* Runs all blocks with so many host threads; false when the launch was stopped. */
static bool run_hosts(struct launch *launch, unsigned count) {
    make_hosts(launch, count);
    launch_fill_memory(launch);
    if (launch->in_turns) {
        run_in_turns(&launch->hosts[0]);
        return !atomic_load(&launch->stopped);
    }
    pthread_t threads[MAX_HOSTS];
    unsigned started = 0;
    for (unsigned i = 1; i < count; i++)
        if (pthread_create(&threads[started], NULL, run_side_by_side, &launch->hosts[i]) == 0)
            started++;
        else
            shadow_host_ends(&launch->hosts[i]);
    run_side_by_side(&launch->hosts[0]);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return !atomic_load(&launch->stopped) && atomic_load(&launch->executed) <= launch->budget;
}

/* Races of one slice are added to those of the first. */
static void keep_races(const struct launch *launch, struct host *first) {
    for (unsigned h = 0; h < launch->host_count; h++)
        for (size_t i = 0; i < launch->hosts[h].hazard_count; i++)
            if (launch->hosts[h].hazards[i].hazard.kind == HAZARD_GLOBAL_RACE)
                *mem_push(&first->hazards, &first->hazard_count, &first->hazard_capacity) =
                    launch->hosts[h].hazards[i];
}

/* One run, as a rule. A launch that was stopped is repeated on one host thread, and one that has
 * too much to remember in slices of the memory, see race_budget.c: all runs do the same, and each
 * finds the races of its slice. */
static void run_slices(struct launch *launch, unsigned hosts) {
    struct host *first = NULL;
    unsigned first_count = 0;
    launch->in_turns = hosts == 1; /* one thread takes blocks in the order that the seed says */
    launch->slices = 1;
    for (launch->slice = 0; launch->slice < launch->slices; launch->repeated = true) {
        bool ended = run_hosts(launch, hosts);
        uint32_t slices = shadow_wants_slices(launch);
        bool counts = !slices && (ended || launch->in_turns);
        if (atomic_load(&launch->expired)) { /* what has been found is all there will be */
            launch->slice = launch->slices - 1;
            counts = true;
        }
        if (counts && !first) {
            first = launch->hosts;
            first_count = launch->host_count;
            launch->slice++;
            continue;
        }
        if (counts)
            keep_races(launch, first);
        free_hosts(launch);
        do
            launch->slice++;
        while (counts && launch->slice < launch->slices && shadow_slice_is_empty(launch));
        if (counts)
            continue;
        atomic_store(&launch->incomplete, false);
        atomic_store(&launch->unfollowed, false);
        if (slices)
            launch->slices = slices;
        else
            launch->in_turns = true;
        hosts = launch->in_turns ? 1 : hosts;
        launch->slice = 0;
        launch->hosts = first;
        launch->host_count = first_count;
        free_hosts(launch);
        first = NULL;
        first_count = 0;
    }
    launch->hosts = first;
    launch->host_count = first_count;
}

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

const struct sim_limits sim_default_limits = {.records = RECORD_LIMIT,
                                              .shared_records = 1 << 22,
                                              .first_look = 1 << 18,
                                              .slices = 1 << SLICE_BITS,
                                              .knots = 1 << 15};

void sim_run(const struct engine_launch *request, struct engine_result *result) {
    sim_run_limited(request, &sim_default_limits, result);
}

void sim_run_limited(const struct engine_launch *request, const struct sim_limits *limits,
                     struct engine_result *result) {
    *result = (struct engine_result){.end = ENGINE_COMPLETED};
    struct launch launch = {
        .request = request,
        .limits = limits,
        .checks = !request->no_checks && !request->device,
        .turn_slice = UINT64_MAX / 2, /* never over; added to */
        .budget =
            request->budget ? request->budget : (uint64_t)DEFAULT_BUDGET_BILLIONS * 1000000000u,
    };
    if (launch_prepare(&launch, result)) {
        double start = now_ms();
        deadline_open(&launch);
        unsigned hosts = request->device ? 1 : wanted_hosts(&launch);
        if (request->device)
            run_device(&launch);
        else
            run_slices(&launch, hosts);
        deadline_close(&launch);
        result->end = atomic_load(&launch.expired) ? ENGINE_TIME_LIMIT : result->end;
        result->elapsed_ms = now_ms() - start;
        result->host_threads = hosts;
        result->order_sensitive = launch.program->order_sensitive;
        launch_collect(&launch, result);
        cost_profile(&launch, result);
        if (!request->keeps_data)
            launch_read_back(&launch);
        free_hosts(&launch);
        shadow_free(&launch);
    }
    trace_free(launch.trace);
    chain_free(launch.chain);
    residency_close(&launch);
    launch_release(&launch);
}

/* sim_launch(): one launch of a prepared module, from its arguments to results.
 *
 * Blocks that cannot see each other run side by side on host threads; those that can (ordered
 * atomics, flags, fences) run on one thread, in turns where they wait for each other. A launch
 * that a trap or the budget ends is repeated on one thread, so that what it reports never depends
 * on how many there were: the same seed gives the same report. */
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/check/block_order.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/exec/cluster.h"
#include "sandbox/simgpu/exec/spin_deadlock.h"
#include "sandbox/simgpu/launch/deadline.h"
#include "sandbox/simgpu/launch/elements.h"
#include "sandbox/simgpu/launch/residency.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/launch/touched.h"
#include "sandbox/simgpu/memsys/access_example.h"
#include "sandbox/simgpu/memsys/block_dependency.h"
#include "sandbox/simgpu/memsys/warp_trace.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/simgpu/state/stats.h"
#include "sandbox/simgpu/time/cost.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFAULT_BUDGET_BILLIONS = 20,
    MAX_HOST_THREADS = 64,
    MAX_LEFT_BYTES = 16 << 20, /* of variables; the next launch has them a second time */
    REST_TURNS = 4,            /* of a block between two ordered stores */
    BLOCK_RESTS = 4, /* so often, as a mean of all blocks: who holds a lock is waited for */
    PATIENCE = 4096, /* turns in which a block that runs side by side with others may only poll */
};

static uint64_t budget_left(struct launch *launch) {
    uint64_t executed = atomic_load(&launch->executed);
    return executed >= launch->budget ? 0 : launch->budget - executed;
}

static void *run_side_by_side(void *argument) {
    struct host_thread *host_thread = argument;
    struct launch *launch = host_thread->launch;
    struct block *block = block_create(host_thread, NULL);
    for (;;) {
        uint64_t index = atomic_fetch_add(&launch->next_block, 1);
        if (index >= launch->block_count || atomic_load(&launch->stopped))
            break;
        block_start(block, index, budget_left(launch));
        enum block_state state;
        unsigned polled = 0;
        while (block_goes_on(state = block_run(block)) && !atomic_load(&launch->stopped)) {
            block->roused = state == BLOCK_SLEEPS;
            if (++polled == PATIENCE) /* again on one thread, where spin_deadlock.c looks into it */
                atomic_store(&launch->stopped, true);
        }
        uint64_t before = atomic_fetch_add(&launch->executed, block->executed);
        if (state == BLOCK_STOPPED || before + block->executed > launch->budget)
            atomic_store(&launch->stopped, true);
    }
    block_free(block);
    race_budget_thread_ends(host_thread);
    return NULL;
}

struct resident_blocks {
    struct block *blocks[MAX_COOPERATIVE_BLOCKS];
    bool busy[MAX_COOPERATIVE_BLOCKS], ended[MAX_COOPERATIVE_BLOCKS];
    uint8_t rests[MAX_COOPERATIVE_BLOCKS]; /* turns in which it lets others go first */
    size_t count, limit;
    uint64_t awake; /* blocks that have executed something in this round ... */
    bool rested;    /* ... or would have */
    bool roused;    /* all look at what they poll */
    /* Where there are clusters: that of slots n * size and following, and the cells of its blocks'
     * shared memory, a slot each. */
    struct cluster *clusters;
};

/* As many blocks as fit into 256 MiB of registers and local memory; where all must run at once, as
 * fit into 1 GiB. */
size_t launch_resident_limit(const struct launch *launch) {
    bool all = launch->program->cooperative;
    uint64_t fit = ((uint64_t)(all ? 1024 : 256) << 20) / (launch_block_bytes(launch) + 4096);
    uint64_t most = all ? MAX_COOPERATIVE_BLOCKS : MAX_RESIDENT_BLOCKS, size = launch->cluster_size;
    fit = fit > most ? most : fit;
    return fit < size ? (size_t)size : (size_t)(fit / size * size);
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The block, or cluster, that is started as number `position`: in grid order for seed 0, else in
 * steps that the seed chooses, within runs of as many as can be resident. Further apart blocks keep
 * their order, as on hardware: a kernel may wait for a block far before it, but not for one far
 * after it. */
static uint64_t scheduled(const struct launch *launch, uint64_t position) {
    uint64_t run = launch_resident_limit(launch) / launch->cluster_size;
    uint64_t seed = launch->request->seed, all = launch->block_count / launch->cluster_size;
    if (seed == 0)
        return position;
    uint64_t first = position / run * run;
    uint64_t count = all - first < run ? all - first : run;
    uint64_t step = seed * 0x9e3779b97f4a7c15u % count;
    while (greatest_common_divisor(step, count) != 1)
        step++;
    return first + (position - first + seed % count) % count * step % count;
}

/* All running blocks poll: ends those that will for ever, and returns how many. */
static size_t end_spin_deadlocked(struct spin_deadlock *spin_deadlock,
                                  struct resident_blocks *resident, bool all_started) {
    size_t ended = spin_deadlock_check(spin_deadlock, resident->blocks, resident->busy,
                                       resident->count, all_started, resident->ended);
    for (size_t i = 0; i < resident->count && ended; i++) {
        if (resident->busy[i] && resident->ended[i])
            cluster_end_block(resident->blocks[i]);
        resident->busy[i] &= !resident->ended[i];
    }
    return ended;
}

/* Every running block has had its turn. Where all that do not rest sleep, rests end; where none
 * rests, all look once more at what they poll. Returns how many blocks have ended. */
static size_t end_round(struct spin_deadlock *spin_deadlock, struct resident_blocks *resident,
                        bool all_started) {
    bool asleep = resident->awake == 0;
    if (asleep)
        memset(resident->rests, 0, sizeof resident->rests);
    resident->roused = asleep && !resident->rested;
    resident->awake = 0;
    resident->rested = false;
    return asleep ? 0 : end_spin_deadlocked(spin_deadlock, resident, all_started);
}

/* Did a warp end its turn after a store (find_turns)? */
static bool is_interrupted(const struct block *block) {
    bool interrupted = false;
    for (unsigned i = 0; i < block->warp_count && block->launch->turn_before; i++)
        interrupted |= block->warps[i].slice_over;
    return interrupted;
}

static struct resident_blocks *resident_open(struct launch *launch) {
    struct resident_blocks *resident = mem_zalloc(sizeof *resident);
    resident->limit = launch_resident_limit(launch);
    if (launch->cluster_size == 1)
        return resident;
    resident->clusters =
        mem_calloc(resident->limit / launch->cluster_size, sizeof *resident->clusters);
    launch->cluster_memory = mem_calloc(resident->limit, sizeof *launch->cluster_memory);
    launch->cluster_memory_count = (uint32_t)resident->limit;
    return resident;
}

static void resident_close(struct launch *launch, struct resident_blocks *resident) {
    for (size_t i = 0; resident->clusters && i < resident->limit / launch->cluster_size; i++)
        race_cluster_free(&resident->clusters[i]);
    for (size_t i = 0; i < resident->count; i++)
        block_free(resident->blocks[i]);
    for (uint32_t i = 0; i < launch->cluster_memory_count; i++) {
        cells_free(&launch->cluster_memory[i].writes);
        cells_free(&launch->cluster_memory[i].reads);
    }
    free(launch->cluster_memory);
    launch->cluster_memory = NULL;
    launch->cluster_memory_count = 0;
    free(resident->clusters);
    free(resident);
}

/* The slots from `slot` on have no block that runs, or that another one of its cluster needs. */
static bool is_free(const struct launch *launch, const struct resident_blocks *resident,
                    size_t slot) {
    return resident->clusters ? !resident->clusters[slot / launch->cluster_size].running
                              : !resident->busy[slot];
}

/* Starts block or cluster number `position` in the slots from `slot` on. */
static void start_in(struct host_thread *host_thread, struct resident_blocks *resident, size_t slot,
                     uint64_t position) {
    struct launch *launch = host_thread->launch;
    uint64_t number = scheduled(launch, position), seed = launch->request->seed;
    size_t size = launch->cluster_size;
    struct block *ranks[MAX_CLUSTER_BLOCKS];
    for (size_t i = 0; i < size; i++) {
        if (slot + i == resident->count)
            resident->blocks[resident->count++] = block_create(host_thread, NULL);
        struct block *block = resident->blocks[slot + i];
        if (resident->clusters)
            block->cluster_memory = &launch->cluster_memory[slot + i];
        ranks[(i + seed) % size] = block;
    }
    if (resident->clusters)
        cluster_start(&resident->clusters[slot / size], number, ranks, 0);
    else
        block_start(ranks[0], number, 0);
    for (size_t i = 0; i < size; i++) {
        block_order_note_start(resident->blocks[slot + i]);
        /* In the natural order a block that waits for no other block runs to its end; in others
         * it may be overtaken between its barriers, as hardware overtakes it anywhere. */
        resident->blocks[slot + i]->pausable = seed != 0;
        resident->busy[slot + i] = true;
    }
    resident->roused = false;
}

/* Blocks one after the other; the next is started only when all that have been are waiting or done.
 */
static void run_in_turns(struct host_thread *host_thread) {
    struct launch *launch = host_thread->launch;
    struct resident_blocks *resident = resident_open(launch);
    struct spin_deadlock *spin_deadlock = spin_deadlock_create(host_thread, resident->limit);
    uint64_t next = 0, running = 0, charged = 0, rest_count = 0;
    size_t turn = 0;
    block_order_open(launch);
    while ((next < launch->block_count || running) && !atomic_load(&launch->stopped)) {
        size_t slot = 0;
        while (slot < resident->count && !is_free(launch, resident, slot))
            slot += launch->cluster_size;
        /* those that a barrier of the grid waits for need no round of the others in between */
        bool now = running == 0 || turn >= running || launch->program->cooperative;
        bool start = next < launch->block_count && now &&
                     (slot < resident->count || resident->count < resident->limit);
        if (start) {
            start_in(host_thread, resident, slot, next / launch->cluster_size);
            next += launch->cluster_size;
            running += launch->cluster_size;
            turn = 0;
            spin_deadlock_note_progress(spin_deadlock);
        } else {
            if (turn >= running) {
                turn = 0;
                running -= end_round(spin_deadlock, resident, next == launch->block_count);
                if (running == 0)
                    continue;
            }
            size_t seen = 0;
            for (slot = 0; slot < resident->count; slot++)
                if (resident->busy[slot] && seen++ == turn)
                    break;
            if (resident->rests[slot]) {
                resident->rests[slot]--;
                resident->rested = true;
                spin_deadlock_note_progress(spin_deadlock);
                turn++;
                continue;
            }
        }
        struct block *block = resident->blocks[slot];
        uint64_t before = block->executed;
        block->budget = before + budget_left(launch);
        block->roused = resident->roused;
        enum block_state state = block_run(block);
        charged += block->executed - before;
        atomic_store(&launch->executed, charged);
        bool rests = state == BLOCK_YIELDS && is_interrupted(block);
        resident->awake += state != BLOCK_SLEEPS;
        if (!block_goes_on(state) || block->paused)
            spin_deadlock_note_progress(spin_deadlock);
        if (block_goes_on(state)) {
            resident->rests[slot] = rests ? REST_TURNS : 0;
            rest_count += rests;
            if (rest_count > BLOCK_RESTS * (launch->block_count + BLOCK_RESTS))
                launch->turn_before = NULL;
            turn++;
            continue;
        }
        /* blocks without a loop never ask: there may be more of them than the budget has */
        if (state == BLOCK_ENDED && charged > launch->budget)
            hazard_budget(&block->warps[0], launch->program->functions[0].entry_pc, 1);
        if (state == BLOCK_STOPPED || charged > launch->budget)
            atomic_store(&launch->stopped, true);
        resident->busy[slot] = resident->roused = false;
        if (state == BLOCK_ENDED)
            cluster_end_block(block);
        running--;
        turn = 0;
    }
    spin_deadlock_free(spin_deadlock);
    if (resident->count)
        block_order_report(resident->blocks[0]);
    block_order_close(launch);
    resident_close(launch, resident);
}

static void free_host_threads(struct launch *launch) {
    for (unsigned i = 0; i < launch->host_thread_count; i++) {
        struct host_thread *host_thread = &launch->host_thread_pool[i];
        for (size_t j = 0; j < host_thread->printed_count; j++)
            text_free(&host_thread->printed[j].text);
        free(host_thread->printed);
        free(host_thread->stats);
        free(host_thread->memory);
        free(host_thread->cache);
        free(host_thread->examples);
        free(host_thread->shapes);
        free(host_thread->hazards);
        free(host_thread->sites);
        free(host_thread->observations);
    }
    race_free_launch(launch);
    free(launch->host_thread_pool);
}

static void make_host_threads(struct launch *launch, unsigned count) {
    launch->host_thread_count = count;
    launch->host_thread_pool = mem_calloc(count, sizeof *launch->host_thread_pool);
    for (unsigned i = 0; i < count; i++) {
        struct host_thread *host_thread = &launch->host_thread_pool[i];
        host_thread->launch = launch;
        host_thread->stats = mem_calloc(launch->program->length, sizeof *host_thread->stats);
        host_thread->memory =
            mem_calloc(launch->program->length, MEMORY_CLASS_COUNT * sizeof *host_thread->memory);
        host_thread->shapes = mem_calloc(launch->program->length, sizeof *host_thread->shapes);
        host_thread->sites = mem_calloc(launch->program->length, sizeof *host_thread->sites);
        if (launch->request->device)
            host_thread->examples =
                mem_calloc(launch->program->length, sizeof *host_thread->examples);
    }
    launch->first_global = 1;
    launch->grid_arrivals = 0;
    launch->clock_leapt = 0;
    race_budget_start(launch);
    race_start_launch(launch);
    atomic_store(&launch->next_block, 0);
    atomic_store(&launch->executed, 0);
    atomic_store(&launch->stopped, atomic_load(&launch->expired));
}

static unsigned needed_host_threads(const struct launch *launch) {
    /* A jailed worker may not ask: the request says it. */
    long cpus = launch->request->threads ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = launch->request->threads ? launch->request->threads
                      : cpus > 0               ? (unsigned)cpus
                                               : 1;
    if (launch->program->order_sensitive)
        return 1;
    if (wanted > MAX_HOST_THREADS)
        wanted = MAX_HOST_THREADS;
    const struct host_thread *host_thread = launch->host_thread_pool;
    uint64_t each =
        launch_block_bytes(launch) +
        launch->program->length *
            (sizeof *host_thread->stats + MEMORY_CLASS_COUNT * sizeof *host_thread->memory +
             sizeof *host_thread->shapes + sizeof *host_thread->sites);
    if (wanted > MAX_HOST_BYTES / each)
        wanted = each > MAX_HOST_BYTES / 2 ? 1 : (unsigned)(MAX_HOST_BYTES / each);
    return wanted > launch->block_count ? (unsigned)launch->block_count : wanted;
}

/* With a device profile: see residency.c. */
static void run_device(struct launch *launch) {
    launch->slices = 1;
    make_host_threads(launch, 1);
    launch_fill_memory(launch);
    if (residency_open(launch)) {
        free_host_threads(launch);
        make_host_threads(launch, 1);
        launch->repeated = true;
        lazy_buffer_forget(launch);
        if (!launch->sample)
            launch_fill_memory(launch);
    }
    launch->trace = warp_trace_create(launch);
    launch->dependency = launch->trace ? block_dependency_create(launch) : NULL;
    residency_run(&launch->host_thread_pool[0]);
}

static void run_probes(struct launch *launch, struct engine_result *result) {
    launch->slices = 1;
    make_host_threads(launch, 1);
    launch_fill_memory(launch);
    elements_probe(&launch->host_thread_pool[0], result);
}

/* Runs all blocks with `threads` host threads; false when the launch was stopped. */
static bool run_host_threads(struct launch *launch, unsigned count) {
    make_host_threads(launch, count);
    launch_fill_memory(launch);
    if (launch->in_turns) {
        run_in_turns(&launch->host_thread_pool[0]);
        return !atomic_load(&launch->stopped);
    }
    pthread_t threads[MAX_HOST_THREADS];
    unsigned started = 0;
    for (unsigned i = 1; i < count; i++)
        if (pthread_create(&threads[started], NULL, run_side_by_side,
                           &launch->host_thread_pool[i]) == 0)
            started++;
        else
            race_budget_thread_ends(&launch->host_thread_pool[i]);
    run_side_by_side(&launch->host_thread_pool[0]);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return !atomic_load(&launch->stopped) && atomic_load(&launch->executed) <= launch->budget;
}

/* Races of one slice are added to those of the first. */
static void keep_races(const struct launch *launch, struct host_thread *first) {
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        for (size_t i = 0; i < launch->host_thread_pool[h].hazard_count; i++)
            if (launch->host_thread_pool[h].hazards[i].hazard.kind == HAZARD_GLOBAL_RACE)
                *mem_push(&first->hazards, &first->hazard_count, &first->hazard_capacity) =
                    launch->host_thread_pool[h].hazards[i];
}

/* One run, as a rule. A launch that was stopped is repeated on one host thread, and one that has
 * too much to remember in slices of the memory, see race_budget.c: all runs do the same, and each
 * finds the races of its slice. */
static void run_slices(struct launch *launch, unsigned count) {
    struct host_thread *first = NULL;
    unsigned first_count = 0;
    launch->in_turns = count == 1; /* one thread takes blocks in the order that the seed says */
    launch->slices = 1;
    for (launch->slice = 0; launch->slice < launch->slices; launch->repeated = true) {
        bool ended = run_host_threads(launch, count);
        uint32_t slices = race_budget_needs_slices(launch);
        bool counts = !slices && (ended || launch->in_turns);
        if (atomic_load(&launch->expired)) { /* what has been found is all there will be */
            launch->slice = launch->slices - 1;
            counts = true;
        }
        if (counts && !first) {
            first = launch->host_thread_pool;
            first_count = launch->host_thread_count;
            launch->slice++;
            continue;
        }
        if (counts)
            keep_races(launch, first);
        free_host_threads(launch);
        do
            launch->slice++;
        while (counts && launch->slice < launch->slices && race_budget_slice_is_empty(launch));
        if (counts)
            continue;
        atomic_store(&launch->incomplete, false);
        atomic_store(&launch->unfollowed, false);
        launch->slices = slices ? slices : 1; /* blocks in turns start as if they were the first */
        launch->in_turns |= !slices;
        count = launch->in_turns ? 1 : count;
        launch->slice = 0;
        launch->host_thread_pool = first;
        launch->host_thread_count = first_count;
        free_host_threads(launch);
        first = NULL;
        first_count = 0;
    }
    launch->host_thread_pool = first;
    launch->host_thread_count = first_count;
}

/* Where blocks can see each other, the seed chooses the ordered stores and looks after which others
 * have their turn: what a thread writes next, they see later, and what it has seen, they change.
 * Between two looks at a number, others come before what is read there. */
static uint8_t *find_turns(const struct launch *launch) {
    const struct program *program = launch->program;
    uint64_t seed = launch->request->seed;
    if (!seed || !program->blocks_communicate || launch->request->device)
        return NULL;
    uint8_t *turns = mem_calloc(program->length + 1, sizeof *turns);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool chosen =
            insn_is_strong(insn) && insn->space != SPACE_SHARED && mix_word(seed, pc) >> 63;
        bool looks = insn->cost == COST_LOAD && !(insn->extra & EXTRA_WAITS);
        turns[pc] |= chosen && insn->extra & EXTRA_CONFIRMED;
        turns[pc + 1] |= chosen && (insn->cost == COST_STORE || looks);
    }
    return turns;
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
                                              .hb_nodes = 1 << 15};

void sim_run(const struct engine_launch *request, struct engine_result *result) {
    sim_run_limited(request, &sim_default_limits, result);
}

void sim_run_limited(const struct engine_launch *request, const struct sim_limits *limits,
                     struct engine_result *result) {
    struct sim_module *module = sim_prepare(request->ptx, request->ptx_length);
    sim_launch_limited(module, request, limits, result);
    sim_module_free(module);
}

void sim_launch(struct sim_module *module, const struct engine_launch *request,
                struct engine_result *result) {
    sim_launch_limited(module, request, &sim_default_limits, result);
}

/* What a launch leaves to the next one of its module. */
struct left {
    unsigned char **variables;
    uint32_t count; /* windows; the next launch has as many */
};

/* `before`: of the launch before, or NULL; `after`: filled, or NULL. */
static void run_launch(struct sim_module *module, const struct engine_launch *request,
                       const struct sim_limits *limits, const struct left *before,
                       struct left *after, struct engine_result *result) {
    *result = (struct engine_result){.end = ENGINE_COMPLETED};
    struct launch launch = {
        .request = request,
        .limits = limits,
        .left = before ? before->variables : NULL,
        .checks = !request->no_checks && !request->device,
        .turn_slice = UINT64_MAX / 2, /* never over; added to */
        .budget =
            request->budget ? request->budget : (uint64_t)DEFAULT_BUDGET_BILLIONS * 1000000000u,
    };
    if (launch_open(&launch, module, result)) {
        double start = now_ms();
        deadline_open(&launch);
        cleanup_free uint8_t *turns = find_turns(&launch);
        bool on_one_thread = request->device || request->probe_count;
        unsigned threads = on_one_thread ? 1 : needed_host_threads(&launch);
        if (request->device) {
            run_device(&launch);
            elements_sample(&launch, result);
        } else if (request->probe_count) {
            run_probes(&launch, result);
        } else {
            launch.turn_before = turns;
            run_slices(&launch, threads);
            launch.turn_before = NULL; /* with a device it is residency_close() that frees it */
        }
        deadline_close(&launch);
        result->end = atomic_load(&launch.expired) ? ENGINE_TIME_LIMIT : result->end;
        result->elapsed_ms = now_ms() - start;
        result->host_threads = threads;
        result->order_sensitive = launch.program->order_sensitive;
        result->blocks_communicate = launch.program->blocks_communicate;
        launch_collect(&launch, result);
        cost_profile(&launch, result);
        touched_collect(&launch);
        if (!request->keeps_data)
            launch_read_back(&launch);
        if (after && launch_variable_bytes(&launch) <= MAX_LEFT_BYTES)
            *after = (struct left){launch_variables(&launch), launch.allocation_count};
        free_host_threads(&launch);
        race_budget_free(&launch);
    }
    warp_trace_free(launch.trace);
    block_dependency_free(launch.dependency);
    residency_close(&launch);
    launch_close(&launch);
}

void sim_launch_limited(struct sim_module *module, const struct engine_launch *request,
                        const struct sim_limits *limits, struct engine_result *result) {
    struct left left = {0};
    if (request->is_second && !request->device) {
        struct engine_launch first = *request;
        first.keeps_data = true; /* the second one begins with the same */
        run_launch(module, &first, limits, NULL, &left, result);
        engine_result_free(result);
    }
    run_launch(module, request, limits, left.variables ? &left : NULL, NULL, result);
    launch_variables_free(left.variables, left.count);
}

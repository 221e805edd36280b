/* From what instructions did to the counters of a launch or a line: which statistic belongs to
 * which counter follows from the instruction's class, its type and the memory it reached. */
#include "sandbox/simgpu/memsys/tally.h"

#include "sandbox/simgpu/memsys/sample.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"

#include "sandbox/simgpu/program/copy_flags.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/stats.h"

enum { COUNTER_INDEX_typed = COUNTER_COUNT };

static const struct {
    unsigned flops;
    size_t class; /* a counter's index */
} costs[] = {
#define COST(id, flops, class) {flops, COUNTER_INDEX_##class},
    COST_CLASSES(COST)
#undef COST
};

enum precision { PRECISION_NONE, PRECISION_HALF, PRECISION_SINGLE, PRECISION_DOUBLE };

static enum precision precision_of(enum ptx_type type) {
    switch (type) {
    case PTX_f16:
    case PTX_bf16:
    case PTX_f16x2:
    case PTX_bf16x2:
        return PRECISION_HALF;
    case PTX_f32:
        return PRECISION_SINGLE;
    case PTX_f64:
        return PRECISION_DOUBLE;
    default:
        return PRECISION_NONE;
    }
}

/* set.u32.f32 compares what its second type says. */
static enum precision insn_precision(const struct insn *insn) {
    enum precision first = precision_of((enum ptx_type)insn->type);
    return first != PRECISION_NONE ? first : precision_of((enum ptx_type)insn->type2);
}

static uint64_t *class_counter(const struct insn *insn, struct counters *counters) {
    static const size_t typed[] = {[PRECISION_NONE] = COUNTER_INDEX_integer_instructions,
                                   [PRECISION_HALF] = COUNTER_INDEX_fp16_instructions,
                                   [PRECISION_SINGLE] = COUNTER_INDEX_fp32_instructions,
                                   [PRECISION_DOUBLE] = COUNTER_INDEX_fp64_instructions};
    size_t class = costs[insn->cost].class;
    if (class == COUNTER_INDEX_typed)
        class = typed[insn_precision(insn)];
    else if (insn->cost == COST_LOAD && insn->space == SPACE_PARAM)
        class = COUNTER_INDEX_move_instructions; /* machine code has the kernel's parameters at
                                                    hand, as operands */
    return counter_at(counters, class);
}

static void add_flops(const struct insn *insn, const struct insn_stats *stats,
                      struct counters *counters) {
    uint64_t lanes = stats->threads - stats->guarded_lanes;
    bool pair = insn->type == PTX_f16x2 || insn->type == PTX_bf16x2;
    uint64_t flops = lanes * costs[insn->cost].flops * (insn->cost == COST_SFU && pair ? 2 : 1);
    if (flops) {
        enum precision precision = insn_precision(insn);
        *(precision == PRECISION_HALF     ? &counters->flops_half
          : precision == PRECISION_DOUBLE ? &counters->flops_double
                                          : &counters->flops_single) += flops;
    }
    counters->flops_matrix += stats->operations;
    counters->flops += flops + stats->operations;
}

static void add_global(const struct memory_stats *stats, bool store, struct counters *counters) {
    if (store) {
        counters->global_store_requests += stats->requests;
        counters->global_store_sectors += stats->units;
        counters->global_store_ideal_sectors += stats->ideal;
        counters->global_store_bytes += stats->bytes;
        return;
    }
    counters->global_load_requests += stats->requests;
    counters->global_load_sectors += stats->units;
    counters->global_load_ideal_sectors += stats->ideal;
    counters->global_load_bytes += stats->bytes;
}

static void add_shared(const struct memory_stats *stats, bool store, struct counters *counters) {
    *(store ? &counters->shared_store_requests : &counters->shared_load_requests) +=
        stats->requests;
    *(store ? &counters->shared_store_wavefronts : &counters->shared_load_wavefronts) +=
        stats->units;
    counters->shared_bank_conflicts += stats->conflicts;
}

static void add_local(const struct memory_stats *stats, bool store, struct counters *counters) {
    *(store ? &counters->local_store_requests : &counters->local_load_requests) += stats->requests;
    *(store ? &counters->local_store_sectors : &counters->local_load_sectors) += stats->units;
}

static void add_atomics(const struct memory_stats *memory, struct counters *counters) {
    const struct memory_stats *global = &memory[MEMORY_GLOBAL], *shared = &memory[MEMORY_SHARED];
    counters->atomic_requests += global->requests + shared->requests;
    counters->global_atomic_requests += global->requests;
    counters->global_atomic_sectors += global->units;
    counters->global_atomic_lanes += global->lanes;
    counters->global_atomic_conflicts += global->conflicts;
    counters->global_atomic_passes += global->passes;
    counters->shared_atomic_requests += shared->requests;
    counters->shared_atomic_lanes += shared->lanes;
    counters->shared_atomic_conflicts += shared->conflicts;
    counters->shared_atomic_passes += shared->passes;
}

static void add_texture(const struct insn *insn, const struct memory_stats *stats,
                        struct counters *counters) {
    bool surface = insn_is_surface(insn);
    *(surface ? &counters->surface_requests : &counters->texture_requests) += stats->requests;
    *(surface ? &counters->surface_sectors : &counters->texture_sectors) += stats->units;
}

static void add_memory(const struct insn *insn, const struct memory_stats *memory,
                       struct counters *counters) {
    bool store = insn->cost == COST_STORE, copy = insn->cost == COST_ASYNC;
    if (insn_is_texture(insn) || insn_is_surface(insn)) {
        add_texture(insn, &memory[MEMORY_GLOBAL], counters);
        return;
    }
    if (insn->cost == COST_ATOMIC) {
        add_atomics(memory, counters);
        return;
    }
    /* an asynchronous copy loads on one side and stores on the other */
    bool to_global = copy && insn->copy_flags & COPY_TO_GLOBAL;
    add_global(&memory[MEMORY_GLOBAL], copy ? to_global : store, counters);
    add_shared(&memory[MEMORY_SHARED], copy ? !to_global : store, counters);
    add_local(&memory[MEMORY_LOCAL], store, counters);
    counters->constant_requests += memory[MEMORY_CONST].requests;
    counters->constant_replays += memory[MEMORY_CONST].conflicts;
}

void tally_insn(const struct insn *insn, const struct insn_stats *stats,
                const struct memory_stats *memory, struct counters *counters) {
    if (insn->flow == FLOW_JOIN) /* not in the PTX */
        return;
    counters->warp_instructions += stats->warps;
    counters->thread_instructions += stats->threads;
    counters->inactive_lanes += stats->warps * WARP_LANES - stats->threads;
    *class_counter(insn, counters) += stats->warps;
    add_flops(insn, stats, counters);
    add_memory(insn, memory, counters);
    if (insn->cost == COST_BARRIER)
        counters->barriers += stats->warps - stats->guarded_warps;
    if (insn->flow == FLOW_INDEXED || (insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE)) {
        counters->branches += stats->warps;
        counters->divergent_branches += stats->diverged;
    }
}

void tally_cache(const struct cache_stats *cache, struct counters *counters) {
    counters->l1_sectors += cache->l1_sectors;
    counters->l1_hits += cache->l1_hits;
    counters->l2_sectors += cache->l2_sectors;
    counters->l2_hits += cache->l2_hits;
    counters->dram_read_sectors += cache->read_first + cache->read_again;
    counters->dram_write_sectors += cache->flushed;
    counters->ideal_bytes += cache->ideal_bytes;
}

void tally_merge(struct insn_stats *stats, struct memory_stats *memory,
                 const struct insn_stats *more_stats, const struct memory_stats *more_memory) {
    _Static_assert(sizeof *stats % sizeof(uint64_t) == 0, "numbers only");
    _Static_assert(sizeof *memory % sizeof(uint64_t) == 0, "numbers only");
    uint64_t *sum = (uint64_t *)stats;
    const uint64_t *more = (const uint64_t *)more_stats;
    for (size_t i = 0; i < sizeof *stats / sizeof(uint64_t); i++)
        sum[i] += more[i];
    sum = (uint64_t *)memory;
    more = (const uint64_t *)more_memory;
    for (size_t i = 0; i < MEMORY_CLASS_COUNT * sizeof *memory / sizeof(uint64_t); i++)
        sum[i] += more[i];
}

/* What one instruction did, on all host threads, or scaled from the sample. */
void launch_tally(const struct launch *launch, uint32_t pc, struct counters *counters) {
    struct insn_stats stats = {0};
    struct memory_stats memory[MEMORY_CLASS_COUNT] = {{0}};
    if (launch->sample) {
        sample_tally(launch->sample, pc, counters);
        return;
    }
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        tally_merge(&stats, memory, &launch->host_thread_pool[h].stats[pc],
                    &launch->host_thread_pool[h].memory[(size_t)pc * MEMORY_CLASS_COUNT]);
    tally_insn(&launch->program->code[pc], &stats, memory, counters);
    if (launch->caches)
        tally_cache(&launch->host_thread_pool[0].cache[pc], counters);
}

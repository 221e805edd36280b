/* From what the executors say to the counters and to the parts of the cost model that want to know
 * of it: see observe.h. */
#include "sandbox/simgpu/memsys/observe.h"

#include "sandbox/simgpu/memsys/atomic_traffic.h"
#include "sandbox/simgpu/memsys/block_dependency.h"
#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/memsys/distinct.h"
#include "sandbox/simgpu/memsys/div_slow_path.h"
#include "sandbox/simgpu/memsys/warp_trace.h"

/* Ordered and volatile loads see what other SMs have written: they ask the L2, as those do that say
 * so. */
void observe_caches(struct warp *warp, const struct insn *insn, enum ptx_space space,
                    lane_mask lanes, const device_address *addresses, unsigned bytes, bool store) {
    bool past_l1 = insn->order != ORDER_WEAK || insn->extra & EXTRA_PAST_L1;
    enum cache_access access = insn->cost == COST_ATOMIC ? CACHE_ATOMIC
                               : store                   ? CACHE_STORE
                               : past_l1                 ? CACHE_LOAD_L2
                                                         : CACHE_LOAD;
    if (space == SPACE_GLOBAL && lanes && warp->block->launch->dependency)
        block_dependency_access(warp, insn_pc(warp, insn), lanes, addresses);
    if (space == SPACE_GLOBAL || space == SPACE_LOCAL)
        cache_request(warp, insn_pc(warp, insn), space, lanes, addresses, bytes, access);
}

void observe_shared_load(const struct warp *warp, uint32_t pc, struct access_shape *shape,
                         unsigned bytes) {
    memory_system_note_wide(warp, pc, shape, bytes);
}

void observe_apart(struct warp *warp, const struct insn *insn, enum ptx_space space,
                   lane_mask lanes, const device_address *addresses, unsigned bytes, bool store) {
    count_apart(warp->host_thread, insn_pc(warp, insn), lanes, addresses, bytes);
    if (observe_has_device(warp))
        observe_caches(warp, insn, space, lanes, addresses, bytes, store);
}

void observe_atomic(struct warp *warp, const struct insn *insn, enum ptx_space space,
                    lane_mask lanes, const device_address *addresses, unsigned bytes) {
    uint32_t pc = insn_pc(warp, insn);
    struct memory_stats *stats = memory_stats_of(warp->host_thread, pc, space);
    unsigned active = (unsigned)__builtin_popcount(lanes), most;
    stats->requests++;
    stats->lanes += active;
    if (warp->block->launch->request->device) { /* a tenth of the time of a histogram */
        stats->conflicts += active - distinct_count(lanes, addresses, &most);
        stats->passes += most;
        if (space == SPACE_SHARED)
            atomic_traffic_shared(warp, pc, lanes, addresses,
                                  !(insn->operands[2] & OPERAND_CONSTANT));
    }
    if (observe_has_device(warp) && space == SPACE_GLOBAL) {
        stats->units += count_sectors_apart(lanes, addresses, 1); /* aligned: one sector each */
        observe_caches(warp, insn, space, lanes, addresses, bytes, true);
    }
}

void observe_bulk(struct warp *warp, const struct insn *insn, device_address global, uint32_t bytes,
                  bool store) {
    count_bulk(warp->host_thread, insn_pc(warp, insn), global, bytes);
    if (observe_has_device(warp))
        cache_bulk(warp, insn_pc(warp, insn), global, bytes, store);
}

void observe_device_division(const struct warp *warp, uint32_t pc, lane_mask lanes,
                             const float *dividends, const float *divisors) {
    div_slow_path_note(warp, pc, lanes, dividends, divisors);
}

void observe_block(struct block *block) {
    warp_trace_start_block(block);
}

void observe_line_start(struct warp *warp, uint32_t pc) {
    warp->path->line = pc;
}

void observe_line_end(struct warp *warp, uint32_t first, uint32_t last, bool parts) {
    warp_trace_append(warp->block->launch->trace, warp->path, first, last, parts);
}

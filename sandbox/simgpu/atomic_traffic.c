/* Clocks that the L2 is kept busy by atomics, by hash of the slice and of the address, and the
 * passes of those in shared memory. Lanes whose atomics the assembler joins count as one. */
#include "sandbox/simgpu/atomic_traffic.h"

#include "grader/base/memory.h"
#include "sandbox/simgpu/cache.h"
#include "sandbox/simgpu/merged_atomic.h"
#include "sandbox/simgpu/word_set.h"

#include <stdlib.h>

enum { CONTENTION_SLOTS = 4096, SLICE_SHIFT = 9 };

struct atomic_traffic {
    double slices[CONTENTION_SLOTS], addresses[CONTENTION_SLOTS]; /* busy clocks */
    uint8_t *merges;                                              /* by pc */
};

struct atomic_traffic *atomic_traffic_create(const struct launch *launch) {
    struct atomic_traffic *traffic = mem_zalloc(sizeof *traffic);
    traffic->merges =
        merged_atomics_find(launch->program, (unsigned)launch->request->device->compute_capability);
    return traffic;
}

void atomic_traffic_free(struct atomic_traffic *traffic) {
    free(traffic->merges);
    free(traffic);
}

const uint8_t *atomic_traffic_merges(const struct atomic_traffic *traffic) {
    return traffic->merges;
}

/* The lanes that go to memory. */
static lane_mask join_lanes(const struct atomic_traffic *traffic, struct request_stats *requests,
                            uint32_t pc, lane_mask lanes) {
    enum atomic_merge merge = (enum atomic_merge)traffic->merges[pc];
    if (merge == ATOMIC_APART || (merge == ATOMIC_TOGETHER_IF_WHOLE && lanes != UINT32_MAX))
        return lanes;
    requests->joined++;
    return lanes & -lanes;
}

/* Sums by hash do not depend on the order; what others leave in a busy slot is the average slot. */
static size_t contention_slot(uint64_t number) {
    return (size_t)(number * 0x9e3779b97f4a7c15u >> 52) % CONTENTION_SLOTS;
}

/* A slice of the L2 changes several words of a sector at once, but one word once at a time; sums of
 * floats that the next one waits for take longer. */
void atomic_traffic_global(const struct warp *warp, uint32_t pc, lane_mask lanes,
                           const device_address *addresses) {
    struct memory_system *system = warp->block->launch->caches;
    struct atomic_traffic *traffic = memory_system_atomics(system);
    const struct device_profile *device = warp->block->launch->request->device;
    double weight = warp->block->weight;
    bool floating = ptx_type_is_float((enum ptx_type)warp->block->launch->program->code[pc].type);
    lanes = join_lanes(traffic, &memory_system_requests(system)[pc], pc, lanes);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), before = 0, in_sector = 0;
        for (lane_mask others = lanes & (((lane_mask)1 << lane) - 1); others;
             others &= others - 1) {
            unsigned other = (unsigned)__builtin_ctz(others);
            before += addresses[other] == addresses[lane];
            in_sector += addresses[other] >> 5 == addresses[lane] >> 5;
        }
        double clocks = before      ? device->atomic_repeat_cycles
                        : in_sector ? 0
                                    : device->atomic_slice_cycles;
        traffic->slices[contention_slot(addresses[lane] >> SLICE_SHIFT)] += weight * clocks;
        if (floating)
            traffic->addresses[contention_slot(addresses[lane] >> 2)] +=
                weight * device->atomic_float_cycles;
    }
}

void atomic_traffic_shared(const struct warp *warp, uint32_t pc, lane_mask lanes,
                           const device_address *addresses, bool repeats) {
    struct memory_system *system = warp->block->launch->caches;
    if (!system) /* a block that is only tried */
        return;
    struct request_stats *requests = &memory_system_requests(system)[pc];
    lanes = join_lanes(memory_system_atomics(system), requests, pc, lanes);
    struct word_set set = {.used = 0};
    uint8_t words[32] = {0};
    unsigned fullest = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        uint64_t word = addresses[__builtin_ctz(rest)] >> 2;
        bool fresh = word_set_add(&set, (int64_t)word);
        if ((fresh || repeats) && ++words[word & 31] > fullest)
            fullest = words[word & 31];
    }
    uint64_t address = lanes ? addresses[__builtin_ctz(lanes)] : 0;
    if (requests->requests && requests->last_slot == warp->block->slot &&
        requests->last_warp != warp->index) {
        requests->following++;
        requests->contended += requests->last_address == address;
    }
    requests->last_address = address;
    requests->last_slot = warp->block->slot;
    requests->last_warp = warp->index;
    requests->requests++;
    requests->passes += fullest;
}

static double busiest(const double *slots) {
    double most = 0, sum = 0;
    for (size_t i = 0; i < CONTENTION_SLOTS; i++) {
        most = slots[i] > most ? slots[i] : most;
        sum += slots[i];
    }
    double others = (sum - most) / (CONTENTION_SLOTS - 1);
    return most > others ? most - others : 0;
}

double atomic_traffic_contention(const struct atomic_traffic *traffic) {
    double slice = busiest(traffic->slices), address = busiest(traffic->addresses);
    return slice > address ? slice : address;
}

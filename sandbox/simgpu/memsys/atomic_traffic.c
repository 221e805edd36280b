/* Clocks that the L2 is kept busy by atomics, by hash of the slice and of the address, and the
 * passes of those in shared memory. Lanes whose atomics the assembler joins count as one. */
#include "sandbox/simgpu/memsys/atomic_traffic.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/sass/atomic_aggregation.h"
#include "sandbox/simgpu/sass/sass_model.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"
#include "sandbox/simgpu/state/word_set.h"

#include <stdlib.h>
#include <string.h>

enum { CONTENTION_SLOTS = 4096, SECTOR_BYTES = 32 };

struct atomic_traffic {
    double slices[CONTENTION_SLOTS], addresses[CONTENTION_SLOTS]; /* busy clocks */
    const uint8_t *merges;                                        /* by pc */
};

struct atomic_traffic *atomic_traffic_create(const struct launch *launch) {
    struct atomic_traffic *traffic = mem_zalloc(sizeof *traffic);
    traffic->merges = launch->sass->merges;
    return traffic;
}

void atomic_traffic_free(struct atomic_traffic *traffic) {
    free(traffic);
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

/* Pieces of 256 bytes go to two slices in turn: of two words 512 bytes apart both go to one, of two
 * that are 256 or 1024 bytes apart not (atomic_apart). */
static size_t slice_slot(device_address address) {
    return contention_slot(address >> 10 << 1 | (address >> 8 & 1));
}

struct sharers {       /* other lanes of a request */
    unsigned before;   /* of lower number, on the same word */
    bool first;        /* none of them is in the same sector */
    bool whole_sector; /* all together change all of it */
};

static struct sharers sharers_of(lane_mask lanes, const device_address *addresses, unsigned lane,
                                 unsigned bytes) {
    struct sharers sharers = {.first = true};
    unsigned in_sector = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctz(rest);
        bool here = addresses[other] / SECTOR_BYTES == addresses[lane] / SECTOR_BYTES;
        in_sector += here;
        sharers.first &= !here || other >= lane;
        sharers.before += other < lane && addresses[other] == addresses[lane];
    }
    sharers.whole_sector = in_sector * bytes >= SECTOR_BYTES;
    return sharers;
}

/* A slice of the L2 changes several words of a sector at once, whole sectors a little faster, but
 * one word once at a time, and lanes that compare and swap one by one; sums of floats that the next
 * one waits for take longer. */
void atomic_traffic_global(const struct warp *warp, uint32_t pc, lane_mask lanes,
                           const device_address *addresses) {
    struct memory_system *system = warp->block->launch->caches;
    struct atomic_traffic *traffic = memory_system_atomics(system);
    const struct device_profile *device = warp->block->launch->request->device;
    const struct program *program = warp->block->launch->program;
    double weight = warp->block->weight;
    enum ptx_type type = (enum ptx_type)program->code[pc].type;
    bool swaps = insn_op(&program->code[pc]) == OP_atomic_cas;
    lanes = join_lanes(traffic, &memory_system_requests(system)[pc], pc, lanes);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct sharers sharers = sharers_of(lanes, addresses, lane, ptx_type_bits(type) / 8);
        double clocks = 0;
        if (sharers.before)
            clocks = device->atomic_repeat_cycles;
        else if (sharers.first || swaps)
            clocks = sharers.whole_sector && !swaps ? device->atomic_whole_cycles
                                                    : device->atomic_slice_cycles;
        traffic->slices[slice_slot(addresses[lane])] += weight * clocks;
        if (ptx_type_is_float(type))
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

/* Whether several slices are as busy, nearly, as the busiest. */
bool atomic_traffic_meets_in_slices(const struct atomic_traffic *traffic) {
    double most = 0;
    unsigned busy = 0;
    for (size_t i = 0; i < CONTENTION_SLOTS; i++)
        most = traffic->slices[i] > most ? traffic->slices[i] : most;
    for (size_t i = 0; i < CONTENTION_SLOTS; i++)
        busy += most > 0 && traffic->slices[i] > most / 2;
    return busy > 1 && most > busiest(traffic->addresses);
}

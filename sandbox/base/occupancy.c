/* Theoretical occupancy from the four resources that a block takes: warp slots, block slots,
 * registers and shared memory. Registers are given to warps in units of 256 out of the
 * sub-partitions' equal shares, so that a remainder of one sub-partition helps no other; shared
 * memory is given to blocks in units of 128 or 256 bytes, with 1 KiB reserved for the system from
 * compute capability 8.0 on. The capacities are those of a device profile or, where there is none,
 * of a table by compute capability. Its blocks and units are those of cuda_occupancy.h (CUDA 13.0);
 * that header asks the driver for the rest: warps and shared memory are those of the CUDA C++
 * Programming Guide 13.0, technical specifications by compute capability. */
#include "sandbox/base/occupancy.h"

#include "sandbox/base/number.h"

#include <stddef.h>

const char *const occupancy_limit_names[LIMIT_COUNT] = {"warps", "blocks", "registers",
                                                        "shared memory"};

#define KIB(number) ((uint64_t)(number)*1024)
#define ROW(sm, warps, blocks, shared_kib, block_kib, reserved, unit)                              \
    { sm, warps, blocks, 65536, 256, 4, KIB(shared_kib), KIB(block_kib), reserved, unit }

static const struct occupancy_capacity capacities[] = {
    ROW(70, 64, 32, 96, 96, 0, 256),       ROW(72, 64, 32, 96, 96, 0, 256),
    ROW(75, 32, 16, 64, 64, 0, 256),       ROW(80, 64, 32, 164, 163, 1024, 128),
    ROW(86, 48, 16, 100, 99, 1024, 128),   ROW(87, 48, 16, 164, 163, 1024, 128),
    ROW(88, 48, 16, 100, 99, 1024, 128),   ROW(89, 48, 24, 100, 99, 1024, 128),
    ROW(90, 64, 32, 228, 227, 1024, 128),  ROW(100, 64, 32, 228, 227, 1024, 128),
    ROW(103, 64, 32, 228, 227, 1024, 128), ROW(110, 48, 24, 228, 227, 1024, 128),
    ROW(120, 48, 24, 100, 99, 1024, 128),  ROW(121, 48, 24, 100, 99, 1024, 128),
};

struct occupancy_capacity occupancy_capacity_for(unsigned compute_capability) {
    const struct occupancy_capacity *capacity = &capacities[0];
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++)
        if (capacities[i].compute_capability <= compute_capability)
            capacity = &capacities[i];
    return *capacity;
}

struct occupancy_capacity occupancy_capacity_of(const struct device_profile *device) {
    return (struct occupancy_capacity){
        .compute_capability = (unsigned)device->compute_capability,
        .warps = (uint64_t)device->warps_per_sm,
        .blocks = (uint64_t)device->blocks_per_sm,
        .registers = (uint64_t)device->registers_per_sm,
        .register_unit = (uint64_t)device->register_unit,
        .schedulers = (uint64_t)device->schedulers_per_sm,
        .shared_bytes = (uint64_t)device->shared_bytes_per_sm,
        .shared_block_bytes = (uint64_t)device->shared_bytes_per_block,
        .shared_reserved_bytes = (uint64_t)device->shared_reserved_bytes,
        .shared_unit_bytes = (uint64_t)device->shared_unit_bytes,
    };
}

/* Each sub-partition has its share of the registers; a block's warps are spread over all of them.
 */
static uint64_t limit_by_registers(const struct occupancy_capacity *capacity, uint64_t warps,
                                   unsigned registers_per_thread) {
    uint64_t warp_registers =
        number_round_up((uint64_t)registers_per_thread * 32, capacity->register_unit);
    if (warp_registers == 0)
        return capacity->blocks;
    if (warp_registers * number_round_up(warps, capacity->schedulers) > capacity->registers)
        return 0;
    uint64_t share = capacity->registers / capacity->schedulers;
    return capacity->schedulers * (share / warp_registers) / warps;
}

static uint64_t limit_by_shared(const struct occupancy_capacity *capacity, uint64_t bytes) {
    if (bytes > capacity->shared_block_bytes)
        return 0;
    uint64_t taken =
        number_round_up(bytes + capacity->shared_reserved_bytes, capacity->shared_unit_bytes);
    return taken ? capacity->shared_bytes / taken : capacity->blocks;
}

struct occupancy occupancy_compute(const struct occupancy_capacity *capacity,
                                   unsigned threads_per_block, unsigned registers_per_thread,
                                   uint64_t shared_bytes) {
    uint64_t warps = ((uint64_t)threads_per_block + 31) / 32;
    if (warps == 0)
        return (struct occupancy){0};
    const uint64_t limits[LIMIT_COUNT] = {
        [LIMIT_WARPS] = capacity->warps / warps,
        [LIMIT_BLOCKS] = capacity->blocks,
        [LIMIT_REGISTERS] = limit_by_registers(capacity, warps, registers_per_thread),
        [LIMIT_SHARED] = limit_by_shared(capacity, shared_bytes),
    };
    struct occupancy result = {.limit = LIMIT_WARPS};
    for (unsigned i = 0; i < LIMIT_COUNT; i++) {
        result.limits[i] = (unsigned)limits[i];
        if (limits[i] < limits[result.limit])
            result.limit = (enum occupancy_limit)i;
    }
    result.blocks_per_sm = (unsigned)limits[result.limit];
    result.warps_per_sm = result.blocks_per_sm * (unsigned)warps;
    result.theoretical = (double)result.warps_per_sm / (double)capacity->warps;
    return result;
}

uint64_t occupancy_block_registers(uint64_t threads_per_block, unsigned registers_per_thread) {
    enum { WARP = 32, UNIT = 256 };
    return (threads_per_block + WARP - 1) / WARP *
           number_round_up((uint64_t)registers_per_thread * WARP, UNIT);
}

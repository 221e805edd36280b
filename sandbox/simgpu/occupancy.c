/* Theoretical occupancy from the four resources that a block takes: warp slots, block slots,
 * registers and shared memory. Registers are given to warps in units of 256 out of four
 * sub-partitions of 16,384; shared memory to blocks in units of 128 or 256 bytes, with 1 KiB
 * reserved for the system from compute capability 8.0 on. */
#include "sandbox/simgpu/occupancy.h"

#include <stddef.h>

const char *const occupancy_limit_names[LIMIT_COUNT] = {"warps", "blocks", "registers",
                                                        "shared memory"};

static const struct device {
    unsigned sm, warps, blocks, shared_kib, reserved_bytes, shared_unit;
} devices[] = {
    {75, 32, 16, 64, 0, 256},     {80, 64, 32, 164, 1024, 128}, {86, 48, 16, 100, 1024, 128},
    {87, 48, 16, 164, 1024, 128}, {89, 48, 24, 100, 1024, 128}, {90, 64, 32, 228, 1024, 128},
};

static uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

struct occupancy occupancy_compute(unsigned sm, unsigned threads_per_block,
                                   unsigned registers_per_thread, uint64_t shared_bytes) {
    const struct device *device = &devices[0];
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (devices[i].sm <= sm)
            device = &devices[i];
    unsigned warps = (threads_per_block + 31) / 32;
    if (warps == 0)
        return (struct occupancy){0};
    uint64_t limits[LIMIT_COUNT];
    limits[LIMIT_WARPS] = device->warps / warps;
    limits[LIMIT_BLOCKS] = device->blocks;
    uint64_t registers_per_warp = round_up((uint64_t)registers_per_thread * 32, 256);
    limits[LIMIT_REGISTERS] = device->blocks;
    if (registers_per_warp) {
        uint64_t register_warps = 4 * (16384 / registers_per_warp);
        limits[LIMIT_REGISTERS] =
            registers_per_warp * round_up(warps, 4) > 65536 ? 0 : register_warps / warps;
    }
    uint64_t block_shared = round_up(shared_bytes + device->reserved_bytes, device->shared_unit);
    limits[LIMIT_SHARED] =
        block_shared ? (uint64_t)device->shared_kib * 1024 / block_shared : device->blocks;
    struct occupancy result = {.limit = LIMIT_WARPS};
    for (unsigned i = 0; i < LIMIT_COUNT; i++)
        if (limits[i] < limits[result.limit])
            result.limit = (enum occupancy_limit)i;
    result.blocks_per_sm = (unsigned)limits[result.limit];
    result.warps_per_sm = result.blocks_per_sm * warps;
    result.theoretical = (double)result.warps_per_sm / device->warps;
    return result;
}

/* Theoretical occupancy against figures of the CUDA occupancy calculator and Nsight Compute. */
#include "sandbox/base/occupancy.h"

#include "grader/exercise/device.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "tests/source_folder.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#ifdef HAVE_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

static const struct {
    unsigned capability, threads, registers;
    uint64_t shared;
    unsigned blocks;
    enum occupancy_limit limit;
} cases[] = {
    /* measured on an H200: 40 KB dynamic gives 5 blocks; 128 registers at 128 threads give 4 */
    {90, 128, 32, 40 << 10, 5, LIMIT_SHARED},
    {90, 128, 128, 0, 4, LIMIT_REGISTERS},
    /* warps: 64 / 8; blocks: 32 of one warp */
    {90, 256, 32, 0, 8, LIMIT_WARPS},
    {90, 32, 16, 0, 32, LIMIT_BLOCKS},
    /* 33 registers take 1280 a warp: 4 * floor(16384 / 1280) = 48 warps */
    {90, 256, 33, 0, 6, LIMIT_REGISTERS},
    /* three warps take four places of registers: 4 * floor(16384 / 8192) / 3 */
    {90, 96, 255, 0, 2, LIMIT_REGISTERS},
    /* 65 registers at 1024 threads: 2304 a warp, 28 warps */
    {90, 1024, 65, 0, 0, LIMIT_REGISTERS},
    {90, 1024, 64, 0, 1, LIMIT_REGISTERS},
    /* 227 KB and the reserved kilobyte are all there is; one byte more is no launch */
    {90, 64, 32, 232448, 1, LIMIT_SHARED},
    {90, 64, 32, 232449, 0, LIMIT_SHARED},
    /* nothing reserved and units of 256 bytes on 7.5 */
    {75, 64, 32, 4096, 16, LIMIT_WARPS},
    {75, 64, 32, 4097, 15, LIMIT_SHARED},
    {75, 256, 32, 0, 4, LIMIT_WARPS},
    {80, 256, 32, 0, 8, LIMIT_WARPS},
    {80, 128, 40, 20 << 10, 7, LIMIT_SHARED},
    {86, 256, 32, 0, 6, LIMIT_WARPS},
    {86, 32, 16, 0, 16, LIMIT_BLOCKS},
    {87, 128, 32, 30 << 10, 5, LIMIT_SHARED},
    {88, 32, 16, 0, 16, LIMIT_BLOCKS},
    {89, 32, 16, 0, 24, LIMIT_BLOCKS},
    {89, 128, 32, 99 << 10, 1, LIMIT_SHARED},
    {100, 32, 16, 0, 32, LIMIT_BLOCKS},
    {103, 512, 32, 0, 4, LIMIT_WARPS},
    {110, 512, 32, 0, 3, LIMIT_WARPS},
    {120, 512, 32, 0, 3, LIMIT_WARPS},
    {121, 32, 16, 0, 24, LIMIT_BLOCKS},
    /* between the rows: the nearest below */
    {70, 32, 16, 0, 32, LIMIT_BLOCKS},
    {70, 512, 32, 96 << 10, 1, LIMIT_SHARED},
    {79, 32, 16, 0, 16, LIMIT_BLOCKS},
    {999, 32, 16, 0, 24, LIMIT_BLOCKS},
    /* unknown registers limit nothing */
    {90, 1024, 0, 0, 2, LIMIT_WARPS},
};

static void equals_the_calculator(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct occupancy_capacity capacity = occupancy_capacity_for(cases[i].capability);
        struct occupancy occupancy =
            occupancy_compute(&capacity, cases[i].threads, cases[i].registers, cases[i].shared);
        if (occupancy.blocks_per_sm != cases[i].blocks || occupancy.limit != cases[i].limit)
            fail_msg("case %zu: %u blocks by %s, expected %u by %s", i, occupancy.blocks_per_sm,
                     occupancy_limit_names[occupancy.limit], cases[i].blocks,
                     occupancy_limit_names[cases[i].limit]);
        unsigned warps = cases[i].blocks * ((cases[i].threads + 31) / 32);
        assert_int_equal(occupancy.warps_per_sm, warps);
        assert_true(occupancy.theoretical == (double)warps / (double)capacity.warps);
    }
}

/* The formulas of facts and calculator written out once more, for every block size and number of
 * registers. */
static void registers_follow_the_formula(void **state) {
    (void)state;
    struct occupancy_capacity capacity = occupancy_capacity_for(90);
    for (unsigned threads = 1; threads <= 1024; threads += 31)
        for (unsigned registers = 1; registers <= 255; registers++) {
            unsigned warps = (threads + 31) / 32, each = (registers * 32 + 255) / 256 * 256;
            unsigned expected = each * ((warps + 3) / 4 * 4) > 65536 ? 0 : 16384 / each * 4 / warps;
            struct occupancy occupancy = occupancy_compute(&capacity, threads, registers, 0);
            assert_int_equal(occupancy.limits[LIMIT_REGISTERS], expected);
        }
}

static void no_threads_are_no_occupancy(void **state) {
    (void)state;
    struct occupancy_capacity capacity = occupancy_capacity_for(90);
    assert_int_equal(occupancy_compute(&capacity, 0, 32, 0).blocks_per_sm, 0);
    /* more than 32 bits of shared memory */
    assert_int_equal(occupancy_compute(&capacity, 32, 32, UINT64_MAX).blocks_per_sm, 0);
}

/* A profile and the table by compute capability say the same. */
static void profiles_agree_with_the_table(void **state) {
    (void)state;
    size_t compared = 0;
    for (size_t i = 0; device_id(i); i++) {
        struct device_profile device;
        assert_int_equal(device_load(device_id(i), &device, NULL), STATUS_OK);
        if (device.compute_capability < 75)
            continue;
        struct occupancy_capacity a = occupancy_capacity_of(&device),
                                  b = occupancy_capacity_for((unsigned)device.compute_capability);
        /* not the padding after the first field */
        assert_int_equal(a.compute_capability, b.compute_capability);
        size_t first = offsetof(struct occupancy_capacity, warps);
        assert_memory_equal((const char *)&a + first, (const char *)&b + first, sizeof a - first);
        compared++;
    }
    assert_true(compared >= 7);
}

static unsigned number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return (unsigned)json_integer_value(value);
}

/* Where a metric stands in the list that each kernel's counters follow. */
static size_t position_of(const json_t *metrics, const char *name) {
    for (size_t i = 0; i < json_array_size(metrics); i++)
        if (strcmp(json_string_value(json_array_get(metrics, i)), name) == 0)
            return i;
    fail_msg("%s was not measured", name);
    return 0;
}

enum {
    LEAST_REGISTERS = 16
}; /* that a launch takes, as Nsight Compute's registers per thread say */

/* Each resource's limit as Nsight Compute reads it; false: it was not asked for this kernel. */
static bool limits_agree(const json_t *row, const json_t *metrics,
                         const struct occupancy *occupancy) {
    static const char *const names[LIMIT_COUNT] = {
        [LIMIT_WARPS] = "launch__occupancy_limit_warps",
        [LIMIT_BLOCKS] = "launch__occupancy_limit_blocks",
        [LIMIT_REGISTERS] = "launch__occupancy_limit_registers",
        [LIMIT_SHARED] = "launch__occupancy_limit_shared_mem"};
    unsigned fewest = UINT32_MAX;
    for (unsigned i = 0; i < LIMIT_COUNT; i++) {
        const json_t *value =
            json_array_get(json_object_get(row, "counters"), position_of(metrics, names[i]));
        if (!json_is_number(value))
            return false;
        unsigned seen = (unsigned)json_number_value(value);
        fewest = seen < fewest ? seen : fewest;
        /* of shared memory Nsight Compute counts what the driver has set aside for the kernel,
         * which is less than there is where that does not limit it */
        if (i == LIMIT_SHARED ? seen > occupancy->limits[i] : seen != occupancy->limits[i])
            fail_msg("%s/%s: %u blocks by %s, Nsight Compute has %u",
                     json_string_value(json_object_get(row, "family")),
                     json_string_value(json_object_get(row, "variant")), occupancy->limits[i],
                     occupancy_limit_names[i], seen);
    }
    assert_int_equal(occupancy->blocks_per_sm, fewest);
    return true;
}

/* Every kernel that was measured on an H200: the blocks that the driver says fit, and what limits
 * them where Nsight Compute has said so. */
static void agrees_with_an_h200(void **state) {
    (void)state;
    json_t *root = json_load_file(WARPGRADE_SOURCE_DIR "/tests/bench/model/h200.json", 0, NULL);
    assert_non_null(root);
    const json_t *metrics = json_object_get(root, "metrics");
    const json_t *kernels = json_object_get(root, "kernels");
    struct occupancy_capacity capacity = occupancy_capacity_for(90);
    size_t limited = 0;
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const json_t *row = json_array_get(kernels, k), *block = json_object_get(row, "block");
        unsigned threads = 1;
        for (size_t i = 0; i < 3; i++)
            threads *= (unsigned)json_integer_value(json_array_get(block, i));
        unsigned registers = number(row, "registers");
        struct occupancy occupancy = occupancy_compute(
            &capacity, threads, registers > LEAST_REGISTERS ? registers : LEAST_REGISTERS,
            number(row, "static_shared_bytes") + number(row, "dynamic_shared_bytes"));
        limited += limits_agree(row, metrics, &occupancy);
        assert_int_equal(occupancy.blocks_per_sm, number(row, "blocks_per_sm"));
    }
    assert_true(limited >= 60);
    json_decref(root);
}

/* Many launches on all capabilities, beside the toolkit's own calculator where it is installed. */
static void agrees_with_the_toolkit(void **state) {
    (void)state;
#ifdef HAVE_CUDA_OCCUPANCY
    static const unsigned capabilities[] = {70, 75,  80,  86,  87,  88, 89,
                                            90, 100, 103, 110, 120, 121};
    uint64_t draw = 0;
    for (size_t c = 0; c < ARRAY_LENGTH(capabilities); c++) {
        struct occupancy_capacity capacity = occupancy_capacity_for(capabilities[c]);
        const cudaOccDeviceProp device = {
            .computeMajor = (int)capabilities[c] / 10,
            .computeMinor = (int)capabilities[c] % 10,
            .maxThreadsPerBlock = 1024,
            .maxThreadsPerMultiprocessor = (int)capacity.warps * 32,
            .regsPerBlock = (int)capacity.registers,
            .regsPerMultiprocessor = (int)capacity.registers,
            .warpSize = 32,
            .sharedMemPerBlock = 48 << 10,
            .sharedMemPerMultiprocessor = capacity.shared_bytes,
            .numSms = 1,
            .sharedMemPerBlockOptin = capacity.shared_block_bytes,
            .reservedSharedMemPerBlock = capacity.shared_reserved_bytes,
        };
        const cudaOccDeviceState all_shared = {.cacheConfig = CACHE_PREFER_SHARED,
                                               .carveoutConfig = 100};
        for (unsigned i = 0; i < 5000; i++) {
            unsigned threads = 1 + (unsigned)(mix_word(draw++, 1) % 1024);
            unsigned registers = 16 + (unsigned)(mix_word(draw++, 1) % 240);
            uint64_t shared = mix_word(draw++, 1) % (capacity.shared_block_bytes + 1);
            const cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = 1024,
                                                  .numRegs = (int)registers,
                                                  .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                                  .maxDynamicSharedSizeBytes =
                                                      capacity.shared_block_bytes,
                                                  .numBlockBarriers = 1};
            cudaOccResult theirs;
            assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(
                                 &theirs, &device, &kernel, &all_shared, (int)threads, shared),
                             CUDA_OCC_SUCCESS);
            struct occupancy ours = occupancy_compute(&capacity, threads, registers, shared);
            if ((int)ours.blocks_per_sm != theirs.activeBlocksPerMultiprocessor)
                fail_msg("%u: %u threads, %u registers, %u bytes: %u blocks, the toolkit has %d",
                         capabilities[c], threads, registers, (unsigned)shared, ours.blocks_per_sm,
                         theirs.activeBlocksPerMultiprocessor);
        }
    }
#else
    skip();
#endif
}

static void counts_registers_of_a_block(void **state) {
    (void)state;
    assert_int_equal(occupancy_block_registers(1024, 64), OCCUPANCY_BLOCK_REGISTERS);
    assert_int_equal(occupancy_block_registers(1024, 65), 73728); /* given out by 8 a thread */
    assert_int_equal(occupancy_block_registers(33, 255), 2 * 8192);
    assert_int_equal(occupancy_block_registers(1024, 0), 0); /* not known */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_calculator),
        cmocka_unit_test(registers_follow_the_formula),
        cmocka_unit_test(counts_registers_of_a_block),
        cmocka_unit_test(no_threads_are_no_occupancy),
        cmocka_unit_test(profiles_agree_with_the_table),
        cmocka_unit_test(agrees_with_the_toolkit),
        cmocka_unit_test(agrees_with_an_h200),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

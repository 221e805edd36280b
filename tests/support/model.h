/* Runs a PTX text on a simulated device and models its time, for the tests of this folder. */
#ifndef WARPGRADE_TESTS_SUPPORT_MODEL_H
#define WARPGRADE_TESTS_SUPPORT_MODEL_H

#include "tests/support/launch.h"

#include "grader/exercise/device.h"

#include <math.h>

enum { MODEL_ELEMENTS = 1 << 20, FEW_SMS = 4 };

/* The H200, and the same with a few of its SMs and their share of what all have in common: what
 * happens on each of them is the same, and takes less time to find out. */
static struct device_profile h200, few;

static inline int load_devices(void **state) {
    (void)state;
    if (device_load("h200", &h200, NULL) != STATUS_OK)
        return -1;
    few = h200;
    few.multiprocessors = FEW_SMS;
    double share = few.multiprocessors / h200.multiprocessors;
    few.l2_gbps *= share;
    few.dram_gbps *= share;
    few.atomic_sectors *= share;
    few.block_interval_cycles /= share;
    return 0;
}

/* The kernel `k(buffer)`: %a is the buffer, %l the thread, %b the block, %d the block's threads.
 * `sample`: thread instructions that the simulated blocks may execute; 0: all blocks are. */
static inline struct engine_result profile_sample(const struct device_profile *device,
                                                  const char *body, unsigned blocks,
                                                  unsigned threads, uint64_t sample) {
    static uint32_t data[MODEL_ELEMENTS];
    struct text ptx = {0};
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%x, %%y;\n"
                         ".reg .u32 %%l, %%b, %%d, %%r<10>;\n.reg .f32 %%f<8>;\n"
                         ".reg .pred %%p, %%q;\nld.param.u64 %%a, [p];\nmov.u32 %%l, %%tid.x;\n"
                         "mov.u32 %%b, %%ctaid.x;\nmov.u32 %%d, %%ntid.x;\n%s\nret;\n}\n",
                body);
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = MODEL_ELEMENTS};
    struct engine_launch launch = {.ptx = text_string(&ptx),
                                   .ptx_length = ptx.length,
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {blocks, 1, 1},
                                   .block = {threads, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .no_checks = true,
                                   .device = device,
                                   .registers = 32,
                                   .arrays_in_registers = true,
                                   .threads = 1,
                                   .sample_budget = sample};
    struct engine_result result;
    sim_run(&launch, &result);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    text_free(&ptx);
    assert_true(result.profile.present);
    return result;
}

static inline struct engine_result profile_on(const struct device_profile *device, const char *body,
                                              unsigned blocks, unsigned threads) {
    return profile_sample(device, body, blocks, threads, 0);
}

/* Clocks of the launch without what launching costs. */
static inline double clocks_of(struct engine_result *result) {
    double ms = result->profile.estimate.ms - h200.launch_us / 1000;
    engine_result_free(result);
    return ms * h200.clock_mhz * 1000;
}

static inline double clocks_on(const struct device_profile *device, const char *body,
                               unsigned blocks, unsigned threads) {
    struct engine_result result = profile_on(device, body, blocks, threads);
    return clocks_of(&result);
}

/* Clocks that one part of an SM worked. */
static inline double busy_clocks(const struct device_profile *device, enum cost_part part,
                                 const char *body, unsigned blocks, unsigned threads) {
    struct engine_result result = profile_on(device, body, blocks, threads);
    double clocks = result.profile.estimate.part_ms[part] * device->clock_mhz * 1000;
    engine_result_free(&result);
    return clocks;
}

#endif

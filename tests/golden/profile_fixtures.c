/* Hand-made profiles: one with everything that can be wrong with a line, one of an exercise where
 * little is known, and one with hostile text. */
#include "tests/golden/fixtures.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>

static const struct device_profile device = {
    .id = "t4",
    .name = "NVIDIA T4",
    .compute_capability = 75,
    .multiprocessors = 40,
    .clock_mhz = 1590,
    .warps_per_sm = 32,
    .fp32_lanes = 64,
    .fp64_lanes = 2,
    .fp16_lanes = 64,
    .matrix_flops = 1024,
    .dram_gbps = 265,
    .origins = {[DEVICE_NUMBER_clock_mhz] = DEVICE_ASSUMED,
                [DEVICE_NUMBER_fp32_lanes] = DEVICE_DOCUMENTED,
                [DEVICE_NUMBER_dram_gbps... DEVICE_NUMBER_COUNT - 1] = DEVICE_ASSUMED}};

static const char source[] =
    "// warpgrade: transpose\n"
    "#define N 1024\n"
    "\n"
    "__global__ void transpose(const float *in, float *out, int n)\n"
    "{\n"
    "\t__shared__ float tile[32][32];\n"
    "\tint x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; // where this "
    "thread reads and, transposed, writes\n"
    "\ttile[threadIdx.y][threadIdx.x] = in[x * n + y];\n"
    "\t__syncthreads();\n"
    "\n\n\n\n\n\n"
    "\tout[y * n + x] = tile[threadIdx.x][threadIdx.y];\n"
    "}\n"
    "// the end\n";

static struct line_counters *add_line(struct engine_result *result, const char *file, unsigned line,
                                      double ms, uint64_t instructions) {
    result->lines = mem_realloc(result->lines, result->line_count + 1, sizeof *result->lines);
    struct line_counters *added = &result->lines[result->line_count++];
    *added = (struct line_counters){.line = line, .modelled_ms = ms};
    snprintf(added->file, sizeof added->file, "%s", file);
    added->counters.warp_instructions = instructions;
    added->counters.thread_instructions = 32 * instructions;
    return added;
}

static void add_totals(struct engine_result *result) {
    for (size_t i = 0; i < result->line_count; i++)
        for (size_t j = 0; j < COUNTER_COUNT; j++)
            *counter_at(&result->counters, j) += counter_value(&result->lines[i].counters, j);
}

static void fill_slow(struct engine_result *result) {
    static const double parts[COST_PART_COUNT] = {
        [PART_issue] = 0.11, [PART_fp32] = 0.02, [PART_shared] = 0.21,  [PART_l1] = 0.09,
        [PART_l2] = 0.4,     [PART_dram] = 1.15, [PART_launch] = 0.0051};
    struct counters *c;
    add_line(result, "transpose.cu", 7, 0.02, 98765);
    c = &add_line(result, "transpose.cu", 8, 0.9, 1234567)->counters;
    c->global_load_requests = 32768;
    c->global_load_sectors = 1048576;
    c->global_load_ideal_sectors = 131072;
    c->shared_store_requests = 32768;
    c->shared_store_wavefronts = 32768;
    c = &add_line(result, "transpose.cu", 16, 0.33, 65536)->counters;
    c->global_store_requests = 32768;
    c->global_store_sectors = 131072;
    c->global_store_ideal_sectors = 131072;
    c->shared_load_requests = 32768;
    c->shared_load_wavefronts = 1048576;
    c->shared_bank_conflicts = 1015808;
    c = &add_line(result, "transpose.cu", 17, 0, 32768)->counters;
    c->inactive_lanes = 16 * 32768;
    c->atomic_requests = c->global_atomic_requests = 100;
    c->global_atomic_conflicts = c->global_atomic_lanes = 3100;
    c->global_atomic_passes = 3200;
    add_line(result, "math_functions.h", 120, 0.01, 500);
    add_line(result, "", 0, 0, 12);
    add_totals(result);
    result->counters.flops = result->counters.flops_single = 2097152;
    result->counters.ideal_bytes = 8388608;
    result->counters.dram_read_sectors = 1048576;
    result->counters.dram_write_sectors = 131072;
    result->counters.l1_sectors = 1179648;
    result->counters.l1_hits = 100000;
    result->counters.l2_sectors = 1079648;
    result->counters.l2_hits = 500000;
    result->static_shared_bytes = 4096;
    result->profile = (struct launch_profile){
        .present = true,
        .blocks = 1024,
        .blocks_simulated = 64,
        .sampling = SAMPLING_sampled,
        .errors = {[SAMPLED_l2_sectors] = 0.0031, [SAMPLED_dram_bytes] = 0.0123},
        .occupancy = {.blocks_per_sm = 1,
                      .warps_per_sm = 32,
                      .theoretical = 1,
                      .limit = LIMIT_WARPS},
        .estimate = {.ms = 1.25, .limiter = PART_dram}};
    memcpy(result->profile.estimate.part_ms, parts, sizeof parts);
}

/* A sample of blocks that differ. */
static void fill_uncertain(struct engine_result *result) {
    fill_slow(result);
    result->profile.errors[SAMPLED_warp_instructions] = 0.377;
    result->profile.errors[SAMPLED_dram_bytes] = 0.0912;
    result->profile.errors[SAMPLED_ideal_bytes] = 0.0514;
}

/* No modelled time, no DRAM, no lines. */
static void fill_bare(struct engine_result *result) {
    result->counters.warp_instructions = 12;
    result->profile = (struct launch_profile){.present = true, .blocks = 1, .blocks_simulated = 1};
}

/* Compute-bound, from caches alone; the device and the names come from their author. */
static void fill_compute(struct engine_result *result) {
    struct counters *c = &add_line(result, "evil\x1b[31m.cu", 1, 0.00042, 1000)->counters;
    c->inactive_lanes = 31000;
    add_totals(result);
    result->counters.flops = result->counters.flops_double = 64000;
    result->profile = (struct launch_profile){.present = true,
                                              .blocks = 1,
                                              .blocks_simulated = 1,
                                              .sampling = SAMPLING_dependent,
                                              .occupancy = {.limit = LIMIT_REGISTERS},
                                              .estimate = {.ms = 0.00042, .limiter = PART_latency}};
    result->profile.estimate.part_ms[PART_latency] = 0.00042;
}

static const struct device_profile hostile = {.id = "x",
                                              .name = "\x1b[2J<b>\xff",
                                              .multiprocessors = 1,
                                              .clock_mhz = 100,
                                              .warps_per_sm = 1,
                                              .fp32_lanes = 1,
                                              .fp64_lanes = 1,
                                              .dram_gbps = 1};

static const struct report_size sizes[] = {{(char *)"n", 1024}};

const struct profile_fixture profile_fixtures[] = {
    {"slow",
     fill_slow,
     {.device = &device,
      .kernel = "transpose",
      .file = "work/transpose.cu",
      .source = source,
      .grid = {32, 32, 1},
      .block = {32, 32, 1},
      .registers = 18,
      .exercise = "transpose",
      .case_name = "speed",
      .sizes = sizes,
      .size_count = 1}},
    {"uncertain",
     fill_uncertain,
     {.device = &device,
      .kernel = "transpose",
      .file = "transpose.cu",
      .source = source,
      .grid = {32, 32, 1},
      .block = {32, 32, 1},
      .registers = 18}},
    {"bare",
     fill_bare,
     {.device = &device,
      .kernel = "transpose",
      .file = "transpose.cu",
      .source = source,
      .grid = {1, 1, 1},
      .block = {32, 1, 1},
      .shared_bytes = 128,
      .registers_problem = "ptxas is not on this machine"}},
    {"compute",
     fill_compute,
     {.device = &hostile,
      .kernel = "k\x1b[0m\xfe",
      .file = "evil\x1b[31m.cu",
      .source = "\x1b[2J__global__ void k() {}\r\n\xff",
      .grid = {1, 1, 1},
      .block = {32, 1, 1},
      .registers = 255}},
};
const size_t profile_fixture_count = ARRAY_LENGTH(profile_fixtures);

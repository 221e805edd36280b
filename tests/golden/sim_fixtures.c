/* Hand-made results of launches: clean, with hazards, refused, and ended by a limit. */
#include "tests/golden/fixtures.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>

static const char source[] = "__global__ void fill(float *a, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    a[i] = 1.0f;\n"
                             "}\n";

static void fill_counters(struct engine_result *result) {
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(&result->counters, i) = 1234567 * i;
    result->counters.thread_instructions = 123456789;
    result->elapsed_ms = 12.5;
    result->lines = mem_calloc(2, sizeof *result->lines);
    result->line_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(result->lines[i].file, sizeof result->lines[i].file, "fill.cu");
        result->lines[i].line = i + 2;
        result->lines[i].counters.thread_instructions = 1024;
    }
}

static void fill_clean(struct engine_result *result) {
    fill_counters(result);
    text_append(&result->printed, "hello from block 0\n\x1b[31mred\x1b[0m");
    text_append_bytes(&result->printed, "\0\xff\n", 3);
    result->printed_cut = true;
}

static void fill_hazards(struct engine_result *result) {
    fill_counters(result);
    result->hazards = mem_calloc(2, sizeof *result->hazards);
    result->hazard_count = 2;
    struct hazard *hazard = &result->hazards[0];
    *hazard = (struct hazard){
        .kind = HAZARD_OUT_OF_BOUNDS, .line = 3, .column = 10, .count = 24, .thread_count = 4};
    snprintf(hazard->file, sizeof hazard->file, "fill.cu");
    snprintf(hazard->message, sizeof hazard->message,
             "Writes 4 bytes at a[1000] of a[1000], past its end.");
    snprintf(hazard->variable, sizeof hazard->variable, "a[1000]");
    for (unsigned i = 0; i < 4; i++)
        hazard->threads[i] = (struct hazard_thread){.block = {3, 0, 0}, .thread = {232 + i, 0, 0}};
    hazard = &result->hazards[1];
    *hazard = (struct hazard){.kind = HAZARD_SHARED_RACE,
                              .severity = SEVERITY_WARNING,
                              .count = 1,
                              .thread_count = 1,
                              .other_line = 2,
                              .fix = FIX_WARP_BARRIER};
    snprintf(hazard->message, sizeof hazard->message, "No line information.");
}

static void fill_refused(struct engine_result *result) {
    result->end = ENGINE_REFUSED;
    snprintf(result->message, sizeof result->message,
             "the launch has 3 arguments, the kernel fill takes 2");
}

static void fill_time_limit(struct engine_result *result) {
    result->end = ENGINE_TIME_LIMIT;
    snprintf(result->message, sizeof result->message, "it had not ended after 10 s");
}

static void fill_device(struct engine_result *result) {
    fill_clean(result);
    result->profile = (struct launch_profile){.present = true, .blocks = 4, .blocks_simulated = 4};
}

/* Most rates are assumed, one is measured, and of the others nothing is said. */
static const struct device_profile device = {
    .id = "t4",
    .name = "NVIDIA T4",
    .origins = {[DEVICE_NUMBER_clock_mhz] = DEVICE_MEASURED,
                [DEVICE_NUMBER_l2_bytes] = DEVICE_DOCUMENTED,
                [DEVICE_NUMBER_dram_gbps... DEVICE_NUMBER_COUNT - 1] = DEVICE_ASSUMED},
};

const struct sim_fixture sim_fixtures[] = {
    {"clean", "fill", 32, source, fill_clean, {0}, {0}},
    {"device", "fill", 32, source, fill_device, {0}, {0}, &device},
    {"optimised", "fill", 32, source, fill_clean, {0}, {.lines = {2, 5, 7}, .line_count = 3}},
    {"optimised-all", "fill", 32, source, fill_clean, {0}, {.all = true}},
    {"optimised-hidden", "fill", 32, source, fill_clean, {.run = 2}, {.hidden = 1}},
    {"hazards", "fill", 0, source, fill_hazards, {.run = 3}, {0}},
    {"refused", "fill", 32, source, fill_refused, {0}, {0}},
    {"time-limit", "fill", 0, source, fill_time_limit, {0}, {0}},
    {"order",
     "fill",
     0,
     source,
     fill_counters,
     {.run = 8,
      .differing = 5,
      .first = 2,
      .argument = 1,
      .buffer = "a\x1b",
      .index = 17,
      .natural = 0.5,
      .other = -1e30},
     {0}},
};
const size_t sim_fixture_count = ARRAY_LENGTH(sim_fixtures);

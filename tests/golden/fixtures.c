/* Hand-made reports: what a student, an instructor and an attacker can bring about. */
#include "tests/golden/fixtures.h"

#include "tests/golden/fixture_parts.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char dot_source[] =
    "// warpgrade: dot\n"
    "#define BLOCK 256\n"
    "__global__ void dot(const float *a, const float *b, float *out, int n) {\n"
    "    __shared__ float s[BLOCK];\n"
    "    int tid = threadIdx.x;\n"
    "    int i = blockIdx.x * blockDim.x + tid;\n"
    "    s[tid] = i < n ? a[i] * b[i] : 0.0f;\n"
    "    __syncthreads();\n"
    "    for (int k = blockDim.x / 2; k > 0; k /= 2) {\n"
    "        if (tid < k) {\n"
    "\t    s[tid] += s[tid + k];\n"
    "\t    __syncthreads();\n"
    "        }\n"
    "    }\n"
    "    if (tid == 0)\n"
    "        out[blockIdx.x] = s[0];\n"
    "}\n";

static struct report *make_pass(void) {
    struct report *report =
        fixture_report("dot", "Dot product with a shared-memory reduction", "dot.cu", dot_source);
    fixture_group(report, "correctness", 50);
    for (int i = 1; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "small-%d", i);
        struct report_case *item = fixture_case(report, name, i * 100, VERDICT_PASS, "");
        item->has_counters = true;
        item->counters.thread_instructions = 123456;
        item->counters.global_load_sectors = 64;
        item->tolerance = mem_strdup("out: a sum of 100 terms: within 100 * 2^-24 * sum(|term|)");
    }
    fixture_group(report, "boundary", 30);
    fixture_case(report, "one", 1, VERDICT_PASS, "");
    fixture_case(report, "one-past-a-block", 257, VERDICT_PASS, "");
    fixture_group(report, "generated", 20);
    for (int i = 1; i <= 40; i++) {
        char name[32];
        snprintf(name, sizeof name, "generated-%d", i);
        fixture_case(report, name, i * 17, VERDICT_PASS, "");
    }
    report->constants = mem_zalloc(sizeof *report->constants);
    report->constants[0] = (struct report_size){.name = mem_strdup("BLOCK"), .value = 256};
    report->constant_count = 1;
    fixture_finish(report, "100 of 100: all 45 cases pass");
    return report;
}

static void set_cause(struct report_case *item, const char *id, const char *text,
                      const char *evidence) {
    item->cause = (struct report_cause){.present = true,
                                        .id = mem_strdup(id),
                                        .is_mistake = id == NULL,
                                        .text = mem_strdup(text),
                                        .evidence = mem_strdup(evidence)};
}

static struct report *make_wrong(void) {
    struct report *report = fixture_report("matmul-boundary", "Tiled matrix product of any size",
                                           "work/matmul.cu", "__global__ void matmul() {}\n");
    fixture_group(report, "correctness", 50);
    fixture_case(report, "tile", 16, VERDICT_PASS, "");
    struct report_case *item =
        fixture_case(report, "two-tiles", 32, VERDICT_WRONG_ANSWER,
                     "3 of 90 elements of P are wrong; the first is P[17, 3]");
    fixture_difference(item, "P", "[17, 3]", 1.25, 1.2500001192092896, 2.5e-8);
    item->tolerance = mem_strdup("P: a sum of 17 terms: within 17 * 2^-24 * sum(|term|)");
    item->hint = mem_strdup("Does the last tile read past the end of a row? Load 0 there.");
    set_cause(item, "missing-tail", "the rest after the last whole tile is left out",
              "a right kernel gives the same where the columns of M after the last multiple of 16 "
              "are 0");
    fixture_group(report, "boundary", 30);
    item = fixture_case(report, "not-a-multiple", 17, VERDICT_WRONG_ANSWER,
                        "the kernel writes no element of P");
    fixture_difference(item, "P", "[0, 0]", -0.75, 0, 2.5e-8);
    item->essential = true;
    item->difference.never_written = true;
    item->hint = mem_strdup("Does the last tile read past the end of a row? Load 0 there.");
    item->printed = mem_strdup("tile 0\ntile 1\n");
    item = fixture_case(report, "nan", 18, VERDICT_WRONG_ANSWER, "1 of 90 elements of P is wrong");
    fixture_difference(item, "a_long_output_name", "[123456, 3]", 1e-30, NAN, 0);
    item = fixture_case(report, "integers", 19, VERDICT_WRONG_ANSWER, NULL);
    fixture_difference(item, "count", "[5]", 7, 8, 0);
    item->difference.is_integer = true;
    fixture_case(report, "slow", 20, VERDICT_TOO_SLOW, "1.8 times the reference's time");
    item = &report->cases[report->case_count - 1];
    item->time = (struct report_time){.present = true,
                                      .measured = true,
                                      .median_ms = 1.25,
                                      .ci_low_ms = 1.2,
                                      .ci_high_ms = 1.3,
                                      .ratio_to_reference = 1.8};
    fixture_case(report, "gpu-only", 21, VERDICT_SKIPPED, "no GPU here");
    report->cap_reason = mem_strdup("capped at 40 % while not every correctness case passes");
    report->cap = 40;
    fixture_finish(
        report, "25 of 100: 1 of 7 cases pass; wrong answer in 1 correctness case and 3 boundary "
                "cases; capped at 40 % while not every correctness case passes");
    return report;
}

static struct report *make_hazards(void) {
    struct report *report =
        fixture_report("dot", "Dot product with a shared-memory reduction", "dot.cu", dot_source);
    fixture_group(report, "correctness", 60);
    fixture_case(report, "one", 1, VERDICT_PASS, "");
    for (int i = 1; i <= 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "blocks-%d", i);
        struct report_case *item =
            fixture_case(report, name, i * 256, VERDICT_HAZARD,
                         "barrier-divergence at line 12: threads 128 to 255 never come");
        struct hazard *hazard = fixture_hazard(
            item, HAZARD_BARRIER_DIVERGENCE, 12, 4,
            "Threads (0, 0, 0) to (127, 0, 0) of block (0, 0, 0) wait at this barrier; "
            "threads (128, 0, 0) to (255, 0, 0) have left the kernel.");
        hazard->column = 6;
        hazard->other_line = 17;
        snprintf(hazard->other_file, sizeof hazard->other_file, "dot.cu");
        item->hint = mem_strdup("Every thread of the block must reach every barrier.");
        if (i < 3)
            continue;
        hazard = fixture_hazard(item, HAZARD_OUT_OF_BOUNDS, 7, 128,
                                "Reads 4 bytes at a[1024] of a[1024], past its end.");
        snprintf(hazard->variable, sizeof hazard->variable, "a[1024]");
        hazard->column = 22;
        hazard->thread_count = 3;
        for (unsigned k = 0; k < 3; k++)
            hazard->threads[k] = (struct hazard_thread){.block = {4, 0, 0}, .thread = {k, 0, 0}};
        hazard->threads[2].block.x = 5;
        if (i == 4)
            fixture_hazard(item, HAZARD_OUT_OF_BOUNDS, 16, 1,
                           "Writes 4 bytes at out[4] of out[4], past its end.");
    }
    struct report_case *item = fixture_case(report, "warned", 99, VERDICT_PASS, "");
    struct hazard *hazard = fixture_hazard(item, HAZARD_UNINITIALIZED_READ, 11, 1,
                                           "s[3] is read before it is written.");
    hazard->severity = SEVERITY_WARNING;
    fixture_group(report, "boundary", 40);
    item = fixture_case(
        report, "endless", 0, VERDICT_TIME_LIMIT,
        "instruction-budget at line 9: it had not ended after 20000000000 instructions");
    hazard = fixture_hazard(item, HAZARD_INSTRUCTION_BUDGET, 9, 1, "The loop had not ended.");
    hazard->thread_count = 0;
    fixture_finish(report,
                   "20 of 100: 2 of 7 cases pass; barrier-divergence at line 12 in 4 correctness "
                   "cases; instruction-budget at line 9 in 1 boundary case");
    return report;
}

static void add_diagnostic(struct report *report, enum build_severity severity, unsigned line,
                           const char *text) {
    report->diagnostics =
        mem_realloc(report->diagnostics, report->diagnostic_count + 1, sizeof *report->diagnostics);
    struct build_diagnostic *d = &report->diagnostics[report->diagnostic_count++];
    *d = (struct build_diagnostic){.severity = severity, .line = line};
    snprintf(d->file, sizeof d->file, "dot.cu");
    snprintf(d->text, sizeof d->text, "%s", text);
}

static struct report *make_compile_error(void) {
    struct report *report = fixture_report("dot", "Dot product with a shared-memory reduction",
                                           "students/alice/dot.cu", dot_source);
    fixture_group(report, "correctness", 60);
    fixture_case(report, "one", 1, VERDICT_COMPILE_ERROR, "dot.cu has 2 errors");
    fixture_case(report, "two", 2, VERDICT_COMPILE_ERROR, "dot.cu has 2 errors");
    fixture_group(report, "boundary", 40);
    add_diagnostic(report, BUILD_ERROR, 6, "identifier \"blokIdx\" is undefined");
    add_diagnostic(report, BUILD_NOTE, 4, "\"s\" was declared here");
    add_diagnostic(report, BUILD_WARNING, 5,
                   "variable \"unused\" was declared but never referenced");
    add_diagnostic(report, BUILD_ERROR, 0, "too many errors");
    report->build_message = mem_strdup("dot.cu has 2 errors");
    report->build_hint =
        mem_strdup("The built-in variables are `blockIdx`, `blockDim`, `threadIdx` "
                   "and `gridDim`.");
    fixture_finish(report, "0 of 100: dot.cu has 2 errors");
    report->verdict = VERDICT_COMPILE_ERROR;
    return report;
}

/* The grader's own fault, in every case alike; and there is nothing in it but the cases. */
static struct report *make_internal(void) {
    struct report *report = fixture_report("dot", NULL, "dot.cu", NULL);
    fixture_group(report, "correctness", 100);
    for (int i = 1; i <= 25; i++) {
        char name[32];
        snprintf(name, sizeof name, "case-%d", i);
        fixture_case(report, name, i, VERDICT_INTERNAL_ERROR, "the reference of dot did not end");
    }
    report->sha256[0] = '\0';
    fixture_finish(report, "0 of 100: 0 of 25 cases pass; internal error in 25 cases");
    return report;
}

/* Every string comes from somebody who wants to be more than a student. */
static struct report *make_hostile(void) {
    static const char evil[] =
        "\x1b[2J\x1b]0;pwned\x07<script>alert(1)</script>]]>\"'&\r\xff\xc0\xaf\xed\xa0\x80"
        "\xc2\x9b"
        "31m\xe2\x80\xae"
        "desrever\x01";
    struct report *report = fixture_report("dot", evil, "=cmd|'/C calc'!A0 \x1b[31m.cu", NULL);
    report->source_length = sizeof "\x1b[31mint\0evil;\n\xe2\x80\xae*/ if (x) {\n";
    report->source =
        mem_dup("\x1b[31mint\0evil;\n\xe2\x80\xae*/ if (x) {\n", report->source_length);
    fixture_group(report, evil, 100);
    struct report_case *item = fixture_case(report, evil, -1, VERDICT_HAZARD, evil);
    struct hazard *hazard = fixture_hazard(item, HAZARD_TRAP, 2, UINT64_MAX, evil);
    hazard->column = 4000000000u;
    hazard->other_line = 4000000000u;
    snprintf(hazard->file, sizeof hazard->file, "%s", evil);
    snprintf(hazard->other_file, sizeof hazard->other_file, "%s", evil);
    snprintf(hazard->variable, sizeof hazard->variable, "%.60s", evil);
    struct hazard *own = fixture_hazard(item, HAZARD_TRAP, 2, 1, evil); /* its lines are quoted */
    snprintf(own->file, sizeof own->file, "%s", file_base_name(report->file));
    hazard = &item->hazards[0];
    hazard->thread_count = ENGINE_HAZARD_THREADS;
    item->printed = mem_strdup(evil);
    item->hint = mem_strdup(evil);
    item->tolerance = mem_strdup(evil);
    fixture_difference(item, evil, evil, INFINITY, -INFINITY, NAN);
    set_cause(item, NULL, evil, evil);
    add_diagnostic(report, BUILD_WARNING, 1, evil);
    report->seed = UINT64_MAX;
    free(report->compiler);
    report->compiler = mem_strdup(evil);
    fixture_finish(report, evil);
    return report;
}

static struct report *make_chinese(void) {
    struct report *report =
        fixture_report("vector-multiply", "\u5411\u91cf\u9010\u5143\u7d20\u76f8\u4e58",
                       "\u4f5c\u4e1a/\u5411\u91cf.cu",
                       "// \u6bcf\u4e2a\u7ebf\u7a0b\u5904\u7406\u4e00\u4e2a\u5143\u7d20\n"
                       "__global__ void mul(const float *a, const float *b, float *c, int n) {\n"
                       "    /* \u7d22\u5f15 */ int i = threadIdx.x; /* "
                       "\u6ca1\u6709\u8fb9\u754c\u68c0\u67e5 */ c[i] = a[i] * b[i];\n"
                       "}\n");
    free(report->language);
    report->language = mem_strdup("zh");
    fixture_group(report, "boundary", 100);
    struct report_case *item =
        fixture_case(report, "\u4e0d\u6ee1\u4e00\u4e2a\u7ebf\u7a0b\u5757", 128, VERDICT_HAZARD,
                     "out-of-bounds at line 3: reads past the end");
    struct hazard *hazard = fixture_hazard(item, HAZARD_OUT_OF_BOUNDS, 3, 128,
                                           "Reads 4 bytes at a[128] of a[128], past its end.");
    snprintf(hazard->file, sizeof hazard->file, "\u5411\u91cf.cu");
    hazard->column =
        (unsigned)(strstr(report->source, "c[i] =") - strstr(report->source, "    /*")) + 1;
    item->hint = mem_strdup("256 \u4e2a\u7ebf\u7a0b\u5904\u7406 128 "
                            "\u4e2a\u5143\u7d20\u65f6\uff0c\u591a\u51fa\u6765\u7684"
                            "\u7ebf\u7a0b\u5fc5\u987b\u4ec0\u4e48\u90fd\u4e0d\u505a\u3002\u8bf7"
                            "\u5728\u8bbf\u95ee\u5185\u5b58"
                            "\u4e4b\u524d\u68c0\u67e5\u7d22\u5f15\u662f\u5426\u5c0f\u4e8e "
                            "`n`\uff0c\u5e76\u4e14\u4e0d\u8981"
                            "\u8ba9\u4efb\u4f55\u7ebf\u7a0b\u7ed5\u8fc7\u540c\u6b65\u70b9\u3002");
    fixture_finish(report,
                   "0 of 100: 0 of 1 cases pass; out-of-bounds at line 3 in 1 boundary case");
    return report;
}

static void add_threshold(struct report_case *item, const char *name, const char *metric,
                          enum report_threshold_state state, double value, double target,
                          const char *bound, double score) {
    struct report_speed *speed = &item->speed;
    speed->thresholds =
        mem_realloc(speed->thresholds, speed->threshold_count + 1, sizeof *speed->thresholds);
    speed->thresholds[speed->threshold_count++] =
        (struct report_threshold){.name = mem_strdup(name),
                                  .metric = mem_strdup(metric),
                                  .modelled = strstr(metric, "ratio") != NULL,
                                  .state = state,
                                  .value = value,
                                  .target = target,
                                  .bound = mem_strdup(bound),
                                  .score = score,
                                  .max_score = 10};
}

static void set_speed(struct report_case *item) {
    item->speed = (struct report_speed){
        .present = true,
        .device_id = mem_strdup("t4"),
        .device_name = mem_strdup("NVIDIA T4"),
        .device_rates = {.counts = {[DEVICE_DOCUMENTED] = 15, [DEVICE_ASSUMED] = 44}},
        .blocks = 4096,
        .blocks_simulated = 256,
        .elements_compared = 496,
        .errors = {[SAMPLED_warp_instructions] = 0.0042, [SAMPLED_ideal_bytes] = 0.001},
        .registers = 24,
        .occupancy = 0.75,
        .occupancy_limit = mem_strdup("shared memory"),
        .limiter = mem_strdup("DRAM-bound: 92 % of the modelled time; line 11 reads 32 sectors a "
                              "request, 4 would be enough")};
    item->speed.sizes = mem_calloc(1, sizeof *item->speed.sizes);
    item->speed.sizes[0] = (struct report_size){mem_strdup("n"), 33554432};
    item->speed.size_count = 1;
    item->time = (struct report_time){.present = true,
                                      .median_ms = 1.25,
                                      .ci_low_ms = 1.2,
                                      .ci_high_ms = 1.3,
                                      .ratio_to_reference = 5};
}

static struct report *make_speed(void) {
    struct report *report = fixture_report("dot", "Dot product", "work/slow.cu", dot_source);
    fixture_group(report, "correctness", 60);
    fixture_case(report, "one-block", 256, VERDICT_PASS, NULL);
    fixture_group(report, "speed", 30);
    struct report_case *item = fixture_case(
        report, "speed", 1048576, VERDICT_TOO_SLOW,
        "time relative to the tuned kernel's is 5 (modelled), at most 4 expected; line 11 reads 32 "
        "sectors per request, 4 would be enough");
    item->score = 15;
    item->max_score = 30;
    set_speed(item);
    add_threshold(item, "time relative to the tuned kernel's", "ratio_to_tuned", THRESHOLD_MISSED,
                  5, 4, "4", 0);
    add_threshold(item, "DRAM bytes", "dram_bytes", THRESHOLD_PART, 123456789, 1.2e7,
                  "1.2 * ideal_bytes", 5);
    add_threshold(item, "warp_efficiency", "warp_efficiency", THRESHOLD_MET, 0.98, 0.9, "0.9", 10);
    add_threshold(item, "time on a GPU", "time_ms", THRESHOLD_UNDECIDED, 0, 0, "1", 0);
    struct report_threshold *thresholds = item->speed.thresholds;
    for (size_t i = 0; i < 2; i++) {
        thresholds[i].line = 11;
        thresholds[i].why = mem_strdup("line 11 reads 32 sectors per request, 4 would be enough");
        thresholds[i].hint = mem_strdup("Let neighbouring threads read neighbouring elements.");
    }
    thresholds[2].at_least = true;
    thresholds[3].why = mem_strdup("only a GPU may decide it, and none is used here");
    item->has_counters = true;
    item->counters.global_load_requests = 1000;
    fixture_finish(
        report, "75 of 90: 1 of 2 cases pass; too slow: time relative to the tuned kernel's is 5 "
                "(modelled), at most 4 expected");
    return report;
}

/* The same on a GPU as well, which decides what rests on times. */
static struct report *make_measured(void) {
    struct report *report = make_speed();
    struct report_case *item = &report->cases[report->case_count - 1];
    free(report->engine);
    report->engine = mem_strdup("sim+cuda");
    struct report_measured *measured = &item->speed.measured;
    *measured = (struct report_measured){.present = true,
                                         .card = mem_strdup("NVIDIA <H200>, \"MIG\""),
                                         .size_count = 1,
                                         .rounds = 23,
                                         .settled = true,
                                         .ratio_to_tuned = {true, 5, 4.98, 5.02},
                                         .ratio_to_reference = {true, 0.0625, 0.0620, 0.0631},
                                         .baseline = mem_strdup("cublas:sdot"),
                                         .fraction_of_baseline = {true, 0.1875, 0.187, 0.188},
                                         .tuned_ms = 0.25,
                                         .reference_ms = 20,
                                         .baseline_ms = 0.234,
                                         .roof_ms = 0.2,
                                         .fraction_of_roof = 0.16,
                                         .sm_clock_low_mhz = 1905,
                                         .sm_clock_high_mhz = 1980,
                                         .memory_clock_mhz = 3201};
    measured->sizes = mem_calloc(1, sizeof *measured->sizes);
    measured->sizes[0] = (struct report_size){mem_strdup("n"), 33554432};
    item->time.measured = true;
    item->speed.thresholds[0].modelled = false;
    item->speed.thresholds[0].measured = true;
    return report;
}

/* Right on the simulated GPU, wrong on the card, and so not measured. */
static struct report *make_two_faced(void) {
    struct report *report = fixture_report("dot", "Dot product", "work/two.cu", dot_source);
    fixture_group(report, "correctness", 60);
    struct report_case *item =
        fixture_case(report, "one-block", 256, VERDICT_WRONG_ANSWER,
                     "on NVIDIA H200, though not on the simulated GPU: out is wrong");
    item->found_on_card = true;
    for (int i = 2; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "blocks-%d", i);
        item = fixture_case(
            report, name, i * 256, VERDICT_COMPILE_ERROR,
            "on NVIDIA H200, though not on the simulated GPU: two.cu does not compile: "
            "line 12: identifier \"fast\" is undefined");
        item->found_on_card = true;
    }
    free(report->engine);
    report->engine = mem_strdup("sim+cuda");
    fixture_finish(report, "0 of 60: 0 of 3 cases pass; compile error in 2 cases");
    return report;
}

/* A card alone, which says little: no simulated device, no baseline, no floor, too few rounds. */
static struct report *make_measured_alone(void) {
    struct report *report = make_measured();
    struct report_case *item = &report->cases[report->case_count - 1];
    struct report_speed *speed = &item->speed;
    struct report_measured *measured = &speed->measured;
    free(report->engine);
    report->engine = mem_strdup("cuda");
    free(speed->device_id);
    free(speed->device_name);
    free(speed->occupancy_limit);
    free(speed->limiter);
    free(measured->baseline);
    speed->device_id = speed->device_name = speed->occupancy_limit = speed->limiter = NULL;
    memset(speed->errors, 0, sizeof speed->errors);
    speed->blocks = speed->blocks_simulated = speed->registers = 0;
    free(speed->sizes[0].name);
    free(speed->sizes);
    speed->sizes = NULL;
    speed->size_count = speed->elements_compared = 0;
    speed->occupancy = 0;
    measured->baseline = NULL;
    measured->fraction_of_baseline.present = measured->ratio_to_reference.present = false;
    measured->baseline_ms = measured->reference_ms = 0;
    measured->roof_ms = measured->fraction_of_roof = 0;
    measured->settled = false;
    measured->rounds = 3;
    measured->sm_clock_low_mhz = measured->sm_clock_high_mhz = measured->memory_clock_mhz = 0;
    measured->throttled = mem_strdup("power cap");
    return report;
}

/* Where no cgroups were made, the supervisor counts; with --unsafe-no-jail every format says so. */
static struct report *make_supervised(void) {
    struct report *report = make_pass();
    report->protection.memory = report->protection.cpu = "rlimits and supervisor";
    report->protection.processes = "cgroup v1";
    report->wall_ms = 7040;
    report->compile_ms = 6100;
    return report;
}

static struct report *make_unjailed(void) {
    struct report *report = make_wrong();
    report->protection =
        (struct protection){PROTECTION_NONE, "cgroup v1", "cgroup v1", "cgroup v1"};
    return report;
}

const struct fixture fixtures[] = {
    {"pass", make_pass},
    {"wrong", make_wrong},
    {"hazards", make_hazards},
    {"compile-error", make_compile_error},
    {"internal", make_internal},
    {"hostile", make_hostile},
    {"chinese", make_chinese},
    {"speed", make_speed},
    {"measured", make_measured},
    {"two-faced", make_two_faced},
    {"measured-alone", make_measured_alone},
    {"supervised", make_supervised},
    {"unjailed", make_unjailed},
    {"last-column", fixture_last_column},
    {"pictured-hazards", fixture_pictured_hazards},
    {"pictured-speed", fixture_pictured_speed},
    {"race", fixture_race},
    {"crash", fixture_crash},
    {"time-limit", fixture_time_limit},
    {"skipped-gpu", fixture_skipped_gpu},
    {"undecided", fixture_undecided},
    {"partial-credit", fixture_partial_credit},
    {"not-graded", fixture_not_graded},
    {"host-function", fixture_host_function},
    {"host-program", fixture_host_program},
};
const size_t fixture_count = ARRAY_LENGTH(fixtures);

const struct fixture *fixture_find(const char *name) {
    for (size_t i = 0; i < fixture_count; i++)
        if (strcmp(fixtures[i].name, name) == 0)
            return &fixtures[i];
    return NULL;
}

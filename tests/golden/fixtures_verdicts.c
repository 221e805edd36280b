/* A report for each way in which a submission ends that the other fixtures do not have. */
#include "tests/golden/fixtures.h"

#include "tests/golden/fixture_parts.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static const char blur_source[] = "// warpgrade: stencil-1d\n"
                                  "__global__ void stencil(const float *in, float *out, int n) {\n"
                                  "    __shared__ float tile[258];\n"
                                  "    int i = blockIdx.x * 256 + threadIdx.x;\n"
                                  "    tile[threadIdx.x + 1] = i < n ? in[i] : 0;\n"
                                  "    if (i < n)\n"
                                  "        out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1];\n"
                                  "}\n";

static struct report *new_stencil(const char *file) {
    struct report *report =
        fixture_report("stencil-1d", "One-dimensional stencil", file, blur_source);
    fixture_group(report, "correctness", 60);
    report->max_score = 60;
    report->pass_mark = 36;
    return report;
}

/* Two threads and one element, without an order: right in one case, by luck. */
struct report *fixture_race(void) {
    struct report *report = new_stencil("students/dora/stencil-1d.cu");
    fixture_case(report, "one-warp", 32, VERDICT_PASS, "");
    struct report_case *item = fixture_case(
        report, "one-block", 256, VERDICT_HAZARD,
        "shared-race at line 7: thread 33 reads tile[33], which thread 32 writes at line 5");
    struct hazard *hazard = fixture_hazard(
        item, HAZARD_SHARED_RACE, 7, 224,
        "Thread (33, 0, 0) of block (0, 0, 0) reads tile[33], which thread (32, 0, 0) "
        "writes at line 5, and nothing orders the two.");
    hazard->column = 18;
    hazard->other_line = 5;
    hazard->thread_count = 2;
    hazard->threads[0].thread = (struct dim3){33, 0, 0};
    hazard->threads[1].thread = (struct dim3){32, 0, 0};
    snprintf(hazard->file, sizeof hazard->file, "stencil-1d.cu");
    snprintf(hazard->other_file, sizeof hazard->other_file, "stencil-1d.cu");
    snprintf(hazard->variable, sizeof hazard->variable, "tile[33]");
    item->hint = mem_strdup("When may a thread read what its neighbour has stored?");
    fixture_finish(report, "30 of 60: 1 of 2 cases pass; shared-race at line 7 in 1 case");
    return report;
}

/* It stops itself, and no hazard says where. */
struct report *fixture_crash(void) {
    struct report *report = new_stencil("students/eve/stencil-1d.cu");
    fixture_case(report, "one-block", 256, VERDICT_CRASH,
                 "the worker ended by signal 11 while the kernel ran");
    fixture_finish(report, "0 of 60: 0 of 1 cases pass; crash in 1 case");
    return report;
}

struct report *fixture_time_limit(void) {
    struct report *report = new_stencil("students/finn/stencil-1d.cu");
    fixture_case(report, "one-warp", 32, VERDICT_PASS, "");
    fixture_case(report, "one-block", 256, VERDICT_TIME_LIMIT, "not done after 10 seconds");
    fixture_case(report, "two-blocks", 512, VERDICT_SKIPPED,
                 "not run, because one-block did not end");
    fixture_finish(report, "20 of 60: 1 of 3 cases pass; time limit in 1 case");
    return report;
}

/* Right, but only a card could say how fast. */
struct report *fixture_skipped_gpu(void) {
    struct report *report = new_stencil("students/gina/stencil-1d.cu");
    fixture_case(report, "one-block", 256, VERDICT_PASS, "");
    fixture_group(report, "speed", 40);
    report->max_score = 100;
    fixture_case(report, "speed", 1 << 20, VERDICT_SKIPPED, "only a GPU may decide it");
    fixture_finish(report, "60 of 100: 1 of 2 cases pass; speed was not decided: no GPU here");
    return report;
}

/* Nothing at all could be decided: neither passed nor wrong. */
struct report *fixture_undecided(void) {
    struct report *report = new_stencil("students/gus/stencil-1d.cu");
    fixture_case(report, "speed", 1 << 20, VERDICT_SKIPPED, "only a GPU may decide it");
    report->verdict = VERDICT_SKIPPED;
    fixture_finish(report, "0 of 60: speed was not decided: no GPU here");
    return report;
}

/* Passed, without all of the points, which a gate has cut as well. */
struct report *fixture_partial_credit(void) {
    struct report *report = new_stencil("students/hal/stencil-1d.cu");
    fixture_case(report, "one-block", 256, VERDICT_PASS, "");
    fixture_case(report, "two-blocks", 512, VERDICT_PASS, "");
    fixture_group(report, "boundary", 40);
    report->max_score = 100;
    struct report_case *item = fixture_case(report, "one-past-a-block", 257, VERDICT_WRONG_ANSWER,
                                            "1 of 257 elements of out is wrong");
    fixture_difference(item, "out", "[256]", 2.5, 1.25, 1e-6);
    for (size_t i = 0; i < 2; i++)
        report->cases[i].score = report->cases[i].max_score = 30;
    report->cases[2].max_score = 40;
    report->cap_reason = mem_strdup("capped at 50 % while not every boundary case passes");
    report->cap = 50;
    report->pass_mark = 50;
    fixture_finish(report, "50 of 100: 2 of 3 cases pass; wrong answer in 1 boundary case; capped "
                           "at 50 % while not every boundary case passes");
    report->score = 50;
    return report;
}

/* As `grade` reports a file that it cannot grade. */
struct report *fixture_not_graded(void) {
    struct report *report = mem_zalloc(sizeof *report);
    report->language = mem_strdup("en");
    report->file = mem_strdup("students/ida/stencil.cu");
    report->verdict = VERDICT_INTERNAL_ERROR;
    report->message = mem_strdup("there is no exercise \"stencil\"");
    report->cases = mem_calloc(1, sizeof *report->cases);
    report->case_count = 1;
    report->cases[0] = (struct report_case){.name = mem_strdup("submission"),
                                            .group = mem_strdup("submission"),
                                            .verdict = VERDICT_INTERNAL_ERROR,
                                            .message = mem_strdup(report->message),
                                            .hint = mem_strdup("did you mean stencil-1d?")};
    return report;
}

static const char sum_source[] =
    "// warpgrade: host-sum\n"
    "float solve(const float *input, int n) {\n"
    "    float *data, sum;\n"
    "    cudaMalloc(&data, n * sizeof(float));\n"
    "    cudaMemcpy(data, input, n * sizeof(float), cudaMemcpyHostToDevice);\n"
    "    add_all<<<n / 256, 256>>>(data, n);\n"
    "    cudaMemcpy(&sum, data, sizeof sum, cudaMemcpyDeviceToHost);\n"
    "    return sum;\n"
    "}\n";

static void use_nvcc(struct report *report) {
    free(report->compiler);
    report->compiler = mem_strdup("nvcc");
}

/* A function of the host that returns one number, which no picture is made of. */
struct report *fixture_host_function(void) {
    struct report *report =
        fixture_report("host-sum", "A sum in two passes", "/home/jan/cuda/host-sum.cu", sum_source);
    use_nvcc(report);
    fixture_group(report, "correctness", 50);
    fixture_case(report, "one-block", 256, VERDICT_PASS, "");
    fixture_group(report, "boundary", 50);
    struct report_case *item =
        fixture_case(report, "block-plus-1", 257, VERDICT_WRONG_ANSWER, "sum is wrong");
    fixture_difference(item, "sum", "", 16.5, 16.25, 0.002);
    item = fixture_case(report, "odd", 999, VERDICT_WRONG_ANSWER, "sum is wrong");
    fixture_difference(item, "sum", "", 31.5, 30, 0.002);
    for (size_t i = 1; i < report->case_count; i++)
        report->cases[i].difference.differing = report->cases[i].difference.total = 1;
    fixture_finish(report, "50 of 100: 1 of 3 cases pass; wrong answer in 2 cases");
    return report;
}

/* A whole program: what it prints is wrong for the same reason in all cases but one, which does not
 * end. */
struct report *fixture_host_program(void) {
    struct report *report = fixture_report("first", "A first program", "first.cu", sum_source);
    use_nvcc(report);
    fixture_group(report, "correctness", 100);
    for (int64_t i = 1; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "size-%d", (int)i);
        struct report_case *item = fixture_case(
            report, name, 100 * i, VERDICT_WRONG_ANSWER,
            "the program prints 0.5 as number 1 (out[0]), and no copy from the device brought it");
        item->printed = mem_strdup("0.5\n0.25\n");
    }
    fixture_case(report, "large", 5000, VERDICT_TIME_LIMIT, "not done after 10 seconds");
    fixture_finish(report, "0 of 100: 0 of 4 cases pass; wrong answer in 3 cases");
    return report;
}

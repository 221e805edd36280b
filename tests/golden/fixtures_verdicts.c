/* A report for each way in which a submission ends that the other fixtures do not have. */
#include "tests/golden/fixtures.h"

#include "tests/golden/fixture_parts.h"

#include "sandbox/base/memory.h"

#include <stdio.h>

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

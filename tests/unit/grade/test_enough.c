/* Grading that ends once its caller knows enough: what is left out, and what may not be. */
#include "grader/grade/grade.h"

#include "sandbox/program/worker_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Stops where the verdict is this one and the submission cannot pass any more. */
struct target {
    enum verdict verdict;
    unsigned asked;
    bool stopped;
    bool hidden; /* what only -G shows is of interest */
};

static bool has_fallen(void *context, const struct report *best) {
    struct target *target = context;
    target->asked++;
    target->stopped = best->verdict == target->verdict && !best->passed;
    return target->stopped;
}

static struct report *grade(const char *id, const char *text, struct target *target) {
    struct error error = {0};
    struct exercise *exercise = NULL;
    struct grade_session *session = NULL;
    struct report *report = NULL;
    struct grade_options options = {.has_seed = true, .seed = 42, .no_causes = true};
    struct grade_source source = {.file = "submission.cu", .text = text, .length = strlen(text)};
    enum status status = exercise_find(id, &exercise, &error);
    if (status == STATUS_OK)
        status = grade_open(&options, &session, &error);
    if (status == STATUS_OK)
        status = grade_until_enough(session, exercise, &source, has_fallen, target, target->hidden,
                                    &report, &error);
    if (status != STATUS_OK)
        fail_msg("%s: %s", id, error.message);
    grade_close(session);
    exercise_free(exercise);
    return report;
}

static const struct report_case *speed_case(const struct report *report) {
    return &report->cases[report->case_count - 1];
}

#define SAXPY(body)                                                                                \
    "__global__ void saxpy(int n, float alpha, const float *x, float *y)\n{\n"                     \
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n" body "}\n"

/* Right in the correctness cases, so that its speed would be rated; one error costs the pass. */
static void speed_of_what_cannot_pass_is_left_out(void **state) {
    (void)state;
    struct target target = {.verdict = VERDICT_HAZARD};
    struct report *report = grade(
        "saxpy", SAXPY("    if (n % 256 == 0 || i <= n)\n        y[i] = alpha * x[i] + y[i];\n"),
        &target);
    assert_true(target.stopped && target.asked == 1);
    assert_int_equal(report->verdict, VERDICT_HAZARD);
    assert_int_equal(grade_exit_status(report), STATUS_BELOW_MARK);
    assert_false(speed_case(report)->speed.present);
    assert_true(report->score == 50); /* those of correctness, and all for speed */
    report_free(report);
}

/* Only the speed case shows the mistake. */
static void what_the_cases_do_not_show_is_graded_to_its_end(void **state) {
    (void)state;
    struct target target = {.verdict = VERDICT_WRONG_ANSWER};
    struct report *report =
        grade("saxpy", SAXPY("    if (i < n && n < 100000)\n        y[i] = alpha * x[i] + y[i];\n"),
              &target);
    assert_true(!target.stopped && target.asked == 2);
    assert_int_equal(speed_case(report)->verdict, VERDICT_WRONG_ANSWER);
    assert_int_equal(report->verdict, VERDICT_WRONG_ANSWER);
    assert_non_null(report->message);
    report_free(report);
}

/* The optimiser removes the race: right and fast without -G. */
static void race_that_is_hidden_is_looked_for_on_demand(void **state) {
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        struct target target = {.verdict = VERDICT_COMPILE_ERROR, .hidden = hidden};
        struct report *report =
            grade("saxpy",
                  SAXPY("    __shared__ float t;\n    if (i < n) {\n        t = alpha * x[i];\n"
                        "        y[i] = t + y[i];\n    }\n"),
                  &target);
        assert_int_equal(report->verdict, hidden ? VERDICT_HAZARD : VERDICT_PASS);
        report_free(report);
    }
}

/* All cases have a race at first, which only the optimiser has made: the load of s[0] goes ahead of
 * its branch. Nothing is concluded from what the build with -G may take back. */
static void race_of_the_optimiser_is_not_enough(void **state) {
    (void)state;
    struct target target = {.verdict = VERDICT_HAZARD};
    struct report *report = grade(
        "dot",
        "#define BLOCK_SIZE 256\n"
        "__global__ void dot(const float *a, const float *b, float *out, int n)\n{\n"
        "    __shared__ float s[BLOCK_SIZE];\n"
        "    int tid = threadIdx.x, i = blockIdx.x * BLOCK_SIZE + tid;\n"
        "    s[tid] = i < n ? a[i] * b[i] : 0.0f;\n"
        "    for (int half = BLOCK_SIZE / 2; half > 0; half >>= 1) {\n"
        "        __syncthreads();\n        if (tid < half)\n            s[tid] += s[tid + half];\n"
        "    }\n"
        "    if (tid == 0 && s[0] != 0.0f)\n        atomicAdd(out, s[0]);\n}\n",
        &target);
    assert_true(!target.stopped && target.asked == 1);
    assert_true(report->passed && report->score == report->max_score);
    report_free(report);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    struct build_toolchain toolchain;
    if (build_toolchain_find(&toolchain, NULL) != STATUS_OK || !toolchain.nvrtc_library[0]) {
        puts("no NVRTC on this machine: nothing can be graded");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_of_what_cannot_pass_is_left_out),
        cmocka_unit_test(what_the_cases_do_not_show_is_graded_to_its_end),
        cmocka_unit_test(race_that_is_hidden_is_looked_for_on_demand),
        cmocka_unit_test(race_of_the_optimiser_is_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

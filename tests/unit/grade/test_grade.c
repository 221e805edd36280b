/* Grading from end to end: real exercises, the real compiler, real workers on the simulated GPU.
 * Without NVRTC on the machine there is nothing to test here, and the tests say so. */
#include "grader/grade/grade.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SAXPY(body)                                                                                \
    "__global__ void saxpy(int n, float alpha, const float *x, float *y)\n{\n"                     \
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n" body "}\n"
#define RIGHT SAXPY("    if (i < n)\n        y[i] = alpha * x[i] + y[i];\n")

static struct report *grade_with(const struct grade_options *options, const char *id,
                                 const char *text, size_t length) {
    struct error error = {0};
    struct exercise *exercise = NULL;
    struct grade_session *session = NULL;
    struct report *report = NULL;
    struct grade_source source = {.file = "dir/submission.cu", .text = text, .length = length};
    enum status status = exercise_find(id, &exercise, &error);
    if (status == STATUS_OK)
        status = grade_open(options, &session, &error);
    if (status == STATUS_OK)
        status = grade_submission(session, exercise, &source, &report, &error);
    if (status != STATUS_OK)
        fail_msg("%s: %s (%s:%u)", id, error.message, error.file, error.line);
    grade_close(session);
    exercise_free(exercise);
    return report;
}

/* Without probable causes, which take more launches than the verdict: tests/e2e asks for those. */
static struct report *grade(const char *id, const char *text) {
    return grade_with(&(struct grade_options){.has_seed = true, .seed = 42, .no_causes = true}, id,
                      text, strlen(text));
}

static void assert_contains(const char *text, const char *part) {
    if (!text || !strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text ? text : "(nothing)");
}

static void right_kernel_has_full_score(void **state) {
    (void)state;
    struct report *report = grade("saxpy", RIGHT);
    assert_true(report->passed && report->score == report->max_score);
    assert_int_equal(report->verdict, VERDICT_PASS);
    assert_int_equal(grade_exit_status(report), STATUS_OK);
    assert_contains(report->message, "100 of 100: all");
    assert_contains(report->compiler, "NVRTC");
    report_free(report);
}

static void wrong_kernel_shows_the_first_difference(void **state) {
    (void)state;
    struct report *report = grade("saxpy", SAXPY("    if (i < n)\n        y[i] = alpha * x[i];\n"));
    assert_false(report->passed);
    assert_int_equal(report->verdict, VERDICT_WRONG_ANSWER);
    assert_int_equal(grade_exit_status(report), STATUS_BELOW_MARK);
    assert_true(report->cases[0].difference.present);
    assert_string_equal(report->cases[0].difference.output, "y");
    assert_non_null(report->cases[0].tolerance);
    report_free(report);
}

#define GRAY(body)                                                                                 \
    "__global__ void grayscale(const unsigned char *rgb, unsigned char *gray, int width, "         \
    "int height)\n{\n"                                                                             \
    "    int x = blockIdx.x * blockDim.x + threadIdx.x;\n"                                         \
    "    int y = blockIdx.y * blockDim.y + threadIdx.y;\n"                                         \
    "    if (x < width && y < height" body "}\n"

/* Before a launch an image holds 0xa5 in each byte, which is as good a shade of gray as any. */
static void byte_that_equals_the_poison_was_written(void **state) {
    (void)state;
    struct report *report = grade("grayscale", GRAY(")\n        gray[y * width + x] = 0xa5;\n"));
    for (size_t i = 0; i < report->case_count; i++) {
        assert_false(report->cases[i].difference.never_written);
        assert_null(strstr(report->cases[i].message ?: "", "never written"));
        assert_null(strstr(report->cases[i].message ?: "", "writes no element"));
    }
    assert_int_equal(report->cases[0].verdict, VERDICT_WRONG_ANSWER);
    report_free(report);
}

static void byte_that_was_not_written_is_called_so(void **state) {
    (void)state;
    struct report *report = grade("grayscale", GRAY(" && 0)\n        gray[y * width + x] = 1;\n"));
    assert_string_equal(report->cases[0].message, "the kernel writes no element of gray");
    assert_true(report->cases[0].difference.never_written);
    report_free(report);
}

/* Whether an element was written is asked for all cases in one worker; each gets its own answer. */
static void each_case_is_told_of_its_own_unwritten_element(void **state) {
    (void)state;
    struct report *report = grade(
        "grayscale", GRAY(" && (x + y || width % 2 == 0))\n        gray[y * width + x] = 0xa5;\n"));
    size_t odd = 0, even = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *the_case = &report->cases[i];
        if (the_case->verdict != VERDICT_WRONG_ANSWER || the_case->difference.flat_index)
            continue;
        assert_string_equal(the_case->sizes[0].name, "width");
        bool is_odd = the_case->sizes[0].value % 2;
        assert_int_equal(the_case->difference.never_written, is_odd);
        odd += is_odd;
        even += !is_odd;
    }
    assert_true(odd > 2 && even > 2);
    report_free(report);
}

static void missing_bounds_check_is_a_hazard_at_its_line(void **state) {
    (void)state;
    struct report *report = grade("saxpy", SAXPY("    y[i] = alpha * x[i] + y[i];\n"));
    assert_int_equal(report->verdict, VERDICT_HAZARD);
    assert_contains(report->message, "out-of-bounds at line 4");
    report_free(report);
}

static void compile_error_is_graded(void **state) {
    (void)state;
    struct report *report = grade("saxpy", SAXPY("    y[i] = alpha * z[i];\n"));
    assert_int_equal(report->verdict, VERDICT_COMPILE_ERROR);
    assert_int_equal(grade_exit_status(report), STATUS_BELOW_MARK);
    assert_true(report->diagnostic_count > 0);
    assert_int_equal(report->diagnostics[0].line, 4);
    assert_true(report->max_score == 100 && report->score == 0);
    report_free(report);
}

static void what_is_no_source_is_graded_with_a_reason(void **state) {
    (void)state;
    struct grade_options options = {.has_seed = true};
    size_t large = 10 << 20;
    char *many = mem_alloc(large);
    memset(many, ' ', large);
    const struct {
        const char *text;
        size_t length;
        const char *message, *hint;
    } rows[] = {{"", 0, "submission.cu is empty", "warpgrade new saxpy"},
                {" \n\t\n", 4, "submission.cu is empty", "warpgrade new saxpy"},
                {"\xff\xfe/\0/\0", 6, "submission.cu is written in UTF-16", "UTF-8"},
                {"\x7f"
                 "ELF\0\0\0",
                 7, "submission.cu is not a text file: byte 5 is zero", "warpgrade new saxpy"},
                {many, large, "submission.cu is too large: 10.0 MiB", "warpgrade new saxpy"}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct report *report = grade_with(&options, "saxpy", rows[i].text, rows[i].length);
        assert_int_equal(report->verdict, VERDICT_COMPILE_ERROR);
        assert_contains(report->build_message, rows[i].message);
        assert_contains(report->build_hint, rows[i].hint);
        report_free(report);
    }
    free(many);
}

static void wrong_signature_says_what_was_found_and_expected(void **state) {
    (void)state;
    struct report *report =
        grade("saxpy", "__global__ void saxpy(int n, double a, const float *x, float *y) {}");
    assert_int_equal(report->verdict, VERDICT_COMPILE_ERROR);
    assert_contains(report->build_message, "takes `double` as its second parameter, where the "
                                           "exercise passes `float alpha`");
    assert_contains(report->build_hint, "saxpy(int n, float alpha, const float *x, float *y)");
    report_free(report);
    report = grade("saxpy", "__global__ void saxpy(int n) {}");
    assert_contains(report->build_message, "has 1 parameter, where the exercise passes 4");
    report_free(report);
    report = grade("saxpy", "__global__ void saxpi(int n) {}");
    assert_contains(report->build_message, "saxpi");
    report_free(report);
}

#define DOT(constant)                                                                              \
    constant "__global__ void dot(const float *a, const float *b, float *out, int n)\n"            \
             "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"                             \
             "    if (i < n)\n        atomicAdd(out, a[i] * b[i]);\n}\n"

static void constants_are_read_and_checked(void **state) {
    (void)state;
    struct report *report = grade("dot", DOT("constexpr int BLOCK_SIZE = 1 << 6;\n"));
    assert_string_equal(report->constants[0].name, "BLOCK_SIZE");
    assert_int_equal(report->constants[0].value, 64);
    assert_int_equal(report->verdict,
                     VERDICT_TOO_SLOW); /* right, but an addition for each thread */
    report_free(report);
    report = grade("dot", DOT(""));
    assert_contains(report->build_message, "does not define the constant BLOCK_SIZE");
    report_free(report);
    report = grade("dot", DOT("#define BLOCK_SIZE 2048\n"));
    assert_contains(report->build_message, "BLOCK_SIZE is 2048 in submission.cu; allowed is a "
                                           "power of two from 32 to 1024");
    report_free(report);
    report = grade("dot", DOT("#define BLOCK_SIZE 100\n"));
    assert_contains(report->build_message, "BLOCK_SIZE is 100");
    report_free(report);
}

static void hanging_kernel_is_stopped_and_given_up_on(void **state) {
    (void)state;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct report *report =
        grade("saxpy", SAXPY("    volatile int go = 1;\n    while (go) {}\n    y[i] = 0;\n"));
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_int_equal(report->verdict, VERDICT_TIME_LIMIT);
    assert_int_equal(report->cases[0].verdict, VERDICT_TIME_LIMIT);
    assert_int_equal(report->cases[1].verdict, VERDICT_TIME_LIMIT);
    for (size_t i = 2; i < report->case_count; i++)
        assert_int_equal(report->cases[i].verdict, VERDICT_SKIPPED);
    assert_int_equal(grade_exit_status(report), STATUS_BELOW_MARK);
    assert_true(end.tv_sec - start.tv_sec < 30); /* loose: sanitizers, loaded machines */
    report_free(report);
}

static void failed_assert_is_a_crash(void **state) {
    (void)state;
    struct report *report =
        grade("saxpy", "#include <assert.h>\n" SAXPY("    assert(i < 0);\n    y[i] = 0;\n"));
    assert_int_equal(report->verdict, VERDICT_CRASH);
    report_free(report);
}

static void write_to_an_input_is_found(void **state) {
    (void)state;
    struct report *report =
        grade("saxpy", SAXPY("    if (i < n) {\n        y[i] = alpha * x[i] + y[i];\n"
                             "        ((float *)x)[i] = 0;\n    }\n"));
    assert_int_equal(report->verdict, VERDICT_HAZARD);
    assert_contains(report->message, "write-to-input at line 6");
    report_free(report);
}

/* The report as JSON, without what a clock gave. */
static char *timeless_json(struct report *report) {
    report->wall_ms = 0;
    for (size_t i = 0; i < report->case_count; i++)
        report->cases[i].wall_ms = 0;
    struct text out = {0};
    const struct report *const reports[] = {report};
    assert_int_equal(report_format_find("json")->write(reports, 1, NULL, &out, NULL), STATUS_OK);
    return text_steal(&out);
}

/* Blocks take tickets; only where block i has ticket i is the result right, and there is no race.
 */
#define BY_TICKET                                                                                  \
    "__device__ int tickets;\n"                                                                    \
    "__global__ void saxpy(int n, float alpha, const float *x, float *y)\n{\n"                     \
    "    __shared__ int ticket;\n"                                                                 \
    "    if (threadIdx.x == 0)\n        ticket = atomicAdd(&tickets, 1);\n"                        \
    "    __syncthreads();\n"                                                                       \
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"                                         \
    "    if (i < n)\n"                                                                             \
    "        y[i] = alpha * x[i] + (ticket == blockIdx.x ? y[i] : 0);\n}\n"
/* The same between the warps of a block: whose lane comes first decides. */
#define BY_WARP                                                                                    \
    SAXPY("    __shared__ int next, first;\n"                                                      \
          "    if (threadIdx.x == 0)\n        next = 0;\n    __syncthreads();\n"                   \
          "    if (atomicAdd(&next, 1) == 0)\n        first = threadIdx.x / 32;\n"                 \
          "    __syncthreads();\n"                                                                 \
          "    if (i < n)\n        y[i] = alpha * x[i] + (first % 2 ? y[i] : 0);\n")
/* A race that the optimiser removes. */
#define SHARED_TEMPORARY                                                                           \
    SAXPY("    __shared__ float t;\n    if (i < n) {\n        t = alpha * x[i];\n"                 \
          "        y[i] = t + y[i];\n    }\n")

static void assert_depends_on_the_order(const char *text, const char *how) {
    struct report *report = grade("saxpy", text);
    assert_false(report->passed);
    assert_int_equal(report->verdict, VERDICT_NONDETERMINISTIC);
    assert_int_equal(grade_exit_status(report), STATUS_BELOW_MARK);
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *the_case = &report->cases[i];
        assert_int_equal(the_case->hazard_count, 0);
        if (the_case->verdict != VERDICT_NONDETERMINISTIC)
            continue; /* one block or one warp is always the first */
        assert_contains(the_case->message, how);
        assert_true(the_case->difference.present);
    }
    report_free(report);
}

static void result_that_depends_on_the_order_is_nondeterministic(void **state) {
    (void)state;
    assert_depends_on_the_order(BY_TICKET, "right in the natural one, wrong in another (");
    assert_depends_on_the_order(BY_WARP, "the result depends on the order in which");
}

static void hazards_name_the_first_threads(void **state) {
    (void)state;
    struct report *report =
        grade("saxpy", SAXPY("    if (i < n)\n        y[0] += alpha * x[i];\n"));
    assert_int_equal(report->verdict, VERDICT_HAZARD);
    for (size_t i = 0; i < report->case_count; i++)
        for (size_t j = 0; j < report->cases[i].hazard_count; j++) {
            assert_int_equal(report->cases[i].hazards[j].threads[0].block.x, 0);
            assert_in_range(report->cases[i].hazards[j].threads[0].thread.x, 0, 31);
        }
    report_free(report);
}

static void race_that_the_optimiser_removes_is_found(void **state) {
    (void)state;
    struct report *report = grade("saxpy", SHARED_TEMPORARY);
    assert_false(report->passed);
    assert_int_equal(report->verdict, VERDICT_HAZARD);
    assert_contains(report->message, "shared-race at line 6");
    bool found = false;
    for (size_t i = 0; i < report->case_count; i++)
        for (size_t j = 0; j < report->cases[i].hazard_count; j++) {
            assert_contains(report->cases[i].hazards[j].message, "unoptimised build");
            found = true;
        }
    assert_true(found);
    report_free(report);
}

/* All threads of the block write whether it holds an element at all. */
static const char same_value_flag[] =
    SAXPY("    __shared__ int inside;\n    inside = blockIdx.x * blockDim.x < n;\n"
          "    __syncthreads();\n    if (inside && i < n)\n        y[i] = alpha * x[i] + y[i];\n");

static void race_of_equal_values_costs_nothing(void **state) {
    (void)state;
    struct report *report = grade("saxpy", same_value_flag);
    assert_true(report->passed && report->score == report->max_score);
    assert_contains(report->message, "warning: shared-race at line 5");
    report_free(report);
}

/* The compiler loads s[0] ahead of the branch, in all threads; only thread 0 uses it. */
#define DOT_ENDING(end)                                                                            \
    "#define BLOCK_SIZE 256\n"                                                                     \
    "__global__ void dot(const float *a, const float *b, float *out, int n)\n{\n"                  \
    "    __shared__ float s[BLOCK_SIZE];\n"                                                        \
    "    int tid = threadIdx.x, i = blockIdx.x * BLOCK_SIZE + tid;\n"                              \
    "    s[tid] = i < n ? a[i] * b[i] : 0.0f;\n"                                                   \
    "    for (int half = BLOCK_SIZE / 2; half > 0; half >>= 1) {\n"                                \
    "        __syncthreads();\n        if (tid < half)\n            s[tid] += s[tid + half];\n"    \
    "    }\n" end "}\n"

static void load_ahead_of_its_branch_is_no_race(void **state) {
    (void)state;
    struct report *report = grade(
        "dot", DOT_ENDING("    if (tid == 0 && s[0] != 0.0f)\n        atomicAdd(out, s[0]);\n"));
    assert_true(report->passed && report->score == report->max_score);
    for (size_t i = 0; i < report->case_count; i++)
        assert_int_equal(report->cases[i].hazard_count, 0);
    report_free(report);
}

static void race_with_a_load_of_the_source_stays_one(void **state) {
    (void)state;
    struct report *report = grade(
        "dot",
        DOT_ENDING("    if (tid < 2 && s[0] != 0.0f)\n        atomicAdd(out, tid ? 0 : s[0]);\n"));
    assert_false(report->passed);
    assert_int_equal(report->verdict, VERDICT_HAZARD);
    assert_contains(report->message, "shared-race at line 12");
    report_free(report);
}

static void same_seed_gives_the_same_report_on_any_number_of_threads(void **state) {
    (void)state;
    const char *const texts[] = {
        RIGHT, SAXPY("    y[i] = alpha * x[i] + y[i];\n"),
        SAXPY("    volatile int go = 1;\n    while (go) {}\n    y[i] = 0;\n"), BY_TICKET,
        SHARED_TEMPORARY};
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        char *first = NULL;
        for (unsigned jobs = 1; jobs <= 4; jobs += i == 0 ? 1 : 2) {
            struct grade_options options = {.has_seed = true, .seed = 7, .jobs = jobs};
            struct report *report = grade_with(&options, "saxpy", texts[i], strlen(texts[i]));
            char *json = timeless_json(report);
            if (first)
                assert_string_equal(json, first);
            else
                first = mem_strdup(json);
            free(json);
            report_free(report);
        }
        free(first);
    }
}

static void other_seed_gives_other_data(void **state) {
    (void)state;
    const char *text = SAXPY("    if (i < n)\n        y[i] = alpha * x[i];\n");
    struct grade_options options = {.has_seed = true, .seed = 1, .cases = "generated-1"};
    struct report *one = grade_with(&options, "saxpy", text, strlen(text));
    options.seed = 2;
    struct report *two = grade_with(&options, "saxpy", text, strlen(text));
    assert_true(one->cases[0].difference.expected != two->cases[0].difference.expected);
    report_free(one);
    report_free(two);
}

static void session_serves_many_submissions(void **state) {
    (void)state;
    struct error error = {0};
    struct exercise *exercise;
    struct grade_session *session;
    assert_int_equal(exercise_find("saxpy", &exercise, &error), STATUS_OK);
    assert_int_equal(grade_open(&(struct grade_options){0}, &session, &error), STATUS_OK);
    struct grade_source source = {.file = "s.cu", .text = RIGHT, .length = sizeof RIGHT - 1};
    for (unsigned i = 0; i < 2; i++) {
        struct report *report;
        assert_int_equal(grade_submission(session, exercise, &source, &report, &error), STATUS_OK);
        assert_true(report->passed);
        assert_true(report->seed == grade_seed(session));
        report_free(report);
    }
    grade_close(session);
    exercise_free(exercise);
}

static void selected_cases_only(void **state) {
    (void)state;
    struct grade_options options = {.cases = "generated-*"};
    struct report *report = grade_with(&options, "saxpy", RIGHT, sizeof RIGHT - 1);
    assert_true(report->case_count > 0 && report->score == report->max_score);
    for (size_t i = 0; i < report->case_count; i++)
        assert_string_equal(report->cases[i].group, "generated");
    assert_contains(report->message, "selected from");
    report_free(report);
}

static void cuda_engine_is_an_environment_error(void **state) {
    (void)state;
    struct error error = {0};
    struct grade_session *session;
    assert_int_equal(
        grade_open(&(struct grade_options){.engine = GRADE_ENGINE_CUDA}, &session, &error),
        STATUS_ENVIRONMENT);
    assert_contains(error.hint, "--engine sim");
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
        cmocka_unit_test(right_kernel_has_full_score),
        cmocka_unit_test(wrong_kernel_shows_the_first_difference),
        cmocka_unit_test(byte_that_equals_the_poison_was_written),
        cmocka_unit_test(byte_that_was_not_written_is_called_so),
        cmocka_unit_test(each_case_is_told_of_its_own_unwritten_element),
        cmocka_unit_test(missing_bounds_check_is_a_hazard_at_its_line),
        cmocka_unit_test(compile_error_is_graded),
        cmocka_unit_test(what_is_no_source_is_graded_with_a_reason),
        cmocka_unit_test(wrong_signature_says_what_was_found_and_expected),
        cmocka_unit_test(constants_are_read_and_checked),
        cmocka_unit_test(hanging_kernel_is_stopped_and_given_up_on),
        cmocka_unit_test(failed_assert_is_a_crash),
        cmocka_unit_test(write_to_an_input_is_found),
        cmocka_unit_test(result_that_depends_on_the_order_is_nondeterministic),
        cmocka_unit_test(hazards_name_the_first_threads),
        cmocka_unit_test(race_that_the_optimiser_removes_is_found),
        cmocka_unit_test(race_of_equal_values_costs_nothing),
        cmocka_unit_test(load_ahead_of_its_branch_is_no_race),
        cmocka_unit_test(race_with_a_load_of_the_source_stays_one),
        cmocka_unit_test(same_seed_gives_the_same_report_on_any_number_of_threads),
        cmocka_unit_test(other_seed_gives_other_data),
        cmocka_unit_test(session_serves_many_submissions),
        cmocka_unit_test(selected_cases_only),
        cmocka_unit_test(cuda_engine_is_an_environment_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

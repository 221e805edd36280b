/* Cases that an exercise does not have, for wrong solutions that it lets pass. */
#include "grader/validate/candidates.h"

#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static char *find(const char *id, const char *text) {
    const struct grade_options options = {
        .engine = GRADE_ENGINE_SIM, .has_seed = true, .seed = 1, .no_causes = true};
    const struct grade_source source = {.file = "wrong.cu", .text = text, .length = strlen(text)};
    struct grade_session *session;
    struct exercise *exercise;
    struct candidates *candidates;
    struct error error = {0};
    char *found = NULL;
    assert_int_equal(grade_open(&options, &session, &error), STATUS_OK);
    assert_int_equal(exercise_find(id, &exercise, &error), STATUS_OK);
    if (candidates_open(session, exercise, &candidates, &error) != STATUS_OK)
        fail_msg("%s: %s", id, error.message);
    assert_int_equal(candidates_find(candidates, session, exercise, &source, &found, &error),
                     STATUS_OK);
    candidates_free(candidates);
    exercise_free(exercise);
    grade_close(session);
    return found;
}

#define SAXPY(value)                                                                               \
    "__global__ void saxpy(int n, float alpha, const float *x, float *y)\n{\n"                     \
    "    int i = blockIdx.x * 256 + threadIdx.x;\n"                                                \
    "    if (i < n)\n        y[i] = " value ";\n}\n"

static void names_the_first_case_that_catches_it(void **state) {
    (void)state;
    cleanup_free char *size = find("saxpy", SAXPY("n == 63 ? 0 : alpha * x[i] + y[i]"));
    assert_string_equal(size, "{name: n-63, sizes: {n: 63}} (wrong-answer)");
    cleanup_free char *data = find("saxpy", SAXPY("alpha * x[i] + (y[i] < -800 ? 0 : y[i])"));
    assert_string_equal(data, "{name: y-thousands, sizes: {n: 256}, fill: {y: {uniform: [-1000, "
                              "1000]}}} (wrong-answer)");
    assert_null(find("saxpy", SAXPY("alpha * x[i] + y[i]")));
}

/* Two sizes that may be 0 each, and not both: the grid would have no block. */
static void regression_no_case_without_a_launch(void **state) {
    (void)state;
    cleanup_free char *found = find("merge-path", "__global__ void nothing() {}\n");
    (void)found;
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
        cmocka_unit_test(names_the_first_case_that_catches_it),
        cmocka_unit_test(regression_no_case_without_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

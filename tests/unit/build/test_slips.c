/* Each row of slips.def is found by its own slip, as the compiler words it. */
#include "sandbox/program/worker_main.h"
#include "tests/unit/build/compile.h"

#include "sandbox/build/request.h"

static const struct {
    const char *code, *advice;
} inside[] = {
#define SLIP(code, sign, advice) {code, advice},
#define SLIP_OUTSIDE(code, sign, advice)
#define SLIP_NVCC(error, sign, advice)
#include "sandbox/build/slips.def"
#undef SLIP
#undef SLIP_OUTSIDE
#undef SLIP_NVCC
};

static const struct {
    const char *code, *advice;
} outside[] = {
#define SLIP(code, sign, advice)
#define SLIP_OUTSIDE(code, sign, advice) {code, advice},
#define SLIP_NVCC(error, sign, advice)
#include "sandbox/build/slips.def"
#undef SLIP
#undef SLIP_OUTSIDE
#undef SLIP_NVCC
};

static const struct {
    const char *error, *advice;
} of_nvcc[] = {
#define SLIP(code, sign, advice)
#define SLIP_OUTSIDE(code, sign, advice)
#define SLIP_NVCC(error, sign, advice) {error, advice},
#include "sandbox/build/slips.def"
};

/* One a line, and not more in a file than errors that the compiler lists. */
enum { SLIPS_A_FILE = 40 };

static void check_file(size_t first, size_t end) {
    struct text source = {0};
    for (size_t i = first; i < end; i++)
        text_printf(&source, "__global__ void k%zu(float *x, int n, int i) { %s }\n", i,
                    inside[i].code);
    struct build_result result = compile(text_string(&source), NULL);
    assert_false(result.compiled);
    assert_string_equal(result.hint, inside[first].advice);
    for (size_t i = first; i < end; i++) {
        bool found = false;
        for (size_t j = 0; j < result.diagnostic_count; j++) {
            const char *advice = build_slip_advice(result.diagnostics[j].text);
            found |= result.diagnostics[j].line == i - first + 1 && advice &&
                     strcmp(advice, inside[i].advice) == 0;
        }
        if (!found)
            fail_msg("no advice for: %s", inside[i].code);
    }
    build_result_free(&result);
    text_free(&source);
}

static void test_inside(void **state) {
    (void)state;
    for (size_t first = 0; first < ARRAY_LENGTH(inside); first += SLIPS_A_FILE) {
        size_t end = first + SLIPS_A_FILE;
        check_file(first, end < ARRAY_LENGTH(inside) ? end : ARRAY_LENGTH(inside));
    }
}

static void test_outside(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(outside); i++) {
        struct build_result result = compile(outside[i].code, NULL);
        if (result.compiled || strcmp(result.hint, outside[i].advice) != 0)
            fail_msg("%s\n%s\n%s", outside[i].code, result.message, result.hint);
        build_result_free(&result);
    }
}

static void test_of_nvcc(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(of_nvcc); i++)
        assert_string_equal(build_slip_advice(of_nvcc[i].error), of_nvcc[i].advice);
}

/* An error of the first line has no advice: that of another names its line. */
static void test_later_line(void **state) {
    (void)state;
    struct build_result result =
        compile("__global__ void dot(int *a) {\n a[0] = foo;\n __syncthread();\n}\n", "dot");
    assert_string_equal(result.hint, "Line 3: Did you mean __syncthreads()?");
    build_result_free(&result);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1); /* nothing from an earlier run */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_of_nvcc),
        cmocka_unit_test(test_later_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

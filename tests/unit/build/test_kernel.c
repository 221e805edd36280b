/* Sources without the kernel that is asked for, and what is said of them. Needs NVRTC. */
#include "sandbox/program/worker_main.h"
#include "tests/unit/build/compile.h"

/* Submissions whose kernel cannot be used; the message is what the student reads. */
static void test_kernel_messages(void **state) {
    (void)state;
    static const struct {
        const char *source, *message, *hint;
    } cases[] = {
        {"__global__ void dto(const float *a, int n) {}",
         "dot.cu has no kernel named dot: found dto(const float *, int)", "Rename dto to dot."},
        {"__global__ void a(int n) {} __global__ void Dot(float *b) {}",
         "dot.cu has no kernel named dot: found a(int); Dot(float *)", "Rename Dot to dot."},
        {"__device__ int helper(int n) { return n; }",
         "dot.cu has no kernel: no __global__ function is in it",
         "Write `__global__ void dot(...)`."},
        {"__device__ void dot(int *a) {} ",
         "dot in dot.cu is not a kernel: it is not declared __global__",
         "Write `__global__ void dot(...)`."},
        {"template <typename T> __global__ void dot(T *a) {}",
         "dot is a template in dot.cu, and nothing says for which types it is used",
         "Write it as a plain function with the types of the exercise."},
        {"__global__ void dot(int *a) {} __global__ void dot(float *a) {}",
         "dot.cu has several functions named dot", "Keep one, or rename the others."},
        {"", "dot.cu is empty", "Write your kernel into it."},
        {" \n\t\n", "dot.cu is empty", "Write your kernel into it."},
        {"// nothing\n", "dot.cu has no kernel: no __global__ function is in it",
         "Write `__global__ void dot(...)`."},
        {"\xff\xfe_\0_\0", "dot.cu is saved as UTF-16, which the compiler does not read",
         "Save it as UTF-8 in your editor."},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct build_result result = compile(cases[i].source, "dot");
        assert_false(result.compiled);
        assert_null(result.ptx);
        assert_int_equal(result.end, BUILD_DONE);
        assert_string_equal(result.message, cases[i].message);
        assert_string_equal(result.hint, cases[i].hint);
        assert_int_equal(result.diagnostic_count, 0);
        build_result_free(&result);
    }
}

/* Where an option names the kernel, the option is what to change. */
static void test_chosen_kernel(void **state) {
    (void)state;
    static const char source[] = "__global__ void a(int n) {} __global__ void Dot(float *b) {}";
    static const char *const rows[][2] = {{"dot", "Say --kernel Dot."}, {"x", "Say --kernel a."}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct build_result result =
            compile_request((struct build_request){.source = source,
                                                   .source_length = sizeof source - 1,
                                                   .kernel = rows[i][0],
                                                   .kernel_chosen = true});
        assert_false(result.compiled);
        assert_string_equal(result.hint, rows[i][1]);
        build_result_free(&result);
    }
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    unsetenv("WARPGRADE_CUDA_HOME");
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1); /* nothing from an earlier run */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_messages),
        cmocka_unit_test(test_chosen_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

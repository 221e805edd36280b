/* Sources without the kernel that is asked for, and what is said of them; those that need more of
 * the compiler than --minimal. Needs NVRTC. */
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

/* What --minimal leaves out stands in sources that name it, and an answer does not depend on it.
 * The pasted name alone, which no reading of the text finds, shows the option. */
static void test_minimal(void **state) {
    (void)state;
#define PASTED "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n"
#define ASKED                                                                                      \
    "#if Q(__CU, P(DACC_RTC_MIN, IMAL__))\nenum { K = 1 };\n#else\nenum { K = 2 };\n#endif"
    static const char kernel[] = "\n__global__ void dot(float *a) {}";
    static const struct {
        const char *source;
        int64_t value;
    } cases[] = {
        {PASTED ASKED, 1},
        {"#include <cuda_runtime.h>\n" PASTED ASKED, 1},
        {"#ifdef cudaStreamDefault\nenum { K = 2 };\n#else\nenum { K = 1 };\n#endif", 2},
        {"#ifdef __CUDACC_RTC_MINIMAL__\nenum { K = 1 };\n#else\nenum { K = 2 };\n#endif", 2},
        {"#ifdef CU_UUID_HAS_BEEN_DEFINED\nenum { K = 2 };\n#else\nenum { K = 1 };\n#endif", 2},
        {PASTED "enum { K = Q(PATCH, _LEVEL) };", 2},
        {"#include <cuda_fp16.h>\n__device__ __half h(__half a) { return a; } enum { K = 2 };", 2},
        {"__device__ float t(cudaTextureObject_t o) { return tex1D<float>(o, 1); } enum { K = 2 };",
         2},
        {"/**/ #include <type_traits>\n" PASTED ASKED, 2},
        {"__device__ void s() { CUuuid u; (void)u; } enum { K = 2 };", 2},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        cleanup_free char *source = mem_printf("%s%s", cases[i].source, kernel);
        static const char *const names[] = {"K"};
        struct build_result result =
            compile_request((struct build_request){.source = source,
                                                   .source_length = strlen(source),
                                                   .kernel = "dot",
                                                   .constants = names,
                                                   .constant_count = 1});
        if (!result.compiled || result.constants[0].value != cases[i].value)
            fail_msg("%s: %lld, %s", source, (long long)result.constants[0].value, result.message);
        build_result_free(&result);
    }
#undef ASKED
#undef PASTED
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
        cmocka_unit_test(test_minimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

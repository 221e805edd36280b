/* What a source makes nvcc compile besides itself: read from the text, and from the compiler's own
 * words where the text does not show it. */
#include "sandbox/program/worker_main.h"
#include "tests/unit/build/compile.h"

#include "sandbox/build/answer.h"
#include "sandbox/build/source_text.h"
#include "sandbox/place/place.h"

static struct source_needs needs_of(const char *source) {
    return source_find_needs(
        &(struct build_job){.source = source,
                            .method = METHOD_PROGRAM,
                            .header_count = 1,
                            .header_texts = {"int beta, x[2]; // x[1] __device__"}});
}

static bool device_lambdas(struct source_needs needs) {
    return needs.device_lambdas;
}

static bool special_functions(struct source_needs needs) {
    return needs.special_functions;
}

static bool libcudacxx(struct source_needs needs) {
    return needs.libcudacxx;
}

static void expect(const char *const *sources, size_t count,
                   bool (*need)(struct source_needs needs), bool expected) {
    for (size_t i = 0; i < count; i++)
        if (need(needs_of(sources[i])) != expected)
            fail_msg("%s: %s", expected ? "missed" : "found", sources[i]);
}

static void test_device_lambdas(void **state) {
    (void)state;
    static const char *const with[] = {
        "apply<<<1, 1>>>(d, [=] __device__ (int i) { d[i] = 1; });",
        "auto f = [] HD(int i) { return i; };",
        "auto f = [n] /* of the device */\n  __host__ __device__ (int i) { return i; };",
        "auto f = [] <class T> __device__ (T i) { return i; };",
        "#ifdef __CUDACC_EXTENDED_LAMBDA__\n#endif",
    };
    static const char *const without[] = {
        "int main() { auto f = [](int i) { return i; }; return f(0); }",
        "float *a = new float[4]; delete[] a; // a[3] __device__",
        "const char *s = \"[] __device__ ()\"; int a[2] = {1, 2}; if (a[0] < a[1]) a[0] = 2;",
    };
    expect(with, ARRAY_LENGTH(with), device_lambdas, true);
    expect(without, ARRAY_LENGTH(without), device_lambdas, false);
}

static void test_special_functions(void **state) {
    (void)state;
    static const char *const with[] = {
        "double y = std::beta(x, 2);",  "using std::betaf;",
        "double y = beta (x, 2);",      "using namespace std; y = riemann_zeta(x);",
        "y = std::cyl_bessel_j(0, x);", "y = std::assoc_laguerre(1, 2, x);",
    };
    static const char *const without[] = {
        "__global__ void gemm(float alpha, float beta) { c[0] = alpha * a[0] + beta * c[0]; }",
        "double alphabeta(double x) { return alphabeta(x); }",
    };
    expect(with, ARRAY_LENGTH(with), special_functions, true);
    expect(without, ARRAY_LENGTH(without), special_functions, false);
}

/* Only cooperative_groups.h can do without. */
static void test_libcudacxx(void **state) {
    (void)state;
    static const char *const with[] = {
        "#include <cooperative_groups.h>\n#include <cuda/atomic>",
        "#include <cooperative_groups.h>\ncuda :: std::plus<int> plus;",
        "#include <cooperative_groups.h>\nusing namespace cuda::std;",
        "#include <cooperative_groups.h>\nnamespace cuda { namespace std { struct s; } }",
        "namespace cg = cooperative_groups; cg::reduce_update_async(g, sum, 1, cg::plus<int>());",
        "namespace cg = cooperative_groups; cg::inclusive_scan_update(g, sum, 1);",
        "namespace cg = cooperative_groups; int s = fold(values, 3, cg::plus<int>());",
        "#include <cooperative_groups.h>\n#ifdef _CG_HAS_STL_ATOMICS\n#endif",
        "int main() {}",
    };
    static const char *const without[] = {
        "#include <cooperative_groups.h>\n#include <cuda.h>\n#include <cuda_runtime.h>",
        "#include <cooperative_groups/reduce.h>\nint s = cg::reduce(g, 1, cg::greater<int>()), "
        "surplus;",
    };
    expect(with, ARRAY_LENGTH(with), libcudacxx, true);
    expect(without, ARRAY_LENGTH(without), libcudacxx, false);
    /* On the device the operators are the same. */
    struct build_job kernel = {.method = METHOD_NVRTC,
                               .source = "#include <cooperative_groups/reduce.h>\n"
                                         "int s = cg::reduce(g, 1, cg::plus<int>());"};
    assert_false(source_find_needs(&kernel).libcudacxx);
}

static void test_missed(void **state) {
    (void)state;
    struct source_needs needs = {.libcudacxx = true};
    assert_false(source_missed_needs("p.cu(1): error: identifier \"alpha\" is undefined", &needs));
    assert_true(
        source_missed_needs("annotation on lambda requires --extended-lambda nvcc flag", &needs));
    assert_true(needs.device_lambdas && !needs.special_functions);
    assert_false(
        source_missed_needs("annotation on lambda requires --extended-lambda nvcc flag", &needs));
    assert_true(source_missed_needs("namespace \"std\" has no member \"beta\"", &needs));
    assert_true(needs.device_lambdas && needs.special_functions);
    needs = (struct source_needs){0}; /* any error may be one of a header that was left out */
    assert_true(source_missed_needs("p.cu(1): error: identifier \"alpha\" is undefined", &needs));
    assert_true(needs.libcudacxx && !needs.device_lambdas);
    assert_false(source_missed_needs("p.cu(1): error: identifier \"alpha\" is undefined", &needs));
}

static bool compiles(const char *source) {
    cleanup_free char *runtime = place_beside("runtime");
    struct build_request request = {
        .source = source, .source_length = strlen(source), .program_runtime = runtime};
    struct build_result result = compile_request(request);
    if (!result.compiled)
        print_message("%s\n", result.message);
    bool compiled = result.compiled;
    build_result_free(&result);
    return compiled;
}

/* What nvcc takes by itself is taken: what <cmath> brings along, and what only macros spell. */
static void test_programs(void **state) {
    (void)state;
    assert_true(
        compiles("int main() { int a = std::min(1, 2); std::swap(a, a);\n"
                 "  return std::numeric_limits<int>::max() > a && std::abs(-1.0) > 0; }\n"));
    assert_true(compiles("#define NAME(x) be##x\n#define LAMBDA [=]\\\n __device__\n"
                         "template <class F> __global__ void apply(int *a, F f) { *a = f(*a); }\n"
                         "int main() { apply<<<1, 1>>>((int *)0, LAMBDA (int x) { return x; });\n"
                         "  return std::NAME(ta)(1.0, 2.0) > 0; }\n"));
    assert_true(compiles("#include <cooperative_groups.h>\n#define C(x) cu##x\n"
                         "int main() { return C(da)::std::is_same<int, long>::value; }\n"));
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_lambdas), cmocka_unit_test(test_special_functions),
        cmocka_unit_test(test_libcudacxx),     cmocka_unit_test(test_missed),
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

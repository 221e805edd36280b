/* Real compilations: a source and what must come of it. Needs NVRTC, as the program does. */
#include "sandbox/program/worker_main.h"
#include "tests/unit/build/compile.h"

#include "sandbox/base/shape.h"

#include <sys/stat.h>

/* A kernel that is found, however it is declared, and how its parameters are spelled. */
static void test_signatures(void **state) {
    (void)state;
    static const struct {
        const char *source, *asked, *signature, *lowered;
    } cases[] = {
        {"__global__ void dot(const float *a, const float *__restrict__ b, float *c, int n) {}",
         "dot", "dot(const float *, const float *, float *, int)", "_Z3dotPKfS0_Pfi"},
        {"extern \"C\" __global__ void dot(double *a, unsigned n, const int m) {}", "dot",
         "dot(double *, unsigned int, int)", "dot"},
        {"static __global__ void dot(float a[16], bool b) {}", "dot", "dot(float *, bool)",
         "_Z3dotPfb"},
        {"namespace n { __global__ void dot(long a, size_t b) {} }", "dot",
         "n::dot(long, unsigned long)", "_ZN1n3dotElm"},
        {"namespace n { __global__ void dot(long long a, unsigned char b) {} }", "n::dot",
         "n::dot(long long, unsigned char)", "_ZN1n3dotExh"},
        {"__global__ void dot() {} __global__ void other(int a) {}", "dot", "dot()", "_Z3dotv"},
        {"template <typename T> __global__ void dot(T *a) { *a = 1; }", "dot<float>",
         "dot<float>(float *)", "_Z3dotIfEvPT_"},
        {"struct S { int x[3]; }; __global__ void dot(S s, void (*f)(int, float)) {}", "dot",
         "dot(S, void (*)(int, float))", "_Z3dot1SPFvifE"},
        {"#include <stdint.h>\n#include <cuda_fp16.h>\n"
         "__global__ void dot(uint32_t a, int64_t b, __half *c, uint8_t *d) {}",
         "dot", "dot(unsigned int, long long, __half *, unsigned char *)", "_Z3dotjxP6__halfPh"},
        {"#define n 5\n#define f 6\n#define name 7\n#define x 9\n"
         "__global__ void dot(float *a) { a[0] = n + f + name + x; }",
         "dot", "dot(float *)", "_Z3dotPf"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct build_result result = compile(cases[i].source, cases[i].asked);
        if (!result.compiled)
            fail_msg("%s: %s", cases[i].source, result.message);
        const struct build_kernel *kernel = &result.kernels[result.kernel_index];
        cleanup_text struct text described = {0};
        build_kernel_describe(kernel, &described);
        assert_string_equal(described.data, cases[i].signature);
        assert_string_equal(kernel->lowered, cases[i].lowered);
        assert_true(kernel->types_known);
        assert_non_null(strstr(result.ptx, kernel->lowered));
        assert_null(strstr(result.ptx, "warpgrade_"));
        assert_int_equal(strlen(result.ptx), result.ptx_length);
        assert_int_equal(result.diagnostic_count, 0);
        build_result_free(&result);
    }
}

/* The first error: its place and text. */
static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *source;
        unsigned line, column;
        const char *text;
    } cases[] = {
        {"__global__ void dot(float *a) {\n\ta[0] = foo;\n}", 2, 9,
         "identifier \"foo\" is undefined"},
        {"__global__ void dot(float *a) {\r\n  a[0] = foo;\r\n}\r\n", 2, 10,
         "identifier \"foo\" is undefined"},
        {"\xef\xbb\xbf__global__ void dot(float *a) { a[0] = foo; }", 1, 40,
         "identifier \"foo\" is undefined"},
        {"__global__ void dot(float *a) {\n  a[0] = 1;\n", 2, 0, "expected a \"}\""},
        {"__global__ void dot(float *a) {}\nint x = 5", 2, 0, "expected a \";\""},
        {"__global__ void dot(float *a) {}\n\n/* open\n", 3, 1, "comment unclosed at end of file"},
        {"#if 1\n__global__ void dot(float *a) {}\n", 1, 2,
         "the #endif for this directive is missing"},
        {"__global__ void dot(float *a) { f(\"abc\n }", 1, 35, "missing closing quote"},
        {"__global__ int dot(float *a) { return 1; }", 1, 1,
         "a __global__ function must have a void return type"},
        {"__device__ void f(int);\n__global__ void dot(float *a) { f(1, 2); }", 2, 38,
         "too many arguments in function call"},
        {"__global__ void dot(float *a) { static_assert(sizeof *a == 3, \"floats\"); }", 1, 33,
         "static assertion failed with \"floats\""},
        {"#error stop\n", 1, 2, "#error directive: stop"},
        {"#include \"no such file.h\"\n", 1, 26, "cannot open source file \"no such file.h\""},
        {"#include \"dot.cu\"\n", 0, 0, NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        setenv("WARPGRADE_CUDA_HOME", getenv("TEST_CUDA_WITHOUT_NVCC"), 1);
        struct build_result result = compile(cases[i].source, "dot");
        unsetenv("WARPGRADE_CUDA_HOME");
        assert_false(result.compiled);
        const struct build_diagnostic *first = result.diagnostics;
        while (first < result.diagnostics + result.diagnostic_count &&
               first->severity != BUILD_ERROR)
            first++;
        assert_true(first < result.diagnostics + result.diagnostic_count);
        assert_string_equal(first->file, "dot.cu");
        if (cases[i].text) {
            assert_string_equal(first->text, cases[i].text);
            assert_int_equal(first->line, cases[i].line);
            assert_int_equal(first->column, cases[i].column);
            assert_non_null(strstr(result.message, cases[i].text));
        }
        for (size_t j = 0; j < result.diagnostic_count; j++) {
            assert_null(strstr(result.diagnostics[j].file, "warpgrade"));
            assert_null(strstr(result.diagnostics[j].text, "__warpgrade"));
        }
        build_result_free(&result);
    }
}

static void test_long_diagnostics(void **state) {
    (void)state;
    struct build_result result =
        compile("__device__ void f(int);\n__device__ void f(float *, int);\n"
                "__global__ void dot(float *a) { f(a, a, a); int unused; }\n",
                "dot");
    assert_int_equal(result.diagnostic_count, 4);
    assert_string_equal(result.diagnostics[0].text,
                        "no instance of overloaded function \"f\" matches the argument list "
                        "argument types are: (float *, float *, float *)");
    assert_int_equal(result.diagnostics[0].column, 33);
    assert_int_equal(result.diagnostics[1].severity, BUILD_NOTE);
    assert_int_equal(result.diagnostics[2].severity, BUILD_NOTE);
    assert_int_equal(result.diagnostics[3].severity, BUILD_WARNING);
    assert_string_equal(result.diagnostics[3].text,
                        "variable \"unused\" was declared but never referenced");
    build_result_free(&result);
    struct text flood = {0};
    text_append(&flood, "__global__ void dot(float *a) {\n");
    for (int i = 0; i < 300; i++)
        text_printf(&flood, "int unused%d;\n", i);
    text_append(&flood, "a[0] = foo; }\n");
    result = compile(flood.data, "dot");
    assert_int_equal(result.diagnostic_count, 200);
    size_t errors = 0;
    for (size_t i = 0; i < result.diagnostic_count; i++)
        errors += result.diagnostics[i].severity == BUILD_ERROR;
    assert_int_equal(errors, 1); /* the one that matters is not lost in the flood */
    build_result_free(&result);
    text_free(&flood);
}

/* The compiler's words alone do not tell a beginner what these are. */
static void test_error_hints(void **state) {
    (void)state;
    static const struct {
        const char *source, *hint;
        size_t errors;
    } cases[] = {
        {"__global__ void dot(float *a) {\n    a[0] = 1\xef\xbc\x9b\n}\n", "look in line 2", 2},
        {"__global__ void dot(float *a) {\n    int \xe5\x92\x8c = 1;\n}\n", "look in line 2", 2},
        {"#include \"helper.h\"\n__global__ void dot(float *a) {}\n", "is one file", 1},
        {"__global__ void dot(float *a) { a[0] = b + b + b; }\n", "", 1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct build_result result = compile(cases[i].source, "dot");
        assert_false(result.compiled);
        size_t errors = 0;
        for (size_t j = 0; j < result.diagnostic_count; j++)
            errors += result.diagnostics[j].severity == BUILD_ERROR;
        if (errors != cases[i].errors || !strstr(result.hint, cases[i].hint) ||
            (cases[i].hint[0] == '\0') != (result.hint[0] == '\0'))
            fail_msg("%s: %zu errors, %s", cases[i].source, errors, result.hint);
        build_result_free(&result);
    }
}

static void test_constants(void **state) {
    (void)state;
    static const char source[] =
        "#define TILE 16\n"
        "#define SUM (TILE * 2 + 1)\n"
        "constexpr int CONST = SUM + 1;\n"
        "const unsigned OLD = 7;\n"
        "enum { NEGATIVE = -5, ZERO = 0 };\n"
        "#define BIG 0x7fffffffffffffffLL\n"
        "#define TOO_BIG 0xffffffffffffffffULL\n"
        "#define FLOAT 16.5f\n"
        "#define EMPTY\n"
        "// #define COMMENT 5\n"
        "int VARIABLE = 5;\n"
        "namespace s { constexpr int INNER = 3; }\n"
        "__global__ void dot(int *a) { const int LOCAL = 4; a[0] = LOCAL; }\n";
    static const struct {
        const char *name;
        bool known;
        int64_t value;
    } cases[] = {
        {"TILE", true, 16},       {"SUM", true, 33},
        {"CONST", true, 34},      {"OLD", true, 7},
        {"NEGATIVE", true, -5},   {"ZERO", true, 0},
        {"BIG", true, INT64_MAX}, {"TOO_BIG", false, 0},
        {"FLOAT", false, 0},      {"EMPTY", false, 0},
        {"COMMENT", false, 0},    {"VARIABLE", false, 0},
        {"s::INNER", true, 3},    {"LOCAL", false, 0},
        {"dot", false, 0},        {"__CUDA_ARCH__", true, 800},
        {"FROM_OPTION", true, 9},
    };
    const char *names[ARRAY_LENGTH(cases)];
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        names[i] = cases[i].name;
    const char *define = "FROM_OPTION=9";
    for (int debug = 0; debug < 2; debug++) {
        struct build_result result = compile_request((struct build_request){
            .source = source,
            .source_length = sizeof source - 1,
            .kernel = "dot",
            .constants = names,
            .constant_count = ARRAY_LENGTH(cases),
            .defines = &define,
            .define_count = 1,
            .device_debug = debug,
        });
        assert_true(result.compiled);
        assert_int_equal(result.constant_count, ARRAY_LENGTH(cases));
        for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
            if (strcmp(result.constants[i].name, cases[i].name) != 0 ||
                result.constants[i].known != cases[i].known ||
                result.constants[i].value != cases[i].value)
                fail_msg("%s: %d %lld", cases[i].name, result.constants[i].known,
                         (long long)result.constants[i].value);
        assert_true(result.kernels[result.kernel_index].types_known);
        assert_null(strstr(result.ptx, "__warpgrade"));
        assert_true((strstr(result.ptx, ".debug_info") != NULL) == (debug == 1));
        build_result_free(&result);
    }
}

/* One pass less makes the same code; what is not asked for is not reported. */
static void test_debug_build_without_signature(void **state) {
    (void)state;
    static const char source[] = "__global__ void dot(float *a, int n) { a[n] = 1; }\n";
    struct build_result results[2];
    for (int i = 0; i < 2; i++) {
        results[i] = compile_request((struct build_request){
            .source = source,
            .source_length = sizeof source - 1,
            .kernel = "dot",
            .device_debug = true,
            .no_signature = i,
        });
        assert_true(results[i].compiled);
        assert_int_equal(results[i].kernel_count, 1);
        assert_true(results[i].kernels[0].types_known == !i);
    }
    assert_string_equal(results[0].ptx, results[1].ptx);
    assert_string_equal(results[0].kernels[0].lowered, results[1].kernels[0].lowered);
    for (int i = 0; i < 2; i++)
        build_result_free(&results[i]);
    struct build_result missing = compile_request((struct build_request){
        .source = source,
        .source_length = sizeof source - 1,
        .kernel = "scan",
        .device_debug = true,
        .no_signature = true,
    });
    assert_false(missing.compiled);
    build_result_free(&missing);
}

/* Macros that break our questions cost the types, not the submission. */
static void test_broken_questions(void **state) {
    (void)state;
    static const char *const sources[] = {
        "#define constexpr const\n__global__ void dot(float *a, int n) {}\n",
        "#define decltype 5\n__global__ void dot(float *a, int n) {}\n",
        "#define template 5\n__global__ void dot(float *a, int n) {}\n",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
        struct build_result result = compile(sources[i], "dot");
        assert_true(result.compiled);
        assert_int_equal(result.diagnostic_count, 0);
        const struct build_kernel *kernel = &result.kernels[result.kernel_index];
        assert_false(kernel->types_known);
        assert_int_equal(kernel->parameter_count, 2);
        assert_string_equal(kernel->parameters[0], "64-bit");
        assert_string_equal(kernel->parameters[1], "32-bit");
        build_result_free(&result);
    }
    struct build_result result =
        compile("#line 1 \"<warpgrade>\"\n__global__ void dot(float *a) { x }\n", "dot");
    assert_false(result.compiled); /* an error that hides as ours is still one */
    assert_true(result.message[0] != '\0');
    build_result_free(&result);
}

static void test_any_kernel(void **state) {
    (void)state;
    struct build_result result =
        compile("extern \"C\" __global__ void b(float *x) {}\n__global__ void a(int n) {}\n", NULL);
    assert_true(result.compiled);
    assert_int_equal(result.kernel_count, 2);
    assert_string_equal(result.kernels[0].name, "b");
    assert_string_equal(result.kernels[0].parameters[0], "float *");
    assert_string_equal(result.kernels[1].name, "a");
    assert_string_equal(result.kernels[1].parameters[0], "int");
    build_result_free(&result);
}

static void test_shims(void **state) {
    (void)state;
    struct build_result result = compile(
        "#include <stdio.h>\n#include <cstdio>\n#include <stdlib.h>\n#include <cstdlib>\n"
        "#include <math.h>\n#include <cmath>\n#include <assert.h>\n#include <cassert>\n"
        "#include <stdint.h>\n#include <cstdint>\n#include <stddef.h>\n#include <cstddef>\n"
        "#include <limits.h>\n#include <climits>\n#include <float.h>\n#include <cfloat>\n"
        "#include <string.h>\n#include <cstring>\n#include <time.h>\n#include <ctime>\n"
        "#include <iostream>\n#include <vector>\n#include <cuda_runtime.h>\n#include <cuda.h>\n"
        "#include <device_launch_parameters.h>\n#include <cuda_fp16.h>\n"
        "#include <cooperative_groups.h>\n#include <math_constants.h>\nusing namespace std;\n"
        "__device__ float lowest = -INFINITY; __device__ const double none[] = {NAN, HUGE_VAL};\n"
        "__global__ void dot(float *a, size_t n, std::uint32_t q, int64_t l, uint8_t *u) {\n"
        "  assert(n > 3);\n"
        "  a[0] = fminf(a[1], FLT_MAX) + INT_MAX + std::sqrt(a[2]) + M_PI + INFINITY + NAN;\n"
        "  a[1] = std::abs(a[3]) + fmaxf(a[4], abs(-3)) + min(3, 4) + SIZE_MAX + DBL_EPSILON;\n"
        "  printf(\"%d %s\\n\", (int)n, __FILE__); memset(u, 0, 4); u[1] = UINT8_MAX;\n"
        "  float4 v = make_float4(1, 2, 3, 4); a[2] = v.x + rsqrtf(a[4]) + INT64_MIN + "
        "CUDART_PI_F;\n"
        "  cooperative_groups::this_thread_block().sync(); ptrdiff_t d = 3; u[d] = CHAR_BIT;\n"
        "  std::printf(\"%f\", lowest + none[n]); std::memcpy(u, u + 4, 4);\n"
        "  unsigned __int128 w = n; a[5] = (float)(w * w / 3);\n"
        "}\n",
        "dot");
    assert_string_equal(result.message, "");
    assert_int_equal(result.diagnostic_count, 0);
    assert_false(result.used_nvcc);
    assert_non_null(strstr(result.ptx, "__assertfail"));
    build_result_free(&result);
    /* They agree with the toolkit's own. */
    result = compile("#include <stdint.h>\n#include <limits.h>\n#include <cuda/std/cstdint>\n"
                     "#include <cuda/std/climits>\n#include <cuda/std/cmath>\n#include <cmath>\n"
                     "__device__ float lowest = -INFINITY;\n__global__ void dot(int64_t *a) {}\n",
                     "dot");
    assert_string_equal(result.message, "");
    assert_int_equal(result.diagnostic_count, 0);
    build_result_free(&result);
}

static const char host_source[] = "#include <stdio.h>\n#include <map>\n#define TILE 8\n"
                                  "__global__ void dot(float *a, const int *b) {\n"
                                  "  a[threadIdx.x] = b[0] * TILE;\n"
                                  "}\n"
                                  "int main() {\n"
                                  "  float *a; int *b;\n"
                                  "  cudaMalloc(&a, 4);\n"
                                  "  dot<<<1, 1>>>(a, b);\n"
                                  "  printf(\"%d\\n\", (int)std::map<int, int>().size());\n"
                                  "}\n";

static void test_host_code_with_nvcc(void **state) {
    (void)state;
    struct build_toolchain toolchain;
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    if (!toolchain.nvcc[0])
        skip();
    const char *names[] = {"TILE", "NONE"};
    struct build_result result = compile_request((struct build_request){
        .source = host_source,
        .source_length = sizeof host_source - 1,
        .kernel = "dot",
        .constants = names,
        .constant_count = 2,
    });
    assert_string_equal(result.message, "");
    assert_true(result.used_nvcc);
    assert_string_equal(result.kernels[0].parameters[1], "const int *");
    assert_true(result.constants[0].known && result.constants[0].value == 8);
    assert_false(result.constants[1].known);
    assert_non_null(strstr(result.ptx, "dot.cu\""));
    assert_null(strstr(result.ptx, "__warpgrade"));
    build_result_free(&result);
    cleanup_free char *broken = mem_strdup(host_source);
    memcpy(strstr(broken, "* TILE"), "* TILL", 6);
    result = compile(broken, "dot");
    assert_true(result.used_nvcc);
    assert_string_equal(result.diagnostics[0].text, "identifier \"TILL\" is undefined");
    assert_int_equal(result.diagnostics[0].line, 5);
    build_result_free(&result);
    /* nvcc read /dev/urandom for as long as it was let: no header has an absolute name. */
    result = compile("#include \"/dev/urandom\"\n__global__ void dot(int *a) {}\n", "dot");
    assert_false(result.used_nvcc);
    assert_int_equal(result.diagnostics[0].line, 1);
    build_result_free(&result);
}

static void test_host_code_without_nvcc(void **state) {
    (void)state;
    setenv("WARPGRADE_CUDA_HOME", getenv("TEST_CUDA_WITHOUT_NVCC"), 1);
    struct build_result result =
        compile("#include <vector>\nstd::vector<float> v;\n__global__ void dot(float *a) {}\n"
                "void launch() { dot<<<1, 1>>>(v.data()); }\n",
                "dot");
    assert_false(result.compiled);
    assert_string_equal(result.message, "dot.cu carries host code (launch, line 4), and this "
                                        "machine has no nvcc to compile it");
    assert_string_equal(result.hint,
                        "Hand in the kernel and its __device__ functions only: remove launch and "
                        "every launch (<<<...>>>). Or install a CUDA toolkit with nvcc.");
    build_result_free(&result);
    result = compile(host_source, "dot");
    assert_string_equal(result.message, "dot.cu does not compile: an error in line 2: cannot open "
                                        "source file \"map\"");
    build_result_free(&result);
    /* Host functions, and an error of another kind: no host code. */
    result = compile("int twice(int x) { return cudaMalloc(x); }\n"
                     "__global__ void dot(int *a) { a[0] = foo; }\n",
                     "dot");
    assert_string_equal(
        result.message,
        "dot.cu does not compile: an error in line 2: identifier \"foo\" is undefined");
    build_result_free(&result);
    unsetenv("WARPGRADE_CUDA_HOME");
}

static void test_resources(void **state) {
    (void)state;
    struct build_result result =
        compile("__global__ void dot(float *a) {\n"
                "  __shared__ float s[64]; s[threadIdx.x] = a[threadIdx.x];\n"
                "  __syncthreads(); a[threadIdx.x] = s[63 - threadIdx.x];\n"
                "}\n__global__ void other() {}\n",
                "dot");
    assert_true(result.compiled);
    struct build_resources resources;
    enum status status =
        build_resources(result.ptx, result.ptx_length, result.kernels[result.kernel_index].lowered,
                        "sm_80", NULL, &resources, &error);
    assert_int_equal(status, STATUS_OK);
    assert_true(resources.registers_per_thread >= 4 && resources.registers_per_thread < 64);
    assert_int_equal(resources.static_shared_bytes, 256);
    assert_int_equal(resources.spill_store_bytes, 0);
    assert_int_equal(
        build_resources(result.ptx, result.ptx_length, "none", "sm_80", NULL, &resources, &error),
        STATUS_INVALID);
    assert_int_equal(build_resources("nonsense", 8, "dot", "sm_80", NULL, &resources, &error),
                     STATUS_INVALID);
    assert_false(resources.gave_up);
    struct worker_limits at_once = {.wall_seconds = 1e-3};
    status = build_resources("slow", 4, "dot", "sm_80", &at_once, &resources, &error);
    assert_int_equal(status, STATUS_INVALID);
    assert_true(resources.gave_up);
    assert_non_null(strstr(error.message, "did not end within 0.001 s"));
    build_result_free(&result);
}

/* The stack is the kernel's and that of the functions that it calls: no other kernel's. */
static void test_arrays_in_registers(void **state) {
    (void)state;
    struct build_result result = compile(
        "__device__ __noinline__ int deep(int *a, int i) {\n"
        "  int t[512]; for (int j = 0; j < 512; j++) t[j] = a[j] * i; return t[i & 511]; }\n"
        "__device__ __noinline__ int fib(int n, int *a) {\n"
        "  return n < 2 ? a[n] : fib(n - 1, a) + fib(n - 2, a); }\n"
        "__global__ void own(int *a) {\n"
        "  int t[512]; for (int j = 0; j < 512; j++) t[j] = a[j]; a[0] = t[a[64] & 511]; }\n"
        "__global__ void calls(int *a) { a[0] = deep(a, a[64]); }\n"
        "__global__ void recursive(int *a) { a[0] = fib(a[1], a); }\n"
        "__global__ void chosen(int *a) {\n"
        "  int t[8]; for (int j = 0; j < 8; j++) t[j] = a[j]; a[0] = t[a[8] & 7]; }\n",
        "own");
    assert_true(result.compiled);
    static const struct {
        const char *kernel;
        bool in_registers;
    } rows[] = {{"own", false}, {"calls", false}, {"recursive", false}, {"chosen", true}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const char *lowered = NULL;
        for (size_t k = 0; k < result.kernel_count; k++)
            if (strcmp(result.kernels[k].name, rows[i].kernel) == 0)
                lowered = result.kernels[k].lowered;
        assert_non_null(lowered);
        struct build_resources resources;
        assert_int_equal(build_resources(result.ptx, result.ptx_length, lowered, "sm_80", NULL,
                                         &resources, &error),
                         STATUS_OK);
        if (build_arrays_in_registers(&resources) != rows[i].in_registers)
            fail_msg("%s: %d bytes of stack", rows[i].kernel, (int)resources.stack_bytes);
    }
    assert_false(build_arrays_in_registers(&(struct build_resources){0}));
    build_result_free(&result);
}

/* A folder laid out like a toolkit that has NVRTC and headers, but no programs. */
static void make_toolkit_without_nvcc(char *folder, size_t size) {
    struct build_toolchain toolchain;
    snprintf(folder, size, "/tmp/warpgrade-test-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0 ||
        build_toolchain_find(&toolchain, &error) != STATUS_OK)
        return;
    cleanup_free char *library = mem_strdup(toolchain.nvrtc_library);
    *strrchr(library, '/') = '\0';
    cleanup_free char *lib = mem_printf("%s/lib", folder);
    cleanup_free char *include = mem_printf("%s/include", folder);
    if (symlink(library, lib) == 0 && symlink(toolchain.include_directory, include) == 0)
        setenv("TEST_CUDA_WITHOUT_NVCC", folder, 1);
}

static void remove_toolkit(const char *folder) {
    cleanup_free char *lib = mem_printf("%s/lib", folder);
    cleanup_free char *include = mem_printf("%s/include", folder);
    unlink(lib);
    unlink(include);
    rmdir(folder);
}

/* Machine code comes where the architecture is a real one, beside the PTX, and holds the kernel. */
static void test_cubin(void **state) {
    (void)state;
    static const char *const sources[] = {
        "__global__ void dot(float *a) { a[threadIdx.x] = 1; }",
        "#include <map>\n__global__ void dot(float *a) { a[threadIdx.x] = 1; }\n"
        "std::map<int, int> table;\n",
    };
    struct build_toolchain toolchain;
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    for (size_t i = 0; i < (toolchain.nvcc[0] && toolchain.ptxas[0] ? 2 : 1); i++)
        for (int real = 0; real < 2; real++) {
            struct build_result result = compile_request(
                (struct build_request){.source = sources[i],
                                       .source_length = strlen(sources[i]),
                                       .kernel = "dot",
                                       .architecture = real ? "sm_90" : "compute_90"});
            if (!result.compiled)
                fail_msg("%s", result.message);
            assert_int_equal(result.used_nvcc, i == 1);
            assert_non_null(strstr(result.ptx, "_Z3dotPf"));
            assert_int_equal(result.cubin_length > 0, real);
            if (real) {
                assert_memory_equal(result.cubin, "\177ELF", 4);
                assert_non_null(memmem(result.cubin, result.cubin_length, ".text._Z3dotPf", 15));
            }
            build_result_free(&result);
        }
}

/* A cubin survives the cache. */
static void test_cubin_is_cached(void **state) {
    (void)state;
    static const char source[] = "__global__ void dot(float *a) { a[threadIdx.x] = 17; }";
    struct build_request request = {.file_name = "dot.cu",
                                    .source = source,
                                    .source_length = sizeof source - 1,
                                    .kernel = "dot",
                                    .architecture = "sm_90"};
    struct build_result first, second;
    assert_int_equal(build_compile(&request, NULL, &first, &error), STATUS_OK);
    assert_int_equal(build_compile(&request, NULL, &second, &error), STATUS_OK);
    assert_int_equal(first.cubin_length, second.cubin_length);
    assert_true(first.cubin_length > 0);
    assert_memory_equal(first.cubin, second.cubin, first.cubin_length);
    assert_string_equal(first.ptx, second.ptx);
    build_result_free(&first);
    build_result_free(&second);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    unsetenv("WARPGRADE_CUDA_HOME");
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1); /* nothing from an earlier run */
    char folder[64];
    make_toolkit_without_nvcc(folder, sizeof folder);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signatures),
        cmocka_unit_test(test_cubin),
        cmocka_unit_test(test_cubin_is_cached),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_error_hints),
        cmocka_unit_test(test_long_diagnostics),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_debug_build_without_signature),
        cmocka_unit_test(test_broken_questions),
        cmocka_unit_test(test_any_kernel),
        cmocka_unit_test(test_shims),
        cmocka_unit_test(test_host_code_with_nvcc),
        cmocka_unit_test(test_host_code_without_nvcc),
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_arrays_in_registers),
    };
    code = cmocka_run_group_tests(tests, NULL, NULL);
    remove_toolkit(folder);
    return code;
}

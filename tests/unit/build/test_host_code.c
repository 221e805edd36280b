/* Host functions in a file of kernels: those that only the host calls are no trouble, those that
 * device code calls are refused in nvcc's words. */
#include "sandbox/program/worker_main.h"
#include "tests/unit/build/compile.h"

#include "sandbox/build/source_text.h"
#include "sandbox/build/unresolved.h"

/* NVRTC compiles these without nvcc's help. */
static void test_left_out(void **state) {
    (void)state;
    static const char *const sources[] = {
        /* a launch, a loop around the runtime, printing, allocation */
        "#include <cstdio>\n#include <iostream>\nusing namespace std;\n"
        "__global__ void dot(float *a) { a[0] = 1; }\n"
        "void launch(float *h, int n) {\n"
        "  float *d; cudaMalloc(&d, n); cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);\n"
        "  dot<<<1, 32>>>(d); free(h); h = (float *)malloc(4); cout << n << endl;\n}\n"
        "int main(int argc, char **argv) { launch(0, atoi(argv[1])); return 0; }\n",
        /* the head is wrong, too */
        "#include <vector>\nstatic std::vector<float> read(const std::string &name)\n{\n"
        "  return {};\n}\n__global__ void dot(float *a) { a[0] = 1; }\n",
        /* marked, members, templates, constructors, a default that is never called */
        "__host__ int half(int a) { return a / 2; }\n"
        "struct Timer { cudaEvent_t e; Timer() : n{0} { cudaEventCreate(&e); } int n;\n"
        "  float stop() { return cudaEventSynchronize(e); } };\n"
        "__global__ void dot(float *a) { a[0] = 1; }\n",
        "#define CHECK(x) do { if ((x) != cudaSuccess) exit(1); } while (0)\n"
        "__global__ void dot(float *a) { a[0] = 1; }\n"
        "inline void run() { CHECK(cudaDeviceSynchronize()); }\n",
        "float unused(float a) { return 2 * a; }\n__global__ void dot(float *a) { a[0] = 1; }\n",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
        struct build_result result = compile(sources[i], "dot");
        if (!result.compiled || result.used_nvcc)
            fail_msg("%zu: %s", i, result.message);
        build_result_free(&result);
    }
}

/* A host function that device code calls: source, line, the name in the message. */
static void test_called(void **state) {
    (void)state;
    static const struct {
        const char *source;
        unsigned line;
        const char *message;
    } cases[] = {
        {"float mul(float a) { return a; }\n__global__ void dot(float *a) {\n  a[0] = mul(a[1]); }",
         3, "calling a __host__ function(\"mul\") from a __global__ function(\"dot\")"},
        {"namespace n { static inline float mul(float a) { return a; } }\n"
         "__device__ float twice(float a) { return 2 * n::mul(a); }\n"
         "__global__ void dot(float *a) { a[0] = twice(a[1]); }",
         2, "calling a __host__ function(\"n::mul\") from a __device__ function(\"twice\")"},
        {"namespace { float mul(float a) { return a; } }\n"
         "__global__ void dot(float *a) { a[0] = mul(a[1]); }",
         2, "(\"__warpgrade_unnamed::mul\")"},
        {"struct V { float x; V operator+(const V &o) const { return {x + o.x}; } };\n"
         "__global__ void dot(V *a) { a[0] = a[1] + a[2]; }",
         2, "calling a __host__ function(\"V::operator+\")"},
        {"struct Q { int v; Q(int x) : v(x) {} };\n"
         "__global__ void dot(int *a) { Q q(a[0]); a[1] = q.v; }",
         2, "calling a __host__ function(\"Q::Q\")"},
        {"template <class T> T mul(T a) { return a; }\n"
         "__global__ void dot(int *a) { a[0] = mul(a[1]); }",
         2, "calling a __host__ function(\"mul\")"},
        {"constexpr int tiles(int a, int b) { return (a + b - 1) / b; }\n"
         "__global__ void dot(int *a) { for (int i = 0; i < tiles(a[0], 4); i++) a[i] = i; }",
         2, "calling a constexpr __host__ function(\"tiles\")"},
        /* left out, and called all the same */
        {"float mul(float a) { cudaDeviceSynchronize(); return a; }\n"
         "__global__ void dot(float *a) { a[0] = mul(a[1]); }",
         2, "calling a __host__ function(\"mul\")"},
        {"float scale = 2;\n__global__ void dot(float *a) { a[0] = scale; }", 2,
         "identifier \"scale\" is undefined in device code"},
        {"constexpr static float table[2] = {1, 2};\n"
         "__global__ void dot(float *a) {\n  a[0] = table[(int)a[1]]; }",
         3, "identifier \"table\" is undefined in device code"},
        {"namespace n { const int steps[2][2] = {1, 2, 3, 4}; }\n"
         "__global__ void dot(int *a) { a[0] = n::steps[1][1]; }",
         2, "identifier \"n::steps\" is undefined in device code"},
        {"const char *const words[] = {\"a\", \"b\"};\n"
         "__global__ void dot(int *a) { a[0] = words[a[1]][0]; }",
         2, "identifier \"words\" is undefined in device code"},
        /* static data of a class: in it, after it, inline, of a template, by a member */
        {"struct A { static constexpr int t[3] = {1, 2, 3}; };\n"
         "__global__ void dot(int *a) {\n  a[0] = A::t[a[1]]; }",
         3, "identifier \"A::t\" is undefined in device code"},
        {"namespace n { struct __align__(8) A final { static const int t[3]; };\n"
         "const int A::t[3] = {1, 2, 3}; }\n__global__ void dot(int *a) { a[0] = n::A::t[a[1]]; }",
         3, "identifier \"n::A::t\" is undefined in device code"},
        {"struct B {};\nclass A : public B { public: static inline const int t[3] = {1, 2, 3}; };\n"
         "__global__ void dot(int *a) { a[0] = A::t[a[1]]; }",
         3, "identifier \"A::t\" is undefined in device code"},
        {"template <int N> struct A { static constexpr int t[3] = {1, 2, N};\n"
         "  __device__ int at(int i) { return t[i]; } };\n"
         "__global__ void dot(int *a) { A<3> x; a[0] = x.at(a[1]); }",
         2, "identifier \"A::t\" is undefined in device code"},
        {"struct A { static constexpr int n = 3; };\n"
         "__device__ int plus(const int &x) { return x + 1; }\n"
         "__global__ void dot(int *a) { a[0] = plus(A::n); }",
         3, "identifier \"A::n\" is undefined in device code"},
        {"struct A { static int n; };\nint A::n = 1;\n"
         "__global__ void dot(int *a) { a[0] = A::n; }",
         3, "identifier \"A::n\" is undefined in device code"},
        /* inline and not constant, of a template's class, nested, of a namespace */
        {"struct A { static inline int t = 3; int n; };\n__global__ void dot(int *a) {\n"
         "  a[0] = A::t; }",
         3, "identifier \"A::t\" is undefined in device code"},
        {"template <class T> struct A { struct B { static inline T t = 3; }; };\n"
         "__global__ void dot(int *a) { A<int>::B::t = 2; }",
         2, "identifier \"A::B::t\" is undefined in device code"},
        {"struct P { int x; };\nstruct A { static inline P p = {4};\n"
         "  __device__ int get() { return p.x; } };\n"
         "__global__ void dot(int *a) { A b; a[0] = b.get(); }",
         3, "identifier \"A::p\" is undefined in device code"},
        {"inline const int t[2] = {3, 4};\n__global__ void dot(int *a) { a[0] = t[a[1]]; }", 2,
         "identifier \"t\" is undefined in device code"},
        {"__global__ void __launch_bounds__(32) mul(float *a);\n"
         "__global__ void dot(float *a) {\n  if (a[0])\n    mul(a); // no <<<\n}\n"
         "__global__ void mul(float *a) { a[0] = 2; }",
         4, "a __global__ function call must be configured"},
        {"__device__ float mul(float a);\n__global__ void dot(float *a) { a[0] = mul(a[1]); }", 2,
         "mul() is called and has no body"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct build_result result = compile(cases[i].source, "dot");
        if (result.compiled || !strstr(result.message, cases[i].message))
            fail_msg("%zu: %s", i, result.message);
        assert_int_equal(result.diagnostics[0].line, cases[i].line);
        build_result_free(&result);
    }
}

/* What nvcc takes: constants, lambdas, defaulted members, libraries. */
static void test_not_called(void **state) {
    (void)state;
    static const char *const sources[] = {
        "constexpr int tile(int a) { return 2 * a; }\nconstexpr int size = tile(4);\n"
        "__global__ void dot(int *a) { __shared__ int s[size]; s[0] = a[0]; a[1] = s[0]; }",
        "template <class F> __device__ int apply(F f, int x) { return f(x); }\n"
        "int unused() { return 1; }\n"
        "__global__ void dot(int *a) { a[1] = apply([](int x) { return x + 1; }, 3); }",
        "struct P { int a = 3; P() = default; int host() { return a; } };\n"
        "__global__ void dot(int *a) { P p; a[1] = p.a; }",
        "#include <cooperative_groups.h>\nint unused() { return 1; }\n"
        "__global__ void dot(int *a) { cooperative_groups::this_thread_block().sync(); a[0] = 1; }",
        "__device__ const int d[2] = {1, 2};\n__constant__ int c[2];\nstruct S { int a; };\n"
        "constexpr int size = 3;\nconst S s = {4};\nconst int host[2] = {1, 2};\n"
        "__global__ void dot(int *a) { const int local[2] = {5, 6}; static const int fixed[1] = "
        "{7};\n"
        "  a[0] = d[a[1]] + c[a[1]] + s.a + local[a[1]] + fixed[a[1]] + size + sizeof(host); }",
        "struct P { int x, y; };\nnamespace n { struct A { static constexpr int t[3] = {1, 2, 3};\n"
        "  static constexpr int n = t[1]; static constexpr P p = {1, 2};\n"
        "  static int host(int i) { return t[i]; }\n"
        "  __device__ int own(int i) { static const int u[2] = {1, 2}; return u[i]; } };\n"
        "__device__ int device[2]; }\n__global__ void dot(int *a) { n::A x; constexpr int v = "
        "n::A::t[2];\n"
        "  a[3] = n::A::t[1]; a[0] = n::A::n + n::A::p.x + v + sizeof(n::A::t) + x.own(a[1]) + "
        "n::device[a[2]]; }",
        "struct A { static inline int calls = 3; static const float half; static const double "
        "two;\n"
        "  int v; int host() { return calls; } __device__ float own() { return v * half; } };\n"
        "const float A::half = .5f; const double A::two = 2;\n"
        "__global__ void dot(int *a) { A x; x.v = 4; a[0] = x.own() * A::two + sizeof(A::calls); }",
        "struct V { int mul(int x) { return x; } };\n#define TWICE(x) mul(x)\n"
        "/* mul(1) */ namespace n { template <class T> __global__ void mul(T *a) { a[0] = 1; } }\n"
        "template __global__ void n::mul<int>(int *);\n__global__ void sum(int *a) { a[0] = 2; }\n"
        "__device__ int sum(int a) { return a; }\n"
        "__global__ void dot(int *a) { a[0] = sum(a[1]); const char *s = \"mul(x)\"; a[1] = s[0]; "
        "}",
        "#define DEVICE __device__\nDEVICE int twice(int x) { return 2 * x; }\n"
        "__global__ void dot(int *a) { a[0] = twice(a[1]); printf(\"%d\", a[0]); assert(a[0]); }",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
        struct build_result result = compile(sources[i], "dot");
        if (!result.compiled)
            fail_msg("%zu: %s", i, result.message);
        build_result_free(&result);
    }
}

static void test_unknown_type(void **state) {
    (void)state;
    struct build_result result =
        compile("__global__ void dot(foo_t *a, int n) { a[0] = n; }\n", "dot");
    assert_string_equal(result.diagnostics[0].text, "identifier \"foo_t\" is undefined");
    assert_int_equal(result.diagnostic_count, 1);
    build_result_free(&result);
    result = compile("__global__ void dot(int8_t *a, u_int32_t b, uint c, ssize_t d) {\n"
                     "  a[0] = INT_MAX + std::abs(-1) + pow(2, 3) + RAND_MAX + CHAR_BIT; }\n",
                     "dot");
    assert_string_equal(result.message, "");
    build_result_free(&result);
}

/* ---- without a compiler ---------------------------------------------------------------------- */

static void test_scanner(void **state) {
    (void)state;
    static const char source[] =
        "// float no(int) {}\n#define F(x) { x }\nconst char *s = \"f() {\", c = '{';\n"
        "template <int N, class T = int> struct A : B<N> {\npublic:\n"
        "  A(int x) : a{x}, b(x) { }\n  int operator()(int) const { return R\"(})\"[0]; }\n"
        "  static int t[2];\n};\nextern \"C\" { int f(int a) noexcept(true) { if (a) { } return 1; "
        "} "
        "}\nint g(int);\nenum E { X = (1) };\nint v[] = { (2), 3 };\n"
        "__device__ int d(int a) { return a; }\n"
        "template <class T> __global__ void __launch_bounds__(64) k(T *p) { }\n"
        "__host__ constexpr int h() { return 1; }\n"
        "namespace { static float q(float) { return 1; } static __device__ int z; }\n"
        "auto lambda = [](int a) { return a; };\n";
    static const char *const names[] = {"A", "operator", "f", "h", "q"};
    struct host_functions list;
    source_find_host_functions(source, &list);
    assert_int_equal(list.count, ARRAY_LENGTH(names));
    for (size_t i = 0; i < list.count; i++) {
        assert_memory_equal(source + list.items[i].name, names[i], list.items[i].name_length);
        assert_int_equal(source[list.items[i].body], '{');
        assert_int_equal(source[list.items[i].end - 1], '}');
    }
    assert_int_equal(list.items[0].first_line, 6);
    assert_true(list.items[3].is_marked && list.items[3].is_constexpr);
    struct text edited = {0};
    source_apply_edits(source, list.edits, list.edit_count, &edited);
    assert_non_null(strstr(text_string(&edited), "inline namespace  __warpgrade_unnamed {  float "
                                                 "q(float) { return 1; } static __device__ int"));
    assert_non_null(strstr(text_string(&edited), "  static int t[2];"));
    text_free(&edited);
    source_free_host_functions(&list);
    static const char *const broken[] = {"f(",    "f() {", "\"",         "/*",
                                         "R\"x(", "}}}",   "template <", "extern \"",
                                         "[",     "#\\",   "A() :",      "operator"};
    for (size_t i = 0; i < ARRAY_LENGTH(broken); i++) {
        source_find_host_functions(broken[i], &list);
        source_free_host_functions(&list);
    }
}

static void test_may_call(void **state) {
    (void)state;
#define KERNEL(body) "__global__ void k(float *a) { " body " }\n"
    static const struct {
        const char *source;
        bool may;
    } cases[] = {
        {"float f(float x) { return x; }\nint main() { return f(1); }\n" KERNEL("a[0] = 1;"),
         false},
        {"float f(float x) { return x; } // f()\n" KERNEL("a[0] = 1; /* f(2) */"), false},
        {"float f(float x) { return x ? f(x - 1) : 0; }\n" KERNEL("a[0] = ff(1);"), false},
        {"float f(float x) { return x; }\n" KERNEL("a[0] = f(1);"), true},
        {"float f(float x) { return x; }\n#define CALL f(1)\n" KERNEL("a[0] = CALL;"), true},
        {"float fg(float x) { return x; }\n#define CALL(x) f##x(1)\n" KERNEL("CALL(g);"), true},
        {"float fg(float x) { return x; }\n" KERNEL("a[0] = f\\\ng(1);"), true},
        {"struct S { float f() { return 1; } };\n" KERNEL("S s;"), true},
        {"S operator+(S a, S b) { return a; }\n" KERNEL("a[0] = 1;"), true},
        {"float *begin(S &s) { return s.p; }\n" KERNEL("for (float x : s) a[0] = x;"), true},
        {"float f(float x) { return x; }\nauto p = f;\n" KERNEL("a[0] = p(1);"), true},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct host_functions list;
        source_find_host_functions(cases[i].source, &list);
        assert_true(list.count > 0);
        if (source_may_call(cases[i].source, &list) != cases[i].may)
            fail_msg("%s", cases[i].source);
        source_free_host_functions(&list);
    }
}

static void test_plain_names(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"_Z6nondetv", "nondet"},
        {"_ZL3fooi", "foo"},
        {"_ZN1n1fEi", "n::f"},
        {"_ZNK1VplERKS_", "V::operator+"},
        {"_ZN1AILi3EE1fEi", "A::f"},
        {"_ZN1QC1Ei", "Q::Q"},
        {"_ZN1QD1Ev", "Q::~Q"},
        {"_Zor1ES_", "operator|"},
        {"plain", "plain"},
        {"_Z", "_Z"},
        {"_Z99x", "_Z99x"},
        {"_ZN1A", "A"},
        {"call _Z1fv, x", "call f, x"},
        {"_Z4tmulIfET_S0_S0_", "tmul"},
        {"_ZN1AIN1B1CEE1fEv", "A::f"},
        {"_ZN", "_ZN"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        struct text plain = {0};
        unresolved_append_plain(names[i][0], strlen(names[i][0]), &plain);
        assert_string_equal(text_string(&plain), names[i][1]);
        text_free(&plain);
    }
}

static void test_unresolved(void **state) {
    (void)state;
    static const char ptx[] =
        ".extern .func  (.param .b32 func_retval0) _Z3mulff\n(\n\t.param .b32 p\n)\n;\n"
        ".extern .func  (.param .b32 r) vprintf\n(\n)\n;\n"
        ".extern .global .align 4 .b8 table[12];\n.extern .shared .align 4 .b8 s[];\n"
        ".visible .func  (.param .b32 r) _Z5twicef(\n\t.param .b32 q\n)\n{\n"
        "\t.loc\t1 7 3\n\tcall.uni (retval0), \n\t_Z3mulffx, \n"
        "\t.loc\t1 8 3\n\tcall.uni (retval0), \n\t_Z3mulff, \n}\n"
        ".visible .entry k(\n)\n{\n\tmov.u64 %rd1, table;\n}\n"
        "\t.file\t1 \"/a/dot.cu\"\n";
    struct unresolved_symbol symbols[UNRESOLVED_MAX];
    assert_int_equal(unresolved_find(ptx, symbols), 2);
    assert_string_equal(symbols[0].symbol, "_Z3mulff");
    assert_true(symbols[0].is_function && !symbols[0].user_is_kernel);
    assert_string_equal(symbols[0].user, "_Z5twicef");
    assert_int_equal(symbols[0].line, 8);
    assert_string_equal(symbols[0].file, "dot.cu");
    assert_string_equal(symbols[1].symbol, "table");
    assert_true(!symbols[1].is_function && symbols[1].user_is_kernel);
    assert_int_equal(symbols[1].line, 0);
    static const char *const broken[] = {
        ".extern .func",      ".extern .func (",          ".extern .global",
        ".extern .func (x\n", ".extern .global .b8 [2];", ".entry "};
    for (size_t i = 0; i < ARRAY_LENGTH(broken); i++)
        assert_int_equal(unresolved_find(broken[i], symbols), 0);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1); /* nothing from an earlier run */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out),   cmocka_unit_test(test_called),
        cmocka_unit_test(test_not_called), cmocka_unit_test(test_unknown_type),
        cmocka_unit_test(test_scanner),    cmocka_unit_test(test_plain_names),
        cmocka_unit_test(test_unresolved), cmocka_unit_test(test_may_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

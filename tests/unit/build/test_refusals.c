/* Compilations that are refused, or that are stopped: by their limits, by the compiler's crash, for
 * want of a toolchain. */
#include "sandbox/program/worker_main.h"
#include "tests/unit/build/compile.h"

#include "sandbox/base/shape.h"
#include "sandbox/build/request.h"

/* A busy machine is no reason to refuse a source: the clock stops only what does not compute. */
static void test_seconds_are_of_the_processor(void **state) {
    (void)state;
    struct worker_limits limits = build_limits(NULL);
    assert_true(limits.cpu_seconds == 10 && limits.wall_seconds == 60);
    limits = build_limits(&(struct worker_limits){.wall_seconds = 2});
    assert_true(limits.cpu_seconds == 2 && limits.wall_seconds == 12);
}

static void test_limits(void **state) {
    (void)state;
    static const char slow[] =
        "template <int n, int m> struct F {\n"
        "  static constexpr long v = F<n - 1, 2 * m>::v + F<n - 1, 2 * m + 1>::v; };\n"
        "template <int m> struct F<0, m> { static constexpr long v = m; };\n"
        "__global__ void dot(long *a) { a[0] = F<18, 1>::v; }\n";
    struct worker_limits limits = {.wall_seconds = 1};
    struct build_request request = {.file_name = "dot.cu",
                                    .source = slow,
                                    .source_length = sizeof slow - 1,
                                    .kernel = "dot",
                                    .no_cache = true};
    struct build_result result;
    for (int named = 1; named >= 0; named--) { /* once where no name was given it had compiled */
        request.kernel = named ? "dot" : NULL;
        assert_int_equal(build_compile(&request, &limits, &result, &error), STATUS_OK);
        assert_false(result.compiled);
        assert_int_equal(result.end, BUILD_TIME_LIMIT);
        assert_string_equal(result.message, "dot.cu does not compile within 1 s");
        assert_true(result.elapsed_ms < 20000);
        build_result_free(&result);
    }
    request.kernel = "dot";
    /* A few hundred thousand statements. */
    static const char bomb[] =
        "#define A a[i] = a[i] * 3 + i; i++;\n#define B A A A A A A A A\n#define C B B B B B B B "
        "B\n"
        "#define D C C C C C C C C\n#define E D D D D D D D D\n#define F E E E E E E E E\n"
        "#define G F F F F F F F F\n__global__ void dot(int *a) { int i = 0; G }\n";
    request.source = bomb;
    request.source_length = sizeof bomb - 1;
    limits = (struct worker_limits){.wall_seconds = 60, .memory_bytes = 128 << 20};
    assert_int_equal(build_compile(&request, &limits, &result, &error), STATUS_OK);
    assert_false(result.compiled);
    assert_int_equal(result.end, BUILD_MEMORY_LIMIT);
    assert_string_equal(result.message, "compiling dot.cu takes more than 128 MiB of memory");
    build_result_free(&result);
    /* Nesting that overflows the compiler's stack is its crash, not ours. */
    struct text nested = {0};
    text_append(&nested, "__global__ void dot(int *a) { a[0] = ");
    text_append_repeated(&nested, '(', 200000);
    text_append(&nested, "1");
    text_append_repeated(&nested, ')', 200000);
    text_append(&nested, "; }\n");
    result = compile(nested.data, "dot");
    assert_int_equal(result.end, BUILD_CRASHED);
    assert_string_equal(result.message,
                        "the compiler crashed on dot.cu (signal 11, Segmentation fault)");
    build_result_free(&result);
    text_free(&nested);
}

/* With -G alone these crash the compiler, take all its memory, or do not end. */
static void test_shapes_that_cannot_be_had(void **state) {
    (void)state;
    struct text crash = {0}, memory = {0};
    text_append(&crash, "__device__ int deep = ");
    text_append_repeated(&crash, '(', 200000);
    text_append(&crash, "1");
    text_append_repeated(&crash, ')', 200000);
    text_append(&crash, ";");
    text_append(&memory, "#define A a[i] = a[i] * 3 + i; i++;\n");
    for (char c = 'A'; c < 'G'; c++)
        text_printf(&memory, "#define %c %c %c %c %c %c %c %c %c\n", c + 1, c, c, c, c, c, c, c, c);
    text_append(&memory, "__device__ void bomb(int *a) { int i = 0; G }");
    const char *time =
        "template <int n, long m> struct F {\n"
        "  static constexpr long v = F<n - 1, 2 * m>::v + F<n - 1, 2 * m + 1>::v; };\n"
        "template <long m> struct F<0, m> { static constexpr long v = m; };\n"
        "__device__ long slow() { return F<40, 1>::v; }";
    const char *bombs[] = {"", text_string(&crash), text_string(&memory), time};
    for (size_t i = 0; i < ARRAY_LENGTH(bombs); i++) {
        cleanup_free char *source =
            mem_printf("#ifdef __CUDACC_DEBUG__\n%s\n#endif\n__global__ void dot(int *a) {\n"
                       "__shared__ int t[4][8]; t[a[0]][a[1]] = 1; a[2] = t[a[3]][a[4]]; }\n",
                       bombs[i]);
        struct worker_limits limits = {.wall_seconds = 120, .memory_bytes = 256 << 20};
        struct build_request request = {.file_name = "dot.cu",
                                        .source = source,
                                        .source_length = strlen(source),
                                        .kernel = "dot",
                                        .no_cache = true};
        struct build_result result;
        assert_int_equal(build_compile(&request, &limits, &result, &error), STATUS_OK);
        assert_int_equal(result.end, BUILD_DONE);
        assert_true(result.compiled);
        assert_true(result.kernels[0].types_known);
        assert_int_equal(strstr(result.ptx, SHAPE_COMMENT) != NULL, i == 0);
        build_result_free(&result);
    }
    text_free(&crash);
    text_free(&memory);
}

static void test_refused_sources(void **state) {
    (void)state;
    size_t length = 10 << 20;
    cleanup_free char *large = mem_alloc(length);
    memset(large, ' ', length);
    struct build_result result = compile_request(
        (struct build_request){.source = large, .source_length = length, .kernel = "dot"});
    assert_string_equal(result.message, "dot.cu is too large: 10485760 bytes, at most 4 MiB");
    build_result_free(&result);
    result = compile_request((struct build_request){.source = "\x7f"
                                                              "ELF\0\0\0",
                                                    .source_length = 7,
                                                    .kernel = "dot"});
    assert_string_equal(result.message, "dot.cu is not a text file (byte 0 at offset 4)");
    build_result_free(&result);
}

/* Requests that are wrong by themselves, and names that try to leave their place. */
static void test_refused_requests(void **state) {
    (void)state;
    static const char source[] = "__global__ void dot(int *a) {}\n";
    static const char *const injection[] = {"X)); int evil = ((1", "X\n#include \"/etc/passwd\"",
                                            "", "9X"};
    struct build_result result;
    for (size_t i = 0; i < ARRAY_LENGTH(injection); i++) {
        struct build_request request = {.file_name = "dot.cu",
                                        .source = source,
                                        .source_length = sizeof source - 1,
                                        .constants = &injection[i],
                                        .constant_count = 1};
        assert_int_equal(build_compile(&request, NULL, &result, &error), STATUS_INVALID);
        request.constant_count = 0;
        request.kernel = injection[i];
        assert_int_equal(build_compile(&request, NULL, &result, &error), STATUS_INVALID);
        request.kernel = NULL;
        request.defines = &injection[i];
        request.define_count = 1;
        assert_int_equal(build_compile(&request, NULL, &result, &error), STATUS_INVALID);
    }
    static const char *const architectures[] = {"compute_", "80", "compute_80;x", "compute_999"};
    for (size_t i = 0; i < ARRAY_LENGTH(architectures); i++) {
        struct build_request request = {.source = source,
                                        .source_length = sizeof source - 1,
                                        .architecture = architectures[i],
                                        .no_cache = true};
        assert_int_equal(build_compile(&request, NULL, &result, &error), STATUS_INVALID);
        assert_true(error.hint[0] != '\0');
    }
}

static void test_file_names(void **state) {
    (void)state;
    static const char *const names[] = {"a b.cu",
                                        "it's.cu",
                                        "quote\".cu",
                                        "back\\slash.cu",
                                        "-o.cu",
                                        "math.h",
                                        "\xe7\x9f\xa9\xe9\x98\xb5.cu",
                                        "line\nbreak.cu",
                                        "100%s.cu",
                                        "warpgrade-program.cu",
                                        "noending"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        struct build_result result =
            compile_request((struct build_request){.file_name = names[i],
                                                   .source = "__global__ void dot(int *a) {}\n",
                                                   .source_length = 31,
                                                   .kernel = "dot"});
        assert_string_equal(result.message, "");
        build_result_free(&result);
        result = compile_request((struct build_request){
            .file_name = names[i], .source = "int x = y;\n", .source_length = 11, .kernel = "dot"});
        assert_int_equal(result.diagnostic_count, 1);
        assert_string_equal(result.diagnostics[0].file, names[i]);
        build_result_free(&result);
    }
}

static void test_no_toolchain(void **state) {
    (void)state;
    setenv("WARPGRADE_CUDA_HOME", "/nowhere", 1);
    struct build_request request = {.source = "int x;", .source_length = 6};
    struct build_result result;
    assert_int_equal(build_compile(&request, NULL, &result, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "NVRTC"));
    assert_non_null(strstr(error.hint, "WARPGRADE_CUDA_HOME is /nowhere"));
    unsetenv("WARPGRADE_CUDA_HOME");
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    unsetenv("WARPGRADE_CUDA_HOME");
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1); /* nothing from an earlier run */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seconds_are_of_the_processor),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_shapes_that_cannot_be_had),
        cmocka_unit_test(test_refused_sources),
        cmocka_unit_test(test_refused_requests),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_no_toolchain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

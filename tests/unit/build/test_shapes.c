/* The shapes after the PTX: what types become, what is left out, and broken debug sections. */
#include "sandbox/base/memory.h"
#include "sandbox/base/shape.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"
#include "sandbox/build/shapes.h"
#include "sandbox/program/worker_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct build_result compile(const char *source, bool device_debug) {
    struct build_request request = {.file_name = "k.cu",
                                    .source = source,
                                    .source_length = strlen(source),
                                    .device_debug = device_debug,
                                    .no_cache = true};
    struct worker_limits limits = {.wall_seconds = 60};
    struct build_result result;
    struct error error = {0};
    if (build_compile(&request, &limits, &result, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    if (!result.compiled)
        fail_msg("%s\n%s", source, result.message);
    return result;
}

/* The line of the symbol, after it; NULL where there is none. Freed by the caller. */
static char *shape_of(const struct build_result *result, const char *symbol) {
    cleanup_free char *head = mem_printf("\n" SHAPE_COMMENT "%s ", symbol);
    const char *line = strstr(result->ptx, head);
    if (!line)
        return NULL;
    line += strlen(head);
    return mem_printf("%.*s", (int)strcspn(line, "\n"), line);
}

static const char kernel[] =
    "#define ROWS 16\n"
    "struct node { int next; float weight[2]; };\n"
    "struct derived : node { node *link; unsigned low : 3, high : 29; union { int i; float f; }; "
    "};\n"
    "namespace n { template <int N> __device__ float turn(float *p, int i) {\n"
    "    __shared__ float buffer[N][N + 1];\n"
    "    buffer[i / N][i % N] = p[i]; __syncthreads(); return buffer[i % N][i / N]; } }\n"
    "static __device__ __forceinline__ int inlined(int i) {\n"
    "    volatile __shared__ short pairs[3][2]; pairs[i % 3][i % 2] = 1; return pairs[1][1]; }\n"
    "__device__ double table[2][3][4];\n"
    "__shared__ float outer[4][6];\n"
    "__global__ void k(float *p) {\n"
    "    __shared__ float tile[ROWS][ROWS + 1], line[64];\n"
    "    __shared__ derived nodes[8];\n"
    "    __shared__ float4 quads[8];\n"
    "    extern  __shared__ float dynamic[];\n"
    "    int i = threadIdx.x;\n"
    "    tile[i][0] = p[i]; nodes[i].next = i; nodes[i].f = 1; nodes[i].high = 3; quads[i].y = "
    "p[1];\n"
    "    line[i] = 1; dynamic[i] = 2; outer[i % 4][1] = 3; table[1][1][i % 4] = 4;\n"
    "    __syncthreads();\n"
    "    p[i] = tile[1][i] + nodes[1].next + nodes[2].f + nodes[3].high + quads[2].y + line[3]\n"
    "         + dynamic[9] + outer[1][i] + (float)table[0][1][2] + n::turn<8>(p, i) + inlined(i);\n"
    "}\n";

static void test_types(void **state) {
    (void)state;
    static const struct {
        const char *symbol, *shape;
    } rows[] = {
        {"_ZZ1kPfE4tile", "a16a17b4"},
        {"_ZZ1kPfE4line", "a64b4"},
        {"_ZZ1kPfE5nodes", "a8s32{@0s12{next@0b4weight@4a2b4}link@16b8@28b4}"},
        {"_ZZ1kPfE5quads", "a8s16{x@0b4y@4b4z@8b4w@12b4}"},
        {"_ZZN1n4turnILi8EEEfPfiE6buffer", "a8a9b4"},
        {"_ZZN49_INTERNAL_00000000_20_warpgrade_program_cu__Z1kPf7inlinedEiE5pairs", "a3a2b2"},
        {"table", "a2a3a4b8"},
        {"outer", "a4a6b4"},
    };
    for (unsigned device_debug = 0; device_debug < 2; device_debug++) {
        struct build_result result = compile(kernel, device_debug);
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
            cleanup_free char *shape = shape_of(&result, rows[i].symbol);
            if (!shape || strcmp(shape, rows[i].shape) != 0)
                fail_msg("%s: %s, not %s", rows[i].symbol, shape, rows[i].shape);
            if (!strstr(result.ptx, rows[i].symbol))
                fail_msg("the PTX has no %s", rows[i].symbol);
        }
        build_result_free(&result);
    }
}

/* Where counting accesses names every element rightly, nothing is compiled twice. */
static void test_plain_arrays(void **state) {
    (void)state;
    struct build_result result =
        compile("__global__ void k(float *p) { __shared__ float s[64]; s[threadIdx.x] = p[0];\n"
                "__syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }",
                false);
    assert_null(strstr(result.ptx, SHAPE_COMMENT));
    build_result_free(&result);
    assert_true(shapes_are_wanted("a[1]\n [2]", ".shared .align 4 .b8 s[64];\n"));
    assert_false(shapes_are_wanted("a[1][2]", ".local .align 16 .b8 s[64];\n"));
    assert_true(shapes_are_wanted("", ".shared .align 16 .b8 s[64];\n"));
    assert_true(shapes_are_wanted("__align__(4) char s[64];", ".shared .align 4 .b8 s[64];\n"));
    assert_false(shapes_are_wanted("char s[64];", ".shared .align 1 .b8 s[64];\n"));
    static const char headers[] = ".global .align 8 .u64 _ZN4cuda3std3__45ratioE = 1;\n"
                                  ".global .align 16 .b8 _ZN3cub6WARPSTE[16];\n";
    assert_false(shapes_are_wanted("struct", headers));
    cleanup_free char *own = mem_printf("%s.shared .align 8 .b8 _ZZ1kvE3bar[8];\n", headers);
    assert_true(shapes_are_wanted("", own));
    assert_true(shapes_are_wanted("", ".global .align 8 .b8 a_ZN4cuda[8];\n"));
}

/* Debug sections that are cut, or in which a byte is another one, give less or nothing. */
static void test_broken_sections(void **state) {
    (void)state;
    static const char whole[] = "\t.section\t.debug_abbrev\n\t{\n"
                                ".b8 1,17,1,0,0\n"
                                ".b8 2,52,0,3,8,73,19,2,10,0,0\n"
                                ".b8 3,1,1,73,19,0,0\n"
                                ".b8 4,33,0,55,11,0,0\n"
                                ".b8 5,36,0,11,11,0,0\n"
                                ".b8 0\n\t}\n"
                                "\t.section\t.debug_info\n\t{\n"
                                ".b32 38\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n"
                                ".b8 1\n"                                   /* at 11: the unit */
                                ".b8 2,116,0\n.b32 29\n.b8 9,3\n.b64 t\n"   /* a variable */
                                ".b8 3\n.b32 39\n.b8 4,5\n.b8 4,7\n.b8 0\n" /* at 29: an array */
                                ".b8 5,4\n.b8 0\n\t}\n"; /* at 39: its elements' type */
    cleanup_text struct text out = {0};
    shapes_append(whole, "t", &out);
    assert_string_equal(text_string(&out), SHAPE_COMMENT "t a5a7b4\n");
    text_clear(&out);
    shapes_append(whole, ".shared .b8 u[140];", &out);
    assert_string_equal(text_string(&out), "");
    size_t length = strlen(whole);
    for (size_t i = 0; i < length; i++) {
        cleanup_free char *cut = mem_printf("%.*s", (int)i, whole);
        text_clear(&out);
        shapes_append(cut, "t", &out);
        for (const char *c = "0919{}\n,. x-"; *c; c++) {
            cleanup_free char *other = mem_strdup(whole);
            other[i] = *c;
            text_clear(&out);
            shapes_append(other, "t", &out);
            assert_true(out.length < 200);
        }
    }
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_plain_arrays),
        cmocka_unit_test(test_broken_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

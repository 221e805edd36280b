/* Names of elements by shape, and shapes that are not well formed. */
#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct ptx_span span(const char *text) {
    return (struct ptx_span){text, (uint32_t)strlen(text)};
}

static void test_names(void **state) {
    (void)state;
    static const char nodes[] = "a8s32{@0s12{next@0b4weight@4a2b4}link@16b8@28b4}";
    static const struct {
        const char *shape;
        uint64_t offset;
        unsigned bytes;
        const char *name; /* NULL: it has none */
    } rows[] = {
        {"a16a17b4", (2 * 17 + 3) * 4, 4, "v[2][3]"},
        {"a16a17b4", (2 * 17 + 16) * 4, 16, "v[2][16]"},
        {"a16a17b4", (16 * 17 + 1) * 4, 4, "v[16][1]"}, /* past the end */
        {"a16a17b4", 6, 1, "v[0][1]"},
        {"a2a3a4b8", (1 * 12 + 2 * 4 + 3) * 8, 8, "v[1][2][3]"},
        {"a0b8", 72, 4, "v[9]"},
        {"a64b4", 16, 16, "v[4]"},
        {nodes, 3 * 32, 4, "v[3].next"},
        {nodes, 3 * 32 + 8, 4, "v[3].weight[1]"},
        {nodes, 3 * 32 + 16, 8, "v[3].link"},
        {nodes, 3 * 32 + 16, 4, "v[3].link"},
        {nodes, 3 * 32 + 24, 4, "v[3]"}, /* a bit-field has no line */
        {nodes, 3 * 32 + 28, 4, "v[3]"}, /* a union without a name */
        {"a8s16{x@0b4y@4b4z@8b4w@12b4}", 20, 4, "v[1].y"},
        {"a8s16{x@0b4y@4b4z@8b4w@12b4}", 16, 16, "v[1]"},
        {"s8{x@0b4y@4b4}", 4, 4, "v.y"},
        {"s8{x@0b4y@4b4}", 8, 4, NULL}, /* after a scalar */
        {"b4", 0, 4, "v"},
        {"b4", 4, 4, NULL},
        {"b4", 0, 8, "v"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char element[64];
        bool named = shape_name(span(rows[i].shape), "v", rows[i].offset, rows[i].bytes, element,
                                sizeof element);
        assert_int_equal(named, rows[i].name != NULL);
        if (named)
            assert_string_equal(element, rows[i].name);
    }
    char small[6];
    assert_false(shape_name(span("a16a17b4"), "v", 0, 4, small, sizeof small));
}

static void test_extents(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"a16a17b4", "v[16][17]"}, {"a8s16{x@0b4}", "v[8]"}, {"a0a3b4", "v[8][3]"}, {"b4", "v"}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_text struct text out = {0};
        shape_extents(span(rows[i][0]), "v", 96, &out);
        assert_string_equal(text_string(&out), rows[i][1]);
    }
}

static void test_finding(void **state) {
    (void)state;
    static const char ptx[] = "// shape early a1b4\nret;\n// shape a a16a17b4\n// shape ab a2b4\n"
                              "// shape twice a4b4\n// shape twice a2a2b4\n// shape twice a9b4\n"
                              "// shape same a4b4\n// shape same a4b4\n// shape open a0b4\n";
    static const struct {
        const char *symbol;
        uint64_t bytes;
        const char *shape;
    } rows[] = {
        {"a", 1088, "a16a17b4"}, {"a", 1087, ""},   {"ab", 8, "a2b4"},     {"b", 8, ""},
        {"early", 4, ""},        {"twice", 16, ""}, {"twice", 36, "a9b4"}, {"same", 16, "a4b4"},
        {"open", 100, "a0b4"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct ptx_span found = shape_find(span(ptx), span(rows[i].symbol), rows[i].bytes);
        assert_int_equal(found.length, strlen(rows[i].shape));
        if (found.length)
            assert_memory_equal(found.start, rows[i].shape, found.length);
    }
}

static void test_hostile_shapes(void **state) {
    (void)state;
    static const char *const shapes[] = {
        "",
        "b",
        "b0",
        "a4",
        "a4b",
        "s8",
        "s8{",
        "s8{x@0b4",
        "s8{x@6b4}",
        "s8{x@0b9}",
        "s8{x0b4}",
        "s8{x@b4}",
        "a4b4x",
        "a99999999999999999999b4",
        "a1073741824a1073741824b4",
        "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1b4",
        "s4{@0s4{@0s4{@0s4{x@0b4}",
        "x4",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(shapes); i++)
        for (uint64_t bytes = 0; bytes < 40; bytes += 4) {
            cleanup_free char *text = mem_printf("// shape v %s\n", shapes[i]);
            assert_int_equal(shape_find(span(text), span("v"), bytes).length, 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_hostile_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* An index and a size are two numbers, and are said apart. */
#include "sandbox/simgpu/check/describe.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    const char *element, *whole, *text;
} rows[] = {
    {"out[1024]", "out[1024]", "at index 1024 of `out`, which has 1024 elements"},
    {"out[-1]", "out[8]", "at index -1 of `out`, which has 8 elements"},
    {"sum[3]", "sum[1]", "at index 3 of `sum`, which has 1 element"},
    {"P[18, 3]", "P[18][5]", "at index [18, 3] of `P`, which has 18 x 5 elements"},
    {"s[16][3]", "s[16][17] in shared memory",
     "at index [16][3] of `s`, which has 16 x 17 elements in shared memory"},
    {"nodes[4].next", "nodes[4] in shared memory",
     "at nodes[4].next, outside nodes[4] in shared memory"},
    {"b[9]", "b, 6 bytes of shared memory", "at b[9], outside b, 6 bytes of shared memory"},
    {"byte 64 of memory from malloc (line 4)", "its 64 bytes",
     "at byte 64 of memory from malloc (line 4), outside its 64 bytes"},
};

static void index_and_size_are_said_apart(void **state) {
    (void)state;
    char text[256];
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        hazard_describe_outside(rows[i].element, rows[i].whole, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_and_size_are_said_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

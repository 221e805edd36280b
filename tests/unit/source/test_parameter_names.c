/* The names of a kernel's parameters, read from its source; nothing where that is not certain. */
#include "grader/source/parameter_names.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    const char *source, *kernel;
    size_t count;
    const char *names; /* NULL: unknown */
} rows[] = {
    {"__global__ void k(const float *x, float* __restrict__ y, int n) {}", "k", 3, "x y n"},
    {"template <int N = (2 > 1)>\n__global__ __launch_bounds__(256) void k(float (x)[4]) {}", "k",
     1, NULL},
    {"__global__ void k(int a[], const int b[2][3], float c = f(1, 2)) {}", "k", 3, "a b c"},
    {"__global__ void k(std::array<int, 4> table, T<U<int>> u) {}", "ns::k<float, 2>", 2,
     "table u"},
    {"// __global__ void k(int wrong)\n/* k(int worse) */ extern \"C\" __global__ void k(\n  int "
     "right) { k2(1); }",
     "k", 1, "right"},
    {"__global__ void k(int n);\nvoid f() { k(1); }\n__global__ void k(int n) {}", "k", 1, "n"},
    {"__global__ void k(int n);\n__global__ void k(int m) {}", "k", 1, NULL},
    {"__global__ void k(int n, float *) {}", "k", 2, NULL},
    {"__global__ void k(unsigned int) {}", "k", 1, NULL},
    {"__global__ void k(ARGUMENTS) {}", "k", 1, NULL},
    {"__global__ void k(int n) {}", "k", 2, NULL},
    {"__global__ void kk(int n) {}\n#define k(n) 1\nvoid k(int m) {}", "k", 1, NULL},
    {"__global__ void k(int n = 1'000, char c = ')') {}", "k", 2, "n c"},
    {"__global__ void k(int n", "k", 1, NULL},
    {"__global__ void k() {}", "", 0, NULL},
};

static void names_are_those_of_the_source(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct parameter_source found[4] = {0};
        bool known = parameter_names_find(rows[i].source, rows[i].kernel, rows[i].count, found);
        cleanup_text struct text all = {0};
        for (size_t j = 0; known && j < rows[i].count; j++)
            text_printf(&all, "%s%s", j ? " " : "", found[j].name);
        if (known != (rows[i].names != NULL))
            print_error("%s\n", rows[i].source);
        assert_true(known == (rows[i].names != NULL));
        assert_string_equal(text_string(&all), rows[i].names ? rows[i].names : "");
    }
}

static void declarations_are_those_of_the_source(void **state) {
    (void)state;
    static const char source[] = "__global__ void k(const float *__restrict__\n   x, /* how many "
                                 "*/ int n = 4,\n int a[ 3 ]);";
    struct parameter_source found[3] = {0};
    assert_true(parameter_names_find(source, "k", 3, found));
    assert_string_equal(found[0].declared, "const float *__restrict__ x");
    assert_string_equal(found[1].declared, "int n");
    assert_string_equal(found[2].declared, "int a[ 3 ]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_source),
        cmocka_unit_test(declarations_are_those_of_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

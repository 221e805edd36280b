/* Operators of mutation: what each makes of a few lines, and what none touches. */
#include "grader/author/mutate.h"
#include "grader/author/mutate_private.h"
#include "grader/source/code.h"

#include "sandbox/base/memory.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KERNEL(body) "__global__ void k(float *x, const float *y, int n)\n{\n" body "\n}\n"

static const struct {
    enum mutation_operator made_by;
    const char *source;
    const char *mutants[6]; /* a part of each, in order, and no others */
} rows[] = {
    {OPERATOR_barrier, KERNEL("__syncthreads(); x[0] = 1; block.sync();"), {"{\n; x[0]", "= 1; ;"}},
    {OPERATOR_syncwarp, KERNEL("__syncwarp(0xff);"), {"{\n;"}},
    {OPERATOR_mask,
     KERNEL("x[0] = __shfl_down_sync(~0u, y[0], 1);"),
     {"__shfl_down_sync(0x0000ffffu, y[0], 1)"}},
    {OPERATOR_bound, KERNEL("if (n < 3 && n >= 1) x[0] = float(1 << 2);"), {"n <= 3 &&", "n > 1)"}},
    {OPERATOR_bound, KERNEL("x[0] = static_cast<float>(n);"), {NULL}},
    {OPERATOR_less_one, KERNEL("for (int i = 0; i < n; i++) x[i] = 0;"), {"i < n - 1; i++"}},
    {OPERATOR_less_one, KERNEL("if (f(1) < n) x[0] = 0;"), {"f(1) < n - 1)"}},
    {OPERATOR_axes,
     KERNEL("x[threadIdx.y] = y[threadIdx.x];"),
     {"x[threadIdx.x] = y[threadIdx.x]", "x[threadIdx.y] = y[threadIdx.y]"}},
    {OPERATOR_axes, KERNEL("x[threadIdx.x] = y[blockIdx.y];"), {NULL}},
    {OPERATOR_subscripts, KERNEL("__shared__ float s[2][3]; s[n][1] = 0;"), {"s[1][n] = 0"}},
    {OPERATOR_block_index, KERNEL("x[blockIdx.x * 32] = 0;"), {"x[0 * 32]"}},
    {OPERATOR_guard, KERNEL("if (n > 1) return;"), {"if (false) return;"}},
    {OPERATOR_guard,
     KERNEL("if (n > 1) { x[0] = n > 2 ? 1 : 2; }"),
     {"if (true) {", "x[0] = true ? 1"}},
    {OPERATOR_guard,
     KERNEL("if (n > 1 && n < 4 || f()) x[0] = 0;"),
     {"if (true) x", "if (true && n < 4", "n > 1 && true ||", "if (n > 1 && false || f())",
      "n < 4 || false)"}},
    {OPERATOR_initial,
     KERNEL("float s = 0.0f; const int z = 0; x[1] = 0; x[2] = n;"),
     {"float s ;", "const int z = 0; ;"}},
    {OPERATOR_neutral,
     KERNEL("float s = 0.0f, m = -INFINITY; for (int i = 0; i < n; i++) s += n ? y[i] : 0;"),
     {"s = 1.0f,", "m = 0.0f;", "int i = 1;", ": 1;"}},
    {OPERATOR_overwrite, KERNEL("for (int i = 0; i < n; i += 2) x[0] += y[i];"), {"x[0] = y[i]"}},
    {OPERATOR_half,
     KERNEL("float s = y[0] * 2; s += y[1]; int j = n; float z = 0;"),
     {"#include <cuda_fp16.h>\n__global__", "s = __half2float(__float2half(s + (y[1])));"}},
    {OPERATOR_atomic,
     KERNEL("atomicAdd(&x[0], y[1]); int t = atomicAdd(&c, 1);"),
     {"*(&x[0]) += (y[1]);", "int t = ((*(&c) += (1)) - (1));"}},
    {OPERATOR_atomic,
     KERNEL("atomicMax(x, y[1]); atomicCAS(x, 1, 2);"),
     {"*(x) = max(*(x), (y[1]));"}},
    {OPERATOR_shared,
     KERNEL("__shared__ float s[N][N + 1]; extern __shared__ float t[];"),
     {"s[(N) - 1][N + 1]", "s[N][(N + 1) - 1]"}},
    {OPERATOR_stride,
     KERNEL("for (int i = 8; i > 0; i /= 2) x[i] = 0; for (; n; n += 32) {}"),
     {"i /= 4", "n += (32) + 1)", "n += ((32) + 1) / 2)"}},
    {OPERATOR_sign, KERNEL("x[n + 1] = -y[n - 1];"), {"x[n - 1] = -", "-y[n + 1]"}},
    {OPERATOR_extremum, KERNEL("x[0] = fmaxf(y[0], 1);"), {"fminf(y[0], 1)"}},
    /* what is no code of the kernel */
    {OPERATOR_barrier,
     "#define WAIT __syncthreads();\n"
     "#define MORE 1 \\\n  __syncthreads();\n"
     "// __syncthreads();\n/* __syncthreads(); */\n"
     "__global__ void other() { __syncthreads(); }\n" KERNEL("f(\"__syncthreads();\");"),
     {NULL}},
    {OPERATOR_bound,
     "__device__ bool f(int a) { return a < 3; }\n" KERNEL("x[0] = f(n);"),
     {"return a <= 3;"}},
};

static void operators_change_one_place(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct mutations made = {0};
        size_t seen = 0;
        mutate(rows[i].source, strlen(rows[i].source), "k", &made);
        for (size_t j = 0; j < made.count; j++) {
            if (made.items[j].made_by != rows[i].made_by)
                continue;
            const char *expected =
                seen < ARRAY_LENGTH(rows[i].mutants) ? rows[i].mutants[seen] : NULL;
            seen++;
            if (!expected || !strstr(made.items[j].text, expected))
                fail_msg("row %zu: %s\nis not %s", i, made.items[j].text, expected);
        }
        if (seen < ARRAY_LENGTH(rows[i].mutants) && rows[i].mutants[seen])
            fail_msg("row %zu: no mutant has %s", i, rows[i].mutants[seen]);
        mutations_free(&made);
    }
}

static void lines_stay_where_they_are(void **state) {
    (void)state;
    static const char source[] = KERNEL("atomicAdd(x,\n  y[0]);\nif (n < 2)\n  x[0] = 1;");
    struct mutations made = {0};
    mutate(source, strlen(source), "k", &made);
    for (size_t i = 0; i < made.count; i++) {
        const struct mutation *mutation = &made.items[i];
        size_t lines = 0, own = 0;
        for (const char *at = source; *at; at++)
            lines += *at == '\n';
        for (const char *at = mutation->text; *at; at++)
            own += *at == '\n';
        assert_int_equal(lines, own);
        assert_null(strchr(mutation->change, '\n'));
        if (mutation->made_by == OPERATOR_bound)
            assert_int_equal(mutation->line, 5);
    }
    mutations_free(&made);
}

/* Of a kernel's exercise its own kernel is broken; of one with host code everything is. */
static void other_kernels_are_left_alone_where_one_is_named(void **state) {
    (void)state;
    static const char source[] =
        "__global__ void a(int *x, int n)\n{\n    if (n < 2) x[0] = 1;\n}\n"
        "__global__ void k(int *x, int n)\n{\n    if (n < 3) x[0] = 1;\n}\n"
        "void solve(int *x, int n)\n{\n    if (n < 4) x[0] = 1;\n}\n";
    static const struct {
        const char *kernel;
        bool changes[3]; /* the bound of each function, by its line */
    } kinds[] = {{"k", {false, true, true}}, {NULL, {true, true, true}}};
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        bool changes[3] = {false};
        struct mutations made = {0};
        mutate(source, strlen(source), kinds[i].kernel, &made);
        for (size_t j = 0; j < made.count; j++)
            if (made.items[j].made_by == OPERATOR_bound)
                changes[(made.items[j].line - 3) / 4] = true;
        assert_memory_equal(changes, kinds[i].changes, sizeof changes);
        mutations_free(&made);
    }
}

static void the_same_program_has_the_same_plain_ptx(void **state) {
    (void)state;
    cleanup_free char *one =
        mutate_plain_ptx("// a\n.visible .entry k()\n{\n\t.loc\t1 2 3\n$L__tmp0:\n"
                         "\tret;\n}\n\t.file\t1 \"a.cu\"\n.section .debug_str\n{\n.b8 1\n}\n");
    cleanup_free char *other = mutate_plain_ptx(".visible .entry k()\n{\n\tret;\n}\n");
    cleanup_free char *third = mutate_plain_ptx(".visible .entry k()\n{\n\ttrap;\n}\n");
    assert_string_equal(one, other);
    assert_string_not_equal(one, third);
}

static void statements_end(void **state) {
    (void)state;
    static const struct {
        const char *source, *after;
    } ends[] = {{"if (a) b(); else { c; } d", "d"},
                {"for (;;) if (x) y; z", "z"},
                {"{ a; } b", "b"},
                {"a = f(1; 2); b", "b"}};
    for (size_t i = 0; i < ARRAY_LENGTH(ends); i++) {
        struct code code;
        code_read(ends[i].source, strlen(ends[i].source), &code);
        assert_true(code_is(&code, code_statement_end(&code, 0), ends[i].after));
        code_free(&code);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_change_one_place),
        cmocka_unit_test(lines_stay_where_they_are),
        cmocka_unit_test(other_kernels_are_left_alone_where_one_is_named),
        cmocka_unit_test(the_same_program_has_the_same_plain_ptx),
        cmocka_unit_test(statements_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

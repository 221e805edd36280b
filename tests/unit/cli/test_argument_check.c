/* Which `--arg` fits which parameter: by the compiler's type, by the source's words, by PTX. */
#include "grader/cli/argument_check.h"
#include "grader/cli/sim_argument.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 1 };

static const struct row {
    const char *ptx;    /* the parameter's declaration, without its name */
    const char *type;   /* the compiler's; NULL: unknown */
    const char *source; /* the source's declaration; NULL: unknown */
    const char *spec;
    const char *error; /* a part of it; NULL: fits */
} rows[] = {
    /* numbers */
    {".u32", "int", "int n", "i32=4", NULL},
    {".u32", "int", "int n", "u32=4", NULL},
    {".u32", "int", "int n", "f32=4", "a 32-bit float is given, and parameter 1 of k is `int n`"},
    {".u32", "int", "int n", "i64=4", "a 64-bit integer is given"},
    {".u32", "int", "int n", "u8=4", "an 8-bit integer is given"},
    {".u32", "int", "int n", "i32[4]=iota", "a buffer of 32-bit integers is given"},
    {".u32", "int", "int n", "alias:0", "a buffer is given"},
    {".u32", "int", "int n", "u32=3000000000", "the value does not fit"},
    {".u32", "unsigned int", "unsigned n", "i32=-1", "`unsigned n`, an unsigned 32-bit integer"},
    {".u32", "unsigned int", "unsigned n", "u32=3000000000", NULL},
    {".u32", NULL, "T n", "i32=-1", NULL}, /* of which sign T is, nothing says */
    {".u32", NULL, "T n", "f32=1", "a 32-bit float is given"},
    {".u32", "color", "color c", "i32=2", NULL}, /* an enumeration */
    {".f32", "float", "float f", "f32=4", NULL},
    {".f32", "float", "float f", "i32=4", "`float f`, a 32-bit float"},
    {".f32", "float", "float f", "f64=4", "a 64-bit float is given"},
    {".f32", NULL, NULL, "i32=4", "`.f32`, a 32-bit float"},
    {".u64", "unsigned long", "size_t n", "i64=4", NULL},
    {".u64", "unsigned long", "size_t n", "f64=4", "`size_t n`, an unsigned 64-bit integer"},
    {".u64", "unsigned long", "size_t n", "f32[4]=zero", "a buffer of 32-bit floats is given"},
    {".align 2 .b8[2]", "__half", "__half h", "f16=1", NULL},
    {".align 2 .b8[2]", "__half", "__half h", "u16=1", "a 16-bit integer is given"},
    {".u8", "bool", "bool b", "u8=1", NULL},
    {".u8", "bool", "bool b", "i8=-1", "`bool b`, 0 or 1"},
    {".b32", NULL, NULL, "f32=1", NULL},
    {".b32", NULL, NULL, "u32=1", NULL},
    {".b32", NULL, NULL, "f64=1", "`.b32`, of 32 bits"},
    /* pointers */
    {".u64 .ptr .align 1", "const float *", "const float *x", "f32[4]=zero:const", NULL},
    {".u64", "const float *", "const float *x", "alias:0", NULL},
    {".u64", "const float *", "const float *x", "u64=0", NULL},
    {".u64", "const float *", "const float *x", "u64=0x7f0012345678", NULL},
    {".u64", "const float *", "const float *x", "u64=64", "a 64-bit integer is given"},
    {".u64", "const float *", "const float *x", "f32=1", "a pointer to 32-bit floats"},
    {".u64", "const float *", "const float *x", "i32[4]=zero", "a pointer to 32-bit floats"},
    {".u64", "int *", "int x[]", "u32[4]=zero", NULL},
    {".u64", "float4 *", "float4 *x", "f32[4]=zero", NULL},
    {".u64", "const int2 *", "const int2 *x", "f32[4]=zero", "a pointer to 32-bit integers"},
    {".u64", "void *", "void *x", "f64[4]=zero", NULL},
    {".u64", "char *", "char *x", "f64[4]=zero", NULL},
    {".u64", "P *", "P *x", "f32[4]=zero", NULL},
    {".u64", NULL, "T *x", "f32[4]=zero", NULL},
    {".u64", NULL, "T *x", "f32=1", "`T *x`, a pointer"},
    {".u64", NULL, NULL, "f32[4]=zero", NULL},
    {".u64", NULL, NULL, "u64=64", NULL},
    {".u64 .ptr .global", NULL, NULL, "u64=64", "a pointer"},
    /* structures */
    {".align 4 .b8[12]", "P", "P p", "f32=1", "`P p`, a structure of 12 bytes"},
    {".align 4 .b8[4]", "P", "P p", "f32=1", NULL},
    {".align 8 .b8[8]", "span", "span s", "f32[4]=zero", NULL},
};

/* ".align 4 .b8[12]" as ".param .align 4 .b8 k_param_0[12]" */
static char *entry_of(const char *declaration) {
    size_t length = strcspn(declaration, "[");
    return mem_printf(".visible .entry k(\n\t.param %.*s k_param_0%s\n)\n{\n\tret;\n}\n",
                      (int)length, declaration, declaration + length);
}

static enum status check_row(const struct row *row, struct error *error) {
    cleanup_free char *ptx = entry_of(row->ptx);
    cleanup_free char *source =
        row->source ? mem_printf("__global__ void k(%s) {}", row->source) : NULL;
    char *type = (char *)(uintptr_t)row->type;
    struct build_kernel kernel = {.name = "k",
                                  .lowered = "k",
                                  .parameters = &type,
                                  .parameter_count = 1,
                                  .types_known = type != NULL};
    struct sim_argument argument;
    struct argument_check check = {.kernel = "k", .specs = &row->spec, .count = 1};
    assert_int_equal(sim_argument_parse(row->spec, 0, SEED, &argument, error), STATUS_OK);
    check.arguments = &argument.engine;
    assert_true(kernel_parameters_find(ptx, &kernel, source, &check.parameters));
    enum status status = argument_check(&check, error);
    kernel_parameters_free(&check.parameters);
    free(argument.bytes);
    return status;
}

static void arguments_are_checked(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct error error = {0};
        enum status status = check_row(&rows[i], &error);
        if ((status == STATUS_OK) != !rows[i].error ||
            (rows[i].error && !strstr(error.message, rows[i].error)))
            fail_msg("%s for %s (%s): \"%s\"", rows[i].spec, rows[i].source ? rows[i].source : "?",
                     rows[i].ptx, error.message);
    }
}

static bool finds(const char *ptx, size_t *count) {
    const struct build_kernel kernel = {.name = "k", .lowered = "k"};
    struct kernel_parameters parameters;
    bool found = kernel_parameters_find(ptx, &kernel, NULL, &parameters);
    *count = parameters.count;
    kernel_parameters_free(&parameters);
    return found;
}

static void strange_declarations_are_left_alone(void **state) {
    (void)state;
    static const char *const strange[] = {
        "",
        ".entry k",
        ".entry kk(.param .u32 a)",
        ".entry k(.param .u32 a",
        ".entry k(.param .u32 a, // how many, of all\n .param .u32 b)",
        ".entry k(.param .b8 a[99999999999999999999])",
        ".entry k(.param .b8 a[)",
        ".entry k(.param .u7 a)",
        ".entry k(.u32 a)",
        ".entry k(.param .v4 .f32 a)",
        ".entry k(,)",
    };
    size_t count;
    for (size_t i = 0; i < ARRAY_LENGTH(strange); i++)
        if (finds(strange[i], &count) && i != 1)
            fail_msg("%s", strange[i]);
    assert_true(finds(".entry k()", &count) && count == 0);
    assert_true(finds(".entry k\n{", &count) && count == 0);
    assert_true(finds(".entry j(.param .u32 a)\n.entry k ( .param .u32 a,.param .u64 b )", &count));
    assert_int_equal(count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(strange_declarations_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

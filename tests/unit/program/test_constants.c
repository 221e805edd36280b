/* Arguments that are the contents of a __constant__ variable: what cudaMemcpyToSymbol() writes. */
#include "tests/support/launch.h"

#define CONST_X      ".visible .const .align 4 .b8 x[16];\n"
#define LOCAL_X      ".const .align 4 .b8 _ZL1x[16];\n"
#define GLOBAL_X     ".visible .global .align 4 .b8 x[16];\n"
#define INITIAL_X    ".visible .const .align 4 .u32 x[4] = {1, 2, 3, 4};\n"
#define KERNEL(name) KERNEL_OF("ld.const.u32", name)
#define KERNEL_OF(load, name)                                                                      \
    ".visible .entry k(.param .u64 p, .param .u32 q)\n{\n.reg .u64 %a, %x;\n.reg .u32 %r, %q;\n"   \
    "ld.param.u64 %a, [p];\nld.param.u32 %q, [q];\n" load " %r, [" name                            \
    "+4];\nadd.u32 %r, %r, %q;\nst.global.u32 [%a], %r;\nret;\n}\n"

enum { NUMBERS = 4 };

/* x stands between the two parameters, as in an exercise. */
static struct engine_result run(const char *ptx, uint32_t elements, uint32_t *stored) {
    static uint32_t data[2][64];
    memset(data, 0, sizeof data);
    for (uint32_t i = 0; i < elements; i++)
        data[1][i] = 10 * i + 7;
    struct engine_argument arguments[] = {
        {.is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = 1},
        {.is_buffer = true,
         .type = ELEMENT_u32,
         .name = "x",
         .count = elements,
         .read_only = true,
         .constant = true,
         .data_offset = sizeof data[0]},
        {.type = ELEMENT_u32, .name = "q", .scalar = 1000}};
    struct engine_launch launch = {.ptx = ptx,
                                   .ptx_length = strlen(ptx),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {1, 1, 1},
                                   .block = {1, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = ARRAY_LENGTH(arguments),
                                   .data = data,
                                   .data_length = sizeof data,
                                   .budget = 1000,
                                   .threads = 1};
    struct engine_result result;
    sim_run(&launch, &result);
    *stored = data[0][0];
    return result;
}

static void expect_stored(const char *ptx, uint32_t elements, uint32_t value) {
    uint32_t stored;
    struct engine_result result = run(ptx, elements, &stored);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    assert_int_equal(result.hazard_count, 0);
    assert_int_equal(stored, value);
    engine_result_free(&result);
}

static void fills_the_variable(void **state) {
    (void)state;
    expect_stored(PTX_HEAD CONST_X KERNEL("x"), NUMBERS, 1017);
    expect_stored(PTX_HEAD LOCAL_X KERNEL("_ZL1x"), NUMBERS, 1017);
}

static void leaves_the_rest_of_the_variable(void **state) {
    (void)state;
    expect_stored(PTX_HEAD CONST_X KERNEL("x"), 1, 1000);
    expect_stored(PTX_HEAD INITIAL_X KERNEL("x"), 1, 1002);
    expect_stored(PTX_HEAD INITIAL_X KERNEL("x"), 2, 1017);
}

static void a_kernel_need_not_use_it(void **state) {
    (void)state;
    expect_stored(PTX_HEAD
                  ".visible .const .align 4 .u32 other[4] = {1, 2, 3, 4};\n" KERNEL("other"),
                  NUMBERS, 1002);
}

static void expect_refusal(const char *ptx, uint32_t elements, const char *message) {
    uint32_t stored;
    struct engine_result result = run(ptx, elements, &stored);
    assert_int_equal(result.end, ENGINE_COMPLETED);
    assert_int_equal(result.hazard_count, 1);
    assert_int_equal(result.hazards[0].kind, HAZARD_INVALID_LAUNCH);
    assert_int_equal(result.hazards[0].fix, FIX_CONSTANT_MEMORY);
    assert_string_equal(result.hazards[0].message, message);
    assert_int_equal(stored, 0);
    engine_result_free(&result);
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    expect_refusal(PTX_HEAD CONST_X KERNEL("x"), 5,
                   "the __constant__ variable x has 16 bytes, but the launch copies 20 into it");
    expect_refusal(PTX_HEAD GLOBAL_X KERNEL_OF("ld.global.u32", "x"), NUMBERS,
                   "the variable x is in global memory, not in constant memory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_the_variable),
        cmocka_unit_test(leaves_the_rest_of_the_variable),
        cmocka_unit_test(a_kernel_need_not_use_it),
        cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The automatic mutants' sources: the exercise's signature, every output written by one thread. */
#include "grader/validate/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void with_matrix(void (*check)(const struct exercise *exercise)) {
    struct exercise_param params[] = {
        {.name = (char *)"M", .type = ELEMENT_f32, .role = ROLE_IN, .rank = 1},
        {.name = (char *)"P", .type = ELEMENT_f32, .role = ROLE_OUT, .rank = 2},
        {.name = (char *)"n", .type = ELEMENT_i32, .role = ROLE_SIZE}};
    struct exercise_constant constant = {.name = (char *)"T", .fallback = 16};
    assert_int_equal(expr_parse("n", &params[0].shape[0], NULL), STATUS_OK);
    assert_int_equal(expr_parse("n", &params[1].shape[0], NULL), STATUS_OK);
    assert_int_equal(expr_parse("max(n, 2)", &params[1].shape[1], NULL), STATUS_OK);
    struct exercise exercise = {.id = (char *)"fixture",
                                .kernel = (char *)"kernel",
                                .params = params,
                                .param_count = 3,
                                .constants = &constant,
                                .constant_count = 1};
    check(&exercise);
    expr_free(params[0].shape[0]);
    expr_free(params[1].shape[0]);
    expr_free(params[1].shape[1]);
}

static void check_noop(const struct exercise *exercise) {
    char *source = validate_stub_source(exercise, STUB_NOOP);
    assert_non_null(strstr(source, "constexpr int T = 16;"));
    assert_non_null(
        strstr(source, "__global__ void kernel(const float *M, float *P, int n)\n{\n}"));
    free(source);
}

static void check_zero(const struct exercise *exercise) {
    char *source = validate_stub_source(exercise, STUB_ZERO);
    assert_non_null(strstr(source, "i < wide(1) * (n) * (max(n, 2)); i++)\n        P[i] = 0;"));
    free(source);
}

static void check_copy(const struct exercise *exercise) {
    char *source = validate_stub_source(exercise, STUB_COPY);
    assert_non_null(strstr(source, "P[i] = M[i % (wide(1) * (n))];"));
    free(source);
}

static void check_constant_memory(const struct exercise *exercise) {
    exercise->params[0].constant_memory = true;
    char *source = validate_stub_source(exercise, STUB_ZERO);
    assert_non_null(strstr(source, "__global__ void kernel(float *P, int n)\n"));
    free(source);
    assert_null(validate_stub_source(exercise, STUB_COPY));
}

static void check_no_copy(const struct exercise *exercise) {
    exercise->params[0].role = ROLE_INOUT;
    assert_null(validate_stub_source(exercise, STUB_COPY));
}

static void noop_has_the_signature_and_nothing_else(void **state) {
    (void)state;
    with_matrix(check_noop);
}

static void zero_writes_every_element(void **state) {
    (void)state;
    with_matrix(check_zero);
}

static void copy_takes_the_input_round_and_round(void **state) {
    (void)state;
    with_matrix(check_copy);
}

static void copy_needs_an_input(void **state) {
    (void)state;
    with_matrix(check_no_copy);
}

static void constant_memory_is_no_parameter(void **state) {
    (void)state;
    with_matrix(check_constant_memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noop_has_the_signature_and_nothing_else),
        cmocka_unit_test(zero_writes_every_element),
        cmocka_unit_test(copy_takes_the_input_round_and_round),
        cmocka_unit_test(constant_memory_is_no_parameter),
        cmocka_unit_test(copy_needs_an_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A read-only buffer is the request's own memory where vectors may be read beyond its end, and a
 * copy where not: a kernel reads the same, and what it stores there reaches neither. */
#include "tests/support/launch.h"

enum { WORDS = 64, REGION = WORDS * 4 /* a multiple of 256, as data_offset must be */ };

/* q[i] = p[i] + 1; then p[i] = 0, where the launch has the argument `store`. */
static const char ptx[] =
    PTX_HEAD ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 store)\n{\n"
             ".reg .u64 %a, %b;\n.reg .u32 %i, %s, %r;\n.reg .pred %p;\n"
             "ld.param.u64 %a, [p];\nld.param.u64 %b, [q];\nld.param.u32 %s, [store];\n"
             "mov.u32 %i, %tid.x;\nmad.wide.u32 %a, %i, 4, %a;\nmad.wide.u32 %b, %i, 4, %b;\n"
             "ld.global.u32 %r, [%a];\nadd.u32 %r, %r, 1;\nst.global.u32 [%b], %r;\n"
             "setp.eq.u32 %p, %s, 0;\n@%p ret;\nmov.u32 %r, 0;\nst.global.u32 [%a], %r;\nret;\n}\n";

static void launch(bool input_first, bool stores, bool no_checks, uint32_t *data,
                   struct engine_result *result) {
    size_t input = input_first ? 0 : REGION, output = REGION - input;
    struct engine_argument arguments[] = {{.is_buffer = true,
                                           .type = ELEMENT_u32,
                                           .name = "p",
                                           .count = WORDS,
                                           .read_only = true,
                                           .data_offset = input},
                                          {.is_buffer = true,
                                           .type = ELEMENT_u32,
                                           .name = "q",
                                           .count = WORDS,
                                           .data_offset = output},
                                          {.type = ELEMENT_u32, .name = "store", .scalar = stores}};
    for (uint32_t i = 0; i < WORDS; i++) {
        data[input / 4 + i] = 7 * i;
        data[output / 4 + i] = UINT32_MAX;
    }
    struct engine_launch request = {.ptx = ptx,
                                    .ptx_length = strlen(ptx),
                                    .kernel = "k",
                                    .file_name = "k.cu",
                                    .grid = {1, 1, 1},
                                    .block = {WORDS, 1, 1},
                                    .arguments = arguments,
                                    .argument_count = ARRAY_LENGTH(arguments),
                                    .data = data,
                                    .data_length = 2 * REGION,
                                    .budget = 1000000,
                                    .threads = 2,
                                    .no_checks = no_checks};
    sim_run(&request, result);
}

static void inputs_stay_as_they_are(void **state) {
    (void)state;
    for (unsigned way = 0; way < 8; way++) {
        bool first = way & 1, stores = way & 2, no_checks = way & 4;
        uint32_t data[2 * WORDS];
        struct engine_result result;
        launch(first, stores, no_checks, data, &result);
        const uint32_t *input = data + (first ? 0 : WORDS), *output = data + (first ? WORDS : 0);
        assert_int_equal(result.end, ENGINE_COMPLETED);
        assert_int_equal(result.hazard_count, stores);
        if (stores)
            assert_int_equal(result.hazards[0].kind, HAZARD_WRITE_TO_INPUT);
        for (uint32_t i = 0; i < WORDS; i++) {
            assert_int_equal(input[i], 7 * i);
            assert_int_equal(output[i], 7 * i + 1);
        }
        engine_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which vectors loads and stores take, as ptxas 13.0 does: 16 bytes in any space, 32 in global
 * memory from sm_100 on; and that others are refused by a reason. */
#include "tests/support/launch.h"

struct access_case {
    unsigned target;
    const char *code;
    const char *refusal; /* NULL: it runs */
};

static const struct access_case cases[] = {
    {80, "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a];", NULL},
    {80, "ld.shared.v2.u64 {%w0, %w1}, [t];", NULL},
    {80, "ld.v2.u64 {%w0, %w1}, [%a];", NULL},
    {100, "ld.global.v4.u64 {%w0, %w1, %w2, %w3}, [%a];", NULL},
    {100, "st.global.v4.b64 [%a], {%w0, %w0, %w0, %w0};", NULL},
    {90, "ld.global.v4.u64 {%w0, %w1, %w2, %w3}, [%a];", "more than 16 bytes"},
    {90, "st.global.v4.b64 [%a], {%w0, %w0, %w0, %w0};", "more than 16 bytes"},
    {100, "ld.shared.v4.u64 {%w0, %w1, %w2, %w3}, [t];", "more than 16 bytes"},
    {100, "st.shared.v4.b64 [t], {%w0, %w0, %w0, %w0};", "more than 16 bytes"},
    {100, "ld.v4.u64 {%w0, %w1, %w2, %w3}, [%a];", "more than 16 bytes"},
    {80, "ld.global.v4.u32 {%r0, %r1}, [%a];", "another length"},
    {80, "ld.global.v2.u64 {%r0, %r1}, [%a];", "narrower"},
};

static void vectors_are_taken_where_the_assembler_takes_them(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const struct access_case *test = &cases[i];
        cleanup_text struct text ptx = {0};
        text_printf(&ptx,
                    ".version 8.8\n.target sm_%u\n.address_size 64\n"
                    ".visible .entry k(.param .u64 p)\n{\n.shared .align 32 .b8 t[32];\n"
                    ".reg .u64 %%a, %%w<4>;\n.reg .u32 %%r<4>;\nld.param.u64 %%a, [p];\n"
                    "mov.u64 %%w0, 0;\nst.shared.v2.u64 [t], {%%w0, %%w0};\n%s\nret;\n}\n",
                    test->target, test->code);
        struct engine_result result = launch_text(text_string(&ptx), 1, 1, NULL);
        const char *said = result.hazard_count ? result.hazards[0].message : result.message;
        if (!test->refusal && (result.end != ENGINE_COMPLETED || result.hazard_count))
            fail_msg("%s on sm_%u: %s", test->code, test->target, said);
        if (test->refusal && !strstr(said, test->refusal))
            fail_msg("%s on sm_%u is not refused by \"%s\": %s", test->code, test->target,
                     test->refusal, said);
        engine_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_taken_where_the_assembler_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

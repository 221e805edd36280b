/* In which order warps come to memory: whose turn it is where they wait. */
#include "tests/support/model.h"

#include <string.h>
#include <time.h>

/* Each of eight warps reads a line (source line 4), looks at it, and reads the one that the next
 * warp has read (line 6): who fetches it. */
static void who_waits_lets_others_ask(void **state) {
    (void)state;
    static uint32_t data[1024];
    double sectors[9] = {0};
    const char *ptx = PTX_HEAD
        ".visible .entry k(.param .u64 p)\n{\n.reg .u64 a, x, y;\n.reg .u32 w, r, s;\n"
        ".reg .pred q;\n.loc 1 3 5\nld.param.u64 a, [p];\nmov.u32 w, %tid.x;\n"
        "shr.u32 w, w, 5;\nmul.wide.u32 x, w, 128;\nadd.s64 x, x, a;\nadd.u32 w, w, 1;\n"
        "and.b32 w, w, 7;\nmul.wide.u32 y, w, 128;\nadd.s64 y, y, a;\n"
        ".loc 1 4 9\nld.global.u32 r, [x];\n.loc 1 5 9\nsetp.eq.u32 q, r, 12345;\n@q ret;\n"
        ".loc 1 6 9\nld.global.u32 s, [y];\nadd.u32 r, r, s;\n"
        ".loc 1 7 9\nst.global.u32 [a+2048], r;\nret;\n}\n.file 1 \"/tmp/k.cu\"\n";
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = ARRAY_LENGTH(data)};
    struct engine_launch launch = {.ptx = ptx,
                                   .ptx_length = strlen(ptx),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {1, 1, 1},
                                   .block = {256, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .budget = 1000000,
                                   .no_checks = true,
                                   .device = &h200,
                                   .registers = 32,
                                   .threads = 1};
    struct engine_result result;
    sim_run(&launch, &result);
    assert_int_equal(result.end, ENGINE_COMPLETED);
    for (size_t i = 0; i < result.line_count; i++)
        if (result.lines[i].line < ARRAY_LENGTH(sectors))
            sectors[result.lines[i].line] = (double)result.lines[i].counters.l2_sectors;
    engine_result_free(&result);
    if (fabs(sectors[4] - 8) > 0.5 || sectors[6] > 0)
        fail_msg("%g sectors come for the first load, %g for the second", sectors[4], sectors[6]);
}

/* Pieces of code that are never reached are looked through as well. */
static void long_code_is_soon_looked_through(void **state) {
    (void)state;
    enum { PIECES = 4000, SECONDS = 20 };
    struct text body = {0};
    text_append(&body, "setp.eq.u32 %p, %l, %l;\n@%p bra L0;\n");
    for (unsigned i = 0; i < PIECES; i++)
        text_printf(&body,
                    "ld.global.u32 %%r1, [%%a+%u];\nadd.u32 %%r2, %%r1, %%r2;\n"
                    "setp.eq.u32 %%q, %%r2, 77;\n@%%q bra L%u;\n",
                    4 * i, i % 7);
    for (unsigned i = 0; i < 7; i++)
        text_printf(&body, "L%u:\nadd.u32 %%r3, %%r3, %u;\n", i, i);
    text_append(&body, "st.global.u32 [%a], %r3;");
    clock_t begin = clock();
    double clocks = clocks_on(&few, text_string(&body), 1, 32);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    text_free(&body);
    if (clocks > 10000 || seconds > SECONDS)
        fail_msg("%g clocks after %g seconds", clocks, seconds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_lets_others_ask),
        cmocka_unit_test(long_code_is_soon_looked_through),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}

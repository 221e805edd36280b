/* The requests that a report shows as pictures: of the instruction that wastes most, in the
 * submission's own file. */
#include "tests/support/launch.h"

#include "grader/exercise/device.h"

enum { WORDS = 1 << 14 };

/* Line 3 reads neighbours, line 5 every 32nd word, line 7 of a header every 64th; lines 9 and 11
 * write to shared memory, the latter with all lanes in one bank. */
static const char kernel[] =
    PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %a, %x;\n.reg .u32 %l, %s, %r1;\n"
             ".reg .pred %p;\n.shared .align 4 .b8 s[4096];\n"
             "ld.param.u64 %a, [p];\nmov.u32 %l, %tid.x;\nmov.u32 %s, s;\nsetp.lt.u32 %p, %l, 31;\n"
             ".loc 1 3 1\nmad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x];\n"
             ".loc 1 5 1\nmad.wide.u32 %x, %l, 128, %a;\n@%p ld.global.u32 %r1, [%x+8];\n"
             ".loc 2 7 1\nmad.wide.u32 %x, %l, 256, %a;\nld.global.u32 %r1, [%x];\n"
             ".loc 1 9 1\nmad.lo.u32 %r1, %l, 4, %s;\nst.shared.u32 [%r1], %l;\n"
             ".loc 1 11 1\nmad.lo.u32 %r1, %l, 128, %s;\nst.shared.u32 [%r1], %l;\n"
             "ret;\n}\n.file 1 \"k.cu\"\n.file 2 \"other.h\"\n";

static struct engine_result run(bool with_device) {
    static unsigned char data[4 * WORDS];
    struct device_profile device;
    struct error error = {0};
    if (device_load("h200", &device, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = WORDS};
    struct engine_launch launch = {.ptx = kernel,
                                   .ptx_length = sizeof kernel - 1,
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {2, 1, 1},
                                   .block = {32, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .no_checks = true,
                                   .device = with_device ? &device : NULL};
    struct engine_result result;
    sim_run(&launch, &result);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    return result;
}

static void the_most_wasteful_request_of_each_memory_is_kept(void **state) {
    (void)state;
    struct engine_result result = run(true);
    assert_int_equal(result.access_count, 2);
    const struct warp_access *global = &result.accesses[0], *shared = &result.accesses[1];
    assert_true(global->line == 5 && !global->is_shared && !global->is_store);
    assert_true(global->bytes == 4 && global->lanes == 0x7fffffff);
    for (unsigned lane = 0; lane < 31; lane++)
        assert_int_equal(global->offsets[lane], 8 + 128 * lane);
    assert_true(shared->line == 11 && shared->is_shared && shared->is_store);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(shared->offsets[lane], 128 * lane);
    engine_result_free(&result);
}

static void without_a_device_there_is_none(void **state) {
    (void)state;
    struct engine_result result = run(false);
    assert_int_equal(result.access_count, 0);
    engine_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_wasteful_request_of_each_memory_is_kept),
        cmocka_unit_test(without_a_device_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A module that launches again and again gives each launch what sim_run() gives it: hazards,
 * counters, profile and buffers, bit for bit, whatever it launched before. */
#include "tests/support/launch.h"

#include "grader/exercise/device.h"
#include "sandbox/engine/engine_wire.h"

#include <malloc.h>

enum { WORDS = 4096 };

/* What tells two results apart, but for the time that the launch took. */
static char *describe(struct engine_result *result) {
    result->elapsed_ms = 0;
    json_t *object = engine_wire_encode_result(result);
    char *encoded = json_dumps(object, JSON_SORT_KEYS);
    char *text = mem_printf("%s\n%s", encoded, text_string(&result->printed));
    free(encoded);
    json_decref(object);
    engine_result_free(result);
    return text;
}

/* The kernels: one that is right, one whose lines race, one that runs off its dynamic shared memory
 * and one that waits for a flag which `sets` sets; and as many others as fill a module. */
static char *write_module(void) {
    static const char head[] = "(.param .u64 p)\n{\n.reg .u64 %a;\n.reg .u32 %l, %b, %x, %r<8>;\n"
                               ".reg .pred %p;\nld.param.u64 %a, [p];\nmov.u32 %l, %tid.x;\n"
                               "mov.u32 %b, %ctaid.x;\nmad.lo.u32 %x, %b, 64, %l;\n";
    static const char *const kernels[][2] = {
        {"right", "mad.wide.u32 %a, %x, 4, %a;\nld.global.u32 %r1, [%a];\n"
                  "add.u32 %r1, %r1, %x;\nst.global.u32 [%a], %r1;\n"},
        {"races", "mov.u32 %r2, fixed;\nst.shared.u32 [%r2], %l;\nshl.b32 %r1, %l, 2;\n"
                  "add.u32 %r1, %r1, %r2;\nld.shared.u32 %r3, [%r1];\nst.global.u32 [%a], %r3;\n"},
        {"dynamic", "mov.u32 %r2, small;\nst.shared.u32 [%r2], %l;\nmov.u32 %r2, rest;\n"
                    "mad.lo.u32 %r1, %l, 8, %r2;\nst.shared.u32 [%r1], %l;\n"
                    "ld.shared.u32 %r3, [%r1+4];\nmad.wide.u32 %a, %x, 4, %a;\n"
                    "mov.u32 %r4, %dynamic_smem_size;\nmov.u32 %r5, %total_smem_size;\n"
                    "add.u32 %r4, %r4, %r5;\nst.global.u32 [%a], %r4;\n"},
        {"sums", "ld.global.u32 %r3, [%a+8192];\natom.global.add.u32 %r1, [%a], %l;\n"
                 "setp.gt.u32 %p, %r1, 100;\n@%p st.global.u32 [%a+4], %r1;\n"
                 "atom.shared.add.u32 %r1, [fixed], 1;\nmembar.gl;\n"},
        {"waits", "again:\nld.volatile.global.u32 %r1, [%a];\nsetp.eq.u32 %p, %r1, 77;\n"
                  "@!%p bra again;\nmad.wide.u32 %a, %x, 4, %a;\nst.global.u32 [%a+64], %b;\n"},
        {"sets", "setp.eq.u32 %p, %b, 1;\n@%p bra set;\nagain:\nld.volatile.global.u32 %r1, [%a];\n"
                 "setp.eq.u32 %p, %r1, 77;\n@!%p bra again;\nbra end;\nset:\nmov.u32 %r1, 77;\n"
                 "st.volatile.global.u32 [%a], %r1;\nend:\n"},
    };
    struct text ptx = {0};
    text_append(&ptx, PTX_HEAD ".extern .shared .align 16 .b8 rest[];\n"
                               ".shared .align 4 .b8 fixed[256];\n"
                               ".shared .align 4 .b8 small[4];\n");
    for (size_t i = 0; i < ARRAY_LENGTH(kernels); i++)
        text_printf(&ptx, ".visible .entry %s%s%s\nret;\n}\n", kernels[i][0], head, kernels[i][1]);
    for (unsigned i = 0; i < 8; i++)
        text_printf(&ptx,
                    ".visible .entry other%u%smad.wide.u32 %%a, %%x, 4, %%a;\nadd.u32 %%r1, "
                    "%%x, %u;\nst.global.u32 [%%a], %%r1;\nret;\n}\n",
                    i, head, i);
    return text_steal(&ptx);
}

struct asked {
    const char *kernel;
    uint64_t shared_bytes, seed;
    unsigned blocks, threads;
    const struct device_profile *device;
    uint64_t sample;
    const char *file_name;
    bool uninitialized;
};

static void launch_as(struct sim_module *module, const char *ptx, const struct asked *asked,
                      uint32_t *data, struct engine_result *result) {
    struct engine_argument buffer = {.is_buffer = true,
                                     .type = ELEMENT_u32,
                                     .name = "a",
                                     .count = WORDS,
                                     .uninitialized = asked->uninitialized};
    struct engine_launch launch = {.ptx = module ? NULL : ptx,
                                   .ptx_length = module ? 0 : strlen(ptx),
                                   .kernel = asked->kernel,
                                   .file_name = asked->file_name ? asked->file_name : "k.cu",
                                   .grid = {asked->blocks ? asked->blocks : 2, 1, 1},
                                   .block = {64, 1, 1},
                                   .shared_bytes = asked->shared_bytes,
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = WORDS * sizeof *data,
                                   .seed = asked->seed,
                                   .budget = 100000000,
                                   .threads = asked->threads ? asked->threads : 1,
                                   .no_checks = asked->device != NULL,
                                   .device = asked->device,
                                   .registers = asked->device ? 32 : 0,
                                   .sample_budget = asked->sample};
    for (size_t i = 0; i < WORDS; i++)
        data[i] = (uint32_t)i % 7;
    if (module)
        sim_launch(module, &launch, result);
    else
        sim_run(&launch, result);
}

static void check(struct sim_module *module, const char *ptx, const struct asked *asked,
                  const char *expected) {
    static uint32_t alone[WORDS], again[WORDS];
    struct engine_result result;
    launch_as(NULL, ptx, asked, alone, &result);
    cleanup_free char *one = describe(&result);
    launch_as(module, ptx, asked, again, &result);
    cleanup_free char *other = describe(&result);
    assert_string_equal(one, other);
    assert_memory_equal(alone, again, sizeof alone);
    if (expected && !strstr(one, expected))
        fail_msg("%s: no '%s' in %s", asked->kernel, expected, one);
}

static void check_all(struct sim_module *module, const char *ptx, const struct asked *asked,
                      size_t count) {
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < count; i++)
            check(module, ptx, &asked[i], NULL);
    for (size_t i = count; i-- > 0;)
        check(module, ptx, &asked[i], NULL);
}

static void each_launch_is_as_if_it_were_the_first(void **state) {
    (void)state;
    static const struct asked asked[] = {
        {.kernel = "right"},
        {.kernel = "races"},
        {.kernel = "sums", .seed = 3},
        {.kernel = "right", .threads = 3, .blocks = 40},
        {.kernel = "right", .file_name = "another.cu"},
        {.kernel = "races", .seed = 9, .threads = 3},
        {.kernel = "sums", .blocks = 20},
        {.kernel = "right", .uninitialized = true},
        {.kernel = "sets", .seed = 1},
        {.kernel = "sets"},
    };
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    check_all(module, ptx, asked, ARRAY_LENGTH(asked));
    check(module, ptx, &asked[1], "run in any order without __syncwarp");
    sim_module_free(module);
}

/* The variable after all others ends where the launch says, and so do its messages. */
static void dynamic_shared_memory_is_the_launchs(void **state) {
    (void)state;
    static const struct asked asked[] = {
        {.kernel = "dynamic", .shared_bytes = 512},
        {.kernel = "dynamic", .shared_bytes = 500},
        {.kernel = "dynamic"},
        {.kernel = "dynamic", .shared_bytes = 4096},
        {.kernel = "races", .shared_bytes = 64},
        {.kernel = "dynamic", .shared_bytes = 512},
    };
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    check_all(module, ptx, asked, ARRAY_LENGTH(asked));
    check(module, ptx, &asked[1], "rest");
    check(module, ptx, &asked[2], "no dynamic shared memory");
    check(module, ptx, &(struct asked){.kernel = "dynamic", .shared_bytes = 1 << 20}, "no GPU has");
    check(module, ptx, &(struct asked){.kernel = "dynamic", .shared_bytes = 1 << 30}, "no GPU has");
    check(module, ptx, &asked[0], NULL);
    sim_module_free(module);
}

static void a_device_leaves_nothing_behind(void **state) {
    (void)state;
    static struct device_profile h200, small;
    assert_int_equal(device_load("h200", &h200, NULL), STATUS_OK);
    small = h200;
    small.multiprocessors = 4;
    small.l1_bytes = 64 << 10;
    const struct asked asked[] = {
        {.kernel = "right", .device = &h200},
        {.kernel = "right"},
        {.kernel = "right", .device = &small, .blocks = 64},
        {.kernel = "right", .device = &h200, .blocks = 64, .sample = 4096},
        {.kernel = "sums", .device = &h200},
        {.kernel = "sums"},
        {.kernel = "dynamic", .device = &h200, .shared_bytes = 1024},
        {.kernel = "dynamic", .device = &h200, .shared_bytes = 2048},
        {.kernel = "sets", .device = &h200},
    };
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    check_all(module, ptx, asked, ARRAY_LENGTH(asked));
    check(module, ptx, &asked[0], "\"ms\"");
    sim_module_free(module);
}

/* What a launch allocates it frees, or keeps for the next one: after some launches no more of it is
 * added. (AddressSanitizer's allocator counts nothing here, but says itself what leaks.) */
static void launches_free_what_they_allocate(void **state) {
    (void)state;
    static struct device_profile h200;
    assert_int_equal(device_load("h200", &h200, NULL), STATUS_OK);
    const struct asked asked[] = {
        {.kernel = "right", .device = &h200},
        {.kernel = "right", .device = &h200, .blocks = 64, .sample = 4096},
        {.kernel = "sets", .device = &h200},
        {.kernel = "sets", .seed = 5},
        {.kernel = "sums", .seed = 3},
        {.kernel = "races", .seed = 3},
    };
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    for (size_t i = 0; i < ARRAY_LENGTH(asked); i++) {
        size_t before = 0, after = 0;
        for (unsigned round = 0; round < 12; round++) {
            static uint32_t data[WORDS];
            struct engine_result result;
            launch_as(module, ptx, &asked[i], data, &result);
            engine_result_free(&result);
            before = after;
            after = mallinfo2().uordblks;
        }
        if (after != before)
            fail_msg("%s, launch %zu: %zu bytes, then %zu", asked[i].kernel, i, before, after);
    }
    sim_module_free(module);
}

/* Where polls are watched (spin_deadlock.c), others must not be. */
static void a_deadlock_leaves_the_kernel_as_it_was(void **state) {
    (void)state;
    static const struct asked waits = {.kernel = "waits"}, sets = {.kernel = "sets"},
                              right = {.kernel = "right", .threads = 3, .blocks = 40};
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    for (unsigned i = 0; i < 3; i++) {
        check(module, ptx, &waits, "\"hazards\": [{");
        check(module, ptx, &sets, "\"hazards\": []");
        check(module, ptx, &right, "\"hazards\": []");
    }
    sim_module_free(module);
    /* one and the same kernel: it ends where the flag is set already */
    module = sim_prepare(ptx, strlen(ptx));
    for (unsigned i = 0; i < 4; i++) {
        struct engine_result result;
        uint32_t data[WORDS] = {i % 2 ? 77 : 0};
        struct engine_argument buffer = {
            .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = WORDS};
        struct engine_launch launch = {.kernel = "waits",
                                       .file_name = "k.cu",
                                       .grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .arguments = &buffer,
                                       .argument_count = 1,
                                       .data = data,
                                       .data_length = sizeof data,
                                       .budget = 100000000,
                                       .threads = 1};
        sim_launch(module, &launch, &result);
        assert_int_equal(result.end, ENGINE_COMPLETED);
        assert_int_equal(result.hazard_count, i % 2 ? 0 : 1);
        if (i % 2 == 0)
            assert_int_equal(result.hazards[0].kind, HAZARD_DEADLOCK);
        engine_result_free(&result);
    }
    sim_module_free(module);
}

static void more_kernels_than_a_module_keeps(void **state) {
    (void)state;
    static const char *const names[] = {"other0", "other1", "other2", "other3", "other4", "other5",
                                        "other6", "other7", "races",  "right",  "dynamic"};
    struct asked asked[ARRAY_LENGTH(names)] = {{0}};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        asked[i].kernel = names[i];
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    check_all(module, ptx, asked, ARRAY_LENGTH(asked));
    sim_module_free(module);
}

static void each_launch_says_what_is_wrong(void **state) {
    (void)state;
    static const struct asked right = {.kernel = "right"}, unknown = {.kernel = "left"};
    cleanup_free char *ptx = write_module();
    struct sim_module *module = sim_prepare(ptx, strlen(ptx));
    check(module, ptx, &unknown, "no kernel named left");
    check(module, ptx, &right, "\"completed\": true");
    check(module, ptx, &unknown, "no kernel named left");
    sim_module_free(module);
    static const char wrong[] = PTX_HEAD ".visible .entry right(.param .u64 p)\n{\nmov.u32;\n";
    module = sim_prepare(wrong, strlen(wrong));
    for (unsigned i = 0; i < 2; i++)
        check(module, wrong, &right, "\"completed\": false");
    sim_module_free(module);
    /* it can be parsed, but not decoded; the other kernel can */
    static const char half[] = PTX_HEAD
        ".extern .global .u32 missing;\n"
        ".visible .entry left(.param .u64 p)\n{\n.reg .u64 %a;\nmov.u64 %a, missing;\nret;\n}\n"
        ".visible .entry right(.param .u64 p)\n{\nret;\n}\n";
    module = sim_prepare(half, strlen(half));
    for (unsigned i = 0; i < 2; i++) {
        check(module, half, &unknown, "declared extern and not defined");
        check(module, half, &right, "\"completed\": true");
    }
    sim_module_free(module);
    sim_module_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_launch_is_as_if_it_were_the_first),
        cmocka_unit_test(dynamic_shared_memory_is_the_launchs),
        cmocka_unit_test(a_device_leaves_nothing_behind),
        cmocka_unit_test(launches_free_what_they_allocate),
        cmocka_unit_test(a_deadlock_leaves_the_kernel_as_it_was),
        cmocka_unit_test(more_kernels_than_a_module_keeps),
        cmocka_unit_test(each_launch_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

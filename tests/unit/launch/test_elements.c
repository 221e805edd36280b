/* Elements of outputs that are made on demand: a sample of what blocks wrote, and those that are
 * asked for, for which no more blocks run than must. */
#include "tests/support/launch.h"

#include "grader/exercise/device.h"

enum { COUNT = 1 << 20, THREADS = 64, BLOCKS = COUNT / THREADS, WANTED = 512 };

/* x[i] = i + 7 but for every fourth i; what `more` adds stands before it. */
static char *write_kernel(const char *more) {
    return mem_printf(PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%z;\n"
                               ".reg .u32 %%l, %%b, %%x, %%r<4>;\n.reg .pred %%p;\n"
                               "ld.param.u64 %%a, [p];\nmov.u64 %%z, %%a;\nmov.u32 %%l, %%tid.x;\n"
                               "mov.u32 %%b, %%ctaid.x;\nmad.lo.u32 %%x, %%b, 64, %%l;\n"
                               "mad.wide.u32 %%a, %%x, 4, %%a;\n%sand.b32 %%r1, %%x, 3;\n"
                               "setp.eq.u32 %%p, %%r1, 0;\nadd.u32 %%r2, %%x, 7;\n"
                               "@!%%p st.global.u32 [%%a], %%r2;\nret;\n}\n",
                      more);
}

static const struct engine_argument argument = {
    .is_buffer = true,
    .type = ELEMENT_u32,
    .name = "x",
    .count = COUNT,
    .fill = {.kind = ENGINE_FILL_CONSTANT, .low = 0xa5a5a5a5u}};

static struct engine_launch launch_of(const char *ptx) {
    return (struct engine_launch){.ptx = ptx,
                                  .ptx_length = strlen(ptx),
                                  .kernel = "k",
                                  .file_name = "k.cu",
                                  .grid = {BLOCKS, 1, 1},
                                  .block = {THREADS, 1, 1},
                                  .arguments = &argument,
                                  .argument_count = 1,
                                  .no_checks = true};
}

static void sample_of(const char *more, struct engine_result *result) {
    cleanup_free char *ptx = write_kernel(more);
    struct device_profile device;
    struct error error;
    assert_int_equal(device_load("h200", &device, &error), STATUS_OK);
    struct engine_launch launch = launch_of(ptx);
    launch.device = &device;
    launch.registers = 16;
    launch.sample_budget = 400000;
    launch.wanted_elements = WANTED;
    launch.seed = 5;
    sim_run(&launch, result);
    assert_int_equal(result->end, ENGINE_COMPLETED);
    assert_true(result->profile.blocks_simulated < BLOCKS / 8);
}

static void test_sample_of_what_was_written(void **state) {
    (void)state;
    struct engine_result result;
    sample_of("", &result);
    assert_true(result.element_count > WANTED / 2 && result.element_count <= WANTED);
    uint64_t lowest = COUNT, highest = 0;
    for (size_t i = 0; i < result.element_count; i++) {
        const struct engine_element *element = &result.elements[i];
        assert_true(element->written && element->argument == 0 && element->index % 4 != 0);
        assert_int_equal(element->bits, element->index + 7);
        lowest = element->index < lowest ? element->index : lowest;
        highest = element->index > highest ? element->index : highest;
    }
    double share = (double)result.profile.blocks_simulated / BLOCKS;
    assert_true(result.written_elements > 0.7 * share * COUNT &&
                result.written_elements < 0.8 * share * COUNT); /* three of four */
    assert_true(lowest < COUNT / 16 && highest > COUNT / 16 * 15);
    engine_result_free(&result);
}

/* Blocks that were left out might have added to what is there. */
static void test_no_sample_of_sums(void **state) {
    (void)state;
    struct engine_result result;
    sample_of("red.global.add.u32 [%z], 1;\n", &result);
    assert_int_equal(result.element_count, 0);
    engine_result_free(&result);
}

static void probe(const char *more, const struct engine_probe *probes, size_t count,
                  uint64_t budget, struct engine_result *result) {
    cleanup_free char *ptx = write_kernel(more);
    struct engine_launch launch = launch_of(ptx);
    launch.probes = probes;
    launch.probe_count = count;
    launch.probe_budget = budget;
    launch.budget = 100000000;
    sim_run(&launch, result);
    assert_int_equal(result->end, ENGINE_COMPLETED);
}

/* The second guess was right for the first element, and is tried first for the next ones. */
static void test_blocks_that_make_elements(void **state) {
    (void)state;
    const struct engine_probe probes[] = {{0, 6401, 2, {5, 100}},    /* in block 100 */
                                          {0, 6402, 2, {6, 100}},    /* there already */
                                          {0, 12801, 2, {7, 200}},   /* in block 200 */
                                          {0, 12804, 2, {200, 200}}, /* that nobody writes */
                                          {0, 13, 0, {0}}};          /* that nobody may */
    struct engine_result result;
    probe("", probes, ARRAY_LENGTH(probes), 1000000, &result);
    assert_int_equal(result.element_count, ARRAY_LENGTH(probes));
    assert_int_equal(result.counters.global_store_requests, 3 * 2); /* two warps a block */
    for (size_t i = 0; i < result.element_count; i++) {
        const struct engine_element *element = &result.elements[i];
        assert_int_equal(element->index, probes[i].index);
        assert_int_equal(element->written, i < 3);
        assert_int_equal(element->bits, i < 3 ? element->index + 7 : 0xa5a5a5a5u);
    }
    engine_result_free(&result);
}

static void test_probes_stop_at_their_budget(void **state) {
    (void)state;
    const struct engine_probe probes[] = {{0, 6401, 1, {100}}, {0, 12801, 1, {200}}};
    struct engine_result result;
    probe("", probes, ARRAY_LENGTH(probes), 1, &result);
    assert_int_equal(result.element_count, 2);
    assert_true(result.elements[0].written != result.elements[1].written ||
                !result.elements[0].written);
    engine_result_free(&result);
}

static void test_all_blocks(void **state) {
    (void)state;
    const struct engine_probe probes[] = {{0, 0, 0, {0}}, {0, COUNT - 1, 0, {0}}};
    struct engine_result result;
    probe("red.global.add.u32 [%z], 1;\n", probes, 2, UINT64_MAX, &result);
    assert_int_equal(result.element_count, 2);
    assert_int_equal(result.elements[0].bits, (uint32_t)(0xa5a5a5a5u + COUNT));
    assert_int_equal(result.elements[1].bits, COUNT - 1 + 7);
    engine_result_free(&result);
    probe("red.global.add.u32 [%z], 1;\n", probes, 2, 1000000, &result); /* not of some */
    assert_int_equal(result.element_count, 0);
    engine_result_free(&result);
}

static void test_probes_that_are_none(void **state) {
    (void)state;
    const struct engine_probe beyond = {0, COUNT, 1, {0}}, other = {1, 0, 1, {0}},
                              block = {0, 1, 1, {BLOCKS}};
    struct engine_result result;
    probe("", &beyond, 1, 1000000, &result);
    assert_int_equal(result.element_count, 0);
    engine_result_free(&result);
    probe("", &other, 1, 1000000, &result);
    assert_int_equal(result.element_count, 0);
    engine_result_free(&result);
    probe("", &block, 1, 1000000, &result);
    assert_true(result.element_count == 1 && !result.elements[0].written);
    engine_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_of_what_was_written),
        cmocka_unit_test(test_no_sample_of_sums),
        cmocka_unit_test(test_blocks_that_make_elements),
        cmocka_unit_test(test_probes_stop_at_their_budget),
        cmocka_unit_test(test_all_blocks),
        cmocka_unit_test(test_probes_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

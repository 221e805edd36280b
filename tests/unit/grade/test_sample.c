/* A sample of blocks that differ grows; one of blocks that are alike does not, nor one that may not
 * cost more. */
#include "grader/exercise/device.h"
#include "grader/grade/grade_sample.h"
#include "sandbox/program/worker_main.h"
#include "tests/support/launch.h"

#include <math.h>

enum { BLOCKS = 4096, SAMPLE = 100000, WORDS = 32 };

/* Like pictures of the Mandelbrot set: one block in 16, at places without an order, goes on for
 * `passes`, the others for 10. */
static struct engine_result run_sampled(const char *passes, struct grade_growth growth) {
    static unsigned char data[4 * WORDS];
    struct device_profile device;
    struct error error = {0};
    cleanup_text struct text ptx = {0};
    if (device_load("h200", &device, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a;\n.reg .u32 %%r<5>;\n"
                         ".reg .pred %%p;\nld.param.u64 %%a, [p];\nmov.u32 %%r1, %%ctaid.x;\n"
                         "mul.lo.u32 %%r1, %%r1, 2654435761;\nshr.u32 %%r1, %%r1, 28;\n"
                         "setp.eq.u32 %%p, %%r1, 3;\nselp.u32 %%r2, %s, 10, %%p;\n"
                         "mov.u32 %%r3, 0;\nL:\nadd.u32 %%r3, %%r3, 1;\n"
                         "setp.lt.u32 %%p, %%r3, %%r2;\n@%%p bra L;\nsetp.ne.u32 %%p, %%r3, 77;\n"
                         "@%%p ret;\nst.global.u32 [%%a], %%r3;\nret;\n}\n",
                passes);
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = WORDS};
    struct engine_launch launch = {.ptx = text_string(&ptx),
                                   .ptx_length = ptx.length,
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {BLOCKS, 1, 1},
                                   .block = {32, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .no_checks = true,
                                   .device = &device,
                                   .registers = 16,
                                   .threads = 1,
                                   .sample_budget = SAMPLE};
    struct worker_limits limits = {0};
    struct engine_result result;
    if (grade_run_sampled(&launch, &limits, growth, &result, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(result.end, ENGINE_COMPLETED);
    assert_int_equal(result.hazard_count, 0);
    assert_int_equal(result.profile.sampling, SAMPLING_sampled);
    return result;
}

struct outcome {
    uint64_t blocks;
    double error;
};

static struct outcome sample(const char *passes, struct grade_growth growth) {
    struct engine_result result = run_sampled(passes, growth);
    struct outcome outcome = {result.profile.blocks_simulated, profile_time_error(&result.profile)};
    engine_result_free(&result);
    return outcome;
}

static void a_sample_of_blocks_that_differ_grows(void **state) {
    (void)state;
    struct outcome first = sample("200", (struct grade_growth){0});
    struct outcome grown = sample("200", grade_profile_growth(SAMPLE, 0));
    if (first.error <= 2 * PROFILE_CERTAIN || grown.error > PROFILE_CERTAIN ||
        grown.blocks < 2 * first.blocks)
        fail_msg("%g of %llu blocks, %g of %llu", first.error, (unsigned long long)first.blocks,
                 grown.error, (unsigned long long)grown.blocks);
}

static void a_sample_of_like_blocks_stays(void **state) {
    (void)state;
    assert_int_equal(sample("10", grade_profile_growth(SAMPLE, 0)).blocks,
                     sample("10", (struct grade_growth){0}).blocks);
}

/* What the larger one found until it was stopped is no result. */
static void a_sample_that_costs_too_much_is_dropped(void **state) {
    (void)state;
    struct outcome first = sample("200", (struct grade_growth){0});
    struct outcome stopped =
        sample("200", (struct grade_growth){.sample = 64 * SAMPLE, .budget = SAMPLE});
    assert_int_equal(stopped.blocks, first.blocks);
    assert_true(stopped.error == first.error);
}

static void a_sample_that_twice_as_many_blocks_do_not_help_stays(void **state) {
    (void)state;
    struct outcome first = sample("200", (struct grade_growth){0});
    struct grade_growth growth = {.sample = 2 * SAMPLE, .budget = 100 * SAMPLE};
    growth.most_error = 0.9 * first.error / sqrt(2);
    assert_int_equal(sample("200", growth).blocks, first.blocks);
    growth.most_error = 1.1 * first.error / sqrt(2);
    assert_true(sample("200", growth).blocks > first.blocks);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_of_blocks_that_differ_grows),
        cmocka_unit_test(a_sample_of_like_blocks_stays),
        cmocka_unit_test(a_sample_that_costs_too_much_is_dropped),
        cmocka_unit_test(a_sample_that_twice_as_many_blocks_do_not_help_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

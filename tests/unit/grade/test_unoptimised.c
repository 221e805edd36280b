/* What the optimiser hides, counted: the table in grader/grade/grade_debug.c is these rows' sums.
 * Without NVRTC on the machine there is nothing to test here, and the test says so. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/engine/engine.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = "tests/unit/grade/hidden.cu";

enum { X_COUNT = 200, Y_COUNT = 256, Y_AT = 1024, DATA = 2048 };

/* Kernels as they stand in the file, and whether each build shows the bug as an error. */
static const struct row {
    const char *kernel;
    bool optimised, unoptimised;
} rows[] = {
    {"no_barrier_in_loop", true, true},
    {"no_warp_barrier", true, true},
    {"no_barrier_after_load", true, true},
    {"stencil_in_place", true, true},
    {"lost_update", true, true},
    {"cleared_by_others", true, true},
    {"shared_index", true, true},
    {"shared_temporary", false, true},
    {"shared_accumulator", true, true},
    {"shared_counter", false, true},
    {"shared_swap", false, true},
    {"global_scratch", false, true},
    {"never_read", false, true},
    {"value_not_used", false, true},
    {"loaded_before_the_check", false, true},
    {"loaded_for_nothing", false, true},
    {"right_structs", false, false},
    {"right_optional", false, false},
    {"right_bits", false, false},
    {"right_union", false, false},
    {"right_vectors", false, false},
    {"right_local_array", false, false},
    {"right_lambda", false, false},
    {"right_switch", false, false},
    {"right_shuffles", false, false},
    {"right_reduction", false, false},
    {"right_double_buffer", false, false},
    {"right_last_block", false, false},
    {"right_lock", false, false},
    {"right_histogram", false, false},
    {"right_tile", false, false},
    {"right_stride", false, false},
};

static void build(bool device_debug, struct build_result *result) {
    struct error error = {0};
    cleanup_free char *source = NULL;
    size_t length;
    assert_int_equal(file_read(path, 1 << 20, &source, &length, &error), STATUS_OK);
    struct build_request request = {.file_name = "hidden.cu",
                                    .source = source,
                                    .source_length = length,
                                    .device_debug = device_debug};
    struct worker_limits limits = {0};
    if (build_compile(&request, &limits, result, &error) != STATUS_OK || !result->compiled)
        fail_msg("%s: %s %s", path, error.message, result->message);
}

static const char *lowered(const struct build_result *build, const char *kernel) {
    for (size_t i = 0; i < build->kernel_count; i++)
        if (strcmp(build->kernels[i].name, kernel) == 0)
            return build->kernels[i].lowered;
    fail_msg("%s does not hold %s", path, kernel);
    return NULL;
}

/* An error of the kinds that count in an unoptimised build. */
static bool shows_an_error(const struct build_result *build, const char *kernel) {
    char data[DATA] = {0};
    for (size_t i = 0; i < X_COUNT; i++)
        element_from_double(ELEMENT_f32, data, i, (double)((i * 37) % 100) / 50 - 1);
    struct engine_argument arguments[] = {
        {.is_buffer = true, .type = ELEMENT_f32, .name = "x", .count = X_COUNT, .read_only = true},
        {.is_buffer = true,
         .type = ELEMENT_f32,
         .name = "y",
         .count = Y_COUNT,
         .data_offset = Y_AT},
        {.type = ELEMENT_i32, .name = "n", .scalar = X_COUNT},
    };
    struct engine_launch launch = {.ptx = build->ptx,
                                   .ptx_length = build->ptx_length,
                                   .kernel = lowered(build, kernel),
                                   .file_name = "hidden.cu",
                                   .grid = {4, 1, 1},
                                   .block = {64, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = ARRAY_LENGTH(arguments),
                                   .data = data,
                                   .data_length = DATA,
                                   .threads = 1};
    struct worker_limits limits = {0};
    struct engine_result result;
    struct error error = {0};
    assert_int_equal(engine_run(&launch, &limits, &result, &error), STATUS_OK);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s: %s", kernel, result.message);
    bool found = false;
    for (size_t i = 0; i < result.hazard_count; i++) {
        enum hazard_kind kind = result.hazards[i].kind;
        found |= result.hazards[i].severity == SEVERITY_ERROR &&
                 (kind == HAZARD_SHARED_RACE || kind == HAZARD_GLOBAL_RACE ||
                  kind == HAZARD_OUT_OF_BOUNDS);
    }
    engine_result_free(&result);
    return found;
}

static void builds_show_what_the_table_says(void **state) {
    (void)state;
    struct build_result optimised, unoptimised;
    build(false, &optimised);
    build(true, &unoptimised);
    unsigned wrong = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        bool one = shows_an_error(&optimised, rows[i].kernel);
        bool two = shows_an_error(&unoptimised, rows[i].kernel);
        if (one == rows[i].optimised && two == rows[i].unoptimised)
            continue;
        wrong++;
        print_error("%s: optimised %d, unoptimised %d\n", rows[i].kernel, one, two);
    }
    build_result_free(&optimised);
    build_result_free(&unoptimised);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    struct build_toolchain toolchain;
    if (build_toolchain_find(&toolchain, NULL) != STATUS_OK || !toolchain.nvrtc_library[0]) {
        puts("no NVRTC on this machine: nothing can be compiled");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(builds_show_what_the_table_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* engine_run() against sim workers that lie, die, hang and flood. The role "sim" of this program
 * stands before the real one; the kernel's name says how it misbehaves. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "tests/support/stand_in.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void answer(const struct engine_result *result, size_t printed) {
    struct text response = {0};
    cleanup_free char *bulk = mem_zalloc(printed + 1);
    memset(bulk, 'p', printed);
    protocol_frame(&response, engine_wire_encode_result(result), bulk, printed);
    file_write_all(1, response.data, response.length);
    text_free(&response);
}

/* Adds one to each byte of the data and says what it was asked. */
static int behave_well(const struct engine_launch *launch, char *data, size_t length) {
    for (size_t i = 0; i < length; i++)
        data[i]++;
    struct engine_result result = {.end = ENGINE_COMPLETED, .elapsed_ms = 0.5};
    snprintf(result.message, sizeof result.message, "%s grid %u ptx %zu %.3s args %zu",
             launch->file_name, launch->grid.x, launch->ptx_length, launch->ptx,
             launch->argument_count);
    answer(&result, 5);
    return 0;
}

static int misbehave(const char *how) {
    struct engine_result result = {.end = ENGINE_COMPLETED};
    if (strcmp(how, "silent") == 0)
        return 0;
    if (strcmp(how, "garbage") == 0)
        return file_write_all(1, "WGF1 what", 9) ? 0 : 1;
    if (strcmp(how, "refuse") == 0) {
        result.end = ENGINE_REFUSED;
        snprintf(result.message, sizeof result.message, "no such kernel");
        answer(&result, 0);
        return 0;
    }
    if (strcmp(how, "elements") == 0) { /* nobody asked for any */
        struct engine_element element = {.argument = 0, .index = 0, .written = true};
        result.elements = &element;
        result.element_count = 1;
        answer(&result, 0);
        return 0;
    }
    if (strcmp(how, "long print") == 0) {
        answer(&result, ENGINE_PRINTED_MAX + 1);
        return 0;
    }
    if (strcmp(how, "trailing") == 0) {
        answer(&result, 0);
        return file_write_all(1, "x", 1) ? 0 : 1;
    }
    if (strcmp(how, "signal") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(how, "memory") == 0)
        return WORKER_EXIT_MEMORY;
    if (strcmp(how, "hang") == 0)
        while (pause())
            ;
    static const char block[65536];
    while (strcmp(how, "flood") == 0 && file_write_all(1, block, sizeof block))
        ;
    fprintf(stderr, "cannot go on\n");
    return 9;
}

static int role_sim(void) {
    struct text request = {0};
    struct protocol_message message;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch launch;
    struct stat info;
    if (fstat(WORKER_DATA_FD, &info) != 0 || !worker_read_request(64 << 20, &request) ||
        !protocol_parse(text_string(&request), request.length, &message) ||
        !engine_wire_decode_launch(message.control, (size_t)info.st_size, arguments, &device,
                                   &launch))
        return 1;
    launch.ptx = message.bulk;
    launch.ptx_length = message.bulk_length;
    size_t length = (size_t)info.st_size;
    char *data =
        length ? mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_DATA_FD, 0) : NULL;
    if (strcmp(launch.kernel, "well") == 0)
        return behave_well(&launch, data, length);
    if (length)
        memset(data, 0xee, length); /* must not reach the judge */
    return misbehave(launch.kernel);
}

static const struct stand_in roles[] = {{"sim", role_sim}};

static enum status run_on(const char *kernel, void *data, size_t length, bool keeps_data,
                          struct engine_result *result) {
    struct engine_argument argument = {.is_buffer = true, .type = ELEMENT_u8, .count = length};
    struct engine_launch launch = {
        .ptx = "PTX",
        .ptx_length = 3,
        .kernel = kernel,
        .file_name = "dot.cu",
        .grid = {7, 1, 1},
        .block = {1, 1, 1},
        .arguments = &argument,
        .argument_count = length ? 1 : 0,
        .data = data,
        .data_length = length,
        .keeps_data = keeps_data,
    };
    struct worker_limits limits = {.wall_seconds = strcmp(kernel, "hang") == 0 ? 0.3 : 60,
                                   .output_bytes = 1 << 20};
    struct error error;
    return engine_run(&launch, &limits, result, &error);
}

static enum status run(const char *kernel, void *data, size_t length,
                       struct engine_result *result) {
    return run_on(kernel, data, length, false, result);
}

static void test_launch(void **state) {
    (void)state;
    size_t length = 1000003;
    cleanup_free unsigned char *data = mem_alloc(length);
    for (size_t i = 0; i < length; i++)
        data[i] = (unsigned char)i;
    struct engine_result result;
    assert_int_equal(run("well", data, length, &result), STATUS_OK);
    assert_int_equal(result.end, ENGINE_COMPLETED);
    assert_string_equal(result.message, "dot.cu grid 7 ptx 3 PTX args 1");
    assert_string_equal(text_string(&result.printed), "ppppp");
    for (size_t i = 0; i < length; i++)
        if (data[i] != (unsigned char)(i + 1))
            fail_msg("byte %zu", i);
    engine_result_free(&result);
}

/* Where data is input only, nothing comes back. */
static void test_data_is_kept(void **state) {
    (void)state;
    char data[] = "untouched";
    struct engine_result result;
    assert_int_equal(run_on("well", data, sizeof data, true, &result), STATUS_OK);
    assert_int_equal(result.end, ENGINE_COMPLETED);
    assert_string_equal(data, "untouched");
    engine_result_free(&result);
}

static void test_no_data(void **state) {
    (void)state;
    struct engine_result result;
    assert_int_equal(run("well", NULL, 0, &result), STATUS_OK);
    assert_int_equal(result.end, ENGINE_COMPLETED);
    engine_result_free(&result);
}

static void test_bad_workers(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        enum engine_end end;
        const char *message;
    } cases[] = {
        {"silent", ENGINE_CRASHED, "the simulated GPU's answer is not valid (frame)"},
        {"garbage", ENGINE_CRASHED, "the simulated GPU's answer is not valid (frame)"},
        {"long print", ENGINE_CRASHED, "the simulated GPU's answer is not valid (frame)"},
        {"elements", ENGINE_CRASHED, "the simulated GPU's answer is not valid (elements)"},
        {"trailing", ENGINE_CRASHED, "the simulated GPU's answer is not valid (frame)"},
        {"refuse", ENGINE_REFUSED, "no such kernel"},
        {"code", ENGINE_CRASHED, "the simulated GPU ended with code 9: cannot go on"},
        {"signal", ENGINE_CRASHED, "the simulated GPU was ended by signal 11 (Segmentation fault)"},
        {"memory", ENGINE_MEMORY_LIMIT, "the launch needs more than 2048 MiB of memory"},
        {"hang", ENGINE_TIME_LIMIT, "the launch did not end within 0.3 s"},
        {"flood", ENGINE_OUTPUT_LIMIT, "the worker answered with more than 1 MiB"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char data[16] = "untouched";
        struct engine_result result;
        assert_int_equal(run(cases[i].kernel, data, sizeof data, &result), STATUS_OK);
        if (result.end != cases[i].end || strcmp(result.message, cases[i].message) != 0)
            fail_msg("%s: end %d, %s", cases[i].kernel, (int)result.end, result.message);
        assert_string_equal(data, "untouched");
        engine_result_free(&result);
    }
}

static void test_too_many_arguments(void **state) {
    (void)state;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS + 1] = {0};
    struct engine_launch launch = {.ptx = "",
                                   .kernel = "well",
                                   .arguments = arguments,
                                   .argument_count = ENGINE_MAX_ARGUMENTS + 1};
    struct engine_result result;
    struct error error;
    assert_int_equal(engine_run(&launch, NULL, &result, &error), STATUS_INVALID);
}

int main(int argc, char **argv) {
    int code;
    if (stand_in_main(roles, ARRAY_LENGTH(roles), argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_data_is_kept),
        cmocka_unit_test(test_no_data),
        cmocka_unit_test(test_bad_workers),
        cmocka_unit_test(test_too_many_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

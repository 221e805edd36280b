/* engine_run_batch(): launches of the simulated GPU in one worker, and workers that lie. The role
 * "batch" of this program stands before the real one and takes over where the data begins with L;
 * the byte after it says how it misbehaves. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "tests/support/stand_in.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry plain(.param .u64 p, .param .u32 v) {\n"
    ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [p];\nld.param.u32 %r1, [v];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r3, [%d3];\n"
    "add.s32 %r3, %r3, %r1;\nst.global.u32 [%d3], %r3;\nret;\n}\n"
    ".visible .entry meets(.param .u64 p, .param .u32 v) {\n"
    ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [p];\nld.param.u32 %r1, [v];\nred.global.add.u32 [%d1], %r1;\nret;\n}\n"
    ".visible .entry hangs(.param .u64 p, .param .u32 v) {\n"
    "again:\nbra.uni again;\n}\n";

enum { LENGTH = 32, COUNT = 4 };

struct fixture {
    uint32_t data[COUNT][LENGTH];
    struct engine_argument arguments[COUNT][2];
    struct engine_batch_entry entries[COUNT];
};

/* Entry i adds i + 1 to 100 * i + index. */
static void prepare(struct fixture *f, const char *const kernels[COUNT]) {
    *f = (struct fixture){0};
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t j = 0; j < LENGTH; j++)
            f->data[i][j] = 100 * i + j;
        f->arguments[i][0] =
            (struct engine_argument){.is_buffer = true, .type = ELEMENT_u32, .count = LENGTH};
        f->arguments[i][1] = (struct engine_argument){.type = ELEMENT_u32, .scalar = i + 1};
        f->entries[i].after = ENGINE_MAX_BATCH;
        f->entries[i].launch = (struct engine_launch){.ptx = ptx,
                                                      .ptx_length = sizeof ptx - 1,
                                                      .kernel = kernels[i],
                                                      .file_name = "batch.cu",
                                                      .grid = {1, 1, 1},
                                                      .block = {LENGTH, 1, 1},
                                                      .arguments = f->arguments[i],
                                                      .argument_count = 2,
                                                      .data = f->data[i],
                                                      .data_length = sizeof f->data[i],
                                                      .threads = 1,
                                                      .budget = 100000};
    }
}

static void run(struct fixture *f) {
    struct worker_limits limits = {.wall_seconds = 60};
    struct error error = {0};
    if (engine_run_batch(f->entries, COUNT, &limits, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

static void finish(struct fixture *f) {
    for (size_t i = 0; i < COUNT; i++)
        engine_result_free(&f->entries[i].result);
}

static void each_launch_has_its_own_data(void **state) {
    (void)state;
    struct fixture f;
    prepare(&f, (const char *const[]){"plain", "meets", "plain", "plain"});
    run(&f);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(f.entries[i].done);
        assert_int_equal(f.entries[i].result.end, ENGINE_COMPLETED);
        assert_int_equal(f.entries[i].result.hazard_count, 0);
        for (uint32_t j = 0; j < LENGTH && i != 1; j++)
            assert_int_equal(f.data[i][j], 100 * i + j + i + 1);
    }
    assert_int_equal(f.data[1][0], 100 + LENGTH * 2);
    assert_int_equal(f.data[1][1], 101);
    finish(&f);
}

static void other_orders_only_where_they_matter(void **state) {
    (void)state;
    struct fixture f;
    prepare(&f, (const char *const[]){"plain", "plain", "meets", "meets"});
    f.entries[1].after = 0;
    f.entries[3].after = 2;
    run(&f);
    assert_true(f.entries[0].done && f.entries[2].done && f.entries[3].done);
    assert_false(f.entries[1].done);
    assert_int_equal(f.data[1][0], 100);
    finish(&f);
}

/* "meets" executes some instructions in each of 32 threads. */
static void further_orders_only_of_small_launches(void **state) {
    (void)state;
    struct fixture f;
    prepare(&f, (const char *const[]){"meets", "meets", "meets", "meets"});
    for (size_t i = 1; i < COUNT; i++)
        f.entries[i].after = 0;
    f.entries[1].at_most = 32;
    f.entries[2].at_most = 3200;
    run(&f);
    assert_true(f.entries[0].done && f.entries[2].done && f.entries[3].done);
    assert_in_range(f.entries[0].result.counters.thread_instructions, 33, 3200);
    assert_false(f.entries[1].done);
    finish(&f);
}

static void a_launch_that_hangs_ends_the_batch(void **state) {
    (void)state;
    struct fixture f;
    prepare(&f, (const char *const[]){"plain", "hangs", "plain", "plain"});
    run(&f);
    assert_true(f.entries[0].done && f.entries[1].done);
    assert_int_equal(f.entries[1].result.hazards[0].kind, HAZARD_INSTRUCTION_BUDGET);
    assert_false(f.entries[2].done || f.entries[3].done);
    assert_int_equal(f.data[2][5], 205);
    finish(&f);
}

static void a_launch_that_is_refused_is_left_to_its_own_worker(void **state) {
    (void)state;
    struct fixture f;
    prepare(&f, (const char *const[]){"plain", "missing", "plain", "plain"});
    run(&f);
    assert_true(f.entries[0].done);
    assert_false(f.entries[1].done || f.entries[2].done);
    finish(&f);
}

/* ---- lies ------------------------------------------------------------------------------------ */

static json_t *good_result(unsigned entry, unsigned printed) {
    const struct engine_result result = {.end = ENGINE_COMPLETED};
    return json_pack("{s:i, s:i, s:o}", "entry", entry, "printed", printed, "result",
                     engine_wire_encode_result(&result));
}

static int lie(char how) {
    json_t *results = json_array();
    size_t bulk = 0;
    if (how == 'k')
        raise(SIGKILL);
    if (how == 's')
        return 0;
    json_array_append_new(results, good_result(how == 'x' ? COUNT : 1, how == 'p' ? 5 : 3));
    bulk = how == 't' ? 4 : 3;
    if (how == 'd')
        json_array_append_new(results, good_result(1, 0));
    if (how == 'e')
        json_array_append_new(results, json_pack("{s:i}", "entry", 2));
    struct text response = {0};
    protocol_frame(&response, json_pack("{s:o}", "results", results), "abcd", bulk);
    bool written = file_write_all(1, response.data, response.length);
    text_free(&response);
    return written && how != 'c' ? 0 : 9;
}

static int role_batch(void) {
    char start[2] = {0};
    if (pread(WORKER_DATA_FD, start, sizeof start, 0) != sizeof start || start[0] != 'L')
        return STAND_IN_HONEST;
    char *data = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_DATA_FD, 0);
    if (data == MAP_FAILED)
        return 1;
    memset(data, 0xee, 4 * 4096); /* of entries without a result nothing may reach the judge */
    return lie(start[1]);
}

static void run_lie(struct fixture *f, char how) {
    prepare(f, (const char *const[]){"plain", "plain", "plain", "plain"});
    memcpy(f->data[0], (const char[]){'L', how}, 2);
    run(f);
}

static void an_answer_counts_as_a_whole(void **state) {
    (void)state;
    static const char lies[] = "ksxptdec";
    for (size_t i = 0; lies[i]; i++) {
        struct fixture f;
        run_lie(&f, lies[i]);
        for (size_t j = 0; j < COUNT; j++)
            if (f.entries[j].done || f.data[j][7] != 100 * j + 7)
                fail_msg("%c: entry %zu", lies[i], j);
        finish(&f);
    }
    struct fixture f;
    run_lie(&f, 'g');
    assert_false(f.entries[0].done || f.entries[2].done || f.entries[3].done);
    assert_true(f.entries[1].done);
    assert_string_equal(text_string(&f.entries[1].result.printed), "abc");
    assert_int_equal(f.data[1][0], 0xeeeeeeee);
    assert_int_equal(f.data[0][7], 7);
    assert_int_equal(f.data[2][0], 200);
    finish(&f);
}

int main(int argc, char **argv) {
    static const struct stand_in roles[] = {{"batch", role_batch}};
    int code;
    if (stand_in_main(roles, ARRAY_LENGTH(roles), argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_launch_has_its_own_data),
        cmocka_unit_test(other_orders_only_where_they_matter),
        cmocka_unit_test(further_orders_only_of_small_launches),
        cmocka_unit_test(a_launch_that_hangs_ends_the_batch),
        cmocka_unit_test(a_launch_that_is_refused_is_left_to_its_own_worker),
        cmocka_unit_test(an_answer_counts_as_a_whole),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}

/* Which pages of managed memory a launch closes for the host, and which accesses to them are a
 * race: by the bytes that the kernel has touched. */
#include "sandbox/card/card_private.h"

#include "grader/exercise/device.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sixteen threads: copy(to, from) moves an element each; the others store to one. */
static const char module_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry copy(.param .u64 to, .param .u64 from) {\n"
    ".reg .b32 %r<3>; .reg .b64 %d<6>;\n"
    "ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r2, [%d4];\n"
    "add.s64 %d5, %d1, %d3; st.global.u32 [%d5], %r2; ret; }\n"
    ".visible .entry count(.param .u64 to, .param .u64 from) {\n"
    ".reg .b64 %d<2>; ld.param.u64 %d1, [to]; red.global.add.u32 [%d1], 1; ret; }\n"
    ".visible .entry signal(.param .u64 to, .param .u64 from) {\n"
    ".reg .b64 %d<2>; ld.param.u64 %d1, [to]; st.volatile.global.u32 [%d1], 1; ret; }\n"
    ".visible .entry count_for_host(.param .u64 to, .param .u64 from) {\n"
    ".reg .b64 %d<2>; ld.param.u64 %d1, [to]; red.sys.global.add.u32 [%d1], 1; ret; }\n";

enum { PAGE = 4096, PAGES = 4, THREADS = 16, ARENA = 1 << 20 };
enum kernel { COPY, COUNT, SIGNAL, COUNT_FOR_HOST, KERNELS };

struct fixture {
    struct card card;
    struct device_profile device;
    struct engine_launch common;
    unsigned char *window;
    uint64_t kernels[KERNELS], managed;
    struct wire_guard closed[WIRE_GUARDS_MAX]; /* of the last launch */
    size_t closed_count;
};

static uint64_t ask(struct fixture *fixture, enum wire_call call, const uint64_t *arguments,
                    size_t count, const void *bytes, size_t length) {
    static enum card_error (*const acts[])(struct card *, const struct card_request *,
                                           struct card_reply *) = {
#define CALL(id, what) card_do_##id,
#include "sandbox/runtime/call.def"
#undef CALL
    };
    struct card_request request = {.head = {.call = call, .inline_bytes = (uint32_t)length},
                                   .bytes = length ? bytes : ""};
    struct card_reply reply = {0};
    if (count)
        memcpy(request.head.argument, arguments, count * sizeof *arguments);
    assert_int_equal(acts[call](&fixture->card, &request, &reply), CARD_OK);
    if (call == WIRE_LAUNCH) {
        fixture->closed_count = reply.bytes.length / sizeof *fixture->closed;
        memcpy(fixture->closed, text_string(&reply.bytes), reply.bytes.length);
    }
    text_free(&reply.bytes);
    return reply.head.value[0];
}

static int set_up(void **state) {
    static const char *const names[] = {"copy", "count", "signal", "count_for_host"};
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    assert_int_equal(device_load("h100", &fixture->device, NULL), STATUS_OK);
    fixture->common = (struct engine_launch){
        .kernel = "", .file_name = "", .threads = 1, .device = &fixture->device};
    fixture->window = mem_zalloc(WIRE_WINDOW + ARENA);
    fixture->card = (struct card){.common = &fixture->common,
                                  .capacity_bytes = ARENA,
                                  .arena_bytes = ARENA,
                                  .window = fixture->window,
                                  .ends_ms = clock_ms() + 60e3};
    memcpy(fixture->window, module_text, sizeof module_text - 1);
    ask(fixture, WIRE_TEXT, (uint64_t[]){sizeof module_text - 1}, 1, NULL, 0);
    uint64_t module = ask(fixture, WIRE_MODULE, NULL, 0, NULL, 0);
    for (size_t i = 0; i < KERNELS; i++)
        fixture->kernels[i] = ask(fixture, WIRE_KERNEL, &module, 1, names[i], strlen(names[i]));
    fixture->managed = ask(fixture, WIRE_SHARE, (uint64_t[]){PAGES * PAGE, 0}, 2, NULL, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    card_clear(&fixture->card);
    free(fixture->window);
    free(fixture);
    return 0;
}

static void launch(struct fixture *fixture, enum kernel kernel, uint64_t to, uint64_t from) {
    const struct {
        struct wire_launch head;
        uint64_t to, from;
    } sent = {.head = {.kernel = fixture->kernels[kernel],
                       .grid = {1, 1, 1},
                       .block = {THREADS, 1, 1},
                       .parameter_bytes = 16},
              .to = fixture->managed + to,
              .from = fixture->managed + from};
    ask(fixture, WIRE_LAUNCH, NULL, 0, &sent, sizeof sent);
}

static void wait_for_all(struct fixture *fixture) {
    ask(fixture, WIRE_SYNCHRONIZE, (uint64_t[]){WIRE_WAIT_ALL}, 1, NULL, 0);
}

static uint64_t found(const struct fixture *fixture) {
    const struct engine_result *result = &fixture->card.result.found;
    uint64_t count = 0;
    for (size_t i = 0; i < result->hazard_count; i++) {
        assert_int_equal(result->hazards[i].kind, HAZARD_HOST_RACE);
        count += result->hazards[i].count;
    }
    return count;
}

/* Is the host's access a race, and is it in the findings then? */
static bool races(struct fixture *fixture, bool writes, uint64_t offset) {
    uint64_t before = found(fixture);
    uint64_t race =
        ask(fixture, WIRE_HOST_ACCESS,
            (uint64_t[]){fixture->closed[0].number, writes, fixture->managed + offset}, 3, NULL, 0);
    assert_int_equal(found(fixture) - before, race);
    return race;
}

/* A letter a page: 'W' closed, 'R' closed for writing, '.' open. */
static void closes_pages(void **state) {
    struct fixture *fixture = *state;
    static const struct {
        uint64_t to, from;
        const char *pages;
    } rows[] = {
        {0, 2 * PAGE, "W.R."},
        {0, PAGE, "WR.."},
        {PAGE, 0, "RW.."},
        {128, 0, "W..."},                   /* one page, first read */
        {0, 128, "W..."},                   /* ... first written */
        {PAGE - 32, 3 * PAGE, "WW.R"},      /* both pages on which it lies */
        {2 * PAGE - 32, PAGE - 32, "RWW."}, /* read up to a page that is written */
        {PAGE + 64, PAGE - 32, "RW.."},     /* ... on one page */
        {PAGE - 64, PAGE, "WR.."},
        {PAGE - 96, PAGE - 32, "WR.."}, /* read on, where it was written */
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char pages[PAGES + 1] = "....";
        launch(fixture, COPY, rows[i].to, rows[i].from);
        for (size_t j = 0; j < fixture->closed_count; j++) {
            const struct wire_guard *closed = &fixture->closed[j];
            assert_int_equal((closed->address - fixture->managed) % PAGE, 0);
            for (uint64_t at = 0; at < closed->bytes; at += PAGE) {
                uint64_t page = (closed->address - fixture->managed + at) / PAGE;
                assert_true(page < PAGES && pages[page] == '.'); /* each once */
                pages[page] = closed->writes ? 'W' : 'R';
            }
        }
        if (strcmp(pages, rows[i].pages) != 0)
            fail_msg("%zu: %s", i, pages);
        wait_for_all(fixture);
    }
}

static void judges_by_bytes(void **state) {
    struct fixture *fixture = *state;
    enum { BYTES = 4 * THREADS };
    launch(fixture, COPY, 0, BYTES);
    assert_false(races(fixture, false, 2 * BYTES)); /* untouched */
    assert_false(races(fixture, true, 2 * BYTES));
    assert_false(races(fixture, false, BYTES)); /* read only */
    assert_true(races(fixture, true, 2 * BYTES - 1));
    launch(fixture, COPY, 0, BYTES);
    assert_true(races(fixture, false, BYTES - 1));
    launch(fixture, COPY, 0, BYTES);
    assert_true(races(fixture, true, 0));
    launch(fixture, COUNT, 0, 0);
    assert_false(races(fixture, false, 4));
    assert_true(races(fixture, false, 0));
}

static void lets_the_host_look(void **state) {
    struct fixture *fixture = *state;
    launch(fixture, SIGNAL, 0, 0);
    assert_int_equal(fixture->closed_count, 0);
    launch(fixture, COUNT_FOR_HOST, 0, 0);
    assert_int_equal(fixture->closed_count, 0);
}

/* The same launch again takes no new guard; one that has ended gives its number back. */
static void keeps_one_guard(void **state) {
    struct fixture *fixture = *state;
    for (int i = 0; i < 3; i++)
        launch(fixture, COPY, 0, PAGE);
    assert_int_equal(fixture->closed[0].number, 1);
    launch(fixture, COPY, 0, 2 * PAGE);
    assert_int_equal(fixture->closed[0].number, 2);
    wait_for_all(fixture);
    launch(fixture, COPY, 0, 2 * PAGE);
    assert_int_equal(fixture->closed[0].number, 1);
    assert_int_equal(fixture->card.guarded_launches, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(closes_pages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(judges_by_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lets_the_host_look, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_one_guard, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The card by itself: memory, modules and launches as the calls of wire.h ask for them, also as no
 * library of ours would. */
#include "sandbox/card/card_private.h"

#include "grader/exercise/device.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* scale(int *x, int n): x[i] *= factor, also one element too many; calls are counted. */
static const char module_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".const .align 4 .u32 factor = 3;\n"
    ".global .align 4 .u32 calls;\n"
    ".visible .entry scale(.param .u64 x, .param .u32 n) {\n"
    ".reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %p<2>;\n"
    "ld.param.u64 %d1, [x]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x; mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ntid.x;\n"
    "mad.lo.u32 %r2, %r6, %r7, %r2; setp.gt.u32 %p1, %r2, %r1; @%p1 ret;\n"
    "mul.wide.u32 %d2, %r2, 4; add.s64 %d3, %d1, %d2;\n"
    "ld.global.u32 %r3, [%d3]; ld.const.u32 %r4, [factor];\n"
    "mul.lo.u32 %r3, %r3, %r4; st.global.u32 [%d3], %r3;\n"
    "setp.ne.u32 %p1, %r2, 0; @%p1 ret;\n"
    "ld.global.u32 %r5, [calls]; add.u32 %r5, %r5, 1;\n"
    "st.global.u32 [calls], %r5; ret; }\n";

enum { ELEMENTS = 8, VARIABLES = 8 /* bytes */, ARENA = 64 << 10 };

struct fixture {
    struct card card;
    struct device_profile device;
    struct engine_launch common;
    unsigned char window[WIRE_WINDOW + ARENA];
    uint64_t kernel, calls, factor;
};

static uint64_t value; /* the first of the last answer */

static enum card_error ask_with(struct fixture *fixture, enum wire_call call, const void *bytes,
                                size_t length, uint64_t a, uint64_t b, uint64_t c) {
    static enum card_error (*const acts[])(struct card *, const struct card_request *,
                                           struct card_reply *) = {
#define CALL(id, what) card_do_##id,
#include "sandbox/runtime/call.def"
#undef CALL
    };
    char *inline_bytes = mem_zalloc(length + 1);
    if (length)
        memcpy(inline_bytes, bytes, length);
    struct card_request request = {
        .head = {.call = call, .inline_bytes = (uint32_t)length, .argument = {a, b, c}},
        .bytes = inline_bytes};
    struct card_reply reply = {0};
    enum card_error error = acts[call](&fixture->card, &request, &reply);
    value = reply.head.value[0];
    text_free(&reply.bytes);
    free(inline_bytes);
    return error;
}

static enum card_error ask(struct fixture *fixture, enum wire_call call, uint64_t a, uint64_t b,
                           uint64_t c) {
    return ask_with(fixture, call, NULL, 0, a, b, c);
}

static enum card_error launch(struct fixture *fixture, uint64_t kernel, uint64_t x, uint32_t n,
                              unsigned threads) {
    struct {
        struct wire_launch head;
        uint64_t x;
        uint32_t n;
    } __attribute__((packed)) sent = {.head = {.kernel = kernel,
                                               .grid = {2, 1, 1},
                                               .block = {threads, 1, 1},
                                               .parameter_bytes = 12},
                                      .x = x,
                                      .n = n};
    return ask_with(fixture, WIRE_LAUNCH, &sent, sizeof sent, 0, 0, 0);
}

static int open_card(void **state) {
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    assert_int_equal(device_load("h100", &fixture->device, NULL), STATUS_OK);
    fixture->common = (struct engine_launch){
        .kernel = "", .file_name = "", .threads = 2, .device = &fixture->device};
    fixture->card = (struct card){.common = &fixture->common,
                                  .capacity_bytes = (1 << 20) + VARIABLES,
                                  .window = fixture->window,
                                  .arena_bytes = ARENA,
                                  .ends_ms = clock_ms() + 60e3};
    memcpy(fixture->window, module_text, sizeof module_text - 1);
    assert_int_equal(ask(fixture, WIRE_TEXT, sizeof module_text - 1, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_MODULE, 0, 0, 0), CARD_OK);
    assert_int_equal(ask_with(fixture, WIRE_KERNEL, "scale", 5, value, 0, 0), CARD_OK);
    fixture->kernel = value;
    assert_int_equal(ask_with(fixture, WIRE_VARIABLE, "calls", 5, 0, 0, 0), CARD_OK);
    fixture->calls = value;
    assert_int_equal(ask_with(fixture, WIRE_VARIABLE, "factor", 6, 0, 0, 0), CARD_OK);
    fixture->factor = value;
    *state = fixture;
    return 0;
}

static int close_card(void **state) {
    struct fixture *fixture = *state;
    card_clear(&fixture->card);
    free(fixture);
    return 0;
}

static uint64_t allocate(struct fixture *fixture, uint64_t bytes) {
    assert_int_equal(ask(fixture, WIRE_ALLOCATE, bytes, 0, 0), CARD_OK);
    return value;
}

static void fill_with_ones(struct fixture *fixture, uint64_t address) {
    for (uint32_t i = 0; i < ELEMENTS; i++)
        memcpy(fixture->window + 4 * i, &(uint32_t){1}, 4);
    assert_int_equal(ask(fixture, WIRE_WRITE, address, 4 * ELEMENTS, 0), CARD_OK);
}

static uint32_t element(struct fixture *fixture, uint64_t address) {
    uint32_t number;
    assert_int_equal(ask(fixture, WIRE_READ, address, 4, 0), CARD_OK);
    memcpy(&number, fixture->window, 4);
    return number;
}

static void keeps_memory_and_variables_between_launches(void **state) {
    struct fixture *fixture = *state;
    uint64_t x = allocate(fixture, 4 * ELEMENTS);
    fill_with_ones(fixture, x);
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    assert_int_equal(element(fixture, x + 4), 3);
    memcpy(fixture->window, &(uint32_t){5}, 4); /* cudaMemcpyToSymbol() */
    assert_int_equal(ask(fixture, WIRE_WRITE, fixture->factor, 4, 0), CARD_OK);
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    assert_int_equal(element(fixture, x + 4), 15);
    assert_int_equal(element(fixture, fixture->calls), 2);
    assert_int_equal(fixture->card.result.found.hazard_count, 0);
    assert_int_equal(fixture->card.result.launches, 2);
    assert_true(fixture->card.clock_ns > 2000 * fixture->device.launch_us);
}

/* The cost model simulates a launch again, and leaves the memory as it is; the next one of the same
 * shape takes as long. */
static void models_launches_of_a_shape_once(void **state) {
    struct fixture *fixture = *state;
    struct card *card = &fixture->card;
    uint64_t x = allocate(fixture, 4 * ELEMENTS);
    fill_with_ones(fixture, x);
    double before = card->clock_ns;
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    double first = card->clock_ns - before;
    assert_int_equal(element(fixture, x + 4), 3);
    assert_int_equal(card->modelled_count, 1);
    before = card->clock_ns;
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    assert_true(first > 1000 * fixture->device.launch_us && card->clock_ns - before == first);
    assert_int_equal(card->modelled_count, 1);
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 64), CARD_OK);
    assert_int_equal(card->modelled_count, 2);
    card->modelled_instructions = UINT64_MAX / 2; /* its share is used up */
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 128), CARD_OK);
    assert_int_equal(card->modelled_count, 2);
}

static void finds_reads_of_what_nothing_has_written(void **state) {
    struct fixture *fixture = *state;
    uint64_t x = allocate(fixture, 4 * ELEMENTS);
    assert_int_equal(ask(fixture, WIRE_FILL, x, 0, 4 * ELEMENTS - 4), CARD_OK);
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    const struct engine_result *found = &fixture->card.result.found;
    assert_int_equal(found->hazard_count, 1);
    assert_int_equal(found->hazards[0].kind, HAZARD_UNINITIALIZED_READ);
    assert_string_equal(found->hazards[0].variable, "argument 1[7]");
    /* the kernel has written it, and what is copied from there is written, too */
    uint64_t y = allocate(fixture, 4 * ELEMENTS);
    assert_int_equal(ask(fixture, WIRE_COPY, y, x, 4 * ELEMENTS), CARD_OK);
    assert_int_equal(launch(fixture, fixture->kernel, y, ELEMENTS - 1, 32), CARD_OK);
    assert_int_equal(found->hazards[0].count, 1);
}

static void stops_at_a_fault(void **state) {
    struct fixture *fixture = *state;
    uint64_t x = allocate(fixture, 4 * ELEMENTS);
    fill_with_ones(fixture, x);
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS, 5), CARD_OK);
    assert_int_equal(fixture->card.fault, CARD_ILLEGAL_ADDRESS);
    const struct hazard *hazard = &fixture->card.result.found.hazards[0];
    assert_int_equal(hazard->kind, HAZARD_OUT_OF_BOUNDS);
    assert_non_null(strstr(hazard->message, "at index 8 of `argument 1`, which has 8 elements"));
}

/* The host's addresses change from run to run: no message has one. */
static void a_pointer_of_the_host_has_no_number(void **state) {
    struct fixture *fixture = *state;
    /* of the stack, which ends where the device's blocks begin */
    assert_int_equal(launch(fixture, fixture->kernel, 0x7fff12345678, ELEMENTS, 5), CARD_OK);
    const struct hazard *hazard = &fixture->card.result.found.hazards[0];
    assert_int_equal(hazard->kind, HAZARD_OUT_OF_BOUNDS);
    assert_int_equal(hazard->fix, FIX_HOST_POINTER);
    assert_non_null(strstr(hazard->message, "read of 4 bytes through a pointer of the host, which "
                                            "the kernel was given as argument 1, by thread"));
    assert_null(strstr(hazard->message, "0x"));
}

/* ... and an address that no process has is said. */
static void a_wild_pointer_keeps_its_number(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(launch(fixture, fixture->kernel, 0x7000000012340, ELEMENTS, 5), CARD_OK);
    const struct hazard *hazard = &fixture->card.result.found.hazards[0];
    assert_non_null(strstr(hazard->message, "at address 0x70000000123"));
}

/* A launch that the budget stops is repeated on one host thread. */
static void brings_memory_back_before_it_runs_again(void **state) {
    struct fixture *fixture = *state;
    uint64_t x = allocate(fixture, 4 * ELEMENTS);
    fill_with_ones(fixture, x);
    fixture->common.budget = 100;
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 5), CARD_OK);
    assert_int_equal(fixture->card.fault, CARD_LAUNCH_TIMEOUT);
    assert_int_equal(element(fixture, x + 4), 3);
}

/* ways(int *x): a store, one far from it, an atomic and lanes that are far apart; then the launch
 * never ends. */
static const char ways_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry ways(.param .u64 x, .param .u32 n) {\n"
    ".reg .b32 %r<8>; .reg .b64 %d<8>;\n"
    "ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;\n"
    "add.s64 %d3, %d1, %d2; ld.global.u32 %r2, [%d3]; add.u32 %r2, %r2, 1;\n"
    "st.global.u32 [%d3], %r2;\n"                            /* 0 */
    "ld.global.u32 %r2, [%d3+65532]; add.u32 %r2, %r2, 1;\n" /* over two chunks */
    "st.global.u32 [%d3+65532], %r2;\n"                      /* 65532 */
    "red.global.add.u32 [%d3+135100], 1;\n"                  /* over two, too */
    "mul.wide.u32 %d4, %r1, 12288; add.s64 %d5, %d1, %d4;\n" /* 12288 a lane */
    "ld.global.u32 %r3, [%d5+200000]; add.u32 %r3, %r3, 1;\n"
    "st.global.u32 [%d5+200000], %r3;\n"
    "again: bra again; }\n";

/* All that a stopped run has written, it writes once more: on one of two chunks, too, or a lane by
 * itself. What it has not touched, nobody copies. */
static void brings_back_what_every_kind_of_store_changes(void **state) {
    struct fixture *fixture = *state;
    enum { BYTES = 700000 };
    memcpy(fixture->window, ways_text, sizeof ways_text - 1);
    assert_int_equal(ask(fixture, WIRE_TEXT, sizeof ways_text - 1, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_MODULE, 0, 0, 0), CARD_OK);
    assert_int_equal(ask_with(fixture, WIRE_KERNEL, "ways", 4, value, 0, 0), CARD_OK);
    uint64_t kernel = value, x = allocate(fixture, BYTES);
    assert_int_equal(ask(fixture, WIRE_FILL, x, 0, BYTES), CARD_OK);
    fixture->common.budget = 5000;
    assert_int_equal(launch(fixture, kernel, x, 0, 32), CARD_OK);
    assert_int_equal(fixture->card.fault, CARD_LAUNCH_TIMEOUT);
    static const uint64_t places[] = {0,      124,    65532,  65536,
                                      135100, 135168, 200000, 200000 + 31 * 12288};
    uint32_t runs = element(fixture, x); /* the blocks that have come so far in the last run */
    assert_in_range(runs, 1, 2);
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
        assert_int_equal(element(fixture, x + places[i]), runs);
    assert_int_equal(element(fixture, x + 4096), 0);
}

static void says_where_the_host_has_called(void **state) {
    struct fixture *fixture = *state;
    struct card *card = &fixture->card;
    uint64_t frames[WIRE_SITE_FRAMES + 1] = {0x1149, 0x2000};
    assert_int_equal(ask_with(fixture, WIRE_SITE, frames, 16, 0, 0, 0), CARD_OK);
    assert_int_equal(ask_with(fixture, WIRE_SITE, frames, 8, 0, 0, 0), CARD_OK);
    static const size_t wrong[] = {0, 7, 12, sizeof frames};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++)
        assert_int_equal(ask_with(fixture, WIRE_SITE, frames, wrong[i], 0, 0, 0),
                         CARD_INVALID_VALUE);
    uint64_t x = allocate(fixture, 4 * ELEMENTS);
    fill_with_ones(fixture, x);
    card->site = 1;
    launch(fixture, fixture->kernel, 0, 0, 2048);
    card->site = 2;
    launch(fixture, fixture->kernel, 0, 0, 2048); /* another line is another finding */
    launch(fixture, fixture->kernel, x, ELEMENTS, 5);
    const struct engine_result *found = &card->result.found;
    assert_int_equal(found->hazard_count, 3);
    assert_int_equal(found->hazards[0].site, 1);
    assert_int_equal(found->hazards[1].site, 2);
    sites_report(card);
    assert_int_equal(card->result.site_count, 2);
    assert_int_equal(card->result.sites[0].count, 2);
    assert_int_equal(card->result.sites[0].frames[0], 0x1149);
    struct card_result back = {0};
    const char *culprit;
    json_t *control = card_wire_encode_report(&card->result);
    assert_true(card_wire_decode_report(control, &back, &culprit));
    assert_int_equal(back.found.hazards[1].site, 2);
    assert_int_equal(back.sites[0].frames[1], 0x2000);
    json_decref(control);
    engine_result_free(&back.found);
    free(back.sites);
}

static void answers_a_wrong_configuration_as_a_card_does(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(launch(fixture, fixture->kernel, 0, 0, 2048), CARD_INVALID_VALUE);
    assert_int_equal(fixture->card.fault, CARD_OK);
    assert_int_equal(fixture->card.result.found.hazards[0].severity, SEVERITY_WARNING);
    assert_int_equal(fixture->card.result.launches, 0);
}

static void frees_once_and_gives_numbers_away_late(void **state) {
    struct fixture *fixture = *state;
    uint64_t x = allocate(fixture, 1000);
    assert_int_equal(ask(fixture, WIRE_FREE, x + 4, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_FREE, x, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_FREE, x, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_WRITE, x, 1, 0), CARD_INVALID_VALUE);
    fixture->card.capacity_bytes = ELEMENTS + VARIABLES;
    for (int i = 0; i < 4000; i++) {
        uint64_t next = allocate(fixture, ELEMENTS); /* the whole card */
        assert_true(i > 500 || next != x);
        assert_int_equal(ask(fixture, WIRE_FREE, next, 0, 0), CARD_OK);
    }
    assert_true(fixture->card.block_count < ENGINE_HOST_BLOCKS + 2000);
    assert_int_equal(fixture->card.used_bytes, VARIABLES);
}

/* Beside the error that each call answers. */
static void finds_what_the_host_does_wrong(void **state) {
    struct fixture *fixture = *state;
    const struct engine_result *found = &fixture->card.result.found;
    uint64_t x = allocate(fixture, 100), y = allocate(fixture, 100);
    assert_int_equal(ask(fixture, WIRE_CHECK, x, 101, 0), CARD_INVALID_VALUE);
    assert_int_equal(found->hazards[0].kind, HAZARD_COPY_OUT_OF_BOUNDS);
    assert_int_equal(ask(fixture, WIRE_FREE, x + 4, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(found->hazards[1].kind, HAZARD_DOUBLE_FREE);
    assert_int_equal(ask(fixture, WIRE_FREE, x, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_FILL, x, 0, 4), CARD_INVALID_VALUE);
    assert_int_equal(found->hazards[2].kind, HAZARD_USE_AFTER_FREE);
    assert_int_equal(found->hazard_count, 3);
    allocate(fixture, 10);
    assert_int_equal(ask_with(fixture, WIRE_REACHABLE, &y, sizeof y, 0, 0, 0), CARD_OK);
    checks_end(&fixture->card);
    assert_int_equal(found->hazard_count, 3); /* it did not end by itself */
    assert_int_equal(ask(fixture, WIRE_END, 0, 0, 0), CARD_OK);
    checks_end(&fixture->card);
    assert_int_equal(found->hazard_count, 4);
    assert_int_equal(found->hazards[3].kind, HAZARD_MEMORY_LEAK);
    assert_non_null(strstr(found->hazards[3].message, "10 bytes"));
    assert_int_equal(ask(fixture, WIRE_REPORT, WIRE_REPORT_COUNT, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_FAULT, 0, 0, 0), CARD_INVALID_VALUE);
}

static void refuses_what_does_not_fit(void **state) {
    struct fixture *fixture = *state;
    uint64_t x = allocate(fixture, 100);
    static const struct {
        enum wire_call call;
        uint64_t offset, bytes;
    } wrong[] = {{WIRE_WRITE, 0, 101},        {WIRE_WRITE, 101, 0},     {WIRE_WRITE, 1, UINT64_MAX},
                 {WIRE_READ, 99, 2},          {WIRE_CHECK, 0, 101},     {WIRE_READ, UINT64_MAX, 1},
                 {WIRE_CHECK, 1, UINT64_MAX}, {WIRE_WRITE, 1u << 30, 1}};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++)
        assert_int_equal(ask(fixture, wrong[i].call, x + wrong[i].offset, wrong[i].bytes, 0),
                         CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_FILL, x, 0, 101), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_COPY, x, x + 50, 51), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_ALLOCATE, 1 << 20, 0, 0), CARD_OUT_OF_MEMORY);
    assert_int_equal(ask(fixture, WIRE_ALLOCATE, UINT64_MAX, 0, 0), CARD_OUT_OF_MEMORY);
    assert_int_equal(ask(fixture, WIRE_WRITE, fixture->calls, 5, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_READ, fixture->calls + 1, UINT64_MAX, 0),
                     CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_FREE, fixture->calls, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_TEXT, WIRE_WINDOW + 1, 0, 0), CARD_INVALID_VALUE);
}

static void refuses_launches_that_no_library_sends(void **state) {
    struct fixture *fixture = *state;
    struct wire_launch sent = {
        .kernel = fixture->kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameter_bytes = 12};
    assert_int_equal(ask_with(fixture, WIRE_LAUNCH, &sent, 8, 0, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask_with(fixture, WIRE_LAUNCH, &sent, sizeof sent, 0, 0, 0),
                     CARD_INVALID_DEVICE_FUNCTION);
    sent.parameter_bytes = 0;
    assert_int_equal(ask_with(fixture, WIRE_LAUNCH, &sent, sizeof sent, 0, 0, 0),
                     CARD_INVALID_VALUE);
    assert_int_equal(launch(fixture, 77, 0, 0, 1), CARD_INVALID_DEVICE_FUNCTION);
    assert_int_equal(ask_with(fixture, WIRE_KERNEL, "scale", 5, 77, 0, 0),
                     CARD_INVALID_DEVICE_FUNCTION);
    assert_int_equal(ask_with(fixture, WIRE_KERNEL, "sca\0e", 5, 0, 0, 0),
                     CARD_INVALID_DEVICE_FUNCTION);
    assert_int_equal(ask_with(fixture, WIRE_VARIABLE, "nothing", 7, 0, 0, 0), CARD_INVALID_SYMBOL);
    memcpy(fixture->window, "nonsense", 8);
    assert_int_equal(ask(fixture, WIRE_TEXT, 8, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_MODULE, 0, 0, 0), CARD_INVALID_PTX);
}

static enum card_error send_text(struct fixture *fixture, const char *text, enum wire_call last) {
    memcpy(fixture->window, text, strlen(text));
    assert_int_equal(ask(fixture, WIRE_TEXT, strlen(text), 0, 0), CARD_OK);
    return ask(fixture, last, 0, 0, 0);
}

/* A kernel in one text, what it calls and what it counts in the other. */
static void links_the_texts_of_a_module(void **state) {
    static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n";
    struct fixture *fixture = *state;
    cleanup_free char *user =
        mem_printf("%s.extern .func (.param .b32 r) seven();\n.extern .global .u32 total;\n"
                   ".visible .entry add() {\n.reg .b32 %%r<4>;\n{ .param .b32 q;\n"
                   "call.uni (q), seven, (); ld.param.b32 %%r1, [q]; }\n"
                   "ld.global.u32 %%r2, [total]; add.u32 %%r2, %%r2, %%r1;\n"
                   "st.global.u32 [total], %%r2; ret; }\n",
                   head);
    cleanup_free char *definer = mem_printf(
        "%s.visible .global .align 4 .u32 total = 30;\n.visible .func (.param .b32 r) seven() {\n"
        ".reg .b32 %%r<2>; mov.u32 %%r1, 7; st.param.b32 [r], %%r1; ret; }\n",
        head);
    assert_int_equal(send_text(fixture, user, WIRE_PART), CARD_OK);
    assert_int_equal(send_text(fixture, definer, WIRE_MODULE), CARD_OK);
    uint64_t module = value;
    assert_int_equal(ask_with(fixture, WIRE_VARIABLE, "total", 5, module, 0, 0), CARD_OK);
    uint64_t total = value;
    assert_int_equal(ask_with(fixture, WIRE_KERNEL, "add", 3, module, 0, 0), CARD_OK);
    struct wire_launch sent = {.kernel = value, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    assert_int_equal(ask_with(fixture, WIRE_LAUNCH, &sent, sizeof sent, 0, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_READ, total, 4, 0), CARD_OK);
    uint32_t sum;
    memcpy(&sum, fixture->window, sizeof sum);
    assert_int_equal(sum, 37);
    assert_int_equal(send_text(fixture, user, WIRE_PART), CARD_OK);
    assert_int_equal(send_text(fixture, user, WIRE_MODULE), CARD_INVALID_PTX);
    assert_int_equal(send_text(fixture, definer, WIRE_MODULE), CARD_OK); /* by itself */
    for (size_t i = 0; i < CARD_MAX_MODULES; i++)
        assert_int_equal(ask(fixture, WIRE_PART, 0, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_PART, 0, 0, 0), CARD_INVALID_VALUE);
}

static void carries_setup_and_report(void **state) {
    struct fixture *fixture = *state;
    json_t *control = card_wire_encode_setup(&fixture->common, NULL, 12345);
    struct protocol_message message = {.control = control, .bulk = "", .bulk_length = 0};
    struct card_setup *setup = mem_zalloc(sizeof *setup);
    assert_true(card_wire_decode_setup(&message, setup));
    assert_int_equal(setup->capacity_bytes, 12345);
    assert_true(setup->launch.device->multiprocessors == 132);
    json_object_set_new(control, "more", json_true());
    assert_false(card_wire_decode_setup(&message, setup));
    json_decref(control);
    free(setup);
    struct card_result result = {.launches = 7, .modelled_ms = 1.5, .used = true}, back = {0};
    const char *culprit;
    control = card_wire_encode_report(&result);
    assert_true(card_wire_decode_report(control, &back, &culprit));
    assert_int_equal(back.launches, 7);
    assert_true(back.used && back.modelled_ms == 1.5);
    engine_result_free(&back.found);
    json_object_set_new(control, "modelled_ms", json_real(-1));
    assert_false(card_wire_decode_report(control, &back, &culprit));
    json_decref(control);
}

static void answers_what_kernels_take(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(ask(fixture, WIRE_FUNCTION, fixture->kernel, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_FUNCTION, 99, 0, 0), CARD_INVALID_DEVICE_FUNCTION);
    assert_int_equal(ask(fixture, WIRE_OCCUPANCY, fixture->kernel, 1024, 0), CARD_OK);
    assert_int_equal(value, 2);
    assert_int_equal(ask(fixture, WIRE_OCCUPANCY, fixture->kernel, 128, 100 << 10), CARD_OK);
    assert_int_equal(value, 2);
    const uint64_t wrong[][2] = {{0, 0}, {1025, 0}, {UINT64_MAX, 0}, {32, UINT64_MAX}};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        assert_int_equal(ask(fixture, WIRE_OCCUPANCY, fixture->kernel, wrong[i][0], wrong[i][1]),
                         CARD_OK);
        assert_int_equal(value, 0);
    }
    struct wire_launch sent = {
        .kernel = fixture->kernel, .block = {1024, 1, 1}, .cluster = {4, 1, 1}};
    assert_int_equal(ask_with(fixture, WIRE_CLUSTERS, &sent, sizeof sent, 0, 0, 0), CARD_OK);
    assert_int_equal(value, 8 * (16 * 2 / 4)); /* an H100's 132 SMs in eight groups */
    assert_int_equal(ask_with(fixture, WIRE_CLUSTERS, &sent, 8, 0, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_LIMIT, 0, 64 << 10, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_LIMIT, 0, UINT64_MAX, 0), CARD_OUT_OF_MEMORY);
    assert_int_equal(fixture->card.heap_bytes, 64 << 10);
}

/* race(): all threads write a word of shared memory, in a line of CUB's and in a program's. */
static void leaves_races_inside_of_libraries_to_them(void **state) {
    struct fixture *fixture = *state;
    static const char text[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".file 1 \"/cuda/include/cccl/cub/agent.cuh\"\n.file 2 \"/home/cub/program.cu\"\n"
        ".visible .entry race(.param .u32 n) {\n"
        ".reg .b32 %r<4>; .shared .align 4 .u32 s; .shared .align 4 .u32 t;\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, t;\n"
        ".loc 1 7 1\nst.shared.u32 [%r2], %r1;\n"
        ".loc 2 9 1\nst.shared.u32 [%r3], %r1;\nret; }\n";
    struct {
        struct wire_launch head;
        uint32_t n;
    } __attribute__((packed))
    sent = {.head = {.grid = {1, 1, 1}, .block = {64, 1, 1}, .parameter_bytes = 4}};
    memcpy(fixture->window, text, sizeof text - 1);
    assert_int_equal(ask(fixture, WIRE_TEXT, sizeof text - 1, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_MODULE, 0, 0, 0), CARD_OK);
    assert_int_equal(ask_with(fixture, WIRE_KERNEL, "race", 4, value, 0, 0), CARD_OK);
    sent.head.kernel = value;
    assert_int_equal(ask_with(fixture, WIRE_LAUNCH, &sent, sizeof sent, 0, 0, 0), CARD_OK);
    const struct engine_result *found = &fixture->card.result.found;
    assert_int_equal(found->hazard_count, 1);
    assert_string_equal(found->hazards[0].file, "program.cu");
}

static uint64_t share(struct fixture *fixture, uint64_t bytes, bool is_host, uint32_t **of_host) {
    assert_int_equal(ask(fixture, WIRE_SHARE, bytes, is_host, 0), CARD_OK);
    uint64_t address = value;
    assert_int_equal(ask(fixture, WIRE_PLACE, address, 0, 0), CARD_OK);
    assert_true(value >= WIRE_WINDOW && value + bytes <= WIRE_WINDOW + ARENA);
    assert_true(address >> 47 == 0); /* a process can have it */
    *of_host = (uint32_t *)(fixture->window + value);
    return address;
}

static void exchanges_shared_memory_when_the_host_may_see_it(void **state) {
    struct fixture *fixture = *state;
    uint32_t *managed, *pinned;
    uint64_t x = share(fixture, 5000, false, &managed);
    uint64_t other = share(fixture, 5000, true, &pinned);
    assert_true(x != other && managed != pinned);
    for (uint32_t i = 0; i < ELEMENTS; i++)
        managed[i] = i;
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    assert_int_equal(managed[2], 2); /* not yet waited for */
    managed[ELEMENTS] = 77;          /* meanwhile */
    assert_int_equal(launch(fixture, fixture->kernel, x, ELEMENTS - 1, 32), CARD_OK);
    managed[ELEMENTS + 1] = 78;
    assert_int_equal(ask(fixture, WIRE_SYNCHRONIZE, WIRE_WAIT_ALL, 0, 0), CARD_OK);
    assert_int_equal(managed[2], 2 * 9);
    assert_int_equal(managed[ELEMENTS], 77);
    assert_int_equal(managed[ELEMENTS + 1], 78);
    pinned[1200] = 5;
    assert_int_equal(launch(fixture, fixture->kernel, other + 4800, 0, 32), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_EXCHANGE, 0, 0, 0), CARD_OK);
    assert_int_equal(pinned[1200], 15);
    assert_int_equal(fixture->card.result.found.hazard_count, 0);
}

static void shares_no_more_than_there_is(void **state) {
    struct fixture *fixture = *state;
    uint32_t *memory;
    assert_int_equal(ask(fixture, WIRE_SHARE, 0, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_SHARE, ARENA + 1, 0, 0), CARD_OUT_OF_MEMORY);
    assert_int_equal(ask(fixture, WIRE_SHARE, UINT64_MAX, 0, 0), CARD_OUT_OF_MEMORY);
    assert_int_equal(ask(fixture, WIRE_SHARE, UINT64_MAX - 5000, 0, 0), CARD_OUT_OF_MEMORY);
    uint64_t all = share(fixture, ARENA, false, &memory);
    memory[7] = 1;
    assert_int_equal(ask(fixture, WIRE_SHARE, 1, 0, 0), CARD_OUT_OF_MEMORY);
    assert_int_equal(ask(fixture, WIRE_RANGE, all + 100, 0, 0), CARD_OK);
    assert_true(value == all);
    assert_int_equal(ask(fixture, WIRE_FREE, all, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_PLACE, all, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_RANGE, all, 0, 0), CARD_INVALID_VALUE);
    assert_true(share(fixture, ARENA, false, &memory) != all); /* numbers in turn */
    assert_int_equal(memory[7], 0);
    assert_int_equal(ask(fixture, WIRE_PLACE, allocate(fixture, 8), 0, 0), CARD_INVALID_VALUE);
}

int main(void) {
#define WITH_CARD(test) cmocka_unit_test_setup_teardown(test, open_card, close_card)
    const struct CMUnitTest tests[] = {
        WITH_CARD(keeps_memory_and_variables_between_launches),
        WITH_CARD(models_launches_of_a_shape_once),
        WITH_CARD(finds_reads_of_what_nothing_has_written),
        WITH_CARD(stops_at_a_fault),
        WITH_CARD(a_pointer_of_the_host_has_no_number),
        WITH_CARD(a_wild_pointer_keeps_its_number),
        WITH_CARD(brings_memory_back_before_it_runs_again),
        WITH_CARD(brings_back_what_every_kind_of_store_changes),
        WITH_CARD(says_where_the_host_has_called),
        WITH_CARD(answers_a_wrong_configuration_as_a_card_does),
        WITH_CARD(frees_once_and_gives_numbers_away_late),
        WITH_CARD(finds_what_the_host_does_wrong),
        WITH_CARD(refuses_what_does_not_fit),
        WITH_CARD(refuses_launches_that_no_library_sends),
        WITH_CARD(answers_what_kernels_take),
        WITH_CARD(links_the_texts_of_a_module),
        WITH_CARD(exchanges_shared_memory_when_the_host_may_see_it),
        WITH_CARD(shares_no_more_than_there_is),
        WITH_CARD(leaves_races_inside_of_libraries_to_them),
        WITH_CARD(carries_setup_and_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

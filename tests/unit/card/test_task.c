/* What an exercise gives to a program, and whose its outputs are: no kernel is needed for that, a
 * test writes into the card's memory itself. */
#include "sandbox/card/card_private.h"

#include "grader/exercise/device.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 64, BYTES = 4 * COUNT, OUT_AT = 256 };

struct fixture {
    struct card card;
    struct device_profile device;
    struct engine_launch common;
    struct engine_argument arguments[3]; /* const float *in, float *out, int n */
    float data[2 * COUNT];
    unsigned char window[WIRE_WINDOW];
};

static uint64_t value;

static enum card_error ask(struct fixture *fixture, enum wire_call call, uint64_t a, uint64_t b,
                           uint64_t c, uint64_t d) {
    static enum card_error (*const acts[])(struct card *, const struct card_request *,
                                           struct card_reply *) = {
#define CALL(id, what) card_do_##id,
#include "sandbox/runtime/call.def"
#undef CALL
    };
    struct card_request request = {.head = {.call = call, .argument = {a, b, c, d}}, .bytes = ""};
    struct card_reply reply = {0};
    enum card_error error = acts[call](&fixture->card, &request, &reply);
    value = reply.head.value[0];
    text_free(&reply.bytes);
    return error;
}

static void begin(struct fixture *fixture, enum card_pointers pointers) {
    const struct card_task task = {fixture->arguments, 3, fixture->data, sizeof fixture->data,
                                   pointers};
    card_task_begin(&fixture->card, &task);
}

static int open_card(void **state) {
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    assert_int_equal(device_load("h100", &fixture->device, NULL), STATUS_OK);
    fixture->common = (struct engine_launch){.kernel = "", .device = &fixture->device};
    fixture->card = (struct card){
        .common = &fixture->common, .capacity_bytes = 1 << 20, .window = fixture->window};
    fixture->arguments[0] = (struct engine_argument){
        .is_buffer = true, .type = ELEMENT_f32, .name = "in", .count = COUNT, .read_only = true};
    fixture->arguments[1] = (struct engine_argument){.is_buffer = true,
                                                     .type = ELEMENT_f32,
                                                     .name = "out",
                                                     .count = COUNT,
                                                     .uninitialized = true,
                                                     .data_offset = OUT_AT};
    fixture->arguments[2] = (struct engine_argument){.type = ELEMENT_i32, .scalar = COUNT};
    for (int i = 0; i < COUNT; i++)
        fixture->data[i] = 0.1f * (float)i;
    *state = fixture;
    return 0;
}

static int close_card(void **state) {
    struct fixture *fixture = *state;
    card_clear(&fixture->card);
    free(fixture);
    return 0;
}

static float right(int i) {
    return 1.7f * (float)(i + 1);
}

static void write_right(void *to) {
    for (int i = 0; i < COUNT; i++)
        memcpy((char *)to + 4 * i, &(float){right(i)}, 4);
}

/* As a kernel does. */
static void compute(struct fixture *fixture, uint64_t address) {
    uint64_t offset;
    fixture->card.result.found.counters.memory_instructions += 2 * COUNT;
    write_right(fixture->card.blocks[sim_block_of(address, &offset)].bytes);
}

static struct card_output end(struct fixture *fixture) {
    assert_int_equal(ask(fixture, WIRE_TASK_END, 0, 0, 0, 0), CARD_OK);
    card_task_end(&fixture->card);
    return fixture->card.result.task.outputs[1];
}

static const float *output(const struct fixture *fixture) {
    return (const float *)((const char *)fixture->card.task.task.data + OUT_AT);
}

static uint64_t argument(struct fixture *fixture, unsigned number) {
    assert_int_equal(ask(fixture, WIRE_TASK_ARGUMENT, number, 0, 0, 0), CARD_OK);
    return value;
}

static uint64_t allocate(struct fixture *fixture) {
    assert_int_equal(ask(fixture, WIRE_ALLOCATE, BYTES, 0, 0, 0), CARD_OK);
    return value;
}

static void takes_what_kernels_leave(void **state) {
    struct fixture *fixture = *state;
    begin(fixture, CARD_DEVICE_POINTERS);
    uint64_t in = argument(fixture, 0), out = argument(fixture, 1);
    assert_int_equal(argument(fixture, 2), COUNT);
    assert_int_equal(ask(fixture, WIRE_TASK_ARGUMENT, 3, 0, 0, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_TASK_READ, 0, 0, 4, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_READ, in, BYTES, 0, 0), CARD_OK);
    assert_memory_equal(fixture->window, fixture->data, BYTES);
    /* the inputs may come and go as they like */
    uint64_t copy = allocate(fixture);
    assert_int_equal(ask(fixture, WIRE_WRITE, copy, BYTES, 0, 0), CARD_OK);
    compute(fixture, out);
    assert_int_equal(end(fixture).origin, CARD_FROM_KERNELS);
    assert_true(fixture->card.result.task.returned);
    assert_true(output(fixture)[5] == right(5));
}

/* Nothing, and half of the input is more than that. */
static void sees_kernels_that_read_too_little(void **state) {
    struct fixture *fixture = *state;
    uint64_t *instructions = &fixture->card.result.found.counters.memory_instructions;
    begin(fixture, CARD_DEVICE_POINTERS);
    compute(fixture, argument(fixture, 1));
    *instructions = 0;
    assert_int_equal(end(fixture).origin, CARD_FROM_TOO_LITTLE);
}

static void takes_copies_of_an_input(void **state) {
    struct fixture *fixture = *state;
    begin(fixture, CARD_DEVICE_POINTERS);
    uint64_t in = argument(fixture, 0), out = argument(fixture, 1);
    assert_int_equal(ask(fixture, WIRE_COPY, out, in, BYTES, 0), CARD_OK);
    assert_int_equal(end(fixture).origin, CARD_FROM_KERNELS);
    assert_memory_equal(output(fixture), fixture->data, BYTES);
}

static void sees_what_the_host_computed(void **state) {
    struct fixture *fixture = *state;
    begin(fixture, CARD_DEVICE_POINTERS);
    uint64_t out = argument(fixture, 1), copy = allocate(fixture);
    write_right(fixture->window);
    assert_int_equal(ask(fixture, WIRE_WRITE, copy, BYTES, 0, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_COPY, out, copy, BYTES, 0), CARD_OK);
    assert_int_equal(end(fixture).origin, CARD_FROM_HOST);
}

/* A single number is the host's where it was sent to its place, or is no plain one. */
static void sees_a_number_that_the_host_computed(void **state) {
    struct fixture *fixture = *state;
    fixture->arguments[1].count = 1;
    begin(fixture, CARD_DEVICE_POINTERS);
    memcpy(fixture->window, &(float){1234.5f}, 4);
    assert_int_equal(ask(fixture, WIRE_WRITE, argument(fixture, 1), 4, 0, 0), CARD_OK);
    assert_int_equal(end(fixture).origin, CARD_FROM_HOST);
}

static void keeps_what_is_not_the_functions_to_free(void **state) {
    struct fixture *fixture = *state;
    begin(fixture, CARD_DEVICE_POINTERS);
    uint64_t out = argument(fixture, 1);
    compute(fixture, out);
    assert_int_equal(ask(fixture, WIRE_FREE, out, 0, 0, 0), CARD_OK);
    end(fixture);
    assert_int_equal(fixture->card.result.task.freed, 2);
    assert_true(output(fixture)[0] == right(0));
}

/* The host's array at 0x10000, or where else the copy goes. */
static struct card_output bring_back(struct fixture *fixture, uint64_t to, float changed) {
    begin(fixture, CARD_HOST_POINTERS);
    assert_int_equal(argument(fixture, 1), 0);
    assert_int_equal(ask(fixture, WIRE_TASK_READ, 0, 4, BYTES - 4, 0), CARD_OK);
    assert_memory_equal(fixture->window, fixture->data + 1, BYTES - 4);
    assert_int_equal(ask(fixture, WIRE_TASK_READ, 0, 4, BYTES, 0), CARD_INVALID_VALUE);
    uint64_t memory = allocate(fixture);
    compute(fixture, memory);
    assert_int_equal(ask(fixture, WIRE_READ, memory, BYTES, to, 0), CARD_OK);
    write_right(fixture->window);
    if (changed > 0)
        memcpy(fixture->window + 4 * 9, &changed, 4);
    assert_int_equal(ask(fixture, WIRE_TASK_RETURN, 1, 0, BYTES, 0x10000), CARD_OK);
    return end(fixture);
}

static void believes_copies_to_the_host(void **state) {
    assert_int_equal(bring_back(*state, 0x10000, 0).origin, CARD_FROM_KERNELS);
    assert_true(output(*state)[9] == right(9));
}

static void believes_copies_by_way_of_another_buffer(void **state) {
    assert_int_equal(bring_back(*state, 0x777000, 0).origin, CARD_FROM_KERNELS);
}

static void believes_nothing_else(void **state) {
    struct card_output found = bring_back(*state, 0x10000, 3.25f);
    assert_int_equal(found.origin, CARD_NOT_FROM_CARD);
    assert_int_equal(found.offset, 4 * 9);
}

/* What a program has printed is compared with this. */
static void collects_what_was_computed(void **state) {
    struct fixture *fixture = *state;
    begin(fixture, CARD_NO_POINTERS);
    uint64_t memory = allocate(fixture), other = allocate(fixture);
    for (int i = 0; i < COUNT; i++)
        memcpy(fixture->window + 4 * i, &(float){0.3f * (float)i - 7}, 4);
    assert_int_equal(ask(fixture, WIRE_WRITE, other, BYTES, 0, 0), CARD_OK);
    compute(fixture, memory);
    assert_int_equal(ask(fixture, WIRE_READ, memory, BYTES - 4, 0x5000, 0), CARD_OK);
    assert_int_equal(ask(fixture, WIRE_READ, other, BYTES, 0x6000, 0), CARD_OK);
    end(fixture);
    const struct text *computed = &fixture->card.result.task.computed;
    float expected[COUNT], first;
    write_right(expected);
    assert_int_equal(computed->length, 2 * BYTES);
    assert_memory_equal(computed->data, expected, BYTES - 4);
    memcpy(&first, computed->data + BYTES + 4, 4); /* sent by the host */
    assert_true((unsigned char)computed->data[BYTES + 4] == CARD_FILLER && first != -6.7f);
}

int main(void) {
#define WITH_CARD(test) cmocka_unit_test_setup_teardown(test, open_card, close_card)
    const struct CMUnitTest tests[] = {
        WITH_CARD(takes_what_kernels_leave),
        WITH_CARD(sees_kernels_that_read_too_little),
        WITH_CARD(takes_copies_of_an_input),
        WITH_CARD(sees_what_the_host_computed),
        WITH_CARD(sees_a_number_that_the_host_computed),
        WITH_CARD(keeps_what_is_not_the_functions_to_free),
        WITH_CARD(believes_copies_to_the_host),
        WITH_CARD(believes_copies_by_way_of_another_buffer),
        WITH_CARD(believes_nothing_else),
        WITH_CARD(collects_what_was_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Textures as the calls of wire.h ask the card for them, also as no library of ours would. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 16, BYTES = SIDE * SIDE * 4 };

struct fixture {
    struct card card;
    struct engine_launch common;
    uint64_t address;
};

static uint64_t answer;

static enum card_error make(struct fixture *fixture, const struct wire_texture *wire,
                            size_t bytes) {
    struct card_request request = {.head = {.call = WIRE_TEXTURE, .inline_bytes = (uint32_t)bytes},
                                   .bytes = (const char *)wire};
    struct card_reply reply = {0};
    enum card_error error = card_do_TEXTURE(&fixture->card, &request, &reply);
    answer = reply.head.value[0];
    return error;
}

static void end(struct fixture *fixture, uint64_t handle) {
    struct card_request request = {.head = {.call = WIRE_TEXTURE_END, .argument = {handle}}};
    struct card_reply reply = {0};
    assert_int_equal(card_do_TEXTURE_END(&fixture->card, &request, &reply), CARD_OK);
}

static int open_card(void **state) {
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    fixture->card = (struct card){.common = &fixture->common, .capacity_bytes = 1 << 20};
    struct card_request request = {.head = {.call = WIRE_ALLOCATE, .argument = {BYTES}}};
    struct card_reply reply = {0};
    assert_int_equal(card_do_ALLOCATE(&fixture->card, &request, &reply), CARD_OK);
    fixture->address = reply.head.value[0];
    *state = fixture;
    return 0;
}

static int close_card(void **state) {
    struct fixture *fixture = *state;
    card_clear(&fixture->card);
    free(fixture);
    return 0;
}

static struct wire_texture plane(const struct fixture *fixture) {
    return (struct wire_texture){.address = fixture->address,
                                 .width = SIDE,
                                 .height = SIDE,
                                 .depth = 1,
                                 .layers = 1,
                                 .dimensions = 2,
                                 .levels = 1,
                                 .channels = 1,
                                 .bits = 32,
                                 .kind = TEXEL_FLOAT};
}

static void gives_the_lowest_free_handle(void **state) {
    struct fixture *fixture = *state;
    struct wire_texture wire = plane(fixture);
    for (uint64_t i = 1; i <= 3; i++) {
        assert_int_equal(make(fixture, &wire, sizeof wire), CARD_OK);
        assert_int_equal(answer, i);
    }
    end(fixture, 2);
    end(fixture, 0);
    end(fixture, 77);
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_OK);
    assert_int_equal(answer, 2);
}

static void refuses_what_lies_in_no_block(void **state) {
    struct fixture *fixture = *state;
    struct wire_texture wire = plane(fixture);
    wire.height = SIDE + 1;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
    wire = plane(fixture);
    wire.address += 4;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
    wire.address = fixture->address + ((uint64_t)1 << 36);
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
    wire = plane(fixture);
    wire.width = wire.height = wire.depth = wire.layers = 1 << 30;
    wire.dimensions = 3;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
    wire = plane(fixture);
    wire.linear = 1; /* may end behind its memory, but not in another block */
    wire.pitch = 1 << 20;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_OK);
    wire.height = 1 << 17;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
}

static void refuses_what_no_library_says(void **state) {
    struct fixture *fixture = *state;
    struct wire_texture wire = plane(fixture);
    assert_int_equal(make(fixture, &wire, sizeof wire - 1), CARD_INVALID_VALUE);
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {{offsetof(struct wire_texture, dimensions), 0},
                 {offsetof(struct wire_texture, dimensions), 4},
                 {offsetof(struct wire_texture, dimensions), 1},
                 {offsetof(struct wire_texture, levels), 0},
                 {offsetof(struct wire_texture, levels), 200},
                 {offsetof(struct wire_texture, channels), 3},
                 {offsetof(struct wire_texture, bits), 64},
                 {offsetof(struct wire_texture, bits), 8},
                 {offsetof(struct wire_texture, kind), 3},
                 {offsetof(struct wire_texture, address_mode), 4},
                 {offsetof(struct wire_texture, filter), 2},
                 {offsetof(struct wire_texture, is_surface), 2}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wire = plane(fixture);
        memcpy((char *)&wire + wrong[i].at, &wrong[i].value, 1);
        if (make(fixture, &wire, sizeof wire) != CARD_INVALID_VALUE)
            fail_msg("wrong[%zu] was taken", i);
    }
    wire = plane(fixture);
    wire.bias = (float)NAN;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
    wire = plane(fixture);
    wire.layers = 0;
    assert_int_equal(make(fixture, &wire, sizeof wire), CARD_INVALID_VALUE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_the_lowest_free_handle, open_card, close_card),
        cmocka_unit_test_setup_teardown(refuses_what_lies_in_no_block, open_card, close_card),
        cmocka_unit_test_setup_teardown(refuses_what_no_library_says, open_card, close_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

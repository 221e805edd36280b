/* Addresses of a real card, which say nothing of the blocks that lie there; and what its worker and
 * the trusted side say to each other. */
#include "sandbox/card/card_private.h"
#include "sandbox/card/metal/metal_wire.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t first = 0x7f0000001000, second = 0x7f0000004000;
static const struct card_real real;

static int open_card(void **state) {
    struct card *card = mem_zalloc(sizeof *card);
    card->real = &real;
    *state = card;
    return 0;
}

static int close_card(void **state) {
    struct card *card = *state;
    free(card->blocks);
    free(card->lives);
    free(card->spans);
    free(card->freed);
    free(card);
    return 0;
}

static size_t adopt(struct card *card, uint64_t address, uint64_t bytes) {
    size_t number;
    assert_true(card_adopt(card, address, bytes, ENGINE_BLOCK_ALLOCATED, &number));
    return number;
}

static size_t block_at(const struct card *card, uint64_t address, uint64_t expected_offset) {
    uint64_t offset;
    size_t number = card_block_of(card, address, &offset);
    assert_true(number == SIZE_MAX || offset == expected_offset);
    return number;
}

static void finds_the_block_of_an_address(void **state) {
    struct card *card = *state;
    size_t b = adopt(card, second, 100), a = adopt(card, first, 4096);
    assert_int_not_equal(a, b);
    assert_int_equal(block_at(card, first, 0), a);
    assert_int_equal(block_at(card, first + 4095, 4095), a);
    assert_int_equal(block_at(card, second + 99, 99), b);
    assert_int_equal(block_at(card, second + 101, 101), b); /* past its end: meant for it */
    assert_int_equal(block_at(card, first - 1, 0), SIZE_MAX);
    assert_int_equal(block_at(card, second + ((uint64_t)1 << 40), 0), SIZE_MAX);
    assert_int_equal(card_address_of(card, a), first);
    assert_true(card_is_device(card, second + 99));
    assert_false(card_is_device(card, second + 100));
    assert_false(card_is_device(card, first - 1));
}

static void keeps_a_freed_place_until_another_block_has_it(void **state) {
    struct card *card = *state;
    size_t a = adopt(card, first, 64);
    checks_freed(card, a);
    assert_false(card_is_live(card, a));
    assert_int_equal(block_at(card, first + 8, 8), a);
    size_t b = adopt(card, first - 16, 64); /* over a part of it */
    assert_true(card_is_live(card, b));
    assert_int_equal(block_at(card, first + 8, 24), b);
    assert_int_equal(card->span_count, 1);
    card_note_place(card, b, second, 64); /* a number has one place */
    assert_int_equal(block_at(card, first, 0), SIZE_MAX);
    assert_int_equal(block_at(card, second, 0), b);
}

static bool decodes(json_t *control, uint64_t *bytes, struct metal_assembled *assembled) {
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    protocol_frame(&frame, control, NULL, 0);
    assert_true(protocol_parse(frame.data, frame.length, &message));
    return bytes ? metal_decode_assemble(&message, bytes)
                 : metal_decode_assembled(&message, assembled);
}

static void believes_no_length_beyond_the_file(void **state) {
    (void)state;
    uint64_t bytes;
    struct metal_assembled assembled;
    assert_true(decodes(metal_encode_assemble(METAL_EXCHANGE_BYTES), &bytes, NULL));
    assert_int_equal(bytes, METAL_EXCHANGE_BYTES);
    assert_false(decodes(metal_encode_assemble((uint64_t)METAL_EXCHANGE_BYTES + 1), &bytes, NULL));
    assert_false(decodes(json_pack("{s:i}", "assemble", 5), &bytes, NULL));
    assert_false(decodes(json_object(), &bytes, NULL));
    assert_true(decodes(metal_encode_assembled(&(struct metal_assembled){.trouble = "no"}), NULL,
                        &assembled));
    assert_string_equal(assembled.trouble, "no");
    assert_false(decodes(metal_encode_assembled(&(struct metal_assembled){.bytes = UINT64_MAX}),
                         NULL, &assembled));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_block_of_an_address, open_card, close_card),
        cmocka_unit_test_setup_teardown(keeps_a_freed_place_until_another_block_has_it, open_card,
                                        close_card),
        cmocka_unit_test(believes_no_length_beyond_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Packets between a session and its worker: what arrives, and that no one is kept waiting. */
#include "card.h"

#include <unistd.h>

static json_t *sample(void) {
    return json_pack("{s:I}", "operation", (json_int_t)1);
}

static void test_arrives(void **state) {
    (void)state;
    int ends[2], received[TALK_MAX_DESCRIPTORS];
    size_t count = 0;
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    assert_true(talk_open(ends));
    assert_true(talk_send(ends[0], sample(), "bulk", 4, ends, 1));
    assert_int_equal(
        talk_receive(ends[1], 5, &frame, &message, received, TALK_MAX_DESCRIPTORS, &count),
        TALK_MESSAGE);
    assert_int_equal(count, 1);
    assert_int_equal(message.bulk_length, 4);
    assert_memory_equal(message.bulk, "bulk", 4);
    close(received[0]);
    close(ends[0]);
    close(ends[1]);
}

/* One that answers without reading what it is asked: its requests pile up until there is no room.
 */
static void test_does_not_wait_for_a_reader(void **state) {
    (void)state;
    int ends[2];
    unsigned sent = 0;
    assert_true(talk_open(ends));
    alarm(30); /* ends this program, should it wait */
    while (sent < 1000000 && talk_send(ends[0], sample(), NULL, 0, NULL, 0))
        sent++;
    alarm(0);
    assert_in_range(sent, 1, 999999);
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrives),
        cmocka_unit_test(test_does_not_wait_for_a_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A worker's answers as what a hostile one may say: messages that no session sends are refused, and
 * figures that cannot be are an end of the session, not a result. */
#include "card.h"

#include "sandbox/cuda/outcome.h"
#include "sandbox/cuda/place.h"

/* Encodes, lets `spoil` change one member, and decodes. */
static bool survives(json_t *control, const char *member, json_t *value,
                     bool (*decode)(const struct protocol_message *message)) {
    cleanup_text struct text frame = {0};
    struct protocol_message message;
    if (member && value)
        json_object_set_new(control, member, value);
    else if (member)
        json_object_del(control, member);
    protocol_frame(&frame, control, "", 0);
    assert_true(protocol_parse(frame.data, frame.length, &message));
    bool decoded = decode(&message);
    protocol_message_free(&message);
    return decoded;
}

static struct wire_outcome sample(void) {
    return (struct wire_outcome){.event_ms = 1,
                                 .host_ms = 2,
                                 .guards = {{.argument = 1, .behind = true, .count = 4}},
                                 .guard_count = 1,
                                 .inputs = {{.argument = 0, .first = 3, .count = 1}},
                                 .input_count = 1};
}

static bool decode_outcome(const struct protocol_message *message) {
    struct wire_outcome outcome;
    return wire_decode_outcome(message, 2, &outcome);
}

static bool decode_cards(const struct protocol_message *message) {
    struct wire_cards cards;
    return wire_decode_cards(message, &cards);
}

static bool decode_opened(const struct protocol_message *message) {
    struct wire_opened opened;
    return wire_decode_opened(message, &opened);
}

static void test_strict(void **state) {
    (void)state;
    struct wire_outcome outcome = sample();
    struct wire_cards cards = {0};
    struct wire_opened opened = {0};
    assert_true(survives(wire_encode_outcome(&outcome), NULL, NULL, decode_outcome));
    assert_true(survives(wire_encode_cards(&cards), NULL, NULL, decode_cards));
    assert_true(survives(wire_encode_opened(&opened), NULL, NULL, decode_opened));
    assert_false(survives(wire_encode_cards(&cards), NULL, NULL, decode_opened));
    static const char *const members[] = {"operation", "failure", "event_ms",   "host_ms",
                                          "guards",    "inputs",  "printed_cut"};
    for (size_t i = 0; i < ARRAY_LENGTH(members); i++) {
        assert_false(survives(wire_encode_outcome(&outcome), members[i], NULL, decode_outcome));
        assert_false(
            survives(wire_encode_outcome(&outcome), members[i], json_string("x"), decode_outcome));
    }
    assert_false(survives(wire_encode_outcome(&outcome), "more", json_true(), decode_outcome));
    assert_false(
        survives(wire_encode_outcome(&outcome), "event_ms", json_real(-1), decode_outcome));
    assert_false(
        survives(wire_encode_outcome(&outcome), "event_ms", json_real(1e300), decode_outcome));
    outcome.guards[0].argument = 2; /* of two */
    assert_false(survives(wire_encode_outcome(&outcome), NULL, NULL, decode_outcome));
    outcome = sample();
    outcome.failure.stage = WIRE_STAGE_COUNT;
    assert_false(survives(wire_encode_outcome(&outcome), NULL, NULL, decode_outcome));
}

/* A change of the sample, and whether the result is believed. */
static void test_possible(void **state) {
    (void)state;
    for (int i = 0; i < 9; i++) {
        struct try_launch try;
        struct wire_outcome outcome = sample();
        try_fill(&try, "copy");
        try.result.dialog_ms = 5;
        switch (i) {
        case 1:
            outcome.event_ms = 6;
            break;
        case 2:
            outcome.host_ms = 6;
            break;
        case 3:
            outcome.guards[0].count = PLACE_GUARD_BYTES + PLACE_PAGE_BYTES + 1;
            break;
        case 4:
            outcome.guards[0].first = UINT64_MAX;
            break;
        case 5:
            outcome.inputs[0].argument = 1; /* which is no input */
            break;
        case 6:
            outcome.inputs[0].first = ELEMENTS;
            break;
        case 7:
            outcome.guards[0].argument = 2; /* which is no buffer */
            break;
        case 8:
            outcome.inputs[0].count = 0;
            break;
        }
        outcome_describe(&try.launch, &outcome, &try.result);
        assert_int_equal(try.result.end, i ? CUDA_DIED : CUDA_COMPLETED);
        assert_int_equal(try.result.hazard_count, i ? 0 : 2);
        assert_true(!i || strstr(try.result.message, "answer is not valid"));
    }
}

/* Whatever a worker claims to have failed with, no failure is a pass. */
static void test_failures(void **state) {
    (void)state;
    for (int stage = WIRE_STAGE_NONE + 1; stage < WIRE_STAGE_COUNT; stage++)
        for (int code = 0; code < 1000; code++) {
            struct try_launch try;
            struct wire_outcome outcome = {
                .failure = {.stage = (enum wire_stage)stage, .code = code}};
            try_fill(&try, "copy");
            outcome_describe(&try.launch, &outcome, &try.result);
            assert_int_not_equal(try.result.end, CUDA_COMPLETED);
            assert_true(try.result.message[0] != '\0');
            if (try.result.end == CUDA_FAULT)
                assert_int_equal(try.result.hazard_count, 1);
        }
}

/* A card that others have filled is not the submission's fault. */
static void test_memory(void **state) {
    (void)state;
    static const struct {
        enum wire_stage stage;
        enum cuda_end end;
    } cases[] = {{WIRE_STAGE_MEMORY, CUDA_DIED},   {WIRE_STAGE_FILL, CUDA_DIED},
                 {WIRE_STAGE_READ, CUDA_DIED},     {WIRE_STAGE_MODULE, CUDA_MEMORY},
                 {WIRE_STAGE_LAUNCH, CUDA_MEMORY}, {WIRE_STAGE_KERNEL, CUDA_MEMORY}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct try_launch try;
        struct wire_outcome outcome = {.failure = {.stage = cases[i].stage, .code = 2}};
        try_fill(&try, "copy");
        outcome_describe(&try.launch, &outcome, &try.result);
        assert_int_equal(try.result.end, cases[i].end);
        assert_true(!strstr(try.result.message, "no room for the launch's buffers") ==
                    (cases[i].end == CUDA_MEMORY));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_possible),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Bytes as what a worker answers: a whole frame, and a control part by itself.
 *
 * What decodes must survive being encoded and decoded again. */
#include "fuzz.h"

#include "grader/base/memory.h"
#include "sandbox/cuda/outcome.h"
#include "sandbox/engine_wire.h"

#include <stdlib.h>

enum { DATA_BYTES = 1 << 16 };

static void try_result(const json_t *control) {
    struct engine_result result, again;
    const char *culprit;
    if (!engine_wire_decode_result(control, &result, &culprit))
        return;
    json_t *encoded = engine_wire_encode_result(&result);
    if (!encoded || !engine_wire_decode_result(encoded, &again, &culprit))
        abort();
    engine_result_free(&again);
    engine_result_free(&result);
    json_decref(encoded);
}

static void try_launch(const json_t *control) {
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch launch;
    engine_wire_decode_launch(control, DATA_BYTES, arguments, &device, &launch);
}

/* What a GPU's worker answers to a launch of three arguments, and what is made of it. */
static void try_outcome(const struct protocol_message *message) {
    static const struct engine_argument arguments[] = {
        {.name = "x", .is_buffer = true, .type = ELEMENT_f32, .count = 100, .read_only = true},
        {.name = "y", .is_buffer = true, .type = ELEMENT_u8, .count = 7},
        {.name = "n", .type = ELEMENT_i32}};
    const struct cuda_launch launch = {
        .arguments = arguments, .argument_count = ARRAY_LENGTH(arguments), .wall_seconds = 1};
    struct wire_outcome outcome, again;
    if (!wire_decode_outcome(message, launch.argument_count, &outcome))
        return;
    struct protocol_message encoded = {.control = wire_encode_outcome(&outcome)};
    struct cuda_result result = {.dialog_ms = 1000};
    outcome_describe(&launch, &outcome, &result);
    if (!wire_decode_outcome(&encoded, launch.argument_count, &again) ||
        result.hazard_count > CUDA_MAX_HAZARDS || (unsigned)result.end >= CUDA_END_COUNT)
        abort();
    protocol_message_free(&encoded);
}

static void try_gpu(const struct protocol_message *message) {
    struct wire_cards cards;
    struct wire_opened opened;
    struct wire_copied copied;
    struct cuda_clocks clocks;
    struct wire_driver driver;
    struct wire_open open;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct cuda_blas_call blas;
    struct cuda_launch launch;
    uint64_t bytes;
    try_outcome(message);
    if (wire_decode_cards(message, &cards) && cards.count > WIRE_MAX_CARDS)
        abort();
    wire_decode_opened(message, &opened);
    wire_decode_copied(message, &copied);
    wire_decode_clocks(message, &clocks);
    wire_decode_driver(message, &driver);
    wire_decode_open(message, &open);
    wire_decode_run(message, arguments, &blas, &launch);
    wire_decode_copy_request(message, &bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct protocol_message message;
    if (protocol_parse((const char *)data, size, &message)) {
        try_result(message.control);
        try_launch(message.control);
        try_gpu(&message);
        protocol_message_free(&message);
    }
    json_t *control = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(control)) {
        try_result(control);
        try_launch(control);
        try_gpu(&(struct protocol_message){.control = control});
    }
    json_decref(control);
    return 0;
}

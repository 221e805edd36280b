/* Bytes as what a worker answers: a whole frame, and a control part by itself.
 *
 * What decodes must survive being encoded and decoded again. With WARPGRADE_MUST_LOAD an input that
 * nothing can decode is a failure: a corpus that ends at its first check tests nothing more. */
#include "fuzz.h"

#include "sandbox/base/memory.h"
#include "sandbox/cuda/outcome.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/engine/probe_wire.h"

#include <stdlib.h>

enum { DATA_BYTES = 1 << 16, BATCH = 3 };

static bool decoded; /* the input, by anything */

static void try_result(const json_t *control) {
    struct engine_result result, again;
    const char *culprit;
    if (!engine_wire_decode_result(control, &result, &culprit))
        return;
    decoded = true;
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
    struct engine_probe probes[ENGINE_MAX_ELEMENTS];
    decoded |= engine_wire_decode_launch(control, DATA_BYTES, arguments, &device, &launch) &&
               probe_wire_decode_probes(control, probes);
}

/* An entry counts once, and each that counts has completed. */
static void try_batch(const char *response, size_t length) {
    struct engine_batch_entry entries[BATCH] = {0};
    bool whole = engine_wire_decode_batch(response, length, entries, BATCH);
    decoded |= whole;
    for (size_t i = 0; i < BATCH; i++) {
        if (whole && entries[i].done && entries[i].result.end != ENGINE_COMPLETED)
            abort();
        engine_result_free(&entries[i].result);
    }
}

/* The same control part as a response of its own. */
static void try_batch_control(json_t *control) {
    struct text frame = {0};
    protocol_frame(&frame, json_incref(control), "", 0);
    try_batch(frame.data, frame.length);
    text_free(&frame);
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
    decoded = true;
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
    bool has_cards = wire_decode_cards(message, &cards);
    if (has_cards && cards.count > WIRE_MAX_CARDS)
        abort();
    decoded |= has_cards;
    decoded |= wire_decode_opened(message, &opened);
    decoded |= wire_decode_copied(message, &copied);
    decoded |= wire_decode_clocks(message, &clocks);
    decoded |= wire_decode_driver(message, &driver);
    decoded |= wire_decode_open(message, &open);
    decoded |= wire_decode_run(message, arguments, &blas, &launch);
    decoded |= wire_decode_copy_request(message, &bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct protocol_message message;
    decoded = false;
    try_batch((const char *)data, size);
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
        try_batch_control(control);
    }
    json_decref(control);
    if (!decoded && getenv("WARPGRADE_MUST_LOAD"))
        abort();
    return 0;
}

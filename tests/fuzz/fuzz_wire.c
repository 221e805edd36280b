/* Bytes as what a worker answers: a whole frame, and a control part by itself.
 *
 * What decodes must survive being encoded and decoded again. */
#include "fuzz.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct protocol_message message;
    if (protocol_parse((const char *)data, size, &message)) {
        try_result(message.control);
        try_launch(message.control);
        protocol_message_free(&message);
    }
    json_t *control = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(control)) {
        try_result(control);
        try_launch(control);
    }
    json_decref(control);
    return 0;
}

/* The messages as JSON. One pair of functions a message, the members in the same order in both. */
#include "sandbox/card/metal/metal_wire.h"

json_t *metal_encode_open(const struct metal_open *request) {
    return json_pack("{s:o, s:I, s:b, s:b, s:o, s:o}", "driver", protocol_string(request->driver),
                     "card", (json_int_t)request->card, "times", request->times, "has_visible",
                     request->has_visible, "visible", protocol_string(request->visible), "order",
                     protocol_string(request->order));
}

bool metal_decode_open(const struct protocol_message *message, struct metal_open *request) {
    struct protocol_reader reader = protocol_read(message->control);
    request->driver = protocol_borrow(&reader, "driver", METAL_PATH_MAX);
    request->card = (unsigned)protocol_unsigned(&reader, "card", 1 << 10);
    request->times = protocol_bool(&reader, "times");
    request->has_visible = protocol_bool(&reader, "has_visible");
    request->visible = protocol_borrow(&reader, "visible", METAL_PATH_MAX);
    request->order = protocol_borrow(&reader, "order", METAL_PATH_MAX);
    return protocol_end(&reader);
}

json_t *metal_encode_opened(const struct metal_opened *answer) {
    return json_pack("{s:I, s:I, s:o}", "stage", (json_int_t)answer->stage, "code",
                     (json_int_t)answer->code, "trouble", protocol_string(answer->trouble));
}

bool metal_decode_opened(const struct protocol_message *message, struct metal_opened *answer) {
    struct protocol_reader reader = protocol_read(message->control);
    answer->stage = (enum metal_stage)protocol_unsigned(&reader, "stage", METAL_STAGE_COUNT - 1);
    answer->code = (int)protocol_unsigned(&reader, "code", INT32_MAX);
    protocol_text(&reader, "trouble", answer->trouble, sizeof answer->trouble);
    return protocol_end(&reader);
}

json_t *metal_encode_assemble(uint64_t bytes) {
    return json_pack("{s:o}", "assemble", protocol_bits(bytes));
}

bool metal_decode_assemble(const struct protocol_message *message, uint64_t *bytes) {
    struct protocol_reader reader = protocol_read(message->control);
    *bytes = protocol_hex(&reader, "assemble");
    return protocol_end(&reader) && *bytes <= METAL_EXCHANGE_BYTES;
}

json_t *metal_encode_assembled(const struct metal_assembled *answer) {
    return json_pack("{s:o, s:o}", "bytes", protocol_bits(answer->bytes), "trouble",
                     protocol_string(answer->trouble));
}

bool metal_decode_assembled(const struct protocol_message *message,
                            struct metal_assembled *answer) {
    struct protocol_reader reader = protocol_read(message->control);
    answer->bytes = protocol_hex(&reader, "bytes");
    protocol_text(&reader, "trouble", answer->trouble, sizeof answer->trouble);
    return protocol_end(&reader) && answer->bytes <= METAL_EXCHANGE_BYTES;
}

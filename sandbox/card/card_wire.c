/* The two messages as JSON, made of the engine's. */
#include "sandbox/card/card_wire.h"

#include "sandbox/engine/engine_wire.h"

#include <math.h>

json_t *card_wire_encode_setup(const struct engine_launch *launch, uint64_t capacity_bytes) {
    return json_pack("{s:o, s:o}", "launch", engine_wire_encode_launch(launch), "capacity",
                     protocol_bits(capacity_bytes));
}

bool card_wire_decode_setup(const json_t *control, struct card_setup *setup) {
    struct protocol_reader reader = protocol_read(control);
    const json_t *launch = protocol_object(&reader, "launch");
    setup->capacity_bytes = protocol_hex(&reader, "capacity");
    return protocol_end(&reader) &&
           engine_wire_decode_launch(launch, 0, setup->arguments, &setup->device, &setup->launch) &&
           setup->launch.device && setup->launch.argument_count == 0;
}

json_t *card_wire_encode_report(const struct card_result *result) {
    return json_pack("{s:o, s:o, s:f, s:o, s:o, s:b}", "found",
                     engine_wire_encode_result(&result->found), "launches",
                     protocol_bits(result->launches), "modelled_ms", result->modelled_ms,
                     "leaked_blocks", protocol_bits(result->leaked_blocks), "leaked_bytes",
                     protocol_bits(result->leaked_bytes), "used", result->used);
}

bool card_wire_decode_report(const json_t *control, struct card_result *result,
                             const char **culprit) {
    struct protocol_reader reader = protocol_read(control);
    const json_t *found = protocol_object(&reader, "found");
    result->launches = protocol_hex(&reader, "launches");
    result->modelled_ms = protocol_number(&reader, "modelled_ms", 1e15);
    result->leaked_blocks = protocol_hex(&reader, "leaked_blocks");
    result->leaked_bytes = protocol_hex(&reader, "leaked_bytes");
    result->used = protocol_bool(&reader, "used");
    *culprit = reader.culprit ? reader.culprit : "report";
    return protocol_end(&reader) && engine_wire_decode_result(found, &result->found, culprit);
}

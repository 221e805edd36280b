/* Inside engine_wire.c: elements of outputs that are asked for, and those that come back. */
#ifndef WARPGRADE_SANDBOX_ENGINE_PROBE_WIRE_H
#define WARPGRADE_SANDBOX_ENGINE_PROBE_WIRE_H

#include "sandbox/base/launch.h"
#include "sandbox/worker/protocol.h"

json_t *probe_wire_encode_probes(const struct engine_launch *launch);
/* The probes of a launch's control part, whose launch->probe_count engine_wire_decode_launch() has
 * found; room for ENGINE_MAX_ELEMENTS. */
bool probe_wire_decode_probes(const json_t *control, struct engine_probe *probes);

json_t *probe_wire_encode_elements(const struct engine_result *result);
void probe_wire_decode_elements(struct protocol_reader *reader, struct engine_result *result);

/* Whether the elements of a result are some that the launch asked for. */
bool probe_wire_are_wanted(const struct engine_launch *launch, const struct engine_result *result);

#endif

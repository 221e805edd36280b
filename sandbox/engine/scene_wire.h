/* What reports draw pictures of, as JSON and back, for engine_wire.c. */
#ifndef WARPGRADE_SANDBOX_ENGINE_SCENE_WIRE_H
#define WARPGRADE_SANDBOX_ENGINE_SCENE_WIRE_H

#include "sandbox/engine/engine.h"
#include "sandbox/worker/protocol.h"

json_t *scene_wire_encode(const struct hazard_scene *scene);
/* Hostile: false where a number is outside its range. */
bool scene_wire_decode(const json_t *object, struct hazard_scene *scene);

json_t *scene_wire_encode_accesses(const struct engine_result *result);
/* The member "accesses". Fails the reader where it is not as it should be. */
void scene_wire_decode_accesses(struct protocol_reader *reader, struct engine_result *result);

#endif

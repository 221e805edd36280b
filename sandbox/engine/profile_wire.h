/* Device profiles and launch profiles as JSON and back, for engine_wire.c. */
#ifndef WARPGRADE_SANDBOX_ENGINE_PROFILE_WIRE_H
#define WARPGRADE_SANDBOX_ENGINE_PROFILE_WIRE_H

#include "sandbox/engine/engine.h"
#include "sandbox/worker/protocol.h"

enum { MODELLED_MAX_MS = 1000000000 };

json_t *profile_wire_encode_device(const struct device_profile *device);
bool profile_wire_decode_device(const json_t *object, struct device_profile *device);

json_t *profile_wire_encode(const struct launch_profile *profile);
/* Hostile: every number finite and in its range, every enum known. Sets present. */
bool profile_wire_decode(const json_t *object, struct launch_profile *profile);

#endif

/* The sim role's control messages: struct engine_launch and struct engine_result as JSON.
 *
 * Pointers and bulk data are not part of it: ptx is the request's bulk part, the buffers are the
 * memfd, printed output is the response's bulk part. */
#ifndef WARPGRADE_SANDBOX_ENGINE_ENGINE_WIRE_H
#define WARPGRADE_SANDBOX_ENGINE_ENGINE_WIRE_H

#include "sandbox/engine/engine.h"
#include "sandbox/worker/protocol.h"

enum { ENGINE_MAX_LINES = 20000, ENGINE_PRINTED_MAX = 64 * 1024 };

json_t *engine_wire_encode_launch(const struct engine_launch *launch);
/* arguments: room for ENGINE_MAX_ARGUMENTS; device: room for the launch's, if it has one. The
 * strings, the arguments and the device stay owned by control and by the caller. Checks that every
 * buffer lies inside data_length. Of probes it finds the number only: see probe_wire.h. */
bool engine_wire_decode_launch(const json_t *control, size_t data_length,
                               struct engine_argument *arguments, struct device_profile *device,
                               struct engine_launch *launch);

/* The parts of a launch that both engines' messages have. */
json_t *engine_wire_encode_dim3(struct dim3 dim);
struct dim3 engine_wire_decode_dim3(struct protocol_reader *reader, const char *name);
json_t *engine_wire_encode_argument(const struct engine_argument *argument);
/* False also where a buffer does not lie inside data_length. */
bool engine_wire_decode_argument(const json_t *object, size_t data_length,
                                 struct engine_argument *argument);

json_t *engine_wire_encode_result(const struct engine_result *result);
/* `result` is zeroed first; on failure nothing needs to be freed and *culprit names the member. */
bool engine_wire_decode_result(const json_t *control, struct engine_result *result,
                               const char **culprit);

/* A whole response of the role batch. Results belong to `entries` on failure, too, where they say
 * nothing. engine_batch.c. */
bool engine_wire_decode_batch(const char *response, size_t length,
                              struct engine_batch_entry *entries, size_t count);

#endif

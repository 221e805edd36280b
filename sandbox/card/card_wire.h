/* What the trusted side tells the card's worker, and what that reports when the program has ended.
 * Private to the room. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_WIRE_H
#define WARPGRADE_SANDBOX_CARD_CARD_WIRE_H

#include "sandbox/card/card.h"
#include "sandbox/worker/protocol.h"

/* Of a task the buffers' bytes are the frame's bulk part, in both directions; after them comes in
 * the report card_task_result.computed. */
struct card_setup {
    struct engine_launch launch;                            /* what all launches have in common */
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS]; /* the task's */
    struct device_profile device;
    uint64_t capacity_bytes; /* of device memory */
    bool has_task;
    struct card_task task; /* its data is the bulk part */
};
/* task: NULL for none. */
json_t *card_wire_encode_setup(const struct engine_launch *launch, const struct card_task *task,
                               uint64_t capacity_bytes);
/* The launch's strings stay owned by the message. */
bool card_wire_decode_setup(const struct protocol_message *message, struct card_setup *setup);

json_t *card_wire_encode_report(const struct card_result *result);
/* Hostile input; fills what the worker knows of *result. On failure *culprit names the member. */
bool card_wire_decode_report(const json_t *control, struct card_result *result,
                             const char **culprit);
/* Its member "task". */
json_t *card_wire_encode_task(const struct card_task_result *task);
bool card_wire_decode_task(const json_t *object, struct card_task_result *task);

#endif

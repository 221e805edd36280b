/* What the trusted side tells the card's worker, and what that reports when the program has ended.
 * Private to the room. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_WIRE_H
#define WARPGRADE_SANDBOX_CARD_CARD_WIRE_H

#include "sandbox/card/card.h"
#include "sandbox/worker/protocol.h"

struct card_setup {
    struct engine_launch launch;                            /* what all launches have in common */
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS]; /* none of them is used */
    struct device_profile device;
    uint64_t capacity_bytes; /* of device memory */
};
json_t *card_wire_encode_setup(const struct engine_launch *launch, uint64_t capacity_bytes);
/* The launch's strings stay owned by control. */
bool card_wire_decode_setup(const json_t *control, struct card_setup *setup);

json_t *card_wire_encode_report(const struct card_result *result);
/* Hostile input; fills what the worker knows of *result. On failure *culprit names the member. */
bool card_wire_decode_report(const json_t *control, struct card_result *result,
                             const char **culprit);

#endif

/* What the trusted side and the worker that drives a card say to each other, beside the setup and
 * the report of card_wire.h, in packets of cuda/talk.h:
 *
 *     trusted side           worker
 *     OPEN, with the program's end of the dialog and a memory file for texts
 *                            OPENED: the context is made, or why not
 *                            ASSEMBLE: the file holds a module's PTX
 *     ASSEMBLED: it holds machine code now, or why not
 *
 * Both decode strictly; what the worker says is hostile. */
#ifndef WARPGRADE_SANDBOX_CARD_METAL_METAL_WIRE_H
#define WARPGRADE_SANDBOX_CARD_METAL_METAL_WIRE_H

#include "sandbox/worker/protocol.h"

enum { METAL_PATH_MAX = 4096, METAL_TROUBLE_MAX = 512, METAL_EXCHANGE_BYTES = 128 << 20 };

/* What the worker was doing when something failed. */
enum metal_stage {
    METAL_OPEN,
    METAL_LIBRARY,  /* the driver's */
    METAL_FUNCTION, /* of the driver: it is too old */
    METAL_INITIALISE,
    METAL_CONTEXT,
    METAL_STAGE_COUNT
};

struct metal_open {
    const char *driver; /* absolute path */
    unsigned card;      /* among those that are visible */
    bool times;         /* how long the card is busy is to be reported */
    bool has_visible;
    const char *visible, *order; /* CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER or "" */
};
json_t *metal_encode_open(const struct metal_open *request);
bool metal_decode_open(const struct protocol_message *message, struct metal_open *request);

struct metal_opened {
    enum metal_stage stage; /* METAL_OPEN: it is */
    int code;               /* the driver's */
    char trouble[METAL_TROUBLE_MAX];
};
json_t *metal_encode_opened(const struct metal_opened *answer);
bool metal_decode_opened(const struct protocol_message *message, struct metal_opened *answer);

json_t *metal_encode_assemble(uint64_t bytes);
bool metal_decode_assemble(const struct protocol_message *message, uint64_t *bytes);

struct metal_assembled {
    uint64_t bytes; /* 0: trouble says why */
    char trouble[METAL_TROUBLE_MAX];
};
json_t *metal_encode_assembled(const struct metal_assembled *answer);
bool metal_decode_assembled(const struct protocol_message *message, struct metal_assembled *answer);

#endif

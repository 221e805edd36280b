/* What a session and its worker say to each other, and the JSON of it. Private to the room.
 *
 *     request   descriptors              answer
 *     DRIVER                             the cards, or why there are none
 *     OPEN      tools' cubin             context made, cuBLAS or why there is none
 *     RUN       data, cubin              how it ended; what the kernel printed as the bulk part
 *     CLOCKS                             NVML's figures
 *     COPY                               the copy ceiling
 *
 * The worker says what it saw in numbers: a stage, a result code of the driver, places. Sentences
 * are made on the trusted side (outcome.c). Both sides decode strictly; answers are hostile. */
#ifndef WARPGRADE_SANDBOX_CUDA_WIRE_H
#define WARPGRADE_SANDBOX_CUDA_WIRE_H

#include "sandbox/cuda/session.h"
#include "sandbox/worker/protocol.h"

enum wire_operation { WIRE_DRIVER, WIRE_OPEN, WIRE_RUN, WIRE_CLOCKS, WIRE_COPY, WIRE_COUNT };

/* What the worker was doing when something failed. */
enum wire_stage {
    WIRE_STAGE_NONE, /* nothing failed */
    WIRE_STAGE_LIBRARY,
    WIRE_STAGE_INITIALISE,
    WIRE_STAGE_DEVICE,
    WIRE_STAGE_CONTEXT,
    WIRE_STAGE_TOOLS, /* our own kernels */
    WIRE_STAGE_BLAS,
    WIRE_STAGE_MEMORY,
    WIRE_STAGE_FILL,
    WIRE_STAGE_MODULE,
    WIRE_STAGE_PARAMETERS, /* the kernel takes others than it is given */
    WIRE_STAGE_CONSTANTS,  /* a __constant__ variable is too small for its contents */
    WIRE_STAGE_LAUNCH,
    WIRE_STAGE_KERNEL, /* from the launch to its end */
    WIRE_STAGE_READ,
    WIRE_STAGE_HUNG,
    WIRE_STAGE_COUNT
};

enum { WIRE_MAX_CARDS = 64, WIRE_MAX_FINDINGS = 8, WIRE_PATH_MAX = 4096, WIRE_NAME_MAX = 1024 };

/* Of every request, so that it is known what its other members are. */
bool wire_operation_of(const struct protocol_message *message, enum wire_operation *operation);

struct wire_driver {
    const char *driver, *nvml, *blas; /* absolute paths; nvml and blas may be "" */
    bool has_visible;
    const char *visible; /* CUDA_VISIBLE_DEVICES */
    const char *order;   /* CUDA_DEVICE_ORDER, or "" */
};
json_t *wire_encode_driver(const struct wire_driver *request);
bool wire_decode_driver(const struct protocol_message *message, struct wire_driver *request);

/* Why something failed; the answer's own members where nothing did. */
struct wire_failure {
    enum wire_stage stage;
    int code;          /* the driver's or cuBLAS's; 0 where the trouble says it */
    char trouble[512]; /* of the loader */
};

struct wire_cards {
    struct wire_failure failure;
    struct cuda_card cards[WIRE_MAX_CARDS];
    size_t count;
};
json_t *wire_encode_cards(const struct wire_cards *answer);
bool wire_decode_cards(const struct protocol_message *message, struct wire_cards *answer);

struct wire_open {
    const char *uuid;
    bool blas; /* cuBLAS is opened, too */
};
json_t *wire_encode_open(const struct wire_open *request);
bool wire_decode_open(const struct protocol_message *message, struct wire_open *request);

struct wire_opened {
    struct wire_failure failure;
    bool has_blas;
    struct wire_failure blas; /* why not */
};
json_t *wire_encode_opened(const struct wire_opened *answer);
bool wire_decode_opened(const struct protocol_message *message, struct wire_opened *answer);

/* The launch without its pointers: image_length and data_length are those of the descriptors. */
json_t *wire_encode_run(const struct cuda_launch *launch);
/* `arguments`: room for ENGINE_MAX_ARGUMENTS. launch->blas points to *blas where it is one. */
bool wire_decode_run(const struct protocol_message *message, struct engine_argument *arguments,
                     struct cuda_blas_call *blas, struct cuda_launch *launch);

/* Bytes outside of a buffer that are not poison any more; or elements of an input that changed. */
struct wire_finding {
    unsigned argument;
    bool behind;    /* guard: past its end, not before its start */
    uint64_t first; /* guard: distance from the buffer in bytes, from 0; input: the element */
    uint64_t count; /* bytes or elements */
};
struct wire_outcome {
    struct wire_failure failure;
    double event_ms, host_ms;
    struct wire_finding guards[WIRE_MAX_FINDINGS], inputs[WIRE_MAX_FINDINGS];
    size_t guard_count, input_count;
    bool printed_cut;
};
json_t *wire_encode_outcome(const struct wire_outcome *answer);
bool wire_decode_outcome(const struct protocol_message *message, size_t argument_count,
                         struct wire_outcome *answer);

json_t *wire_encode_clocks_request(void);
json_t *wire_encode_clocks(const struct cuda_clocks *answer);
bool wire_decode_clocks(const struct protocol_message *message, struct cuda_clocks *answer);

json_t *wire_encode_copy_request(uint64_t bytes);
bool wire_decode_copy_request(const struct protocol_message *message, uint64_t *bytes);
struct wire_copied {
    struct wire_failure failure;
    double bytes_per_second;
};
json_t *wire_encode_copied(const struct wire_copied *answer);
bool wire_decode_copied(const struct protocol_message *message, struct wire_copied *answer);

#endif

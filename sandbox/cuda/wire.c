/* Requests and answers of CUDA workers as JSON: see wire.h. One pair of functions a message, the
 * members in the same order in both, so that a difference catches the eye. */
#include "sandbox/cuda/wire.h"

#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"

#include <stdlib.h>
#include <string.h>

static const double longest_ms = 1e9;

bool wire_operation_of(const struct protocol_message *message, enum wire_operation *operation) {
    const json_t *number = json_object_get(message->control, "operation");
    json_int_t value = json_integer_value(number);
    *operation = (enum wire_operation)value;
    return json_is_integer(number) && value >= 0 && value < WIRE_COUNT;
}

/* The reader of a message about `operation`. */
static struct protocol_reader read_about(const struct protocol_message *message,
                                         enum wire_operation operation) {
    struct protocol_reader reader = protocol_read(message->control);
    if (protocol_unsigned(&reader, "operation", WIRE_COUNT - 1) != operation)
        protocol_fail(&reader, "operation");
    return reader;
}

/* ---- failures -------------------------------------------------------------------------------- */

static json_t *encode_failure(const struct wire_failure *failure) {
    return json_pack("{s:I, s:I, s:o}", "stage", (json_int_t)failure->stage, "code",
                     (json_int_t)failure->code, "trouble", protocol_string(failure->trouble));
}

static void decode_failure(struct protocol_reader *outer, const char *name,
                           struct wire_failure *failure) {
    struct protocol_reader reader = protocol_read(protocol_object(outer, name));
    failure->stage = (enum wire_stage)protocol_unsigned(&reader, "stage", WIRE_STAGE_COUNT - 1);
    failure->code = (int)protocol_unsigned(&reader, "code", INT32_MAX);
    protocol_text(&reader, "trouble", failure->trouble, sizeof failure->trouble);
    if (!protocol_end(&reader))
        protocol_fail(outer, name);
}

/* ---- DRIVER ---------------------------------------------------------------------------------- */

json_t *wire_encode_driver(const struct wire_driver *request) {
    return json_pack("{s:I, s:o, s:o, s:o, s:b, s:o, s:o}", "operation", (json_int_t)WIRE_DRIVER,
                     "driver", protocol_string(request->driver), "nvml",
                     protocol_string(request->nvml), "blas", protocol_string(request->blas),
                     "has_visible", request->has_visible, "visible",
                     protocol_string(request->visible), "order", protocol_string(request->order));
}

bool wire_decode_driver(const struct protocol_message *message, struct wire_driver *request) {
    struct protocol_reader reader = read_about(message, WIRE_DRIVER);
    request->driver = protocol_borrow(&reader, "driver", WIRE_PATH_MAX);
    request->nvml = protocol_borrow(&reader, "nvml", WIRE_PATH_MAX);
    request->blas = protocol_borrow(&reader, "blas", WIRE_PATH_MAX);
    request->has_visible = protocol_bool(&reader, "has_visible");
    request->visible = protocol_borrow(&reader, "visible", WIRE_PATH_MAX);
    request->order = protocol_borrow(&reader, "order", WIRE_NAME_MAX);
    return protocol_end(&reader);
}

static json_t *encode_card(const struct cuda_card *card) {
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:I, s:I, s:b}", "name",
                     protocol_string(card->name), "uuid", protocol_string(card->uuid), "index",
                     (json_int_t)card->index, "major", (json_int_t)card->major, "minor",
                     (json_int_t)card->minor, "sms", (json_int_t)card->sms, "memory_bytes",
                     protocol_bits(card->memory_bytes), "l2_bytes", protocol_bits(card->l2_bytes),
                     "driver_version", (json_int_t)card->driver_version, "sm_clock_khz",
                     (json_int_t)card->sm_clock_khz, "memory_clock_khz",
                     (json_int_t)card->memory_clock_khz, "exclusive", card->exclusive);
}

/* It becomes part of a file's name, of options of compilers, and of reports. */
static bool card_is_possible(const struct cuda_card *card) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    return card->uuid[0] && card->uuid[strspn(card->uuid, letters)] == '\0' && card->major > 0 &&
           card->sms > 0 && card->memory_bytes > 0;
}

static bool decode_card(const json_t *object, struct cuda_card *card) {
    struct protocol_reader reader = protocol_read(object);
    protocol_text(&reader, "name", card->name, sizeof card->name);
    protocol_text(&reader, "uuid", card->uuid, sizeof card->uuid);
    card->index = (unsigned)protocol_unsigned(&reader, "index", WIRE_MAX_CARDS - 1);
    card->major = (unsigned)protocol_unsigned(&reader, "major", 999);
    card->minor = (unsigned)protocol_unsigned(&reader, "minor", 9);
    card->sms = (unsigned)protocol_unsigned(&reader, "sms", 1 << 20);
    card->memory_bytes = protocol_hex(&reader, "memory_bytes");
    card->l2_bytes = protocol_hex(&reader, "l2_bytes");
    card->driver_version = (unsigned)protocol_unsigned(&reader, "driver_version", INT32_MAX);
    card->sm_clock_khz = (unsigned)protocol_unsigned(&reader, "sm_clock_khz", INT32_MAX);
    card->memory_clock_khz = (unsigned)protocol_unsigned(&reader, "memory_clock_khz", INT32_MAX);
    card->exclusive = protocol_bool(&reader, "exclusive");
    return protocol_end(&reader) && card_is_possible(card);
}

json_t *wire_encode_cards(const struct wire_cards *answer) {
    json_t *cards = json_array();
    for (size_t i = 0; i < answer->count; i++)
        json_array_append_new(cards, encode_card(&answer->cards[i]));
    return json_pack("{s:I, s:o, s:o}", "operation", (json_int_t)WIRE_DRIVER, "failure",
                     encode_failure(&answer->failure), "cards", cards);
}

bool wire_decode_cards(const struct protocol_message *message, struct wire_cards *answer) {
    struct protocol_reader reader = read_about(message, WIRE_DRIVER);
    *answer = (struct wire_cards){0};
    decode_failure(&reader, "failure", &answer->failure);
    const json_t *cards = protocol_array(&reader, "cards", WIRE_MAX_CARDS);
    answer->count = cards ? json_array_size(cards) : 0;
    for (size_t i = 0; i < answer->count; i++)
        if (!decode_card(json_array_get(cards, i), &answer->cards[i]))
            protocol_fail(&reader, "cards");
    return protocol_end(&reader);
}

/* ---- OPEN ------------------------------------------------------------------------------------ */

json_t *wire_encode_open(const struct wire_open *request) {
    return json_pack("{s:I, s:o, s:b}", "operation", (json_int_t)WIRE_OPEN, "uuid",
                     protocol_string(request->uuid), "blas", request->blas);
}

bool wire_decode_open(const struct protocol_message *message, struct wire_open *request) {
    struct protocol_reader reader = read_about(message, WIRE_OPEN);
    request->uuid = protocol_borrow(&reader, "uuid", WIRE_NAME_MAX);
    request->blas = protocol_bool(&reader, "blas");
    return protocol_end(&reader);
}

json_t *wire_encode_opened(const struct wire_opened *answer) {
    return json_pack("{s:I, s:o, s:b, s:o}", "operation", (json_int_t)WIRE_OPEN, "failure",
                     encode_failure(&answer->failure), "has_blas", answer->has_blas, "blas",
                     encode_failure(&answer->blas));
}

bool wire_decode_opened(const struct protocol_message *message, struct wire_opened *answer) {
    struct protocol_reader reader = read_about(message, WIRE_OPEN);
    *answer = (struct wire_opened){0};
    decode_failure(&reader, "failure", &answer->failure);
    answer->has_blas = protocol_bool(&reader, "has_blas");
    decode_failure(&reader, "blas", &answer->blas);
    return protocol_end(&reader);
}

/* ---- RUN ------------------------------------------------------------------------------------- */

static json_t *encode_blas(const struct cuda_blas_call *call) {
    return json_pack("{s:I, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I}",
                     "routine", (json_int_t)call->routine, "transpose_a", call->transpose_a,
                     "transpose_b", call->transpose_b, "m", protocol_bits(call->m), "n",
                     protocol_bits(call->n), "k", protocol_bits(call->k), "lda",
                     protocol_bits(call->lda), "ldb", protocol_bits(call->ldb), "ldc",
                     protocol_bits(call->ldc), "alpha", protocol_real(call->alpha), "beta",
                     protocol_real(call->beta), "a", (json_int_t)call->a, "b", (json_int_t)call->b,
                     "c", (json_int_t)call->c);
}

static bool decode_blas(const json_t *object, struct cuda_blas_call *call) {
    struct protocol_reader reader = protocol_read(object);
    call->routine =
        (enum cuda_blas_routine)protocol_unsigned(&reader, "routine", CUDA_BLAS_COUNT - 1);
    call->transpose_a = protocol_bool(&reader, "transpose_a");
    call->transpose_b = protocol_bool(&reader, "transpose_b");
    call->m = protocol_hex(&reader, "m");
    call->n = protocol_hex(&reader, "n");
    call->k = protocol_hex(&reader, "k");
    call->lda = protocol_hex(&reader, "lda");
    call->ldb = protocol_hex(&reader, "ldb");
    call->ldc = protocol_hex(&reader, "ldc");
    call->alpha = protocol_read_real(&reader, "alpha");
    call->beta = protocol_read_real(&reader, "beta");
    call->a = (unsigned)protocol_unsigned(&reader, "a", ENGINE_MAX_ARGUMENTS);
    call->b = (unsigned)protocol_unsigned(&reader, "b", ENGINE_MAX_ARGUMENTS);
    call->c = (unsigned)protocol_unsigned(&reader, "c", ENGINE_MAX_ARGUMENTS);
    return protocol_end(&reader);
}

json_t *wire_encode_run(const struct cuda_launch *launch) {
    json_t *arguments = json_array(), *blas = json_array(); /* none or one */
    for (size_t i = 0; i < launch->argument_count; i++)
        json_array_append_new(arguments, engine_wire_encode_argument(&launch->arguments[i]));
    if (launch->blas)
        json_array_append_new(blas, encode_blas(launch->blas));
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:o}", "operation",
        (json_int_t)WIRE_RUN, "image_length", protocol_bits(launch->image_length), "kernel",
        protocol_string(launch->kernel ? launch->kernel : ""), "blas", blas, "grid",
        engine_wire_encode_dim3(launch->grid), "block", engine_wire_encode_dim3(launch->block),
        "shared_bytes", protocol_bits(launch->shared_bytes), "data_length",
        protocol_bits(launch->data_length), "arguments", arguments, "time", launch->time,
        "flush_l2", launch->flush_l2, "leave_outputs", launch->leave_outputs, "placement",
        protocol_bits(launch->placement), "wall_seconds", protocol_real(launch->wall_seconds));
}

/* Unlike the simulated GPU's, buffers with a rule come back where they are no inputs. */
static bool output_fits(const struct engine_argument *argument, size_t data_length) {
    uint64_t bytes =
        argument->count * element_infos[argument->type].bytes; /* no overflow: decoded */
    return !argument->is_buffer || argument->read_only ||
           (argument->data_offset <= data_length && bytes <= data_length - argument->data_offset);
}

bool wire_decode_run(const struct protocol_message *message, struct engine_argument *arguments,
                     struct cuda_blas_call *blas, struct cuda_launch *launch) {
    struct protocol_reader reader = read_about(message, WIRE_RUN);
    *launch = (struct cuda_launch){.arguments = arguments};
    launch->image_length = protocol_hex(&reader, "image_length");
    launch->kernel = protocol_borrow(&reader, "kernel", WIRE_NAME_MAX);
    const json_t *calls = protocol_array(&reader, "blas", 1);
    if (calls && json_array_size(calls)) {
        if (!decode_blas(json_array_get(calls, 0), blas))
            protocol_fail(&reader, "blas");
        launch->blas = blas;
    }
    launch->grid = engine_wire_decode_dim3(&reader, "grid");
    launch->block = engine_wire_decode_dim3(&reader, "block");
    launch->shared_bytes = protocol_hex(&reader, "shared_bytes");
    launch->data_length = protocol_hex(&reader, "data_length");
    launch->leave_outputs = protocol_bool(&reader, "leave_outputs");
    const json_t *array = protocol_array(&reader, "arguments", ENGINE_MAX_ARGUMENTS);
    launch->argument_count = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < launch->argument_count; i++)
        if (!engine_wire_decode_argument(json_array_get(array, i), launch->data_length,
                                         &arguments[i]) ||
            !(launch->leave_outputs || output_fits(&arguments[i], launch->data_length)))
            protocol_fail(&reader, "arguments");
    launch->time = protocol_bool(&reader, "time");
    launch->flush_l2 = protocol_bool(&reader, "flush_l2");
    launch->placement = protocol_hex(&reader, "placement");
    launch->wall_seconds = protocol_read_real(&reader, "wall_seconds");
    return protocol_end(&reader);
}

static json_t *encode_findings(const struct wire_finding *findings, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:I, s:b, s:o, s:o}", "argument",
                                               (json_int_t)findings[i].argument, "behind",
                                               findings[i].behind, "first",
                                               protocol_bits(findings[i].first), "count",
                                               protocol_bits(findings[i].count)));
    return array;
}

static size_t decode_findings(struct protocol_reader *outer, const char *name,
                              size_t argument_count, struct wire_finding *findings) {
    const json_t *array = protocol_array(outer, name, WIRE_MAX_FINDINGS);
    size_t count = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < count; i++) {
        struct protocol_reader reader = protocol_read(json_array_get(array, i));
        findings[i].argument = (unsigned)protocol_unsigned(&reader, "argument", INT32_MAX);
        findings[i].behind = protocol_bool(&reader, "behind");
        findings[i].first = protocol_hex(&reader, "first");
        findings[i].count = protocol_hex(&reader, "count");
        if (!protocol_end(&reader) || findings[i].argument >= argument_count)
            protocol_fail(outer, name);
    }
    return outer->failed ? 0 : count;
}

json_t *wire_encode_outcome(const struct wire_outcome *answer) {
    return json_pack(
        "{s:I, s:o, s:f, s:f, s:o, s:o, s:b}", "operation", (json_int_t)WIRE_RUN, "failure",
        encode_failure(&answer->failure), "event_ms", answer->event_ms, "host_ms", answer->host_ms,
        "guards", encode_findings(answer->guards, answer->guard_count), "inputs",
        encode_findings(answer->inputs, answer->input_count), "printed_cut", answer->printed_cut);
}

bool wire_decode_outcome(const struct protocol_message *message, size_t argument_count,
                         struct wire_outcome *answer) {
    struct protocol_reader reader = read_about(message, WIRE_RUN);
    *answer = (struct wire_outcome){0};
    decode_failure(&reader, "failure", &answer->failure);
    answer->event_ms = protocol_number(&reader, "event_ms", longest_ms);
    answer->host_ms = protocol_number(&reader, "host_ms", longest_ms);
    answer->guard_count = decode_findings(&reader, "guards", argument_count, answer->guards);
    answer->input_count = decode_findings(&reader, "inputs", argument_count, answer->inputs);
    answer->printed_cut = protocol_bool(&reader, "printed_cut");
    return protocol_end(&reader);
}

/* ---- CLOCKS and COPY ------------------------------------------------------------------------- */

json_t *wire_encode_clocks_request(void) {
    return json_pack("{s:I}", "operation", (json_int_t)WIRE_CLOCKS);
}

json_t *wire_encode_clocks(const struct cuda_clocks *answer) {
    return json_pack("{s:I, s:b, s:I, s:I, s:I, s:I, s:o}", "operation", (json_int_t)WIRE_CLOCKS,
                     "available", answer->available, "sm_mhz", (json_int_t)answer->sm_mhz,
                     "memory_mhz", (json_int_t)answer->memory_mhz, "max_sm_mhz",
                     (json_int_t)answer->max_sm_mhz, "max_memory_mhz",
                     (json_int_t)answer->max_memory_mhz, "throttle",
                     protocol_bits(answer->throttle));
}

bool wire_decode_clocks(const struct protocol_message *message, struct cuda_clocks *answer) {
    struct protocol_reader reader = read_about(message, WIRE_CLOCKS);
    *answer = (struct cuda_clocks){0};
    answer->available = protocol_bool(&reader, "available");
    answer->sm_mhz = (unsigned)protocol_unsigned(&reader, "sm_mhz", 1 << 20);
    answer->memory_mhz = (unsigned)protocol_unsigned(&reader, "memory_mhz", 1 << 20);
    answer->max_sm_mhz = (unsigned)protocol_unsigned(&reader, "max_sm_mhz", 1 << 20);
    answer->max_memory_mhz = (unsigned)protocol_unsigned(&reader, "max_memory_mhz", 1 << 20);
    answer->throttle = protocol_hex(&reader, "throttle");
    return protocol_end(&reader);
}

json_t *wire_encode_copy_request(uint64_t bytes) {
    return json_pack("{s:I, s:o}", "operation", (json_int_t)WIRE_COPY, "bytes",
                     protocol_bits(bytes));
}

bool wire_decode_copy_request(const struct protocol_message *message, uint64_t *bytes) {
    struct protocol_reader reader = read_about(message, WIRE_COPY);
    *bytes = protocol_hex(&reader, "bytes");
    return protocol_end(&reader);
}

json_t *wire_encode_copied(const struct wire_copied *answer) {
    return json_pack("{s:I, s:o, s:f}", "operation", (json_int_t)WIRE_COPY, "failure",
                     encode_failure(&answer->failure), "bytes_per_second",
                     answer->bytes_per_second);
}

bool wire_decode_copied(const struct protocol_message *message, struct wire_copied *answer) {
    struct protocol_reader reader = read_about(message, WIRE_COPY);
    *answer = (struct wire_copied){0};
    decode_failure(&reader, "failure", &answer->failure);
    answer->bytes_per_second = protocol_number(&reader, "bytes_per_second", 1e15);
    return protocol_end(&reader);
}

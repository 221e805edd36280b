/* What travels between the trusted process and its workers.
 *
 * A message is one frame:
 *
 *     offset  bytes
 *          0  4      "WGF1"
 *          4  4      length of the control part, little-endian
 *          8  8      length of the bulk part, little-endian
 *         16         the control part: one JSON object
 *                    the bulk part: bytes that are not text: a source, PTX, printed output
 *
 * and nothing after it. Buffers of a launch do not travel: they stand in a memfd that both sides
 * share, sealed so that neither can change its size; the trusted side reads it back with pread()
 * once the worker is dead, and never maps it.
 *
 *     role   request: control / bulk                  response: control / bulk
 *     build  build/request.h / source or PTX          build/answer.h / PTX
 *     sim    engine_wire.h / PTX                      engine_wire.h / what printf wrote
 *     batch  launches of engine_wire.h / PTX          results of it / what all printf wrote
 *     probe  which attempt / its lines                (a line of plain text)
 *
 * Decoding is strict. A frame with wrong lengths, an object with a missing, unknown or mistyped
 * member, a number outside its range, a string or array above its cap: each refuses the whole
 * message. Numbers that need all 64 bits travel as strings of hexadecimal digits, because JSON
 * integers of jansson are signed. */
#ifndef WARPGRADE_SANDBOX_WORKER_PROTOCOL_H
#define WARPGRADE_SANDBOX_WORKER_PROTOCOL_H

#include "sandbox/base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { PROTOCOL_CONTROL_MAX = 8 << 20 };

/* Takes over the reference to control. */
void protocol_frame(struct text *out, json_t *control, const void *bulk, size_t bulk_length);

/* A view of a frame; bulk points into data. NULL where the frame is not valid. */
struct protocol_message {
    json_t *control;
    const char *bulk;
    size_t bulk_length;
};
bool protocol_parse(const char *data, size_t length, struct protocol_message *message);
void protocol_message_free(struct protocol_message *message);
#define cleanup_message __attribute__((cleanup(protocol_message_free)))

/* For encoding: bytes that are not UTF-8 become '?', because JSON cannot carry them. */
json_t *protocol_string(const char *string);
json_t *protocol_bits(uint64_t value);
json_t *protocol_real(double value); /* all its bits, NaN and infinities too */

/* Reads an object member by member. The first mistake is remembered and makes every later call do
 * nothing; protocol_end() says whether all went well and no member was left unread. */
struct protocol_reader {
    const json_t *object;
    size_t members_read;
    bool failed;
    const char *culprit; /* the member that was wrong, for messages to developers */
};
struct protocol_reader protocol_read(const json_t *object);
uint64_t protocol_unsigned(struct protocol_reader *reader, const char *name, uint64_t max);
uint64_t protocol_hex(struct protocol_reader *reader, const char *name);
bool protocol_hex_of(const json_t *value, uint64_t *bits); /* an element of an array */
double protocol_read_real(struct protocol_reader *reader, const char *name);
bool protocol_bool(struct protocol_reader *reader, const char *name);
double protocol_number(struct protocol_reader *reader, const char *name, double max); /* >= 0 */
/* Into buffer; a string that does not fit, or holds a NUL, is an error. */
void protocol_text(struct protocol_reader *reader, const char *name, char *buffer, size_t size);
/* NULL on failure; the string stays owned by the object. */
const char *protocol_borrow(struct protocol_reader *reader, const char *name, size_t max_length);
/* NULL on failure or where longer than max. */
const json_t *protocol_array(struct protocol_reader *reader, const char *name, size_t max);
const json_t *protocol_object(struct protocol_reader *reader, const char *name);
void protocol_fail(struct protocol_reader *reader, const char *name);
bool protocol_end(struct protocol_reader *reader);

#endif

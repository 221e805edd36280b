/* Frames and the strict reader of protocol.h.
 *
 * jansson does the JSON: it refuses invalid UTF-8, duplicate keys (asked to) and nesting beyond
 * 2048. What it does not check stands here: lengths before they are used, ranges, caps, and members
 * that were not asked for. */
#include "sandbox/worker/protocol.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 16 };

static void put_little_endian(char *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (char)(unsigned char)(value >> (8 * i));
}

static uint64_t get_little_endian(const char *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return value;
}

void protocol_frame(struct text *out, json_t *control, const void *bulk, size_t bulk_length) {
    cleanup_free char *json = json_dumps(control, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(control);
    size_t json_length =
        json ? strlen(json) : 0; /* NULL only where memory ran out: refused there */
    char header[HEADER_BYTES] = "WGF1";
    put_little_endian(header + 4, json_length, 4);
    put_little_endian(header + 8, bulk_length, 8);
    text_append_bytes(out, header, sizeof header);
    text_append_bytes(out, json ? json : "", json_length);
    text_append_bytes(out, bulk, bulk_length);
}

bool protocol_parse(const char *data, size_t length, struct protocol_message *message) {
    *message = (struct protocol_message){0};
    if (length < HEADER_BYTES || memcmp(data, "WGF1", 4) != 0)
        return false;
    uint64_t control = get_little_endian(data + 4, 4);
    uint64_t bulk = get_little_endian(data + 8, 8);
    if (control > PROTOCOL_CONTROL_MAX || control > length - HEADER_BYTES ||
        bulk != length - HEADER_BYTES - control)
        return false;
    message->control =
        json_loadb(data + HEADER_BYTES, (size_t)control, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(message->control)) {
        protocol_message_free(message);
        return false;
    }
    message->bulk = data + HEADER_BYTES + control;
    message->bulk_length = (size_t)bulk;
    return true;
}

void protocol_message_free(struct protocol_message *message) {
    json_decref(message->control);
    *message = (struct protocol_message){0};
}

/* Length of the valid UTF-8 sequence at s, 0 where it is not one (overlong forms, surrogates and
 * values above U+10FFFF included). */
static size_t utf8_sequence(const unsigned char *s) {
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : length;
}

json_t *protocol_string(const char *string) {
    json_t *plain = json_string(string);
    if (plain)
        return plain;
    cleanup_free char *clean = mem_strdup(string);
    for (char *at = clean; *at;) {
        size_t length = utf8_sequence((const unsigned char *)at);
        if (length == 0)
            *at = '?';
        at += length ? length : 1;
    }
    return json_string(clean);
}

json_t *protocol_bits(uint64_t value) {
    char digits[20];
    snprintf(digits, sizeof digits, "%llx", (unsigned long long)value);
    return json_string(digits);
}

json_t *protocol_real(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return protocol_bits(bits);
}

struct protocol_reader protocol_read(const json_t *object) {
    struct protocol_reader reader = {.object = object};
    if (!json_is_object(object))
        protocol_fail(&reader, "object");
    return reader;
}

void protocol_fail(struct protocol_reader *reader, const char *name) {
    if (!reader->failed)
        reader->culprit = name;
    reader->failed = true;
}

static const json_t *member(struct protocol_reader *reader, const char *name, json_type type) {
    if (reader->failed)
        return NULL;
    const json_t *value = json_object_get(reader->object, name);
    bool fits = value && (json_typeof(value) == type ||
                          (type == JSON_TRUE && json_typeof(value) == JSON_FALSE) ||
                          (type == JSON_REAL && json_typeof(value) == JSON_INTEGER));
    if (!fits) {
        protocol_fail(reader, name);
        return NULL;
    }
    reader->members_read++;
    return value;
}

uint64_t protocol_unsigned(struct protocol_reader *reader, const char *name, uint64_t max) {
    const json_t *value = member(reader, name, JSON_INTEGER);
    json_int_t number = json_integer_value(value);
    if (value && (number < 0 || (uint64_t)number > max))
        protocol_fail(reader, name);
    return reader->failed ? 0 : (uint64_t)number;
}

bool protocol_hex_of(const json_t *value, uint64_t *bits) {
    const char *digits = json_string_value(value);
    size_t length = json_string_length(value);
    bool sound = digits && length && length <= 16 && strspn(digits, "0123456789abcdef") == length;
    *bits = sound ? strtoull(digits, NULL, 16) : 0;
    return sound;
}

uint64_t protocol_hex(struct protocol_reader *reader, const char *name) {
    const json_t *value = member(reader, name, JSON_STRING);
    uint64_t bits = 0;
    if (value && !protocol_hex_of(value, &bits))
        protocol_fail(reader, name);
    return bits;
}

double protocol_read_real(struct protocol_reader *reader, const char *name) {
    uint64_t bits = protocol_hex(reader, name);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool protocol_bool(struct protocol_reader *reader, const char *name) {
    const json_t *value = member(reader, name, JSON_TRUE);
    return json_is_true(value); /* a macro that evaluates its argument twice */
}

double protocol_number(struct protocol_reader *reader, const char *name, double max) {
    const json_t *value = member(reader, name, JSON_REAL);
    double number = json_number_value(value);
    if (value && !(number >= 0 && number <= max))
        protocol_fail(reader, name);
    return reader->failed ? 0 : number;
}

const char *protocol_borrow(struct protocol_reader *reader, const char *name, size_t max_length) {
    const json_t *value = member(reader, name, JSON_STRING);
    if (!value)
        return NULL;
    size_t length = json_string_length(value);
    if (length > max_length || strlen(json_string_value(value)) != length) {
        protocol_fail(reader, name);
        return NULL;
    }
    return json_string_value(value);
}

void protocol_text(struct protocol_reader *reader, const char *name, char *buffer, size_t size) {
    const char *string = protocol_borrow(reader, name, size - 1);
    snprintf(buffer, size, "%s", string ? string : "");
}

const json_t *protocol_array(struct protocol_reader *reader, const char *name, size_t max) {
    const json_t *value = member(reader, name, JSON_ARRAY);
    if (value && json_array_size(value) > max)
        protocol_fail(reader, name);
    return reader->failed ? NULL : value;
}

const json_t *protocol_object(struct protocol_reader *reader, const char *name) {
    return member(reader, name, JSON_OBJECT);
}

bool protocol_end(struct protocol_reader *reader) {
    if (!reader->failed && json_object_size(reader->object) != reader->members_read)
        protocol_fail(reader, "unknown member");
    return !reader->failed;
}

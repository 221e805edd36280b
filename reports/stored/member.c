/* See member.h. What a stranger wrote stands in messages cut and quoted; who prints them escapes
 * them. */
#include "reports/stored/member.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_BYTES = 40 };

void member_fail(struct member_reader *reader, const char *key, const char *format, ...) {
    if (reader->failed)
        return;
    reader->failed = true;
    cleanup_text struct text message = {0};
    text_append(&message, text_string(&reader->path));
    if (*key)
        text_printf(&message, "%s%s", message.length ? "." : "", key);
    text_append(&message, message.length ? ": " : "");
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&message, format, arguments);
    va_end(arguments);
    error_set(reader->error, STATUS_INVALID, "%s", text_string(&message));
}

/* ---- places ---------------------------------------------------------------------------------- */

size_t member_enter(struct member_reader *reader, const char *key) {
    size_t mark = reader->path.length;
    text_printf(&reader->path, "%s%s", mark ? "." : "", key);
    return mark;
}

size_t member_enter_element(struct member_reader *reader, size_t index) {
    size_t mark = reader->path.length;
    text_printf(&reader->path, "[%zu]", index);
    return mark;
}

void member_leave(struct member_reader *reader, size_t mark) {
    reader->path.length = mark;
    if (reader->path.data)
        reader->path.data[mark] = '\0';
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *kind_of(const json_t *value) {
    static const char *const kinds[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return kinds[json_typeof(value)];
}

/* The member; NULL where it is not there or null, which is wrong where it is required. */
static const json_t *find(struct member_reader *reader, const json_t *object, const char *key,
                          enum member_need need) {
    if (reader->failed || !object)
        return NULL;
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value))
        return value;
    if (need == MEMBER_REQUIRED)
        member_fail(reader, key, value ? "must not be null" : "is missing");
    return NULL;
}

static void refuse_kind(struct member_reader *reader, const char *key, const json_t *value,
                        const char *expected) {
    member_fail(reader, key, "must be %s, not %s", expected, kind_of(value));
}

const json_t *member_object(struct member_reader *reader, const json_t *object, const char *key,
                            enum member_need need) {
    const json_t *value = find(reader, object, key, need);
    if (value && !json_is_object(value)) {
        refuse_kind(reader, key, value, "an object");
        return NULL;
    }
    return value;
}

const json_t *member_list(struct member_reader *reader, const json_t *object, const char *key,
                          enum member_need need, size_t most, size_t *count) {
    const json_t *value = find(reader, object, key, need);
    *count = 0;
    if (!value)
        return NULL;
    if (!json_is_array(value))
        refuse_kind(reader, key, value, "a list");
    else if (json_array_size(value) > most)
        member_fail(reader, key, "has %zu elements; at most %zu are read", json_array_size(value),
                    most);
    if (reader->failed)
        return NULL;
    *count = json_array_size(value);
    return value;
}

const json_t *member_element(struct member_reader *reader, const json_t *list, size_t index) {
    const json_t *value = json_array_get(list, index);
    if (json_is_object(value))
        return value;
    refuse_kind(reader, "", value, "an object");
    return NULL;
}

char *member_bytes(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need, size_t *length) {
    const json_t *value = find(reader, object, key, need);
    *length = 0;
    if (!value)
        return NULL;
    if (!json_is_string(value))
        refuse_kind(reader, key, value, "a text");
    else if (json_string_length(value) > MEMBER_TEXT_MAX)
        member_fail(reader, key, "has %zu bytes; at most %d are read", json_string_length(value),
                    MEMBER_TEXT_MAX);
    if (reader->failed)
        return NULL;
    *length = json_string_length(value);
    return mem_strndup(json_string_value(value), *length);
}

char *member_text(struct member_reader *reader, const json_t *object, const char *key,
                  enum member_need need) {
    size_t length;
    cleanup_free char *text = member_bytes(reader, object, key, need, &length);
    if (text && strlen(text) != length) {
        member_fail(reader, key, "holds a NUL character");
        return NULL;
    }
    return steal_pointer(&text);
}

void member_buffer(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need, char *buffer, size_t size) {
    enum { REPLACEMENT_BYTES = 3 };
    cleanup_free char *text = member_text(reader, object, key, need);
    size_t length = text ? strlen(text) : 0;
    buffer[0] = '\0';
    if (!text)
        return;
    if (length > REPLACEMENT_BYTES * (size - 1)) {
        member_fail(reader, key, "has %zu bytes; at most %zu are read", length,
                    REPLACEMENT_BYTES * (size - 1));
        return;
    }
    if (length >= size)
        for (length = size - 1; length && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
}

bool member_bool(struct member_reader *reader, const json_t *object, const char *key,
                 enum member_need need) {
    const json_t *value = find(reader, object, key, need);
    if (value && !json_is_boolean(value))
        refuse_kind(reader, key, value, "true or false");
    return value && json_is_true(value);
}

int64_t member_integer(struct member_reader *reader, const json_t *object, const char *key,
                       enum member_need need, int64_t low, int64_t high) {
    const json_t *value = find(reader, object, key, need);
    if (!value)
        return 0;
    int64_t number = json_integer_value(value);
    if (!json_is_integer(value))
        refuse_kind(reader, key, value, "a whole number");
    else if (number < low || number > high)
        member_fail(reader, key, "%" PRId64 " is not in %" PRId64 "..%" PRId64, number, low, high);
    return reader->failed ? 0 : number;
}

/* The digits of a number above 2^63 - 1. */
static bool large_number(const char *text, uint64_t *number) {
    size_t digits = strspn(text, "0123456789");
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return digits >= 19 && digits <= 20 && text[digits] == '\0' && errno == 0;
}

uint64_t member_unsigned(struct member_reader *reader, const json_t *object, const char *key,
                         enum member_need need) {
    uint64_t number;
    const json_t *value = find(reader, object, key, need);
    if (!value || !json_is_string(value))
        return (uint64_t)member_integer(reader, object, key, need, 0, INT64_MAX);
    if (large_number(json_string_value(value), &number))
        return number;
    member_fail(reader, key, "'%.*s' is no whole number of 64 bits", QUOTED_BYTES,
                json_string_value(value));
    return 0;
}

size_t member_size(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need, size_t high) {
    return (size_t)member_integer(reader, object, key, need, 0, (int64_t)high);
}

double member_number(struct member_reader *reader, const json_t *object, const char *key,
                     enum member_need need, double low, double high) {
    const json_t *value = find(reader, object, key, need);
    if (!value)
        return 0;
    double number = json_number_value(value);
    if (!json_is_number(value))
        refuse_kind(reader, key, value, "a number");
    else if (!(number >= low && number <= high))
        member_fail(reader, key, "%s is not in %s..%s", decimal(number, 6).text,
                    decimal(low, 6).text, decimal(high, 6).text);
    return reader->failed ? 0 : number;
}

double member_real(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need) {
    static const char *const names[] = {"nan", "inf", "-inf"};
    static const double values[] = {NAN, INFINITY, -INFINITY};
    const json_t *value = find(reader, object, key, need);
    if (!value || json_is_number(value))
        return json_number_value(value);
    for (size_t i = 0; i < ARRAY_LENGTH(names) && json_is_string(value); i++)
        if (strcmp(json_string_value(value), names[i]) == 0)
            return values[i];
    refuse_kind(reader, key, value, "a number, \"nan\", \"inf\" or \"-inf\"");
    return 0;
}

size_t member_choice(struct member_reader *reader, const json_t *object, const char *key,
                     enum member_need need, const char *const *names, size_t count,
                     const char *noun) {
    cleanup_free char *word = member_text(reader, object, key, need);
    if (!word)
        return count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    const char *closest = strlen(word) <= QUOTED_BYTES ? text_closest(word, names, count) : NULL;
    if (closest)
        member_fail(reader, key, "'%.*s' is no %s (did you mean '%s'?)", QUOTED_BYTES, word, noun,
                    closest);
    else
        member_fail(reader, key, "'%.*s' is no %s", QUOTED_BYTES, word, noun);
    return count;
}

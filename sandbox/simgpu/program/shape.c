/* Reads shapes: small recursive texts, walked where a message needs a name, which is rare.
 *
 * The text is not trusted. A shape counts only if all of it is well formed, so that the walks
 * after shape_find() need not look again: numbers fit, members lie inside their structure, and
 * nothing nests deeper than SHAPE_MAX_DEPTH. */
#include "sandbox/simgpu/program/shape.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 1 << 30 }; /* elements or bytes: products of two fit easily */

struct shape_cursor {
    const char *at, *end;
};

static struct shape_cursor cursor_of(struct ptx_span span) {
    return (struct shape_cursor){span.start, span.start + span.length};
}

static bool read_number(struct shape_cursor *cursor, uint64_t *number) {
    const char *start = cursor->at;
    *number = 0;
    for (; cursor->at < cursor->end && isdigit((unsigned char)*cursor->at); cursor->at++) {
        *number = *number * 10 + (uint64_t)(*cursor->at - '0');
        if (*number > LARGEST)
            return false;
    }
    return cursor->at > start;
}

static bool accept(struct shape_cursor *cursor, char c) {
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

static struct ptx_span read_name(struct shape_cursor *cursor) {
    struct ptx_span name = {cursor->at, 0};
    for (; cursor->at < cursor->end &&
           (isalnum((unsigned char)*cursor->at) || *cursor->at == '_' || *cursor->at == '$');
         cursor->at++)
        name.length++;
    return name;
}

/* Steps over a type; its bytes, an array of unknown extent counting as one element. False where it
 * is not well formed. */
static bool skip_type(struct shape_cursor *cursor, unsigned depth, uint64_t *bytes);

static bool skip_members(struct shape_cursor *cursor, unsigned depth, uint64_t bytes) {
    while (!accept(cursor, '}')) {
        uint64_t offset, own;
        read_name(cursor);
        if (!accept(cursor, '@') || !read_number(cursor, &offset) ||
            !skip_type(cursor, depth + 1, &own) || own > bytes || offset > bytes - own)
            return false;
    }
    return true;
}

static bool skip_type(struct shape_cursor *cursor, unsigned depth, uint64_t *bytes) {
    uint64_t number;
    if (depth > SHAPE_MAX_DEPTH)
        return false;
    if (accept(cursor, 'b'))
        return read_number(cursor, bytes) && *bytes;
    if (accept(cursor, 's'))
        return read_number(cursor, bytes) && *bytes && accept(cursor, '{') &&
               skip_members(cursor, depth, *bytes);
    if (!accept(cursor, 'a') || !read_number(cursor, &number) ||
        !skip_type(cursor, depth + 1, bytes))
        return false;
    *bytes *= number ? number : 1;
    return *bytes <= LARGEST;
}

/* Of a well-formed type. */
static uint64_t type_bytes(struct shape_cursor cursor) {
    uint64_t bytes = 1;
    skip_type(&cursor, 0, &bytes);
    return bytes;
}

struct ptx_span shape_find(struct ptx_span text, struct ptx_span symbol, uint64_t bytes) {
    static const size_t prefix = sizeof SHAPE_COMMENT - 1;
    struct ptx_span found = {0};
    const char *end = text.start + text.length;
    while (end > text.start && end[-1] == '\n') {
        const char *newline = memrchr(text.start, '\n', (size_t)(end - 1 - text.start));
        const char *line = newline ? newline + 1 : text.start, *behind = end - 1;
        if ((size_t)(behind - line) < prefix || memcmp(line, SHAPE_COMMENT, prefix) != 0)
            break;
        const char *name = line + prefix;
        if ((size_t)(behind - name) > symbol.length && name[symbol.length] == ' ' &&
            memcmp(name, symbol.start, symbol.length) == 0) {
            struct shape_cursor cursor = {name + symbol.length + 1, behind};
            struct ptx_span shape = {cursor.at, (uint32_t)(behind - cursor.at)};
            uint64_t own;
            bool open = shape.length > 1 && shape.start[0] == 'a' && shape.start[1] == '0';
            bool fits =
                skip_type(&cursor, 0, &own) && cursor.at == behind && (open || own == bytes);
            bool other = fits && found.length &&
                         (found.length != shape.length ||
                          memcmp(found.start, shape.start, shape.length) != 0);
            if (other) /* two variables of one name: which is it? */
                return (struct ptx_span){0};
            if (fits)
                found = shape;
        }
        end = line;
    }
    return found;
}

/* The member that holds the access, to the cursor; false: the structure as a whole is meant, or
 * what lies between its members. */
static bool find_member(struct shape_cursor *cursor, uint64_t *offset, unsigned bytes,
                        struct text *out) {
    struct shape_cursor member = *cursor;
    while (!accept(&member, '}')) {
        struct ptx_span name = read_name(&member);
        uint64_t start = 0, own = 0;
        accept(&member, '@');
        read_number(&member, &start);
        struct shape_cursor type = member;
        skip_type(&member, 0, &own);
        if (*offset < start || *offset - start >= own)
            continue;
        if (*offset == start && bytes > own)
            return false;
        *offset -= start;
        if (name.length)
            text_printf(out, ".%.*s", (int)name.length, name.start);
        *cursor = type;
        return true;
    }
    return false;
}

static bool name_in_type(struct shape_cursor cursor, uint64_t offset, unsigned bytes,
                         struct text *out) {
    bool outermost = true;
    for (;; outermost = false) {
        uint64_t number;
        bool array = accept(&cursor, 'a'), structure = accept(&cursor, 's');
        if (!array && !structure)
            return !outermost || offset < type_bytes(cursor);
        uint64_t whole =
            structure ? type_bytes((struct shape_cursor){cursor.at - 1, cursor.end}) : 0;
        read_number(&cursor, &number);
        if (array) {
            uint64_t element = type_bytes(cursor);
            text_printf(out, "[%llu]", (unsigned long long)(offset / element));
            offset %= element;
            continue;
        }
        if (outermost && offset >= whole)
            return false;
        accept(&cursor, '{');
        if (!find_member(&cursor, &offset, bytes, out))
            return true;
    }
}

bool shape_name(struct ptx_span shape, const char *name, uint64_t offset, unsigned bytes,
                char *element, size_t size) {
    cleanup_text struct text out = {0};
    text_append(&out, name);
    return name_in_type(cursor_of(shape), offset, bytes, &out) &&
           (size_t)snprintf(element, size, "%s", text_string(&out)) < size;
}

void shape_extents(struct ptx_span shape, const char *name, uint64_t bytes, struct text *out) {
    struct shape_cursor cursor = cursor_of(shape);
    text_append(out, name);
    while (accept(&cursor, 'a')) {
        uint64_t number = 0;
        read_number(&cursor, &number);
        if (!number)
            number = bytes / type_bytes(cursor);
        text_printf(out, "[%llu]", (unsigned long long)number);
    }
}

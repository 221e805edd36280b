/* The bytes of a roster as UTF-8. Spreadsheets also write UTF-16, which is read where its byte
 * order mark says so, and one byte a character in the language's own table (Latin-1, Windows-1252,
 * GBK ...), which nobody can tell apart: names would be wrong in every report, so that it is
 * refused. */
#include "grader/course/course_private.h"

#include "reports/utf8.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

static enum status refuse(const char *path, const char *data, size_t length, size_t at,
                          unsigned line, struct error *error, const char *problem) {
    size_t start = at;
    while (start && data[start - 1] != '\n')
        start--;
    error_set(error, STATUS_INVALID, "byte %zu of the line, 0x%02x, %s", at - start + 1,
              (unsigned char)data[at], problem);
    error_hint(error, "save the file as UTF-8: \"CSV UTF-8\" in Excel, the character set in "
                      "LibreOffice");
    error_place(error, path, line, (unsigned)(at - start) + 1, data, length);
    return STATUS_INVALID;
}

static enum status check_utf8(const char *path, const char *data, size_t length,
                              struct error *error) {
    unsigned line = 1;
    for (size_t i = 0; i < length;) {
        struct utf8_char character = utf8_decode(data + i, length - i);
        if (!character.valid)
            return refuse(path, data, length, i, line, error,
                          "is no UTF-8: the text seems to be Latin-1, Windows-1252 or the like");
        if (data[i] == '\0')
            return refuse(path, data, length, i, line, error,
                          "is a NUL byte: the text seems to be UTF-16 without its mark");
        line += data[i] == '\n';
        i += character.length;
    }
    return STATUS_OK;
}

static unsigned unit_at(const char *data, size_t at, bool big) {
    unsigned char first = (unsigned char)data[at], second = (unsigned char)data[at + 1];
    return big ? (unsigned)first << 8 | second : (unsigned)second << 8 | first;
}

/* The character at `at`, whose bytes are counted; 0xffffffff for half a pair. */
static uint32_t utf16_at(const char *data, size_t length, size_t at, bool big, size_t *bytes) {
    unsigned unit = unit_at(data, at, big);
    *bytes = 2;
    if (unit < 0xd800 || unit > 0xdfff)
        return unit;
    if (unit > 0xdbff || at + 4 > length)
        return UINT32_MAX;
    unsigned low = unit_at(data, at + 2, big);
    *bytes = 4;
    return low < 0xdc00 || low > 0xdfff ? UINT32_MAX
                                        : 0x10000 + ((unit - 0xd800u) << 10) + (low - 0xdc00u);
}

static enum status decode_utf16(const char *path, const char *data, size_t length, bool big,
                                struct text *out, struct error *error) {
    unsigned line = 1;
    for (size_t i = 2; i < length;) {
        size_t bytes = 2;
        uint32_t code = i + 2 > length ? UINT32_MAX : utf16_at(data, length, i, big, &bytes);
        if (code == UINT32_MAX) {
            error_set(error, STATUS_INVALID, "byte %zu of the file is no UTF-16", i + 1);
            error_hint(error, "save the file again, as UTF-8");
            error_place(error, path, line, 0, NULL, 0);
            return STATUS_INVALID;
        }
        char encoded[4];
        text_append_bytes(out, encoded, utf8_encode(code, encoded));
        line += code == '\n';
        i += bytes;
    }
    return STATUS_OK;
}

enum status course_decode_text(const char *path, char **data, size_t *length, struct error *error) {
    bool little = *length >= 2 && memcmp(*data, "\xff\xfe", 2) == 0;
    bool big = *length >= 2 && memcmp(*data, "\xfe\xff", 2) == 0;
    if (little || big) {
        struct text out = {0};
        enum status status = decode_utf16(path, *data, *length, big, &out, error);
        if (status == STATUS_OK) {
            free(*data);
            *length = out.length;
            *data = text_steal(&out);
        }
        text_free(&out);
        return status;
    }
    if (*length >= 3 && memcmp(*data, "\xef\xbb\xbf", 3) == 0) {
        *length -= 3;
        memmove(*data, *data + 3, *length + 1); /* with the NUL after it */
    }
    return check_utf8(path, *data, *length, error);
}

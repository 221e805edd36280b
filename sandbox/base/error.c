/* Filling of struct error. Long texts are cut, never overflow; nothing is printed here. */
#include "sandbox/base/error.h"

#include <stdio.h>
#include <string.h>

enum status error_set(struct error *error, enum status status, const char *format, ...) {
    if (!error)
        return status;
    *error = (struct error){0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

void error_hint(struct error *error, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}

void error_place(struct error *error, const char *file, unsigned line, unsigned column,
                 const char *source, size_t source_length) {
    if (!error)
        return;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    error->line = line;
    error->column = column;
    error->excerpt[0] = '\0';
    if (!source || line == 0)
        return;
    const char *end = source + source_length;
    for (unsigned i = 1; i < line && source < end; i++) {
        const char *newline = memchr(source, '\n', (size_t)(end - source));
        source = newline ? newline + 1 : end;
    }
    const char *newline = source < end ? memchr(source, '\n', (size_t)(end - source)) : NULL;
    size_t length = (size_t)((newline ? newline : end) - source);
    if (length && source[length - 1] == '\r')
        length--;
    if (length >= sizeof error->excerpt)
        length = sizeof error->excerpt - 1;
    memcpy(error->excerpt, source, length);
    error->excerpt[length] = '\0';
}

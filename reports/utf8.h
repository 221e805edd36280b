/* UTF-8 as the reports need it: decoding of hostile bytes, and columns on a terminal. */
#ifndef WARPGRADE_REPORTS_UTF8_H
#define WARPGRADE_REPORTS_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf8_char {
    uint32_t code;   /* U+FFFD where the bytes are no character */
    unsigned length; /* bytes it takes, at least 1 */
    bool valid;
};

/* The character at the start of `string`; length >= 1. Bad bytes are taken in the largest parts
 * that could begin a character (Unicode 15, table 3-8), as browsers do. */
struct utf8_char utf8_decode(const char *string, size_t length);
/* Appends the character's bytes to a buffer of 4; returns how many. */
unsigned utf8_encode(uint32_t code, char bytes[4]);
/* Columns on a terminal: 0 for combining marks, 2 for East Asian wide characters, else 1. */
unsigned utf8_width(uint32_t code);
/* Columns of a whole string that holds no escape sequences. */
size_t utf8_columns(const char *string, size_t length);

#endif

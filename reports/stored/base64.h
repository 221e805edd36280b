/* Bytes as base64 (RFC 4648, section 4), for texts that cannot hold them as they are. */
#ifndef WARPGRADE_REPORTS_STORED_BASE64_H
#define WARPGRADE_REPORTS_STORED_BASE64_H

#include <stdbool.h>
#include <stddef.h>

char *base64_encode(const void *data, size_t length); /* the caller frees */
/* False where the text is none: another character, a missing or misplaced '='. *data ends with a
 * NUL that does not count; the caller frees it. */
bool base64_decode(const char *text, size_t text_length, char **data, size_t *length);

#endif

/* Reports as they are stored: compressed by zlib. A report is some ten times smaller so. What comes
 * out of a gradebook may be made to fill all memory, so that it is unpacked only to the length that
 * its row names, and that only up to a limit. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <zlib.h>

void *packed_make(const char *text, size_t length, size_t *packed_length) {
    uLongf size = compressBound(length);
    void *packed = mem_alloc(size);
    /* It fails only where the room is too small, which compressBound() rules out, or for memory. */
    if (compress2(packed, &size, (const Bytef *)text, length, Z_DEFAULT_COMPRESSION) != Z_OK)
        abort();
    *packed_length = size;
    return packed;
}

char *packed_open(const void *packed, size_t packed_length, size_t length) {
    if (length > GRADEBOOK_MAX_REPORT_BYTES)
        return NULL;
    char *text = mem_alloc(length + 1);
    uLongf size = length;
    uLong used = packed_length;
    int code = uncompress2((Bytef *)text, &size, packed, &used);
    if (code != Z_OK || size != length || used != packed_length) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

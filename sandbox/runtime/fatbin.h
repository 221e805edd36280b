/* The PTX in a fat binary, which is what nvcc puts a program's device code into. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_FATBIN_H
#define WARPGRADE_SANDBOX_RUNTIME_FATBIN_H

#include <stddef.h>

enum fatbin_state {
    FATBIN_PTX,        /* *text is found */
    FATBIN_EMPTY,      /* nothing is in it at all */
    FATBIN_NO_PTX,     /* machine code alone */
    FATBIN_COMPRESSED, /* the PTX is compressed */
    FATBIN_DAMAGED
};

/* Of several texts, the one for the newest architecture. `length` bounds what is read; the text
 * points into `bytes` and ends where *text_length says. */
enum fatbin_state fatbin_find(const void *bytes, size_t length, const char **text,
                              size_t *text_length);
/* What the container says that it takes, from its first 16 bytes: 0 where it is none. */
size_t fatbin_length(const void *bytes);

#endif

/* The PTX in a fat binary, which is what nvcc puts a program's device code into. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_FATBIN_H
#define WARPGRADE_SANDBOX_RUNTIME_FATBIN_H

#include <stddef.h>
#include <stdint.h>

enum fatbin_state {
    FATBIN_PTX,    /* *text is found */
    FATBIN_EMPTY,  /* nothing is in it at all */
    FATBIN_NO_PTX, /* machine code alone */
    FATBIN_DAMAGED
};

enum fatbin_format { FATBIN_PLAIN, FATBIN_LZ4, FATBIN_ZSTD };

struct fatbin_text {
    const unsigned char *bytes; /* in the fat binary */
    size_t length;
    enum fatbin_format format;
    uint64_t text_bytes; /* of the text, where it is compressed: what the program says */
    uint64_t architecture;
};

/* Of several texts, the one for the newest architecture. `length` bounds what is read. */
enum fatbin_state fatbin_find(const void *bytes, size_t length, struct fatbin_text *text);
/* What the container says that it takes, from its first 16 bytes: 0 where it is none. */
size_t fatbin_length(const void *bytes);

#endif

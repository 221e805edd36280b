/* The text of a fat binary, unpacked where nvcc has compressed it. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_UNPACK_H
#define WARPGRADE_SANDBOX_RUNTIME_UNPACK_H

#include "sandbox/runtime/fatbin.h"

#include <stdbool.h>

/* The text; caller frees. NULL, with what to do about it in *trouble: it cannot be unpacked. */
char *unpack_text(const struct fatbin_text *text, size_t *length, const char **trouble);
/* A block of LZ4; false where it does not give exactly these bytes. */
bool unpack_lz4(const unsigned char *from, size_t length, unsigned char *to, size_t bytes);

#endif

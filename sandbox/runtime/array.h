/* Arrays: texels in one block of the card's memory, row by row, slice by slice, level by level.
 * Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_ARRAY_H
#define WARPGRADE_SANDBOX_RUNTIME_ARRAY_H

#include "sandbox/runtime/abi.h"

struct array {
    struct array *next;
    struct mipmap *level_of; /* NULL: it has memory of its own */
    uint64_t address;
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* as the program asked for it: 0 is a dimension that is not there */
    unsigned flags;
};
enum { ARRAY_LEVELS = 17 };
struct mipmap {
    struct mipmap *next;
    struct array whole;
    unsigned levels;
    struct array *arrays[ARRAY_LEVELS]; /* those that were asked for */
};

/* NULL: it is none, or was freed. */
struct array *array_find(cudaArray_t handle);
struct mipmap *mipmap_find(cudaMipmappedArray_t handle);

/* A format's components: kind as cudaChannelFormatKind's first three; false: there is no such one.
 */
struct array_format {
    unsigned channels, bits, kind;
    bool normalized; /* read as floats by itself */
};
bool array_format(const struct cudaChannelFormatDesc *desc, struct array_format *format);
size_t array_texel_bytes(const struct cudaChannelFormatDesc *desc);

/* Where *copy says an array, makes it say the memory behind it in *lowered, and *copy point there.
 */
cudaError_t array_lower(const struct cudaMemcpy3DParms **copy, struct cudaMemcpy3DParms *lowered);

#endif

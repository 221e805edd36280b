/* Arrays, textures and surfaces of a whole program: what a kernel's handle stands for. The texels
 * lie in one piece of device memory, all levels behind each other, of a level all layers, of a
 * layer all slices, of a slice all rows: nothing is between them. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_TEXTURE_IMAGE_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_TEXTURE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum texel_kind { TEXEL_SIGNED, TEXEL_UNSIGNED, TEXEL_FLOAT }; /* as cudaChannelFormatKind */
struct texel_format {
    uint8_t channels; /* 1, 2, 4 */
    uint8_t bits;     /* of each: 8, 16, 32; floats: 16, 32 */
    uint8_t kind;     /* enum texel_kind */
};
static inline unsigned texel_bytes(const struct texel_format *format) {
    return format->channels * format->bits / 8u;
}

/* How many texels there are, of level 0. A dimension that is not there has 1. */
struct texel_extent {
    uint32_t width, height, depth;
    uint32_t layers; /* 1: no layers; of cubes six for each */
};
enum { TEXTURE_LEVELS_MAX = 17 };

struct texture_image {
    struct texel_format format;
    struct texel_extent extent;
    uint8_t dimensions; /* 1, 2, 3 */
    uint8_t levels;     /* 1: no mipmap */
    bool layered, cube;
    bool linear;    /* plain memory in place of an array: of one dimension, or rows with a pitch */
    uint64_t pitch; /* linear with two dimensions: bytes from row to row */
};

/* One level: where it begins and how large it is. */
struct texture_level {
    struct texel_extent extent;
    uint64_t offset;            /* bytes, from level 0 */
    uint64_t row, slice, layer; /* bytes from one to the next */
};
void texture_level_of(const struct texture_image *image, unsigned level,
                      struct texture_level *found);
/* Of all levels; 0 where that is more than 2^36. */
uint64_t texture_image_bytes(const struct texture_image *image);

/* As the CUDA runtime numbers them. */
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };
struct texture_sampler {
    uint8_t address[3];         /* enum texture_address */
    bool linear, linear_mipmap; /* filters; else the nearest texel, the nearest level */
    bool normalized;            /* coordinates: from 0 to 1 over the whole extent */
    bool as_float;              /* integers of 8 and 16 bits are read as -1..1, 0..1 */
    bool srgb, seamless;
    uint8_t anisotropy;
    float border[4];
    float bias, least, most; /* of levels */
};

/* What a handle stands for: handle - 1 is its number. */
struct engine_texture {
    bool used, is_surface;
    uint64_t address; /* of level 0 */
    struct texture_image image;
    struct texture_sampler sampler; /* not of a surface */
};

#endif

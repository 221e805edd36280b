/* Where the texels of an image lie: see texture_image.h. */
#include "sandbox/simgpu/state/texture_image.h"

static uint32_t halved(uint32_t length, unsigned level) {
    return length >> level ? length >> level : 1;
}

static void lay_out(const struct texture_image *image, unsigned level,
                    struct texture_level *found) {
    const struct texel_extent *whole = &image->extent;
    found->extent = (struct texel_extent){halved(whole->width, level), halved(whole->height, level),
                                          halved(whole->depth, level), whole->layers};
    found->row =
        image->pitch ? image->pitch : (uint64_t)found->extent.width * texel_bytes(&image->format);
    found->slice = found->row * found->extent.height;
    found->layer = found->slice * found->extent.depth;
}

/* Extents are of 32 bits, but what an array may have is far less: 2^17 in one dimension. */
void texture_level_of(const struct texture_image *image, unsigned level,
                      struct texture_level *found) {
    uint64_t offset = 0;
    for (unsigned before = 0; before < level && before < TEXTURE_LEVELS_MAX; before++) {
        lay_out(image, before, found);
        offset += found->layer * found->extent.layers;
    }
    lay_out(image, level, found);
    found->offset = offset;
}

uint64_t texture_image_bytes(const struct texture_image *image) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < image->levels; i++) {
        struct texture_level level;
        texture_level_of(image, i, &level);
        uint64_t size = 0;
        if (__builtin_mul_overflow(level.layer, (uint64_t)level.extent.layers, &size) ||
            size > (uint64_t)1 << 36)
            return 0;
        bytes += size;
    }
    return bytes > (uint64_t)1 << 36 ? 0 : bytes;
}

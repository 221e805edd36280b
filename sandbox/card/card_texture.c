/* Arrays, textures and surfaces: what a kernel's handles stand for. Numbers are given out again as
 * soon as they are free, the lowest first, as on a card. Everything is checked here so that the
 * simulated GPU need not: what it makes of an image's coordinates lies inside of the image, and the
 * image in the window of one block. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENT_MAX = 1 << 30 };

/* cudaArrayLayered, cudaArrayCubemap; and all that are one bit */
enum { LAYERED = 1, CUBEMAP = 4, ARRAY_FLAGS = 0xff, ARRAY_EXTENT_MAX = 1 << 17 };

static bool is_format(struct texel_format format) {
    bool bits =
        format.bits == 16 || format.bits == 32 || (format.bits == 8 && format.kind < TEXEL_FLOAT);
    return bits && format.kind <= TEXEL_FLOAT &&
           (format.channels == 1 || format.channels == 2 || format.channels == 4);
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

static uint32_t at_least_one(uint64_t length) {
    return length ? (uint32_t)length : 1;
}

static unsigned most_levels(const struct texel_extent *extent) {
    uint32_t longest = extent->width > extent->height ? extent->width : extent->height;
    longest = extent->depth > longest ? extent->depth : longest;
    unsigned levels = 1;
    while (longest >> levels)
        levels++;
    return levels;
}

bool card_array_read(const struct card_request *request, struct wire_array *wire,
                     struct texture_image *image) {
    if (request->head.inline_bytes != sizeof *wire)
        return false;
    memcpy(wire, request->bytes, sizeof *wire);
    if (!wire->width || wire->width > ARRAY_EXTENT_MAX || wire->height > ARRAY_EXTENT_MAX ||
        wire->depth > ARRAY_EXTENT_MAX || wire->flags > ARRAY_FLAGS || wire->normalized > 1)
        return false;
    bool layered = wire->flags & LAYERED, cube = wire->flags & CUBEMAP, layers = layered || cube;
    *image = (struct texture_image){.format = {wire->channels, wire->bits, wire->kind},
                                    .extent = {(uint32_t)wire->width, at_least_one(wire->height),
                                               layers ? 1 : at_least_one(wire->depth),
                                               layers ? at_least_one(wire->depth) : 1},
                                    .dimensions = wire->depth && !layers ? 3
                                                  : wire->height         ? 2
                                                                         : 1,
                                    .levels = wire->levels ? wire->levels : 1,
                                    .layered = layered,
                                    .cube = cube};
    bool normalized = wire->normalized && (wire->kind == TEXEL_FLOAT || wire->bits == 32);
    return is_format(image->format) && !normalized && image->levels <= TEXTURE_LEVELS_MAX &&
           image->levels <= most_levels(&image->extent) && texture_image_bytes(image);
}

/* Here texels are memory as any other. */
enum card_error card_do_ARRAY(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    struct wire_array wire;
    struct texture_image image;
    if (!card_array_read(request, &wire, &image))
        return CARD_INVALID_VALUE;
    struct card_request allocation = *request;
    allocation.head.argument[0] = texture_image_bytes(&image);
    return card_do_ALLOCATE(card, &allocation, reply);
}

/* ---- textures ----------------------------------------------------------------------------------
 */

/* Every byte that is a truth or an enumeration, and every number. */
static bool is_sound(const struct wire_texture *wire) {
    const uint8_t flags[] = {wire->is_surface, wire->layered,     wire->cube,
                             wire->linear,     wire->filter,      wire->level_filter,
                             wire->normalized, wire->as_float,    wire->srgb,
                             wire->seamless,   wire->exact_levels};
    for (size_t i = 0; i < sizeof flags; i++)
        if (flags[i] > 1)
            return false;
    for (size_t i = 0; i < 3; i++)
        if (wire->address_mode[i] > ADDRESS_BORDER)
            return false;
    bool dimensions = wire->dimensions >= 1 && wire->dimensions <= 3 &&
                      (wire->dimensions > 1 || wire->height == 1) &&
                      (wire->dimensions > 2 || wire->depth == 1);
    return is_format((struct texel_format){wire->channels, wire->bits, wire->kind}) && dimensions &&
           wire->levels >= 1 && wire->levels <= TEXTURE_LEVELS_MAX && wire->width <= EXTENT_MAX &&
           wire->height >= 1 && wire->height <= EXTENT_MAX && wire->depth >= 1 &&
           wire->depth <= EXTENT_MAX && wire->layers >= 1 && wire->layers <= EXTENT_MAX &&
           (wire->width >= 1 || wire->linear) && (!wire->pitch || wire->levels == 1) &&
           isfinite(wire->bias);
}

bool card_texture_read(const struct card_request *request, struct wire_texture *wire) {
    if (request->head.inline_bytes != sizeof *wire)
        return false;
    memcpy(wire, request->bytes, sizeof *wire);
    return is_sound(wire);
}

static struct engine_texture described(const struct wire_texture *wire) {
    struct engine_texture texture = {
        .used = true,
        .is_surface = wire->is_surface,
        .address = wire->address,
        .image = {.format = {wire->channels, wire->bits, wire->kind},
                  .extent = {wire->width, wire->height, wire->depth, wire->layers},
                  .dimensions = wire->dimensions,
                  .levels = wire->levels,
                  .layered = wire->layered,
                  .cube = wire->cube,
                  .linear = wire->linear,
                  .pitch = wire->pitch},
        .sampler = {.linear = wire->filter,
                    .linear_mipmap = wire->level_filter,
                    .normalized = wire->normalized,
                    .as_float = wire->as_float,
                    .srgb = wire->srgb,
                    .seamless = wire->seamless,
                    .anisotropy = wire->anisotropy,
                    .bias = wire->bias,
                    .least = wire->least,
                    .most = wire->most}};
    memcpy(texture.sampler.address, wire->address_mode, sizeof texture.sampler.address);
    memcpy(texture.sampler.border, wire->border, sizeof texture.sampler.border);
    return texture;
}

/* Linear memory may end before the texture does: who fetches there is found. */
static bool lies_in_block(struct card *card, const struct engine_texture *texture) {
    uint64_t offset, bytes = texture_image_bytes(&texture->image);
    size_t number = sim_block_of(texture->address, &offset);
    if (number >= card->block_count || !card->blocks[number].bytes)
        return false;
    uint64_t length = card->blocks[number].about.count;
    uint64_t room = texture->image.linear ? (uint64_t)1 << 36 : length;
    return offset < length && offset <= room && bytes <= room - offset &&
           (bytes || texture->image.extent.width == 0);
}

enum card_error card_do_TEXTURE(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    struct wire_texture wire;
    if (!card_texture_read(request, &wire))
        return CARD_INVALID_VALUE;
    struct engine_texture texture = described(&wire);
    if (!lies_in_block(card, &texture))
        return CARD_INVALID_VALUE;
    size_t number = 0;
    while (number < card->texture_count && card->textures[number].used)
        number++;
    if (number == CARD_MAX_TEXTURES)
        return CARD_OUT_OF_MEMORY;
    if (number == card->texture_count)
        mem_push(&card->textures, &card->texture_count, &card->texture_capacity);
    card->textures[number] = texture;
    reply->head.value[0] = number + 1;
    return CARD_OK;
}

enum card_error card_do_TEXTURE_END(struct card *card, const struct card_request *request,
                                    struct card_reply *reply) {
    (void)reply;
    uint64_t handle = request->head.argument[0];
    if (handle && handle <= card->texture_count)
        card->textures[handle - 1].used = false;
    return CARD_OK;
}

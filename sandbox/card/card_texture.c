/* Textures and surfaces: what a kernel's handles stand for. Numbers are given out again as soon as
 * they are free, the lowest first, as on a card. Everything is checked here so that the simulated
 * GPU need not: what it makes of an image's coordinates lies inside of the image, and the image in
 * the window of one block. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTURES_MAX = 1 << 16, EXTENT_MAX = 1 << 30 };

static bool is_format(const struct wire_texture *wire) {
    bool bits =
        wire->bits == 16 || wire->bits == 32 || (wire->bits == 8 && wire->kind < TEXEL_FLOAT);
    return bits && wire->kind <= TEXEL_FLOAT &&
           (wire->channels == 1 || wire->channels == 2 || wire->channels == 4);
}

/* Every byte that is a truth or an enumeration, and every number. */
static bool is_sound(const struct wire_texture *wire) {
    const uint8_t flags[] = {wire->is_surface, wire->layered,      wire->cube,       wire->linear,
                             wire->filter,     wire->level_filter, wire->normalized, wire->as_float,
                             wire->srgb,       wire->seamless};
    for (size_t i = 0; i < sizeof flags; i++)
        if (flags[i] > 1)
            return false;
    for (size_t i = 0; i < 3; i++)
        if (wire->address_mode[i] > ADDRESS_BORDER)
            return false;
    bool dimensions = wire->dimensions >= 1 && wire->dimensions <= 3 &&
                      (wire->dimensions > 1 || wire->height == 1) &&
                      (wire->dimensions > 2 || wire->depth == 1);
    return is_format(wire) && dimensions && wire->levels >= 1 &&
           wire->levels <= TEXTURE_LEVELS_MAX && wire->width <= EXTENT_MAX && wire->height >= 1 &&
           wire->height <= EXTENT_MAX && wire->depth >= 1 && wire->depth <= EXTENT_MAX &&
           wire->layers >= 1 && wire->layers <= EXTENT_MAX && (wire->width >= 1 || wire->linear) &&
           (!wire->pitch || wire->levels == 1) && isfinite(wire->bias);
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
    if (request->head.inline_bytes != sizeof wire)
        return CARD_INVALID_VALUE;
    memcpy(&wire, request->bytes, sizeof wire);
    if (!is_sound(&wire))
        return CARD_INVALID_VALUE;
    struct engine_texture texture = described(&wire);
    if (!lies_in_block(card, &texture))
        return CARD_INVALID_VALUE;
    size_t number = 0;
    while (number < card->texture_count && card->textures[number].used)
        number++;
    if (number == TEXTURES_MAX)
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

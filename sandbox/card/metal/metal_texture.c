/* Textures and surfaces of a real card are the driver's objects, and their handles the driver's
 * numbers: a program may put them where it likes, and kernels take them from there.
 *
 * The library says of a texture where its texels are, and how they are read. Of an array that is
 * the place of its first level and layer, from which the part that the program wants is found
 * again: nothing of what is sent here reaches the driver unless it fits the array as it was made.
 * Memory that is no array's is described as it was asked for, where it begins in a block that is
 * there; kernels reach the card's other addresses without a texture, too. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <string.h>

/* What a texture shows of an array. */
struct part {
    const struct metal_array *array;
    struct texture_level first; /* level */
    unsigned level, levels, layer, layers;
    bool is_whole;    /* all levels and layers there are */
    int other_format; /* CUresourceViewFormat; 0: it is the array's own */
};

/* ---- arrays ------------------------------------------------------------------------------------
 */

/* Twenty-four of them: three numbers of channels for each width and kind. */
static int view_format(const struct texel_format *format) {
    static const int first[3][3] = {/* of 8, 16 and 32 bits */
                                    [TEXEL_SIGNED] = {0x04, 0x0a, 0x10},
                                    [TEXEL_UNSIGNED] = {0x01, 0x07, 0x0d},
                                    [TEXEL_FLOAT] = {0, 0x13, 0x16}};
    return first[format->kind][format->bits == 32 ? 2 : format->bits / 16] + format->channels / 2;
}

static bool same_extent(const struct wire_texture *wire, const struct texel_extent *extent) {
    return wire->width == extent->width && wire->height == extent->height &&
           wire->depth == extent->depth;
}

/* False: no library of ours asks for it. */
static bool find_part(const struct metal_array *array, uint64_t offset,
                      const struct wire_texture *wire, struct part *part) {
    const struct texture_image *image = &array->image;
    struct texel_format format = {wire->channels, wire->bits, wire->kind};
    *part = (struct part){.array = array, .levels = wire->levels, .layers = wire->layers};
    part->level = metal_level_at(array, offset, &part->first);
    offset -= part->first.offset;
    part->layer = (unsigned)(offset / part->first.layer);
    if (offset % part->first.layer || part->layer >= image->extent.layers ||
        part->layers > image->extent.layers - part->layer ||
        part->levels > image->levels - part->level || !same_extent(wire, &part->first.extent) ||
        wire->dimensions != image->dimensions || wire->layered != image->layered ||
        wire->cube != image->cube || wire->linear || wire->pitch ||
        texel_bytes(&format) != texel_bytes(&image->format))
        return false;
    part->is_whole =
        part->layers == image->extent.layers && !part->level && part->levels == image->levels;
    if (memcmp(&format, &image->format, sizeof format) != 0)
        part->other_format = view_format(&format);
    return true;
}

/* One level is an array by itself. */
static struct driver_resource resource_of(const struct part *part) {
    bool is_mipmap = part->levels > 1;
    return (struct driver_resource){.type = is_mipmap ? DRIVER_OF_MIPMAP : DRIVER_OF_ARRAY,
                                    .of.array = is_mipmap ? part->array->handle
                                                          : part->array->levels[part->level]};
}

/* False: it is all of the resource, as that was made. */
static bool needs_view(const struct part *part) {
    bool whole_level = part->levels == 1 && part->layers == part->array->image.extent.layers;
    return part->other_format || !(part->is_whole || whole_level);
}

/* Extents are those of the resource, also where only a part of it is seen. */
static struct driver_view view_of(const struct part *part) {
    const struct driver_array *about = &part->array->about;
    const struct texel_extent *first = &part->first.extent;
    struct driver_view view = {.format = part->other_format,
                               .width = about->width,
                               .height = about->height,
                               .depth = about->depth};
    if (part->levels > 1) {
        view.first_level = part->level;
        view.last_level = part->level + part->levels - 1;
    } else {
        view.width = first->width;
        view.height = about->height ? first->height : 0;
        view.depth = part->array->image.dimensions == 3 ? first->depth : about->depth;
    }
    if (part->array->image.layered) {
        view.first_layer = part->layer;
        view.last_layer = part->layer + part->layers - 1;
    }
    return view;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

/* As on a simulated card the texture may be longer than the block, which the driver allows. */
static bool lies_in_block(const struct card *card, const struct wire_texture *wire) {
    static const uint64_t most = (uint64_t)1 << 36;
    uint64_t offset;
    size_t number = card_block_of(card, wire->address, &offset);
    uint64_t bytes, row = wire->pitch;
    if (!row)
        row = (uint64_t)wire->width * wire->channels * wire->bits / 8;
    return card_is_live(card, number) && offset < card->lives[number].bytes &&
           !__builtin_mul_overflow(row, (uint64_t)wire->height, &bytes) && bytes <= most;
}

static struct driver_resource plain_resource(const struct wire_texture *wire) {
    struct driver_resource resource = {
        .type = DRIVER_OF_LINEAR,
        .of.linear = {.address = wire->address,
                      .format = metal_format(wire->bits, wire->kind),
                      .channels = wire->channels,
                      .bytes = (size_t)wire->width * wire->channels * wire->bits / 8}};
    if (wire->dimensions == 2)
        resource =
            (struct driver_resource){.type = DRIVER_OF_PITCH,
                                     .of.plane = {.address = wire->address,
                                                  .format = metal_format(wire->bits, wire->kind),
                                                  .channels = wire->channels,
                                                  .width = wire->width,
                                                  .height = wire->height,
                                                  .pitch = wire->pitch}};
    return resource;
}

/* ---- objects -----------------------------------------------------------------------------------
 */

/* The CUDA runtime clamps where coordinates that count texels would be repeated. The driver's
 * manual has no other mode for them. */
static int address_mode(const struct wire_texture *wire, unsigned dimension) {
    unsigned mode = wire->address_mode[dimension];
    bool repeats = mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR;
    return repeats && !wire->normalized ? ADDRESS_CLAMP : (int)mode;
}

/* Integers are read as floats unless the driver is told not to. */
static struct driver_sampler sampler_of(const struct wire_texture *wire) {
    bool as_integer = wire->kind != TEXEL_FLOAT && !wire->as_float;
    struct driver_sampler sampler = {
        .filter = wire->filter,
        .flags = (as_integer ? (unsigned)DRIVER_AS_INTEGER : 0) |
                 (wire->normalized ? (unsigned)DRIVER_NORMALIZED : 0) |
                 (wire->srgb ? (unsigned)DRIVER_SRGB : 0) |
                 (wire->exact_levels ? (unsigned)DRIVER_NO_TRILINEAR_OPTIMIZATION : 0) |
                 (wire->seamless ? (unsigned)DRIVER_SEAMLESS : 0),
        .anisotropy = wire->anisotropy,
        .level_filter = wire->level_filter,
        .bias = wire->bias,
        .least = wire->least,
        .most = wire->most};
    for (unsigned i = 0; i < 3; i++)
        sampler.address_mode[i] = address_mode(wire, i);
    memcpy(sampler.border, wire->border, sizeof sampler.border);
    return sampler;
}

static int create(struct card *card, const struct wire_texture *wire,
                  const struct driver_resource *resource, const struct driver_view *view,
                  uint64_t *handle) {
    const struct driver *driver = &card->metal->driver;
    unsigned long long made = 0;
    const struct driver_sampler sampler = sampler_of(wire);
    int code = wire->is_surface ? driver->cuSurfObjectCreate(&made, resource)
                                : driver->cuTexObjectCreate(&made, resource, &sampler, view);
    *handle = made;
    return code;
}

static int create_of_array(struct card *card, const struct wire_texture *wire,
                           const struct metal_array *array, uint64_t offset, uint64_t *handle) {
    struct part part;
    if (!find_part(array, offset, wire, &part))
        return DRIVER_INVALID_VALUE;
    bool has_view = needs_view(&part);
    if (wire->is_surface && (has_view || part.levels > 1))
        return DRIVER_INVALID_VALUE;
    const struct driver_resource resource = resource_of(&part);
    const struct driver_view view = view_of(&part);
    return create(card, wire, &resource, has_view ? &view : NULL, handle);
}

static int create_of_memory(struct card *card, const struct wire_texture *wire, uint64_t *handle) {
    bool is_plain = wire->linear && !wire->is_surface && wire->levels == 1 && wire->layers == 1 &&
                    !wire->layered && !wire->cube && wire->dimensions <= 2;
    if (!is_plain || (wire->dimensions == 2) != (wire->pitch != 0) || !lies_in_block(card, wire))
        return DRIVER_INVALID_VALUE;
    const struct driver_resource resource = plain_resource(wire);
    return create(card, wire, &resource, NULL, handle);
}

enum card_error metal_do_TEXTURE(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    struct metal *metal = card->metal;
    struct wire_texture wire;
    uint64_t offset, handle;
    if (!card_texture_read(request, &wire))
        return CARD_INVALID_VALUE;
    if (metal->texture_count == CARD_MAX_TEXTURES)
        return CARD_OUT_OF_MEMORY;
    const struct metal_array *array = metal_array_of(card, wire.address, &offset);
    enum card_error error =
        metal_result(card, array ? create_of_array(card, &wire, array, offset, &handle)
                                 : create_of_memory(card, &wire, &handle));
    if (error != CARD_OK)
        return error;
    *mem_push(&metal->textures, &metal->texture_count, &metal->texture_capacity) =
        (struct metal_texture){handle, wire.is_surface};
    reply->head.value[0] = handle;
    return CARD_OK;
}

/* What is none is given back without a word. */
enum card_error metal_do_TEXTURE_END(struct card *card, const struct card_request *request,
                                     struct card_reply *reply) {
    (void)reply;
    struct metal *metal = card->metal;
    uint64_t handle = request->head.argument[0];
    bool is_surface = request->head.argument[1];
    size_t at = 0;
    while (at < metal->texture_count &&
           (metal->textures[at].handle != handle || metal->textures[at].is_surface != is_surface))
        at++;
    if (at == metal->texture_count)
        return CARD_OK;
    metal->textures[at] = metal->textures[--metal->texture_count];
    return metal_result(card, is_surface ? metal->driver.cuSurfObjectDestroy(handle)
                                         : metal->driver.cuTexObjectDestroy(handle));
}

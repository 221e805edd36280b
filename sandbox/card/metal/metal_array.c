/* Arrays of a real card. The library has texels row by row, slice by slice, level by level at
 * addresses that are nobody's memory: they stand for an array of the driver, whose order of texels
 * is its own. A copy that reaches such addresses is one of boxes of the array.
 *
 * All that is asked for is checked before: a run of bytes lies in one block (card_memory.c), and
 * here in one level of its array. That it begins and ends with a texel the driver sees to. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Above all addresses that a card or a process has, and far from each other, so that one is never
 * taken for another. */
static const uint64_t first_address = (uint64_t)1 << 62, last_address = (uint64_t)1 << 63,
                      apart = (uint64_t)1 << 32;

struct metal_array *metal_array_of(const struct card *card, uint64_t address, uint64_t *offset) {
    size_t number = address >= first_address ? card_block_of(card, address, offset) : SIZE_MAX;
    return number != SIZE_MAX && card_is_live(card, number)
               ? metal_get(&card->metal->arrays, number)
               : NULL;
}

/* ---- making ------------------------------------------------------------------------------------
 */

/* CUarray_format; wire.h numbers kinds as the CUDA runtime. */
int metal_format(unsigned bits, unsigned kind) {
    if (kind == TEXEL_FLOAT)
        return bits == 16 ? DRIVER_HALF : DRIVER_FLOAT;
    unsigned wide = bits == 32 ? 2 : bits / 16;
    return (int)((kind == TEXEL_SIGNED ? DRIVER_SINT8 : DRIVER_UINT8) + wide);
}

/* One format for each number of channels: 1, 2, 4. */
static int normalized_format(const struct wire_array *wire) {
    static const int first[2][2] = {{DRIVER_SNORM8, DRIVER_SNORM16},
                                    {DRIVER_UNORM8, DRIVER_UNORM16}};
    return first[wire->kind == TEXEL_UNSIGNED][wire->bits == 16] + wire->channels / 2;
}

static int create_mipmap(struct card *card, struct metal_array *array, unsigned levels) {
    const struct driver *driver = &card->metal->driver;
    int code = driver->cuMipmappedArrayCreate(&array->handle, &array->about, levels);
    for (unsigned i = 0; i < levels && code == DRIVER_OK; i++) {
        code = driver->cuMipmappedArrayGetLevel(&array->levels[i], array->handle, i);
        if (code != DRIVER_OK)
            driver->cuMipmappedArrayDestroy(array->handle);
    }
    return code;
}

static int create(struct card *card, struct metal_array *array, unsigned levels) {
    array->is_mipmapped = levels != 0;
    if (levels)
        return create_mipmap(card, array, levels);
    int code = card->metal->driver.cuArray3DCreate_v2(&array->handle, &array->about);
    array->levels[0] = array->handle;
    return code;
}

static void destroy(struct card *card, const struct metal_array *array) {
    const struct driver *driver = &card->metal->driver;
    metal_result(card, array->is_mipmapped ? driver->cuMipmappedArrayDestroy(array->handle)
                                           : driver->cuArrayDestroy(array->handle));
}

static bool describe(const struct wire_array *wire, struct driver_array *about) {
    static const unsigned flags = DRIVER_ARRAY_LAYERED | DRIVER_ARRAY_SURFACE |
                                  DRIVER_ARRAY_CUBEMAP | DRIVER_ARRAY_GATHER | DRIVER_ARRAY_COLOR;
    *about = (struct driver_array){
        .width = wire->width,
        .height = wire->height,
        .depth = wire->depth,
        .format = wire->normalized ? normalized_format(wire) : metal_format(wire->bits, wire->kind),
        .channels = wire->channels,
        .flags = wire->flags};
    return !(wire->flags & ~flags); /* cuda.h's are the runtime's */
}

static bool adopt(struct card *card, struct metal_array *array, uint64_t *address) {
    struct metal *metal = card->metal;
    uint64_t bytes = texture_image_bytes(&array->image);
    size_t number;
    *address = metal->next_array ? metal->next_array : first_address;
    if (*address >= last_address ||
        !card_adopt(card, *address, bytes, ENGINE_BLOCK_ALLOCATED, &number))
        return false;
    metal->next_array = *address + (bytes / apart + 2) * apart;
    metal_put(&metal->arrays, number, array);
    snprintf(card->blocks[number].about.name, sizeof card->blocks[number].about.name, "array %zu",
             number - ENGINE_HOST_BLOCKS + 1);
    return true;
}

enum card_error metal_do_ARRAY(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    struct wire_array wire;
    struct metal_array made = {0};
    if (!card_array_read(request, &wire, &made.image) || !describe(&wire, &made.about))
        return CARD_INVALID_VALUE;
    enum card_error error = metal_result(card, create(card, &made, wire.levels));
    if (error != CARD_OK)
        return error;
    struct metal_array *array = mem_dup(&made, sizeof made);
    if (adopt(card, array, &reply->head.value[0]))
        return CARD_OK;
    destroy(card, array);
    free(array);
    return CARD_OUT_OF_MEMORY;
}

bool metal_array_release(struct card *card, size_t number) {
    struct metal_array *array = metal_get(&card->metal->arrays, number);
    if (!array)
        return false;
    metal_put(&card->metal->arrays, number, NULL);
    destroy(card, array);
    free(array);
    return true;
}

/* ---- copying -----------------------------------------------------------------------------------
 */

/* One side of a copy. */
struct side {
    const struct metal_array *array; /* NULL: memory */
    void *handle;                    /* of the array's level */
    struct texture_level level;
    uint64_t offset;  /* in the level */
    uint64_t address; /* else */
    void *host;       /* ... this worker's; NULL: the address is the card's */
};
/* Rows in bytes. */
struct box {
    uint64_t width, height, depth;
};

static uint64_t bytes_of(const struct texture_level *level) {
    return level->layer * level->extent.layers;
}

/* False: it goes over the end of a level. */
static bool find_side(const struct card *card, uint64_t address, uint64_t bytes,
                      struct side *side) {
    uint64_t offset = 0;
    *side = (struct side){.address = address};
    side->array = metal_array_of(card, address, &offset);
    if (!side->array)
        return true;
    unsigned level = metal_level_at(side->array, offset, &side->level);
    side->handle = side->array->levels[level];
    side->offset = offset - side->level.offset;
    return side->offset < bytes_of(&side->level) && bytes <= bytes_of(&side->level) - side->offset;
}

unsigned metal_level_at(const struct metal_array *array, uint64_t offset,
                        struct texture_level *level) {
    unsigned number = array->image.levels;
    do
        texture_level_of(&array->image, --number, level);
    while (number && offset < level->offset);
    return number;
}

/* Of an array: the largest one that these bytes begin with: a part of a row, rows, or slices. */
static struct box first_box(const struct side *side, uint64_t bytes) {
    uint64_t row = side->level.row, slice = side->level.slice;
    uint64_t in_row = side->offset % row, in_slice = side->offset % slice;
    if (in_row || bytes < row)
        return (struct box){bytes < row - in_row ? bytes : row - in_row, 1, 1};
    if (in_slice || bytes < slice) {
        uint64_t left = slice - in_slice;
        return (struct box){row, (bytes < left ? bytes : left) / row, 1};
    }
    return (struct box){row, slice / row, bytes / slice};
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Rows of different lengths, and slices of different heights, go one by one. */
static struct box common_box(struct box a, struct box b) {
    if (a.width != b.width)
        return (struct box){smaller(a.width, b.width), 1, 1};
    if (a.height != b.height)
        return (struct box){a.width, smaller(a.height, b.height), 1};
    return (struct box){a.width, a.height, smaller(a.depth, b.depth)};
}

static struct driver_side as_driver(const struct side *side, const struct box *box) {
    const struct texture_level *level = &side->level;
    if (side->array)
        return (struct driver_side){.x_bytes = side->offset % level->row,
                                    .y = side->offset % level->slice / level->row,
                                    .z = side->offset / level->slice,
                                    .memory = DRIVER_IN_ARRAY,
                                    .array = side->handle};
    return (struct driver_side){.memory = side->host ? DRIVER_ON_HOST : DRIVER_UNIFIED,
                                .host = side->host,
                                .address = side->host ? 0 : side->address,
                                .pitch = box->width,
                                .height = box->height};
}

static void advance(struct side *side, uint64_t bytes) {
    side->offset += bytes;
    side->address += bytes;
    if (side->host)
        side->host = (char *)side->host + bytes;
}

static int copy_boxes(struct card *card, void *stream, struct side *to, struct side *from,
                      uint64_t bytes) {
    int code = DRIVER_OK;
    while (bytes && code == DRIVER_OK) {
        struct box box = to->array && from->array
                             ? common_box(first_box(to, bytes), first_box(from, bytes))
                             : first_box(to->array ? to : from, bytes);
        const struct driver_box asked = {.from = as_driver(from, &box),
                                         .to = as_driver(to, &box),
                                         .width_bytes = box.width,
                                         .height = box.height,
                                         .depth = box.depth};
        uint64_t moved = box.width * box.height * box.depth;
        code = card->metal->driver.cuMemcpy3DAsync_v2(&asked, stream);
        advance(to, moved);
        advance(from, moved);
        bytes -= moved;
    }
    return code;
}

enum card_error metal_array_copy(struct card *card, uint64_t stream, uint64_t to, uint64_t from,
                                 uint64_t bytes) {
    struct side sides[2];
    if (!find_side(card, to, bytes, &sides[0]) || !find_side(card, from, bytes, &sides[1]))
        return CARD_INVALID_VALUE;
    return metal_result(
        card, copy_boxes(card, metal_stream_of(card, stream), &sides[0], &sides[1], bytes));
}

enum card_error metal_array_transfer(struct card *card, uint64_t stream, uint64_t address,
                                     void *host, uint64_t bytes, bool is_upload) {
    struct side array, memory = {.host = host};
    if (!find_side(card, address, bytes, &array))
        return CARD_INVALID_VALUE;
    return metal_result(card, copy_boxes(card, metal_stream_of(card, stream),
                                         is_upload ? &array : &memory, is_upload ? &memory : &array,
                                         bytes));
}

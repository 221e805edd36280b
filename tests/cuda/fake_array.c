/* Arrays, textures and surfaces of the driver without a card. Texels lie column by column, so that
 * who takes an array for memory finds nonsense; what a description says is checked as cuda.h has
 * it, and a copy outside of an array ends the worker that asked for it.
 *
 * Two kernels use them, (object, float *out, int n): texel prints what the texture is and puts n
 * texels of its first level and layer into out, paint numbers the first n texels of a surface. Of a
 * texel that is its first channel. */
#include "fake_card.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID_VALUE = 1, NO_MEMORY = 2, OBJECTS = 512, LEVELS = 18 };
enum { LAYERED = 1, SURFACE = 2, CUBEMAP = 4, GATHER = 8 };
enum { ON_HOST = 1, IN_ARRAY = 3, UNIFIED = 4 };
enum { NORMALIZED = 2, SEAMLESS = 0x40 };

struct about {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};
struct array {
    struct about about;
    unsigned char *texels;
    unsigned levels; /* 0: an array */
    struct array *level[LEVELS];
};
struct side {
    size_t x, y, z, level;
    int memory;
    const char *host;
    gpu_address address;
    struct array *array;
    void *reserved;
    size_t pitch, height;
};
struct copy {
    struct side from, to;
    size_t width, height, depth;
};
struct resource {
    int type; /* array, mipmapped array, linear, with a pitch */
    union {
        struct array *array;
        struct {
            gpu_address address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            gpu_address address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } plane;
        int room[32];
    } of;
    unsigned flags;
};
struct sampler {
    int address[3], filter;
    unsigned flags, anisotropy;
    int level_filter;
    float bias, least, most, border[4];
    int reserved[12];
};
struct view {
    int format;
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer, reserved[16];
};

/* Textures and surfaces have numbers of their own, the same ones. */
static struct object {
    bool live, has_view;
    struct resource resource;
    struct sampler sampler;
    struct view view;
} objects[2][OBJECTS];
static const unsigned long long first_handle = 0x700000001ull;

/* ---- formats --------------------------------------------------------------------------------- */

static size_t channel_bytes(int format) {
    switch (format) {
    case 0x01:
    case 0x08:
        return 1;
    case 0x02:
    case 0x09:
    case 0x10:
        return 2;
    case 0x03:
    case 0x0a:
    case 0x20:
        return 4;
    default:
        return format < 0xc0 || format > 0xcb ? 0 : (format - 0xc0) / 3 % 2 ? 2 : 1;
    }
}

static size_t texel_bytes(int format, unsigned channels) {
    static const unsigned counts[] = {1, 2, 4};
    bool known = channels == 1 || channels == 2 || channels == 4;
    if (format >= 0xc0 && format <= 0xcb)
        known = channels == counts[(format - 0xc0) % 3];
    return known ? channels * channel_bytes(format) : 0;
}

/* As CUresourceViewFormat numbers them: 8, 16, 32 bits, unsigned and signed; then floats. */
static size_t view_bytes(int format) {
    static const size_t bytes[] = {1, 1, 2, 2, 4, 4, 2, 4}, counts[] = {1, 2, 4};
    return bytes[(format - 1) / 3] * counts[(format - 1) % 3];
}

static float value_of(const unsigned char *texel, int format) {
    float number;
    int32_t word = 0;
    if (format == 0x20) {
        memcpy(&number, texel, sizeof number);
        return number;
    }
    memcpy(&word, texel, channel_bytes(format));
    return (float)word;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static size_t one(size_t length) {
    return length ? length : 1;
}

static bool is_sound(const struct about *about) {
    bool layered = about->flags & LAYERED, cube = about->flags & CUBEMAP;
    if (!about->width || about->width > 131072 || about->height > 65536 || about->depth > 16384 ||
        !texel_bytes(about->format, about->channels) || about->flags & ~0x2fu)
        return false;
    if (cube)
        return about->width == about->height && about->depth &&
               (layered ? about->depth % 6 == 0 : about->depth == 6);
    return layered ? about->depth > 0 : !about->depth || about->height;
}

static struct array *make(const struct about *about) {
    struct array *array = calloc(1, sizeof *array);
    array->about = *about;
    array->texels = calloc(about->width * one(about->height) * one(about->depth),
                           texel_bytes(about->format, about->channels));
    return array;
}

static void end(struct array *array) {
    free(array->texels);
    free(array);
}

int cuArray3DCreate_v2(struct array **array, const struct about *about) {
    if (!is_sound(about))
        return INVALID_VALUE;
    *array = make(about);
    return fake_state.broken;
}

int cuArrayDestroy(struct array *array) {
    if (!array || array->levels)
        return INVALID_VALUE;
    end(array);
    return fake_state.broken;
}

int cuMipmappedArrayCreate(struct array **array, const struct about *about, unsigned levels) {
    if (!is_sound(about) || !levels || levels >= LEVELS)
        return INVALID_VALUE;
    struct array *made = make(&(struct about){1, 0, 0, about->format, about->channels, 0});
    made->about = *about;
    made->levels = levels;
    for (unsigned i = 0; i < levels; i++) {
        struct about level = *about;
        level.width = one(about->width >> i);
        level.height = about->height ? one(about->height >> i) : 0;
        if (!(about->flags & (LAYERED | CUBEMAP)))
            level.depth = about->depth ? one(about->depth >> i) : 0;
        made->level[i] = make(&level);
    }
    *array = made;
    return fake_state.broken;
}

int cuMipmappedArrayGetLevel(struct array **level, struct array *array, unsigned number) {
    if (number >= array->levels)
        return INVALID_VALUE;
    *level = array->level[number];
    return fake_state.broken;
}

int cuMipmappedArrayDestroy(struct array *array) {
    for (unsigned i = 0; i < array->levels; i++)
        end(array->level[i]);
    end(array);
    return fake_state.broken;
}

static unsigned char *texel_at(const struct array *array, size_t x, size_t y, size_t z) {
    const struct about *about = &array->about;
    return array->texels + ((x * one(about->height) + y) * one(about->depth) + z) *
                               texel_bytes(about->format, about->channels);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static bool is_side(const struct side *side, const struct copy *copy) {
    if (side->reserved || side->level)
        return false;
    if (side->memory != IN_ARRAY)
        return (side->memory == ON_HOST ? side->host != NULL : side->memory == UNIFIED) &&
               side->pitch >= side->x + copy->width &&
               (copy->depth == 1 || side->height >= side->y + copy->height);
    const struct about *about = &side->array->about;
    size_t texel = texel_bytes(about->format, about->channels);
    return !side->array->levels && side->x % texel == 0 && copy->width % texel == 0;
}

/* A worker that asks for more than there is has believed its program: it ends. */
static void expect_inside(const struct side *side, const struct copy *copy) {
    size_t last = side->pitch * (side->height * (copy->depth - 1) + copy->height - 1);
    if (side->memory == UNIFIED && !fake_is_inside(side->address, last + copy->width))
        abort();
    if (side->memory != IN_ARRAY)
        return;
    const struct about *about = &side->array->about;
    size_t row = about->width * texel_bytes(about->format, about->channels);
    if (side->x + copy->width > row || side->y + copy->height > one(about->height) ||
        side->z + copy->depth > one(about->depth))
        abort();
}

static unsigned char *byte_at(const struct side *side, size_t x, size_t y, size_t z) {
    x += side->x, y += side->y, z += side->z;
    if (side->memory == IN_ARRAY) {
        const struct about *about = &side->array->about;
        size_t texel = texel_bytes(about->format, about->channels);
        return texel_at(side->array, x / texel, y, z) + x % texel;
    }
    uintptr_t start = side->memory == ON_HOST ? (uintptr_t)side->host : (uintptr_t)side->address;
    return (unsigned char *)start + (z * side->height + y) * side->pitch + x;
}

int cuMemcpy3DAsync_v2(const struct copy *copy, void *stream) {
    if (!fake_has_stream(stream) || !copy->width || !copy->height || !copy->depth ||
        !is_side(&copy->from, copy) || !is_side(&copy->to, copy))
        return INVALID_VALUE;
    expect_inside(&copy->from, copy);
    expect_inside(&copy->to, copy);
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height; y++)
            for (size_t x = 0; x < copy->width; x++)
                *byte_at(&copy->to, x, y, z) = *byte_at(&copy->from, x, y, z);
    return fake_state.broken;
}

/* ---- objects --------------------------------------------------------------------------------- */

static bool is_resource(const struct resource *resource) {
    size_t texel;
    if (resource->flags)
        return false;
    switch (resource->type) {
    case 0:
        return resource->of.array && !resource->of.array->levels;
    case 1:
        return resource->of.array && resource->of.array->levels;
    case 2:
        texel = texel_bytes(resource->of.linear.format, resource->of.linear.channels);
        if (!fake_is_inside(resource->of.linear.address, 1))
            abort();
        return texel && resource->of.linear.address % 512 == 0 && resource->of.linear.bytes &&
               resource->of.linear.bytes % texel == 0;
    case 3:
        texel = texel_bytes(resource->of.plane.format, resource->of.plane.channels);
        if (!fake_is_inside(resource->of.plane.address, 1))
            abort();
        return texel && resource->of.plane.address % 512 == 0 && resource->of.plane.height &&
               resource->of.plane.pitch % 32 == 0 &&
               resource->of.plane.pitch >= texel * resource->of.plane.width;
    default:
        return false;
    }
}

static bool is_sampler(const struct sampler *sampler, const struct resource *resource) {
    for (int i = 0; i < 3; i++)
        if (sampler->address[i] < 0 || sampler->address[i] > 3)
            return false;
    for (int i = 0; i < 12; i++)
        if (sampler->reserved[i])
            return false;
    if (sampler->flags & SEAMLESS &&
        (resource->type > 1 || !(resource->of.array->about.flags & CUBEMAP)))
        return false;
    return !(sampler->flags & ~0x73u) && sampler->filter >> 1 == 0 &&
           sampler->level_filter >> 1 == 0 && (resource->type != 1 || sampler->flags & NORMALIZED);
}

static bool is_view(const struct view *view, const struct resource *resource) {
    if (resource->type > 1)
        return false;
    const struct array *array = resource->of.array;
    const struct about *about = &array->about;
    for (int i = 0; i < 16; i++)
        if (view->reserved[i])
            return false;
    bool format =
        view->format >= 0 && view->format <= 24 &&
        (!view->format || view_bytes(view->format) == texel_bytes(about->format, about->channels));
    bool layers = about->flags & LAYERED
                      ? view->first_layer <= view->last_layer && view->last_layer < about->depth
                      : !view->first_layer && !view->last_layer;
    return format && layers && view->width == about->width && view->height == about->height &&
           view->depth == about->depth && view->first_level <= view->last_level &&
           view->last_level < one(array->levels);
}

static int create(bool surface, unsigned long long *handle, const struct object *object) {
    for (unsigned i = 0; i < OBJECTS; i++) {
        if (objects[surface][i].live)
            continue;
        objects[surface][i] = *object;
        objects[surface][i].live = true;
        *handle = first_handle + i;
        return fake_state.broken;
    }
    return NO_MEMORY;
}

int cuTexObjectCreate(unsigned long long *handle, const struct resource *resource,
                      const struct sampler *sampler, const struct view *view) {
    if (!is_resource(resource) || !is_sampler(sampler, resource) ||
        (view && !is_view(view, resource)))
        return INVALID_VALUE;
    struct object object = {.resource = *resource, .sampler = *sampler, .has_view = view};
    if (view)
        object.view = *view;
    return create(false, handle, &object);
}

int cuSurfObjectCreate(unsigned long long *handle, const struct resource *resource) {
    if (resource->type != 0 || !is_resource(resource) ||
        !(resource->of.array->about.flags & SURFACE))
        return INVALID_VALUE;
    return create(true, handle, &(struct object){.resource = *resource});
}

static struct object *find(bool surface, unsigned long long handle) {
    struct object *object =
        handle - first_handle < OBJECTS ? &objects[surface][handle - first_handle] : NULL;
    if (!object || !object->live)
        abort(); /* the worker has made it up, or a test's kernel was given something else */
    return object;
}

int cuTexObjectDestroy(unsigned long long handle) {
    find(false, handle)->live = false;
    return fake_state.broken;
}

int cuSurfObjectDestroy(unsigned long long handle) {
    find(true, handle)->live = false;
    return fake_state.broken;
}

/* ---- kernels --------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static size_t add(size_t at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(fake_state.printed + at, sizeof fake_state.printed - at, format, arguments);
    va_end(arguments);
    return at + (size_t)length < sizeof fake_state.printed ? at + (size_t)length : at;
}

static void describe(const struct object *object) {
    static const char *const types[] = {"array", "mipmap", "linear", "pitch"};
    const struct resource *resource = &object->resource;
    const struct sampler *s = &object->sampler;
    const struct view *view = &object->view;
    size_t at = add(0, "%s", types[resource->type]);
    if (resource->type < 2) {
        const struct about *about = &resource->of.array->about;
        at = add(at, " %zux%zux%zu format %#x channels %u flags %#x levels %u", about->width,
                 about->height, about->depth, (unsigned)about->format, about->channels,
                 about->flags, resource->of.array->levels);
    } else if (resource->type == 2) {
        at = add(at, " %zu bytes format %#x channels %u", resource->of.linear.bytes,
                 (unsigned)resource->of.linear.format, resource->of.linear.channels);
    } else {
        at = add(at, " %zux%zu pitch %zu format %#x channels %u", resource->of.plane.width,
                 resource->of.plane.height, resource->of.plane.pitch,
                 (unsigned)resource->of.plane.format, resource->of.plane.channels);
    }
    at =
        add(at,
            "; address %d %d %d filter %d flags %#x anisotropy %u levels %d %g %g %g border %g %g "
            "%g %g",
            s->address[0], s->address[1], s->address[2], s->filter, s->flags, s->anisotropy,
            s->level_filter, (double)s->bias, (double)s->least, (double)s->most,
            (double)s->border[0], (double)s->border[1], (double)s->border[2], (double)s->border[3]);
    if (object->has_view)
        at = add(at, "; view format %d %zux%zux%zu levels %u-%u layers %u-%u", view->format,
                 view->width, view->height, view->depth, view->first_level, view->last_level,
                 view->first_layer, view->last_layer);
    add(at, "\n");
}

static float fetch(const struct object *object, size_t i) {
    const struct resource *resource = &object->resource;
    if (resource->type == 2)
        return value_of(
            (unsigned char *)(uintptr_t)resource->of.linear.address +
                i * texel_bytes(resource->of.linear.format, resource->of.linear.channels),
            resource->of.linear.format);
    if (resource->type == 3)
        return value_of((unsigned char *)(uintptr_t)resource->of.plane.address +
                            i / resource->of.plane.width * resource->of.plane.pitch +
                            i % resource->of.plane.width *
                                texel_bytes(resource->of.plane.format, resource->of.plane.channels),
                        resource->of.plane.format);
    const struct array *array = resource->of.array;
    if (resource->type == 1)
        array = array->level[object->view.first_level];
    size_t width = array->about.width, height = one(array->about.height);
    return value_of(texel_at(array, i % width, i / width % height,
                             object->view.first_layer + i / width / height),
                    array->about.format);
}

void fake_run_texel(unsigned long long handle, float *out, int count) {
    const struct object *object = find(false, handle);
    describe(object);
    for (int i = 0; i < count; i++)
        out[i] = fetch(object, (size_t)i);
}

void fake_run_paint(unsigned long long handle, int count) {
    const struct array *array = find(true, handle)->resource.of.array;
    size_t width = array->about.width, height = one(array->about.height);
    for (size_t i = 0; i < (size_t)count; i++) {
        float number = (float)i;
        int32_t word = (int32_t)i;
        unsigned char *texel = texel_at(array, i % width, i / width % height, i / width / height);
        memcpy(texel, array->about.format == 0x20 ? (void *)&number : (void *)&word,
               channel_bytes(array->about.format));
    }
}

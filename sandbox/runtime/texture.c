/* Texture and surface objects: checked as an H200 answers, described to the card, and remembered
 * for those who ask for their descriptions. */
#include "sandbox/runtime/array.h"
#include "sandbox/runtime/runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 512,
    PITCH_ALIGNMENT = 32,
    ADDRESS_MODES = 4,
    ANISOTROPY_MAX = 16,
    LINEAR_BYTES_LOG = 32, /* of linear memory that a texture may cover, of 16-byte elements */
};

/* Handles are the card's. A real one may give the same number to a texture and to a surface. */
struct object {
    unsigned long long handle;
    bool is_surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    struct cudaResourceViewDesc view;
    struct object *next;
};
static struct {
    pthread_mutex_t mutex;
    struct object *objects;
} table = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- what is described -------------------------------------------------------------------------
 */

static cudaError_t set_format(const struct cudaChannelFormatDesc *desc, struct wire_texture *wire) {
    struct array_format format;
    if (!array_format(desc, &format))
        return cudaErrorInvalidChannelDescriptor;
    wire->channels = (uint8_t)format.channels;
    wire->bits = (uint8_t)format.bits;
    wire->kind = (uint8_t)format.kind;
    wire->as_float = format.normalized;
    return cudaSuccess;
}

static uint32_t at_least_one(size_t length) {
    return length ? (uint32_t)length : 1;
}

static cudaError_t describe_array(const struct array *array, unsigned levels,
                                  struct wire_texture *wire) {
    if (!array)
        return cudaErrorInvalidResourceHandle;
    wire->address = array->address;
    wire->layered = (array->flags & cudaArrayLayered) != 0;
    wire->cube = (array->flags & cudaArrayCubemap) != 0;
    bool layers = wire->layered || wire->cube;
    wire->width = at_least_one(array->extent.width);
    wire->height = at_least_one(array->extent.height);
    wire->depth = layers ? 1 : at_least_one(array->extent.depth);
    wire->layers = layers ? at_least_one(array->extent.depth) : 1;
    wire->levels = (uint8_t)levels;
    wire->dimensions = array->extent.depth && !layers ? 3 : array->extent.height ? 2 : 1;
    return set_format(&array->format, wire);
}

static cudaError_t describe_linear(const struct cudaResourceDesc *resource,
                                   struct wire_texture *wire) {
    uintptr_t address = (uintptr_t)resource->res.linear.devPtr;
    cudaError_t error = set_format(&resource->res.linear.desc, wire);
    if (error != cudaSuccess)
        return error;
    if (!address || address % ALIGNMENT)
        return cudaErrorInvalidValue;
    size_t texels = resource->res.linear.sizeInBytes / (wire->channels * wire->bits / 8u);
    if (texels >> (LINEAR_BYTES_LOG - 2))
        return cudaErrorInvalidValue;
    wire->address = address;
    wire->width = (uint32_t)texels;
    wire->height = wire->depth = wire->layers = 1;
    wire->levels = wire->dimensions = wire->linear = 1;
    return cudaSuccess;
}

static cudaError_t describe_pitch(const struct cudaResourceDesc *resource,
                                  struct wire_texture *wire) {
    uintptr_t address = (uintptr_t)resource->res.pitch2D.devPtr;
    size_t pitch = resource->res.pitch2D.pitchInBytes;
    cudaError_t error = set_format(&resource->res.pitch2D.desc, wire);
    if (error != cudaSuccess)
        return error;
    if (!address || address % ALIGNMENT || !pitch || pitch % PITCH_ALIGNMENT || pitch >> 20 ||
        resource->res.pitch2D.width > 131072 || resource->res.pitch2D.height > 65000)
        return cudaErrorInvalidValue;
    wire->address = address;
    wire->pitch = pitch;
    wire->width = at_least_one(resource->res.pitch2D.width);
    wire->height = at_least_one(resource->res.pitch2D.height);
    wire->depth = wire->layers = 1;
    wire->levels = wire->linear = 1;
    wire->dimensions = 2;
    return cudaSuccess;
}

static cudaError_t describe_resource(const struct cudaResourceDesc *resource,
                                     struct wire_texture *wire) {
    const struct mipmap *mipmap;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        return describe_array(array_find(resource->res.array), 1, wire);
    case cudaResourceTypeMipmappedArray:
        mipmap = mipmap_find(resource->res.mipmap);
        return mipmap ? describe_array(&mipmap->whole, mipmap->levels, wire)
                      : cudaErrorInvalidResourceHandle;
    case cudaResourceTypeLinear:
        return describe_linear(resource, wire);
    case cudaResourceTypePitch2D:
        return describe_pitch(resource, wire);
    default:
        return cudaErrorInvalidValue;
    }
}

/* The first 24 formats of views: one, two or four numbers of eight kinds. */
static cudaError_t apply_format(int format, struct wire_texture *wire) {
    static const struct {
        uint8_t bits, kind;
    } kinds[] = {{8, 1}, {8, 0}, {16, 1}, {16, 0}, {32, 1}, {32, 0}, {16, 2}, {32, 2}};
    static const uint8_t channels[] = {1, 2, 4};
    unsigned bytes = wire->channels * wire->bits / 8u, at = (unsigned)format - 1;
    if (format == 0)
        return cudaSuccess;
    if (format < 0 || format > 24)
        return cudaErrorInvalidValue;
    wire->bits = kinds[at / 3].bits;
    wire->kind = kinds[at / 3].kind;
    wire->channels = channels[at % 3];
    return wire->channels * wire->bits / 8u == bytes ? cudaSuccess : cudaErrorInvalidValue;
}

/* A view of another format, and of some of the levels or layers. */
static cudaError_t apply_view(const struct cudaResourceViewDesc *view, struct wire_texture *wire) {
    cudaError_t error = apply_format(view->format, wire);
    unsigned levels = view->lastMipmapLevel - view->firstMipmapLevel + 1,
             layers = view->lastLayer - view->firstLayer + 1;
    if (error != cudaSuccess || wire->linear || view->lastMipmapLevel < view->firstMipmapLevel ||
        view->lastMipmapLevel >= wire->levels || view->lastLayer < view->firstLayer ||
        (view->lastLayer && view->lastLayer >= wire->layers))
        return error != cudaSuccess ? error : cudaErrorInvalidValue;
    uint64_t texel = wire->channels * wire->bits / 8u;
    for (unsigned i = 0; i < view->firstMipmapLevel; i++) {
        wire->address += texel * wire->width * wire->height * wire->depth * wire->layers;
        wire->width = at_least_one(wire->width / 2);
        wire->height = at_least_one(wire->height / 2);
        wire->depth = at_least_one(wire->depth / 2);
    }
    wire->levels = (uint8_t)levels;
    if (view->lastLayer && layers != wire->layers && levels > 1)
        link_give_up("the program makes a texture of some layers of a mipmapped array, which "
                     "warpgrade's CUDA runtime does not have");
    if (view->lastLayer) {
        wire->address += texel * wire->width * wire->height * view->firstLayer;
        wire->layers = layers;
    }
    return cudaSuccess;
}

static cudaError_t apply_sampler(const struct cudaTextureDesc *texture, struct wire_texture *wire) {
    for (unsigned i = 0; i < 3; i++) {
        if (texture->addressMode[i] < 0 || texture->addressMode[i] >= ADDRESS_MODES)
            return cudaErrorInvalidValue;
        wire->address_mode[i] = (uint8_t)texture->addressMode[i];
    }
    if (texture->filterMode < 0 || texture->filterMode > 1 || texture->mipmapFilterMode < 0 ||
        texture->mipmapFilterMode > 1 || texture->readMode < 0 || texture->readMode > 1)
        return cudaErrorInvalidValue;
    bool narrow = wire->kind != 2 && wire->bits < 32;
    bool floats = wire->kind == 2 || wire->as_float || (texture->readMode == 1 && narrow);
    if (texture->filterMode == 1 && !floats)
        return cudaErrorInvalidFilterSetting;
    if (texture->readMode == 1 && !narrow)
        return cudaErrorInvalidNormSetting;
    wire->filter = (uint8_t)texture->filterMode;
    wire->level_filter = (uint8_t)texture->mipmapFilterMode;
    wire->as_float |= texture->readMode == 1;
    wire->normalized = texture->normalizedCoords != 0;
    wire->srgb = texture->sRGB != 0;
    wire->seamless = texture->seamlessCubemap != 0;
    wire->exact_levels = texture->disableTrilinearOptimization != 0;
    wire->anisotropy = (uint8_t)(texture->maxAnisotropy < ANISOTROPY_MAX ? texture->maxAnisotropy
                                                                         : ANISOTROPY_MAX);
    memcpy(wire->border, texture->borderColor, sizeof wire->border);
    wire->bias = texture->mipmapLevelBias;
    wire->least = texture->minMipmapLevelClamp;
    wire->most = texture->maxMipmapLevelClamp;
    return cudaSuccess;
}

/* ---- objects -----------------------------------------------------------------------------------
 */

/* Where the object's address is kept; what is none of the kind may be one of the other. */
static struct object **place_of(unsigned long long handle, bool is_surface) {
    struct object **other = NULL, **at = &table.objects;
    for (; *at; at = &(*at)->next) {
        if ((*at)->handle == handle && (*at)->is_surface == is_surface)
            return at;
        other = (*at)->handle == handle ? at : other;
    }
    return other ? other : at;
}

static bool look_up(unsigned long long handle, bool is_surface, struct object *object) {
    pthread_mutex_lock(&table.mutex);
    const struct object *found = *place_of(handle, is_surface);
    if (found)
        *object = *found;
    pthread_mutex_unlock(&table.mutex);
    return found;
}

static cudaError_t make(const struct wire_texture *wire, const struct object *object,
                        unsigned long long *handle) {
    struct link_call call = {.call = WIRE_TEXTURE, .sent = wire, .sent_bytes = sizeof *wire};
    struct object *kept = malloc(sizeof *kept);
    if (!kept)
        return cudaErrorMemoryAllocation;
    cudaError_t error = link_do(&call);
    if (error != cudaSuccess) {
        free(kept);
        return error;
    }
    *kept = *object;
    *handle = kept->handle = call.value[0];
    pthread_mutex_lock(&table.mutex);
    kept->next = table.objects;
    table.objects = kept;
    pthread_mutex_unlock(&table.mutex);
    return cudaSuccess;
}

/* What is no object is given back without a word. */
static cudaError_t destroy(unsigned long long handle, bool is_surface) {
    pthread_mutex_lock(&table.mutex);
    struct object **at = place_of(handle, is_surface), *object = *at;
    if (object)
        *at = object->next;
    pthread_mutex_unlock(&table.mutex);
    if (!object)
        return cudaSuccess;
    is_surface = object->is_surface;
    free(object);
    return link_ask(WIRE_TEXTURE_END, handle, is_surface, 0, NULL);
}

void texture_forget_all(void) {
    while (table.objects)
        destroy(table.objects->handle, table.objects->is_surface);
}

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle,
                                        const struct cudaResourceDesc *resource,
                                        const struct cudaTextureDesc *texture,
                                        const struct cudaResourceViewDesc *view) {
    struct wire_texture wire = {0};
    if (!handle || !resource)
        return remember(cudaErrorInvalidValue);
    if (!texture)
        return remember(cudaErrorInvalidResourceHandle);
    cudaError_t error = describe_resource(resource, &wire);
    if (error == cudaSuccess && view)
        error = apply_view(view, &wire);
    if (error == cudaSuccess)
        error = apply_sampler(texture, &wire);
    struct object object = {.resource = *resource, .texture = *texture};
    if (view)
        object.view = *view;
    return remember(error == cudaSuccess ? make(&wire, &object, handle) : error);
}

API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
    return remember(destroy(handle, false));
}

API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle,
                                        const struct cudaResourceDesc *resource) {
    struct wire_texture wire = {.is_surface = 1};
    if (!handle || !resource || resource->resType != cudaResourceTypeArray)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = describe_resource(resource, &wire);
    const struct object object = {.is_surface = true, .resource = *resource};
    return remember(error == cudaSuccess ? make(&wire, &object, handle) : error);
}

API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
    return remember(destroy(handle, true));
}

/* ---- asking ------------------------------------------------------------------------------------
 */

API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                                 cudaTextureObject_t handle) {
    struct object object;
    if (!resource || !look_up(handle, false, &object))
        return remember(cudaErrorInvalidValue);
    *resource = object.resource;
    return cudaSuccess;
}

API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                                 cudaSurfaceObject_t handle) {
    struct object object;
    if (!resource || !look_up(handle, true, &object))
        return remember(cudaErrorInvalidValue);
    *resource = object.resource;
    return cudaSuccess;
}

API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                                cudaTextureObject_t handle) {
    struct object object;
    if (!texture || !look_up(handle, false, &object))
        return remember(cudaErrorInvalidValue);
    *texture = object.texture;
    return cudaSuccess;
}

API cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                     cudaTextureObject_t handle) {
    struct object object;
    if (!view || !look_up(handle, false, &object))
        return remember(cudaErrorInvalidValue);
    *view = object.view;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width,
                                                     const struct cudaChannelFormatDesc *desc,
                                                     int device) {
    size_t texel = desc ? array_texel_bytes(desc) : 0;
    if (!width || !desc)
        return remember(cudaErrorInvalidValue);
    if (device != 0)
        return remember(cudaErrorInvalidDevice);
    if (!texel)
        return remember(cudaErrorInvalidChannelDescriptor);
    *width = ((size_t)1 << LINEAR_BYTES_LOG) / texel;
    return cudaSuccess;
}

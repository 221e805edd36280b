/* Arrays and their copies. A program knows an array by its handle alone, so that its texels may lie
 * as they like: row by row, in memory that copies reach as any other. A real card has its own order
 * of them, and the worker makes one of the other. Limits are those that an H200 answers; what it
 * lets pass passes here. */
#include "sandbox/runtime/array.h"
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    MAX_WIDTH = 131072,
    MAX_HEIGHT = 65536,
    MAX_LAYERED_WIDTH = 32768,
    MAX_LAYERS = 2048,
    MAX_CUBE_LAYERS = 2046,
    MAX_GATHER = 32768,
    MAX_DEPTH = 32768,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct array *arrays;
static struct mipmap *mipmaps;

/* memory.c, plane.c */
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, int kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, int kind, cudaStream_t stream);

/* ---- handles -----------------------------------------------------------------------------------
 */

struct array *array_find(cudaArray_t handle) {
    pthread_mutex_lock(&mutex);
    struct array *array = arrays;
    while (array && array != handle)
        array = array->next;
    pthread_mutex_unlock(&mutex);
    return array;
}

struct mipmap *mipmap_find(cudaMipmappedArray_t handle) {
    pthread_mutex_lock(&mutex);
    struct mipmap *mipmap = mipmaps;
    while (mipmap && mipmap != handle)
        mipmap = mipmap->next;
    pthread_mutex_unlock(&mutex);
    return mipmap;
}

static void add_array(struct array *array) {
    pthread_mutex_lock(&mutex);
    array->next = arrays;
    arrays = array;
    pthread_mutex_unlock(&mutex);
}

static void remove_array(struct array *array) {
    pthread_mutex_lock(&mutex);
    struct array **at = &arrays;
    while (*at && *at != array)
        at = &(*at)->next;
    if (*at)
        *at = array->next;
    pthread_mutex_unlock(&mutex);
    free(array);
}

/* ---- formats -----------------------------------------------------------------------------------
 */

enum {
    KIND_SIGNED,
    KIND_UNSIGNED,
    KIND_FLOAT,
    KIND_FIRST_NORMALIZED = 5,
    KIND_LAST_NORMALIZED = 16
};

bool array_format(const struct cudaChannelFormatDesc *desc, struct array_format *format) {
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    unsigned channels = 0;
    while (channels < 4 && bits[channels])
        channels++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < channels ? bits[0] : 0))
            return false;
    *format = (struct array_format){channels, (unsigned)bits[0], (unsigned)desc->f, false};
    if (desc->f >= KIND_FIRST_NORMALIZED && desc->f <= KIND_LAST_NORMALIZED) {
        /* X1, X2, X4 of 8 and 16 bits, unsigned, then signed */
        unsigned at = (unsigned)desc->f - KIND_FIRST_NORMALIZED;
        static const unsigned counts[] = {1, 2, 4};
        format->normalized = true;
        format->kind = at < 6 ? KIND_UNSIGNED : KIND_SIGNED;
        if (channels != counts[at % 3] || format->bits != (at / 3 % 2 ? 16 : 8))
            return false;
    } else if (desc->f < KIND_SIGNED || desc->f > KIND_FLOAT) {
        return false;
    }
    bool width = bits[0] == 16 || bits[0] == 32 || (bits[0] == 8 && format->kind != KIND_FLOAT);
    return width && (channels == 1 || channels == 2 || channels == 4);
}

size_t array_texel_bytes(const struct cudaChannelFormatDesc *desc) {
    struct array_format format;
    return array_format(desc, &format) ? format.channels * format.bits / 8 : 0;
}

/* ---- allocating --------------------------------------------------------------------------------
 */

static bool is_extent(struct cudaExtent extent, unsigned flags) {
    bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
    size_t w = extent.width, h = extent.height, d = extent.depth;
    if (!w || (flags & cudaArrayTextureGather && (!h || d || w > MAX_GATHER || h > MAX_GATHER)))
        return false;
    if (cube)
        return w == h && w <= MAX_LAYERED_WIDTH &&
               (layered ? d && d % 6 == 0 && d <= MAX_CUBE_LAYERS : d == 6);
    if (layered)
        return w <= MAX_LAYERED_WIDTH && h <= MAX_LAYERED_WIDTH && d && d <= MAX_LAYERS;
    if (d)
        return h && w <= MAX_DEPTH && h <= MAX_DEPTH && d <= MAX_DEPTH;
    return w <= MAX_WIDTH && h <= MAX_HEIGHT;
}

static size_t at_least_one(size_t length) {
    return length ? length : 1;
}

static size_t row_bytes(const struct array *array) {
    return array->extent.width * array_texel_bytes(&array->format);
}

static size_t slice_bytes(const struct array *array) {
    return row_bytes(array) * at_least_one(array->extent.height);
}

static size_t array_bytes(const struct array *array) {
    return slice_bytes(array) * at_least_one(array->extent.depth);
}

/* Slices that are layers stay as many on every level. */
static struct cudaExtent level_extent(const struct array *whole, unsigned level) {
    struct cudaExtent extent = whole->extent;
    bool layers = whole->flags & (cudaArrayLayered | cudaArrayCubemap);
    extent.width = at_least_one(extent.width >> level);
    extent.height = extent.height ? at_least_one(extent.height >> level) : 0;
    if (!layers)
        extent.depth = extent.depth ? at_least_one(extent.depth >> level) : 0;
    return extent;
}

static cudaError_t check(const void *handle, const struct cudaChannelFormatDesc *desc,
                         struct cudaExtent extent, unsigned flags) {
    struct array_format format;
    if (!handle || !desc)
        return cudaErrorInvalidValue;
    if (!array_format(desc, &format))
        return cudaErrorInvalidChannelDescriptor;
    return is_extent(extent, flags) ? cudaSuccess : cudaErrorInvalidValue;
}

/* The card's memory for the texels; of all levels, where it is a mipmapped array. */
static cudaError_t make_texels(struct array *array, unsigned levels) {
    struct array_format format;
    cudaError_t error = capture_forbids();
    if (error != cudaSuccess)
        return error;
    array_format(&array->format, &format);
    const struct wire_array wire = {.width = array->extent.width,
                                    .height = array->extent.height,
                                    .depth = array->extent.depth,
                                    .flags = array->flags,
                                    .levels = (uint8_t)levels,
                                    .channels = (uint8_t)format.channels,
                                    .bits = (uint8_t)format.bits,
                                    .kind = (uint8_t)format.kind,
                                    .normalized = format.normalized};
    struct link_call call = {.call = WIRE_ARRAY, .sent = &wire, .sent_bytes = sizeof wire};
    error = link_do(&call);
    array->address = call.value[0];
    return error;
}

API cudaError_t cudaMalloc3DArray(cudaArray_t *handle, const struct cudaChannelFormatDesc *desc,
                                  struct cudaExtent extent, unsigned flags) {
    cudaError_t error = check(handle, desc, extent, flags);
    struct array *array = error == cudaSuccess ? calloc(1, sizeof *array) : NULL;
    if (!array)
        return remember(error == cudaSuccess ? cudaErrorMemoryAllocation : error);
    *array = (struct array){.format = *desc, .extent = extent, .flags = flags};
    error = make_texels(array, 0);
    if (error != cudaSuccess) {
        free(array);
        return remember(error);
    }
    add_array(array);
    *handle = array;
    return cudaSuccess;
}

API cudaError_t cudaMallocArray(cudaArray_t *handle, const struct cudaChannelFormatDesc *desc,
                                size_t width, size_t height, unsigned flags) {
    return cudaMalloc3DArray(handle, desc, (struct cudaExtent){width, height, 0}, flags);
}

/* A level is its mipmap's. */
API cudaError_t cudaFreeArray(cudaArray_t handle) {
    struct array *array = array_find(handle);
    if (!array || array->level_of)
        return remember(!handle || array ? cudaSuccess : cudaErrorInvalidResourceHandle);
    cudaError_t error = cudaFree((void *)(uintptr_t)array->address);
    remove_array(array);
    return remember(error);
}

/* As many levels as there are, whatever is asked for. */
API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *handle,
                                         const struct cudaChannelFormatDesc *desc,
                                         struct cudaExtent extent, unsigned levels,
                                         unsigned flags) {
    cudaError_t error = check(handle, desc, extent, flags);
    struct mipmap *mipmap = error == cudaSuccess ? calloc(1, sizeof *mipmap) : NULL;
    if (!mipmap)
        return remember(error == cudaSuccess ? cudaErrorMemoryAllocation : error);
    mipmap->whole = (struct array){.format = *desc, .extent = extent, .flags = flags};
    size_t longest = extent.width > extent.height ? extent.width : extent.height;
    bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
    longest = !layers && extent.depth > longest ? extent.depth : longest;
    unsigned most = 1;
    while (longest >> most)
        most++;
    mipmap->levels = levels < 1 ? 1 : levels < most ? levels : most;
    error = make_texels(&mipmap->whole, mipmap->levels);
    if (error != cudaSuccess) {
        free(mipmap);
        return remember(error);
    }
    pthread_mutex_lock(&mutex);
    mipmap->next = mipmaps;
    mipmaps = mipmap;
    pthread_mutex_unlock(&mutex);
    *handle = mipmap;
    return cudaSuccess;
}

API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *handle, cudaMipmappedArray_t of,
                                           unsigned level) {
    struct mipmap *mipmap = mipmap_find(of);
    if (!mipmap)
        return remember(cudaErrorInvalidResourceHandle);
    if (!handle || level >= mipmap->levels)
        return remember(cudaErrorInvalidValue);
    if (!mipmap->arrays[level]) {
        struct array *array = calloc(1, sizeof *array);
        if (!array)
            return remember(cudaErrorMemoryAllocation);
        *array = mipmap->whole;
        array->level_of = mipmap;
        for (unsigned i = 0; i < level; i++) {
            array->extent = level_extent(&mipmap->whole, i);
            array->address += array_bytes(array);
        }
        array->extent = level_extent(&mipmap->whole, level);
        add_array(array);
        mipmap->arrays[level] = array;
    }
    *handle = mipmap->arrays[level];
    return cudaSuccess;
}

API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle) {
    struct mipmap *mipmap = mipmap_find(handle);
    if (!mipmap)
        return remember(handle ? cudaErrorInvalidResourceHandle : cudaSuccess);
    cudaError_t error = cudaFree((void *)(uintptr_t)mipmap->whole.address);
    for (unsigned i = 0; i < mipmap->levels; i++)
        if (mipmap->arrays[i])
            remove_array(mipmap->arrays[i]);
    pthread_mutex_lock(&mutex);
    struct mipmap **at = &mipmaps;
    while (*at && *at != mipmap)
        at = &(*at)->next;
    if (*at)
        *at = mipmap->next;
    pthread_mutex_unlock(&mutex);
    free(mipmap);
    return remember(error);
}

void array_forget_all(void) {
    pthread_mutex_lock(&mutex);
    while (mipmaps) {
        struct mipmap *mipmap = mipmaps;
        mipmaps = mipmap->next;
        free(mipmap);
    }
    while (arrays) {
        struct array *array = arrays;
        arrays = array->next;
        free(array);
    }
    pthread_mutex_unlock(&mutex);
}

/* ---- asking ------------------------------------------------------------------------------------
 */

API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                 unsigned *flags, cudaArray_t handle) {
    const struct array *array = array_find(handle);
    if (!array)
        return remember(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = array->format;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_t handle) {
    if (!desc)
        return remember(cudaErrorInvalidValue);
    return cudaArrayGetInfo(desc, NULL, NULL, handle);
}

API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int f) {
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* Sparse arrays, such whose memory is mapped later, and those of several planes are not made. */
static cudaError_t none_of_an_array(cudaArray_t handle) {
    return remember(array_find(handle) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}

static cudaError_t none_of_a_mipmap(cudaMipmappedArray_t handle) {
    return remember(mipmap_find(handle) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}

API cudaError_t cudaArrayGetMemoryRequirements(void *requirements, cudaArray_t array, int number) {
    (void)requirements, (void)number;
    return none_of_an_array(array);
}

API cudaError_t cudaArrayGetSparseProperties(void *properties, cudaArray_t array) {
    (void)properties;
    return none_of_an_array(array);
}

API cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned number) {
    (void)plane, (void)number;
    return none_of_an_array(array);
}

API cudaError_t cudaMipmappedArrayGetMemoryRequirements(void *requirements,
                                                        cudaMipmappedArray_t mipmap, int number) {
    (void)requirements, (void)number;
    return none_of_a_mipmap(mipmap);
}

API cudaError_t cudaMipmappedArrayGetSparseProperties(void *properties,
                                                      cudaMipmappedArray_t mipmap) {
    (void)properties;
    return none_of_a_mipmap(mipmap);
}

/* ---- copies ------------------------------------------------------------------------------------
 */

/* A part of one row and those below it; in bytes. */
static cudaError_t find_part(cudaArray_t handle, size_t x, size_t y, size_t width, size_t height,
                             char **place, size_t *row) {
    const struct array *array = array_find(handle);
    if (!array)
        return cudaErrorInvalidResourceHandle;
    size_t rows = at_least_one(array->extent.height);
    *row = row_bytes(array);
    if (x > *row || width > *row - x || y > rows || height > rows - y)
        return cudaErrorInvalidValue;
    *place = (char *)(uintptr_t)(array->address + y * *row + x);
    return cudaSuccess;
}

/* Bytes from one place on, over the ends of rows. */
static cudaError_t find_run(cudaArray_t handle, size_t x, size_t y, size_t bytes, char **place) {
    const struct array *array = array_find(handle);
    if (!array)
        return cudaErrorInvalidResourceHandle;
    size_t row = row_bytes(array), rows = at_least_one(array->extent.height);
    if (x > row || y >= rows || bytes > row * (rows - y) - x)
        return cudaErrorInvalidValue;
    *place = (char *)(uintptr_t)(array->address + y * row + x);
    return cudaSuccess;
}

/* The directions that an array on one side allows; device memory is told by its address. */
static cudaError_t check_direction(bool to_array, const void *other, int kind) {
    int host = to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != host && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return !other || (kind == cudaMemcpyDeviceToDevice && !is_device_address(other))
               ? cudaErrorInvalidValue
               : cudaSuccess;
}

API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                    size_t pitch, size_t width, size_t height, int kind) {
    char *place;
    size_t row;
    cudaError_t error = find_part(to, x, y, width, height, &place, &row);
    if (error == cudaSuccess)
        error = check_direction(true, from, kind);
    return error == cudaSuccess
               ? cudaMemcpy2D(place, row, from, pitch, width, height, cudaMemcpyDefault)
               : remember(error);
}

API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                         size_t pitch, size_t width, size_t height, int kind,
                                         cudaStream_t stream) {
    char *place;
    size_t row;
    cudaError_t error = find_part(to, x, y, width, height, &place, &row);
    if (error == cudaSuccess)
        error = check_direction(true, from, kind);
    return error == cudaSuccess ? cudaMemcpy2DAsync(place, row, from, pitch, width, height,
                                                    cudaMemcpyDefault, stream)
                                : remember(error);
}

API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                      size_t width, size_t height, int kind) {
    char *place;
    size_t row;
    cudaError_t error = find_part(from, x, y, width, height, &place, &row);
    if (error == cudaSuccess)
        error = check_direction(false, to, kind);
    return error == cudaSuccess
               ? cudaMemcpy2D(to, pitch, place, row, width, height, cudaMemcpyDefault)
               : remember(error);
}

API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x,
                                           size_t y, size_t width, size_t height, int kind,
                                           cudaStream_t stream) {
    char *place;
    size_t row;
    cudaError_t error = find_part(from, x, y, width, height, &place, &row);
    if (error == cudaSuccess)
        error = check_direction(false, to, kind);
    return error == cudaSuccess
               ? cudaMemcpy2DAsync(to, pitch, place, row, width, height, cudaMemcpyDefault, stream)
               : remember(error);
}

API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
                                         size_t from_x, size_t from_y, size_t width, size_t height,
                                         int kind) {
    char *target, *source;
    size_t target_row, source_row;
    cudaError_t error = find_part(to, to_x, to_y, width, height, &target, &target_row);
    if (error == cudaSuccess)
        error = find_part(from, from_x, from_y, width, height, &source, &source_row);
    if (error == cudaSuccess)
        error = check_direction(true, source, kind);
    return error == cudaSuccess ? cudaMemcpy2D(target, target_row, source, source_row, width,
                                               height, cudaMemcpyDefault)
                                : remember(error);
}

API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                  size_t bytes, int kind) {
    char *place;
    cudaError_t error = find_run(to, x, y, bytes, &place);
    if (error == cudaSuccess)
        error = check_direction(true, from, kind);
    return error == cudaSuccess ? cudaMemcpy(place, from, bytes, cudaMemcpyDefault)
                                : remember(error);
}

API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                       size_t bytes, int kind, cudaStream_t stream) {
    char *place;
    cudaError_t error = find_run(to, x, y, bytes, &place);
    if (error == cudaSuccess)
        error = check_direction(true, from, kind);
    return error == cudaSuccess ? cudaMemcpyAsync(place, from, bytes, cudaMemcpyDefault, stream)
                                : remember(error);
}

API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes,
                                    int kind) {
    char *place;
    cudaError_t error = find_run(from, x, y, bytes, &place);
    if (error == cudaSuccess)
        error = check_direction(false, to, kind);
    return error == cudaSuccess ? cudaMemcpy(to, place, bytes, cudaMemcpyDefault) : remember(error);
}

API cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y,
                                         size_t bytes, int kind, cudaStream_t stream) {
    char *place;
    cudaError_t error = find_run(from, x, y, bytes, &place);
    if (error == cudaSuccess)
        error = check_direction(false, to, kind);
    return error == cudaSuccess ? cudaMemcpyAsync(to, place, bytes, cudaMemcpyDefault, stream)
                                : remember(error);
}

API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
                                       size_t from_x, size_t from_y, size_t bytes, int kind) {
    char *target, *source;
    cudaError_t error = find_run(to, to_x, to_y, bytes, &target);
    if (error == cudaSuccess)
        error = find_run(from, from_x, from_y, bytes, &source);
    if (error == cudaSuccess)
        error = check_direction(true, source, kind);
    return error == cudaSuccess ? cudaMemcpy(target, source, bytes, cudaMemcpyDefault)
                                : remember(error);
}

/* One side of a copy of a box. *texel: the bytes of an element, where it is an array. */
static cudaError_t lower_side(cudaArray_t handle, struct cudaExtent extent, struct cudaPos *at,
                              struct cudaPitchedPtr *memory, size_t *texel) {
    if (!handle)
        return cudaSuccess;
    const struct array *array = array_find(handle);
    if (!array)
        return cudaErrorInvalidResourceHandle;
    size_t width = array->extent.width, height = at_least_one(array->extent.height),
           depth = at_least_one(array->extent.depth);
    if (memory->ptr || at->x > width || extent.width > width - at->x || at->y > height ||
        extent.height > height - at->y || at->z > depth || extent.depth > depth - at->z)
        return cudaErrorInvalidValue;
    *texel = array_texel_bytes(&array->format);
    at->x *= *texel;
    *memory = (struct cudaPitchedPtr){(void *)(uintptr_t)array->address, row_bytes(array),
                                      row_bytes(array), height};
    return cudaSuccess;
}

/* With an array the extent is in its elements, without one in bytes. */
cudaError_t array_lower(const struct cudaMemcpy3DParms **copy, struct cudaMemcpy3DParms *lowered) {
    if (!*copy || (!(*copy)->srcArray && !(*copy)->dstArray))
        return cudaSuccess;
    *lowered = **copy;
    struct cudaExtent extent = lowered->extent;
    size_t texel = 1;
    if (!extent.width || !extent.height || !extent.depth)
        lowered->srcArray = lowered->dstArray = NULL;
    cudaError_t error =
        lower_side(lowered->srcArray, extent, &lowered->srcPos, &lowered->srcPtr, &texel);
    if (error == cudaSuccess)
        error = lower_side(lowered->dstArray, extent, &lowered->dstPos, &lowered->dstPtr, &texel);
    if (error == cudaSuccess && lowered->dstArray)
        error = check_direction(true, lowered->srcPtr.ptr, lowered->kind);
    else if (error == cudaSuccess && lowered->srcArray)
        error = check_direction(false, lowered->dstPtr.ptr, lowered->kind);
    lowered->extent.width *= texel;
    lowered->srcArray = lowered->dstArray = NULL;
    if (lowered->kind >= cudaMemcpyHostToHost && lowered->kind <= cudaMemcpyDefault)
        lowered->kind = cudaMemcpyDefault;
    *copy = lowered;
    return error;
}

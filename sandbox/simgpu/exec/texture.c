/* Texture fetches: each lane's coordinates become up to sixteen texels, which are read as global
 * memory is, with its checks; then they are filtered (texture_sample.c).
 *
 * One instruction is one request, whose sectors are those of all its lanes and texels together. */
#include "sandbox/simgpu/exec/texture.h"

#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/texture_sample.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"

#include <stdlib.h>
#include <string.h>

/* ---- handles -----------------------------------------------------------------------------------
 */

const struct engine_texture *texture_of_handle(const struct warp *warp, uint64_t handle) {
    const struct engine_launch *request = warp->block->launch->request;
    if (handle == 0 || handle > request->texture_count || !request->textures[handle - 1].used)
        return NULL;
    return &request->textures[handle - 1];
}

static void report_handle(struct warp *warp, const struct insn *insn, lane_mask lanes,
                          uint64_t handle, bool surface) {
    const struct engine_texture *found = texture_of_handle(warp, handle);
    struct dim3 thread = special_thread_index(warp, (unsigned)__builtin_ctz(lanes));
    struct dim3 block = warp->block->id;
    const char *kind = surface ? "surface" : "texture";
    hazard_suggest(
        hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR,
                      lanes,
                      "%s access through handle %llu, which is %s, by thread (%u, %u, %u) of "
                      "block (%u, %u, %u)",
                      kind, (unsigned long long)handle,
                      found    ? surface ? "a texture object" : "a surface object"
                      : handle ? "no object, or one that was destroyed"
                               : "no object: it was never set",
                      thread.x, thread.y, thread.z, block.x, block.y, block.z),
        FIX_TEXTURE_HANDLE);
}

lane_mask texture_find(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       uint32_t operand, bool surface, const struct engine_texture **found) {
    const uint64_t *handles = lane_vector(warp, operand);
    lane_mask wrong = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        found[lane] = texture_of_handle(warp, handles[lane]);
        if (!found[lane] || found[lane]->is_surface != surface)
            wrong |= rest & -rest;
    }
    if (wrong)
        report_handle(warp, insn, wrong, handles[__builtin_ctz(wrong)], surface);
    return lanes & ~wrong;
}

/* ---- counting ----------------------------------------------------------------------------------
 */

static int compare_sectors(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void texture_count(struct warp *warp, const struct insn *insn, uint64_t *sectors, size_t count) {
    size_t kept = 0, distinct = 0;
    for (size_t i = 0; i < count; i++) /* mostly runs of equal ones: less to sort */
        if (kept == 0 || sectors[i] != sectors[kept - 1])
            sectors[kept++] = sectors[i];
    qsort(sectors, kept, sizeof *sectors, compare_sectors);
    for (size_t i = 0; i < kept; i++)
        distinct += i == 0 || sectors[i] != sectors[i - 1];
    observe_texture(warp, insn, distinct);
}

/* ---- reading ---------------------------------------------------------------------------------
 */

lane_mask texture_read_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                             const device_address *addresses, unsigned bytes,
                             unsigned char **places) {
    lane_mask allowed = access_lanes(warp, insn, lanes, addresses, bytes, false, places);
    if (observe_has_device(warp))
        observe_caches(warp, insn, SPACE_GLOBAL, allowed, addresses, bytes, false);
    texture_check_coherence(warp, insn, allowed, addresses, bytes);
    return allowed;
}

/* The widths that texels have. */
static lane_mask of_width(const struct engine_texture *const *textures, lane_mask lanes,
                          unsigned bytes) {
    lane_mask found = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        if (texel_bytes(&textures[__builtin_ctz(rest)]->image.format) == bytes)
            found |= rest & -rest;
    return found;
}

struct fetch {
    const struct engine_texture *textures[WARP_LANES], *samplers[WARP_LANES];
    struct texture_plan plans[WARP_LANES];
    unsigned char texels[WARP_LANES][TEXTURE_TAPS][TEXEL_BYTES_MAX];
    uint64_t sectors[WARP_LANES * TEXTURE_TAPS];
    size_t sector_count;
};

static device_address tap_address(const struct fetch *fetch, unsigned lane, unsigned tap) {
    return fetch->textures[lane]->address + fetch->plans[lane].taps[tap].offset;
}

/* Texels that count for nothing are there all the same: of them only what memory has. */
static void peek(const struct warp *warp, struct fetch *fetch, lane_mask lanes, unsigned tap) {
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        unsigned bytes = texel_bytes(&fetch->textures[lane]->image.format);
        const unsigned char *place = memory_peek(warp, lane, tap_address(fetch, lane, tap), bytes);
        if (place)
            memcpy(fetch->texels[lane][tap], place, bytes);
    }
}

static void read_tap(struct warp *warp, const struct insn *insn, struct fetch *fetch,
                     lane_mask lanes, unsigned tap) {
    for (unsigned bytes = 1; bytes <= TEXEL_BYTES_MAX && lanes; bytes *= 2) {
        lane_mask here = of_width(fetch->textures, lanes, bytes);
        device_address addresses[WARP_LANES];
        unsigned char *places[WARP_LANES];
        for (lane_mask rest = here; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            addresses[lane] = tap_address(fetch, lane, tap);
        }
        lane_mask allowed =
            here ? texture_read_lanes(warp, insn, here, addresses, bytes, places) : 0;
        for (lane_mask rest = allowed; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            memcpy(fetch->texels[lane][tap], places[lane], bytes);
        }
        lanes &= ~here;
    }
}

static void read_texels(struct warp *warp, const struct insn *insn, struct fetch *fetch,
                        lane_mask lanes) {
    bool gathers = insn_op(insn) == OP_tld4;
    for (unsigned tap = 0; tap < TEXTURE_TAPS; tap++) {
        lane_mask counts = 0, idle = 0;
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            const struct texture_plan *plan = &fetch->plans[lane];
            if (tap >= plan->count || plan->taps[tap].border)
                continue;
            *(gathers || !plan->taps[tap].idle ? &counts : &idle) |= rest & -rest;
            fetch->sectors[fetch->sector_count++] =
                fetch->textures[lane]->address / 4 + plan->taps[tap].sector;
        }
        peek(warp, fetch, idle, tap);
        if (counts)
            read_tap(warp, insn, fetch, counts, tap);
    }
}

/* ---- fetching ----------------------------------------------------------------------------------
 */

static int32_t integer_at(const struct warp *warp, uint32_t operand, unsigned lane) {
    if (operand == OPERAND_NONE)
        return 0;
    const int32_t *vector = lane_vector(warp, operand);
    return vector[lane];
}

static float float_at(const struct warp *warp, uint32_t operand, unsigned lane) {
    const float *vector = lane_vector(warp, operand);
    return vector[lane];
}

static void read_place(const struct warp *warp, const struct insn *insn, unsigned lane,
                       struct texture_place *place) {
    const struct texture_access *access = texture_access_of(warp, insn);
    enum texture_geometry geometry = (enum texture_geometry)access->words.geometry;
    unsigned layer = texture_has_layer(geometry), dimensions = texture_dimensions(geometry);
    *place = (struct texture_place){.geometry = geometry,
                                    .integers = access->integers,
                                    .gathers = insn_op(insn) == OP_tld4,
                                    .lod = (enum texture_lod)access->words.lod};
    if (layer)
        place->layer = (uint32_t)integer_at(warp, access->coordinates[0], lane);
    for (unsigned d = 0; d < dimensions; d++) {
        if (access->integers)
            place->texel[d] = integer_at(warp, access->coordinates[layer + d], lane);
        else
            place->position[d] = float_at(warp, access->coordinates[layer + d], lane);
        place->offset[d] = integer_at(warp, access->offsets[d], lane);
    }
    if (place->lod == LOD_LEVEL)
        place->level = access->integers ? (float)integer_at(warp, access->level, lane)
                                        : float_at(warp, access->level, lane);
    for (unsigned i = 0; i < 2 && place->lod == LOD_GRADIENT; i++)
        for (unsigned d = 0; d < dimensions; d++)
            place->gradient[i][d] = float_at(warp, access->gradient[i][d], lane);
}

/* A texture of other dimensions than the instruction's. */
static void check_dimensions(struct warp *warp, const struct insn *insn, lane_mask lanes,
                             const struct engine_texture *const *textures) {
    unsigned wanted = texture_dimensions(texture_access_of(warp, insn)->words.geometry), has = 0;
    bool cube = texture_access_of(warp, insn)->words.geometry >= GEOMETRY_CUBE;
    lane_mask wrong = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        const struct texture_image *image = &textures[__builtin_ctz(rest)]->image;
        if (image->dimensions == (cube ? 2 : wanted) && image->cube == cube)
            continue;
        wrong |= rest & -rest;
        has = image->dimensions;
    }
    if (!wrong)
        return;
    struct dim3 thread = special_thread_index(warp, (unsigned)__builtin_ctz(wrong));
    struct dim3 block = warp->block->id;
    hazard_suggest(hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_OUT_OF_BOUNDS,
                                 SEVERITY_WARNING, wrong,
                                 "texture fetch with %u coordinates of %s of %u dimension%s, by "
                                 "thread (%u, %u, %u) of block (%u, %u, %u): what it reads is not "
                                 "defined",
                                 wanted, "a texture", has, has == 1 ? "" : "s", thread.x, thread.y,
                                 thread.z, block.x, block.y, block.z),
                   FIX_TEXTURE_DIMENSIONS);
}

/* Two halves a register. */
static uint32_t halves_of(const uint32_t words[2]) {
    uint32_t packed = 0;
    for (unsigned i = 0; i < 2; i++) {
        float value;
        memcpy(&value, &words[i], sizeof value);
        _Float16 half = (_Float16)value;
        uint16_t bits;
        memcpy(&bits, &half, sizeof bits);
        packed |= (uint32_t)bits << 16 * i;
    }
    return packed;
}

static void write_result(struct warp *warp, const struct insn *insn, unsigned lane,
                         const uint32_t words[4]) {
    const struct texture_access *access = texture_access_of(warp, insn);
    for (unsigned i = 0; i < access->data_count; i++) {
        uint32_t *d = lane_vector(warp, access->data[i]);
        d[lane] = insn->type == PTX_f16x2 ? halves_of(words + 2 * (i & 1)) : words[i];
    }
}

void texture_fetch(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct texture_access *access = texture_access_of(warp, insn);
    struct fetch fetch;
    fetch.sector_count = 0;
    lane_mask found = texture_find(warp, insn, lanes, insn->operands[0], false, fetch.textures);
    memcpy(fetch.samplers, fetch.textures, sizeof fetch.samplers);
    if (found && access->sampler != OPERAND_NONE)
        found = texture_find(warp, insn, found, access->sampler, false, fetch.samplers);
    if (found)
        check_dimensions(warp, insn, found, fetch.textures);
    for (lane_mask rest = found; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct texture_place place;
        read_place(warp, insn, lane, &place);
        memset(fetch.texels[lane], 0, sizeof fetch.texels[lane]);
        texture_plan(&fetch.textures[lane]->image, &fetch.samplers[lane]->sampler, &place,
                     &fetch.plans[lane]);
    }
    read_texels(warp, insn, &fetch, found);
    texture_count(warp, insn, fetch.sectors, fetch.sector_count);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t words[4] = {0};
        if (found >> lane & 1) {
            const struct texture_image *image = &fetch.textures[lane]->image;
            const struct texture_sampler *sampler = &fetch.samplers[lane]->sampler;
            if (insn_op(insn) == OP_tld4)
                texture_gather(image, sampler, &fetch.plans[lane], fetch.texels[lane],
                               access->words.component, words);
            else
                texture_filter(image, sampler, &fetch.plans[lane], fetch.texels[lane], words);
        }
        write_result(warp, insn, lane, words);
    }
    if (access->resident != OPERAND_NONE)
        write_predicate(warp, access->resident, found, lanes);
}

/* ---- queries -----------------------------------------------------------------------------------
 */

/* OpenCL's numbers of types and orders of channels, which the PTX ISA takes over. */
static uint32_t data_type_of(const struct engine_texture *texture) {
    const struct texel_format *format = &texture->image.format;
    enum { SNORM_8 = 0x10d0, UNORM_8 = 0x10d2, SIGNED_8 = 0x10d7, UNSIGNED_8 = 0x10da };
    enum { HALF = 0x10dd, FLOAT = 0x10de };
    unsigned width = format->bits == 8 ? 0 : format->bits == 16 ? 1 : 2;
    if (format->kind == TEXEL_FLOAT)
        return format->bits == 16 ? HALF : FLOAT;
    bool is_signed = format->kind == TEXEL_SIGNED;
    if (texture->sampler.as_float && format->bits < 32)
        return (is_signed ? SNORM_8 : UNORM_8) + width;
    return (is_signed ? SIGNED_8 : UNSIGNED_8) + width;
}

static uint32_t answer(const struct engine_texture *texture, const struct texture_access *access,
                       int32_t level) {
    enum { ORDER_R = 0x10b0, ORDER_RG = 0x10b2, ORDER_RGBA = 0x10b5 };
    const struct texture_image *image = &texture->image;
    const struct texture_sampler *sampler = &texture->sampler;
    struct texture_level found;
    texture_level_of(image, level < 0 ? 0 : level < image->levels ? (unsigned)level : 0, &found);
    if (level < 0 || level >= image->levels)
        found.extent = (struct texel_extent){0, 0, 0, 0};
    switch ((enum texture_query)access->words.query) {
    case QUERY_WIDTH:
        return found.extent.width;
    case QUERY_HEIGHT:
        return found.extent.height;
    case QUERY_DEPTH:
        return found.extent.depth;
    case QUERY_ARRAY_SIZE:
        return image->cube ? found.extent.layers / 6 : found.extent.layers;
    case QUERY_DATA_TYPE:
        return data_type_of(texture);
    case QUERY_ORDER:
        return image->format.channels == 1   ? ORDER_R
               : image->format.channels == 2 ? ORDER_RG
                                             : ORDER_RGBA;
    case QUERY_NORMALIZED:
        return sampler->normalized;
    case QUERY_UNNORMALIZED:
        return !sampler->normalized;
    case QUERY_LEVELS:
        return image->levels;
    case QUERY_SAMPLES:
        return 1;
    case QUERY_FILTER:
        return sampler->linear;
    case QUERY_ADDRESS_0:
    case QUERY_ADDRESS_1:
    case QUERY_ADDRESS_2:
        return sampler->address[access->words.query - QUERY_ADDRESS_0];
    default:
        return 0;
    }
}

void texture_query(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct texture_access *access = texture_access_of(warp, insn);
    const struct engine_texture *textures[WARP_LANES];
    lane_mask found =
        texture_find(warp, insn, lanes, insn->operands[0], insn_op(insn) == OP_suq, textures);
    uint32_t *d = lane_vector(warp, access->data[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        d[lane] = found >> lane & 1
                      ? answer(textures[lane], access, integer_at(warp, access->level, lane))
                      : 0;
    }
}

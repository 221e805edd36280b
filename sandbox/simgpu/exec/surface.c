/* Surfaces: texels of an array by their bytes, in one row, with a rule for what lies outside of it
 * (PTX ISA 9.7.11): a trap, the nearest texel, or nothing. */
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/texture.h"
#include "sandbox/simgpu/exec/texture_sample.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"

#include <stdio.h>
#include <string.h>

/* Of a warp's access: what each lane comes to. */
struct surface_access {
    const struct engine_texture *surfaces[WARP_LANES];
    device_address addresses[WARP_LANES];
    uint64_t sectors[WARP_LANES];
    lane_mask found;   /* lanes with a place */
    lane_mask outside; /* lanes that trap */
    unsigned bytes;    /* of each lane */
};

static int32_t coordinate_at(const struct warp *warp, uint32_t operand, unsigned lane) {
    const int32_t *vector = lane_vector(warp, operand);
    return vector[lane];
}

/* One coordinate in 0..last, `last` in the same units; false: it lies outside. */
static bool bring_inside(int64_t *at, int64_t last, enum surface_boundary boundary) {
    if (*at >= 0 && *at <= last)
        return true;
    if (boundary != BOUNDARY_CLAMP || last < 0)
        return false;
    *at = *at < 0 ? 0 : last;
    return true;
}

/* x is a byte, or of formatted accesses a texel. */
static bool find_place(const struct warp *warp, const struct insn *insn, unsigned lane,
                       struct surface_access *found) {
    const struct texture_access *access = texture_access_of(warp, insn);
    const struct engine_texture *surface = found->surfaces[lane];
    enum texture_geometry geometry = (enum texture_geometry)access->words.geometry;
    enum surface_boundary boundary = (enum surface_boundary)access->words.boundary;
    unsigned layered = texture_has_layer(geometry), dimensions = texture_dimensions(geometry);
    int64_t at[3] = {0}, layer = 0;
    struct texture_level level;
    texture_level_of(&surface->image, 0, &level);
    if (layered)
        layer = coordinate_at(warp, access->coordinates[0], lane);
    for (unsigned d = 0; d < dimensions; d++)
        at[d] = coordinate_at(warp, access->coordinates[layered + d], lane);
    if (access->words.formatted)
        at[0] *= texel_bytes(&surface->image.format);
    int64_t last = (int64_t)level.extent.width * texel_bytes(&surface->image.format) - found->bytes;
    if (!bring_inside(&at[0], last, boundary) ||
        !bring_inside(&at[1], (int64_t)level.extent.height - 1, boundary) ||
        !bring_inside(&at[2], (int64_t)level.extent.depth - 1, boundary) ||
        !bring_inside(&layer, (int64_t)level.extent.layers - 1, boundary))
        return false;
    uint64_t slice = (uint64_t)layer * level.extent.depth + (uint64_t)at[2];
    found->addresses[lane] =
        surface->address + slice * level.slice + (uint64_t)at[1] * level.row + (uint64_t)at[0];
    found->sectors[lane] = surface->address / 4 + texture_sector(&surface->image, &level, slice,
                                                                 (uint32_t)at[1], (uint64_t)at[0]);
    return true;
}

static void report_outside(struct warp *warp, const struct insn *insn,
                           const struct surface_access *found) {
    const struct texture_access *access = texture_access_of(warp, insn);
    unsigned lane = (unsigned)__builtin_ctz(found->outside), used = 0;
    const struct texture_image *image = &found->surfaces[lane]->image;
    const struct texel_extent *extent = &image->extent;
    struct dim3 thread = special_thread_index(warp, lane);
    struct dim3 block = warp->block->id;
    char place[96], size[96];
    for (unsigned i = 0; i < access->coordinate_count && used < sizeof place; i++)
        used += (unsigned)snprintf(place + used, sizeof place - used, "%s%d", i ? ", " : "",
                                   coordinate_at(warp, access->coordinates[i], lane));
    used = (unsigned)snprintf(size, sizeof size, "%u bytes a row",
                              extent->width * texel_bytes(&image->format));
    if (image->dimensions > 1)
        used += (unsigned)snprintf(size + used, sizeof size - used, ", %u rows", extent->height);
    if (image->dimensions > 2)
        used += (unsigned)snprintf(size + used, sizeof size - used, ", %u planes", extent->depth);
    if (image->layered || image->cube)
        snprintf(size + used, sizeof size - used, ", %u layers", extent->layers);
    struct hazard *hazard = hazard_report(
        warp, insn_pc(warp, insn), PC_NONE, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, found->outside,
        "%s of %u byte%s outside of a surface, at %s(%s): it has %s; by thread (%u, %u, %u) of "
        "block (%u, %u, %u)",
        insn_op(insn) == OP_suld ? "read" : "write", found->bytes, found->bytes == 1 ? "" : "s",
        texture_has_layer(access->words.geometry) ? "layer and place " : "", place, size, thread.x,
        thread.y, thread.z, block.x, block.y, block.z);
    hazard_suggest(hazard, FIX_SURFACE_BYTES);
    if (hazard)
        hazard->scene.access = scene_access_of(insn, insn_op(insn) != OP_suld);
}

static void find_places(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        struct surface_access *found) {
    const struct texture_access *access = texture_access_of(warp, insn);
    uint64_t sectors[2 * WARP_LANES];
    size_t count = 0;
    lanes = texture_find(warp, insn, lanes, insn->operands[0], true, found->surfaces);
    found->found = 0;
    found->bytes = access->data_count * ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!find_place(warp, insn, lane, found))
            continue;
        found->found |= rest & -rest;
        sectors[count++] = found->sectors[lane];
    }
    found->outside = access->words.boundary == BOUNDARY_TRAP ? lanes & ~found->found : 0;
    if (found->outside)
        report_outside(warp, insn, found);
    texture_count(warp, insn, sectors, count);
}

void surface_load(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct texture_access *access = texture_access_of(warp, insn);
    struct surface_access found;
    unsigned char *places[WARP_LANES];
    find_places(warp, insn, lanes, &found);
    lane_mask allowed = found.found ? texture_read_lanes(warp, insn, found.found, found.addresses,
                                                         found.bytes, places)
                                    : 0;
    unsigned part = ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned i = 0; i < access->data_count; i++) {
            uint64_t value = 0;
            if (allowed >> lane & 1)
                memcpy(&value, places[lane] + (size_t)i * part, part);
            memcpy((unsigned char *)lane_vector(warp, access->data[i]) +
                       (size_t)lane * access->data_bytes,
                   &value, access->data_bytes);
        }
    }
}

/* sust.p: each word becomes a component of the surface's format; more of them are left out. */
static unsigned convert_texel(const struct texel_format *format, const uint32_t *words,
                              unsigned count, unsigned char *texel) {
    unsigned size = format->bits / 8u;
    for (unsigned i = 0; i < format->channels; i++) {
        uint32_t word = i < count ? words[i] : 0;
        if (format->kind == TEXEL_FLOAT && format->bits == 16) {
            float value;
            memcpy(&value, &word, sizeof value);
            _Float16 half = (_Float16)value;
            memcpy(&word, &half, sizeof half);
        }
        memcpy(texel + (size_t)i * size, &word, size);
    }
    return format->channels * size;
}

void surface_store(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct texture_access *access = texture_access_of(warp, insn);
    struct surface_access found;
    unsigned char *places[WARP_LANES];
    find_places(warp, insn, lanes, &found);
    lane_mask allowed = 0;
    if (found.found)
        allowed = access_lanes(warp, insn, found.found, found.addresses, found.bytes, true, places);
    if (observe_has_device(warp))
        observe_caches(warp, insn, SPACE_GLOBAL, allowed, found.addresses, found.bytes, true);
    unsigned part = ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t words[4] = {0};
        for (unsigned i = 0; i < access->data_count; i++) {
            const unsigned char *from = (unsigned char *)lane_vector(warp, access->data[i]) +
                                        (size_t)lane * access->data_bytes;
            if (access->words.formatted)
                memcpy(&words[i], from, sizeof words[i]);
            else
                memcpy(places[lane] + (size_t)i * part, from, part);
        }
        if (access->words.formatted)
            convert_texel(&found.surfaces[lane]->image.format, words, access->data_count,
                          places[lane]);
    }
    warp->poll.wrote |= allowed != 0;
}

/* ---- reductions --------------------------------------------------------------------------------
 */

static uint64_t reduce(enum surface_operation operation, bool is_signed, uint64_t old,
                       uint64_t value, unsigned bytes) {
    unsigned shift = 64 - 8 * bytes;
    int64_t x = (int64_t)(old << shift) >> shift, y = (int64_t)(value << shift) >> shift;
    bool less = is_signed ? x < y : old < value;
    switch (operation) {
    case SURFACE_ADD:
        return old + value;
    case SURFACE_MIN:
        return less ? old : value;
    case SURFACE_MAX:
        return less ? value : old;
    case SURFACE_AND:
        return old & value;
    default:
        return old | value;
    }
}

/* Blocks run side by side: one lane's change is one step. */
static void reduce_at(void *place, enum surface_operation operation, bool is_signed, uint64_t value,
                      unsigned bytes) {
    if (bytes == 8) {
        uint64_t old = __atomic_load_n((uint64_t *)place, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n((uint64_t *)place, &old,
                                            reduce(operation, is_signed, old, value, 8), true,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        return;
    }
    uint32_t old = __atomic_load_n((uint32_t *)place, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        (uint32_t *)place, &old, (uint32_t)reduce(operation, is_signed, old, value & UINT32_MAX, 4),
        true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
}

void surface_reduce(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct texture_access *access = texture_access_of(warp, insn);
    struct surface_access found;
    unsigned char *places[WARP_LANES];
    find_places(warp, insn, lanes, &found);
    lane_mask allowed = 0;
    if (found.found)
        allowed = access_lanes(warp, insn, found.found, found.addresses, found.bytes, true, places);
    if (observe_has_device(warp))
        observe_caches(warp, insn, SPACE_GLOBAL, allowed, found.addresses, found.bytes, true);
    bool is_signed = ptx_type_is_signed((enum ptx_type)insn->type);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t value = 0;
        memcpy(&value,
               (unsigned char *)lane_vector(warp, access->data[0]) + (size_t)lane * found.bytes,
               found.bytes);
        reduce_at(places[lane], (enum surface_operation)access->words.operation, is_signed, value,
                  found.bytes);
    }
    warp->poll.wrote |= allowed != 0;
}

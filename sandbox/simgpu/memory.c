/* The careful way through memory: places, checks, shapes. What an access of some shape costs is
 * count.c's. */
#include "sandbox/simgpu/memory.h"

#include "sandbox/simgpu/fill.h"
#include "sandbox/simgpu/poison.h"
#include "sandbox/simgpu/word_set.h"

#include <string.h>

struct place memory_place(const struct warp *warp, enum ptx_space space, unsigned lane,
                          device_address address) {
    const struct launch *launch = warp->block->launch;
    uint64_t window = address >> ADDRESS_SHIFT, offset = address & OFFSET_MASK;
    if (space == SPACE_SHARED || (space == SPACE_GENERIC && window == WINDOW_SHARED)) {
        if (space == SPACE_SHARED)
            offset = address;
        uint64_t limit = launch->program->shared_window_bytes;
        if (offset >= limit)
            return (struct place){.space = SPACE_GENERIC};
        return (struct place){.bytes = warp->block->shared + offset,
                              .shadow = warp->block->shared_shadow + offset,
                              .left = limit - offset,
                              .space = SPACE_SHARED};
    }
    if (space == SPACE_LOCAL || (space == SPACE_GENERIC && window == WINDOW_LOCAL)) {
        if (space == SPACE_LOCAL)
            offset = address;
        if (offset >= launch->local_bytes)
            return (struct place){.space = SPACE_GENERIC};
        return (struct place){.bytes = lane_local(warp, lane) + offset,
                              .shadow =
                                  warp->local_shadow + (size_t)lane * launch->local_bytes + offset,
                              .left = launch->local_bytes - offset,
                              .space = SPACE_LOCAL};
    }
    if (window >= launch->allocation_count || !launch->allocations[window].bytes ||
        offset >= launch->allocations[window].length)
        return (struct place){.space = SPACE_GENERIC};
    const struct allocation *allocation = &launch->allocations[window];
    if (allocation->filled)
        fill_touch(allocation, offset, WIDEST_ACCESS);
    return (struct place){.bytes = allocation->bytes + offset,
                          .shadow = allocation->shadow ? allocation->shadow + offset : NULL,
                          .left = allocation->length - offset,
                          .read_only = allocation->read_only,
                          .space = allocation->is_const ? SPACE_CONST : SPACE_GLOBAL};
}

static bool has_nobody(const unsigned char *shadow, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        if (shadow[i] == SHADOW_NOBODY)
            return true;
    return false;
}

/* `bytes` where all are written. */
static unsigned first_uninitialized(const unsigned char *shadow, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        if (shadow[i] != SHADOW_INITIALIZED)
            return i;
    return bytes;
}

lane_mask memory_check(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store) {
    bool checks = warp->block->launch->checks;
    bool atomic = insn->cost == COST_ATOMIC;
    lane_mask wrong[HAZARD_COUNT] = {0}, allowed = lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        lane_mask bit = rest & -rest;
        struct place place = memory_place(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        if (place.space == SPACE_GENERIC || place.left < bytes ||
            (place.shadow && checks && has_nobody(place.shadow, bytes))) {
            wrong[HAZARD_OUT_OF_BOUNDS] |= bit;
            allowed &= ~bit;
        } else if (addresses[lane] & (bytes - 1)) {
            wrong[HAZARD_MISALIGNED] |= bit;
            allowed &= ~bit;
        } else if (store && place.read_only) {
            wrong[HAZARD_WRITE_TO_INPUT] |= bit;
            allowed &= ~bit;
        } else if ((!store || atomic) && checks && place.shadow &&
                   first_uninitialized(place.shadow, bytes) < bytes &&
                   (poison_can_wait(insn) ||
                    !poison_excuses(warp, insn, lane, place.shadow, bytes))) {
            wrong[HAZARD_UNINITIALIZED_READ] |= bit;
        }
    }
    for (unsigned kind = 0; kind < HAZARD_COUNT; kind++) {
        if (!wrong[kind])
            continue;
        if (kind == HAZARD_UNINITIALIZED_READ && poison_can_wait(insn)) {
            poison_load(warp, insn, wrong[kind], addresses, bytes);
            continue;
        }
        unsigned lane = (unsigned)__builtin_ctz(wrong[kind]);
        struct access access = {.space = (enum ptx_space)insn->space,
                                .address = addresses[lane],
                                .bytes = bytes,
                                .store = store};
        if (kind == HAZARD_UNINITIALIZED_READ)
            access.missing = first_uninitialized(
                memory_place(warp, access.space, lane, access.address).shadow, bytes);
        hazard_access(warp, insn, (enum hazard_kind)kind, lane, wrong[kind], &access);
    }
    return allowed;
}

/* Deltas are multiples of the access size where it is aligned: equal ones are the only overlap. */
static void find_unique(struct access_shape *shape) {
    struct word_set set;
    word_set_clear(&set);
    shape->unique_count = 0;
    shape->unique_shared = 0;
    shape->active_count = (uint8_t)__builtin_popcount(shape->lanes);
    for (lane_mask rest = shape->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (word_set_add(&set, shape->delta[lane])) {
            shape->unique[shape->unique_count++] = (uint8_t)lane;
            continue;
        }
        for (unsigned i = 0; i < shape->unique_count; i++)
            if (shape->delta[shape->unique[i]] == shape->delta[lane]) {
                shape->unique_shared |= (lane_mask)1 << i;
                shape->unique[i] = (uint8_t)lane;
            }
    }
}

bool memory_shape(struct access_shape *shape, lane_mask lanes, const device_address *addresses,
                  unsigned bytes) {
    unsigned first = (unsigned)__builtin_ctz(lanes);
    device_address base = addresses[first];
    shape->valid = false;
    shape->lanes = lanes;
    shape->first_lane = (uint8_t)first;
    shape->lowest = shape->highest = 0;
    shape->misaligned = 0;
    shape->contiguous = lanes == UINT32_MAX;
    shape->uniform = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(lanes >> lane & 1)) {
            shape->delta[lane] = 0;
            continue;
        }
        int64_t delta = (int64_t)(addresses[lane] - base);
        if (delta < -(1 << 30) || delta > (1 << 30))
            return false;
        shape->delta[lane] = (int32_t)delta;
        if (delta < shape->lowest)
            shape->lowest = (int32_t)delta;
        if (delta > shape->highest)
            shape->highest = (int32_t)delta;
        shape->misaligned |= (uint16_t)delta;
        shape->contiguous &= delta == (int64_t)lane * bytes;
        shape->uniform &= delta == 0;
    }
    find_unique(shape);
    shape->ideal_sectors = (uint8_t)((shape->unique_count * bytes + 31) / 32);
    memset(shape->sectors, 0, sizeof shape->sectors);
    memset(shape->wavefronts, 0, sizeof shape->wavefronts);
    memset(shape->local_sectors, 0, sizeof shape->local_sectors);
    memset(shape->wide_wavefronts, 0, sizeof shape->wide_wavefronts);
    shape->valid = true;
    return true;
}

const unsigned char *memory_peek(const struct warp *warp, unsigned lane, device_address address,
                                 uint64_t bytes) {
    struct place place = memory_place(warp, SPACE_GENERIC, lane, address);
    return place.space == SPACE_GENERIC || place.left < bytes ? NULL : place.bytes;
}

uint64_t memory_string(const struct warp *warp, unsigned lane, device_address address, char *buffer,
                       uint64_t size) {
    struct place place = memory_place(warp, SPACE_GENERIC, lane, address);
    uint64_t length = 0;
    if (place.space != SPACE_GENERIC)
        while (length + 1 < size && length < place.left && place.bytes[length]) {
            buffer[length] = (char)place.bytes[length];
            length++;
        }
    buffer[length] = '\0';
    return length;
}

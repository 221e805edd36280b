/* The careful path through memory: locations, checks, shapes. count.c counts what an access of some
 * shape costs. */
#include "sandbox/simgpu/exec/memory.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"
#include "sandbox/simgpu/state/word_set.h"

#include <string.h>

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

/* The first rows of hazard.def are those of one access. */
enum { ACCESS_HAZARDS = HAZARD_WRITE_TO_INPUT + 1 };

lane_mask memory_check(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store) {
    bool checks = warp->block->launch->checks;
    bool atomic = insn->cost == COST_ATOMIC;
    lane_mask wrong[ACCESS_HAZARDS] = {0}, allowed = lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        lane_mask bit = rest & -rest;
        struct memory_location place =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
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
                   (undef_can_wait(insn) || !undef_excuses(warp, insn, lane, &place, bytes))) {
            wrong[HAZARD_UNINITIALIZED_READ] |= bit;
        }
    }
    for (unsigned kind = 0; kind < ACCESS_HAZARDS; kind++) {
        if (!wrong[kind])
            continue;
        if (kind == HAZARD_UNINITIALIZED_READ && undef_can_wait(insn)) {
            undef_load(warp, insn, wrong[kind], addresses, bytes);
            continue;
        }
        unsigned lane = (unsigned)__builtin_ctz(wrong[kind]);
        struct access access = {.space = (enum ptx_space)insn->space,
                                .address = addresses[lane],
                                .bytes = bytes,
                                .store = store};
        if (kind == HAZARD_UNINITIALIZED_READ)
            access.missing = first_uninitialized(
                memory_locate(warp, access.space, lane, access.address).shadow, bytes);
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
    shape->arranged = false;
    shape->part_lanes = shape->stretch_count = 0;
    shape->valid = true;
    return true;
}

/* Bits of the first lanes of those groups that read one address; false: a group reads otherwise. */
static bool find_parts(const struct access_shape *shape, unsigned part, unsigned bytes,
                       lane_mask *uniform) {
    *uniform = 0;
    for (unsigned first = 0; first < WARP_LANES; first += part) {
        bool same = true, neighbours = true;
        for (unsigned i = 1; i < part; i++) {
            int32_t delta = shape->delta[first + i] - shape->delta[first];
            same &= delta == 0;
            neighbours &= delta == (int32_t)(i * bytes);
        }
        if (!same && !neighbours)
            return false;
        *uniform |= (lane_mask)same << first;
    }
    return true;
}

static void find_stretches(struct access_shape *shape, unsigned bytes) {
    uint8_t sorted[WARP_LANES]; /* places in shape->unique */
    for (unsigned i = 0; i < shape->unique_count; i++) {
        unsigned at = i;
        for (; at && shape->delta[shape->unique[sorted[at - 1]]] > shape->delta[shape->unique[i]];
             at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = (uint8_t)i;
    }
    struct address_stretch *last = NULL;
    for (unsigned i = 0; i < shape->unique_count; i++) {
        unsigned lane = shape->unique[sorted[i]];
        bool several = shape->unique_shared >> sorted[i] & 1;
        shape->marks[i] = (uint8_t)(lane | (several ? SEVERAL_LANES : 0));
        if (last && shape->delta[lane] - last->delta == (int32_t)(last->count * bytes)) {
            last->count++;
            continue;
        }
        if (shape->stretch_count == MAX_STRETCHES) {
            shape->stretch_count = 0;
            return;
        }
        last = &shape->stretches[shape->stretch_count++];
        *last = (struct address_stretch){shape->delta[lane], (uint8_t)i, 1};
    }
}

void memory_arrange(struct access_shape *shape, unsigned bytes) {
    shape->arranged = true;
    for (unsigned part = WARP_LANES; part >= 4 && shape->lanes == UINT32_MAX; part /= 2)
        if (find_parts(shape, part, bytes, &shape->uniform_parts)) {
            shape->part_lanes = (uint8_t)part;
            break;
        }
    find_stretches(shape, bytes);
}

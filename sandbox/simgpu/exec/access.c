/* Requests to memory that no ld or st makes: matrix loads, asynchronous copies, mbarriers.
 *
 * With checks they take the careful path, lane by lane. Without checks, matrix requests that lie
 * inside one allocation reuse the shape of the same instruction's previous request, as in
 * exec_memory.c: all requests of a fragment have the same shape. */
#include "sandbox/simgpu/exec/access.h"

#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/saved_chunks.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

void access_count(struct warp *warp, const struct insn *insn, lane_mask lanes,
                  const device_address *addresses, unsigned bytes, bool store) {
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0] && lanes; i++) {
        lane_mask here = access_in_space(warp, insn, lanes, addresses, spaces[i]);
        struct access_shape shape;
        lanes &= ~here;
        if (!here || access_is_register(warp, spaces[i]))
            continue;
        if (memory_shape(&shape, here, addresses, bytes))
            observe_request(warp, insn, &shape, spaces[i], addresses[shape.first_lane], addresses,
                            bytes, store);
        else
            observe_apart(warp, insn, spaces[i], here, addresses, bytes, store);
    }
}

lane_mask access_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store,
                       unsigned char **places) {
    lane_mask allowed = memory_check(warp, insn, lanes, addresses, bytes, store);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        places[lane] = place.bytes;
        if (store && place.shadow)
            memset(place.shadow, SHADOW_INITIALIZED, bytes);
    }
    if (allowed)
        race_access_slowly(warp, insn, allowed, addresses, bytes, store);
    return allowed;
}

/* Where nothing can be wrong with the access and nothing follows it; it is counted then. */
static bool access_plainly(struct warp *warp, const struct insn *insn, lane_mask lanes,
                           const device_address *addresses, unsigned bytes, bool store,
                           unsigned char **places) {
    const struct launch *launch = warp->block->launch;
    uint32_t pc = insn_pc(warp, insn);
    struct access_shape *shape = &warp->host_thread->shapes[pc];
    if (launch->checks || !lanes ||
        (!memory_same_shape(shape, lanes, addresses) &&
         !memory_shape(shape, lanes, addresses, bytes)))
        return false;
    device_address first = addresses[shape->first_lane];
    device_address low = first + (uint64_t)(int64_t)shape->lowest;
    struct memory_location place =
        memory_locate(warp, (enum ptx_space)insn->space, shape->first_lane, low);
    bool global = place.space == SPACE_GLOBAL || place.space == SPACE_CONST;
    if ((!global && place.space != SPACE_SHARED) ||
        (global && launch->allocations[low >> ADDRESS_SHIFT].filled) ||
        place.left < (uint64_t)((int64_t)shape->highest - shape->lowest) + bytes ||
        ((first | shape->misaligned) & (bytes - 1)) || (store && place.read_only))
        return false;
    struct saved_chunks *saved =
        global && store ? launch->allocations[low >> ADDRESS_SHIFT].saved : NULL;
    if (saved)
        saved_chunks_keep_lanes(saved, shape, first & OFFSET_MASK, bytes);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        places[lane] = place.bytes + ((int64_t)shape->delta[lane] - shape->lowest);
    }
    observe_request(warp, insn, shape, place.space, first, addresses, bytes, store);
    return true;
}

lane_mask access_counted(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses, unsigned bytes, bool store,
                         unsigned char **places) {
    if (access_plainly(warp, insn, lanes, addresses, bytes, store, places))
        return lanes;
    lane_mask allowed = access_lanes(warp, insn, lanes, addresses, bytes, store, places);
    access_count(warp, insn, allowed, addresses, bytes, store);
    return allowed;
}

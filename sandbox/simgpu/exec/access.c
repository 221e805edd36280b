/* Requests to memory that no ld or st makes: matrix loads, asynchronous copies, mbarriers.
 *
 * With checks they take the careful path, lane by lane. Without checks, matrix requests that lie
 * inside one allocation reuse the shape of the same instruction's previous request, as in
 * exec_memory.c: all requests of a fragment have the same shape. */
#include "sandbox/simgpu/exec/access.h"

#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/memsys/block_dependency.h"
#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/memsys/count.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

/* Ordered and volatile loads see what other SMs have written: they go to the L2, like loads with an
 * explicit cache operator for it. */
void access_cache(struct warp *warp, const struct insn *insn, enum ptx_space space, lane_mask lanes,
                  const device_address *addresses, unsigned bytes, bool store) {
    bool past_l1 = insn->order != ORDER_WEAK || insn->extra & EXTRA_PAST_L1;
    enum cache_access access = insn->cost == COST_ATOMIC ? CACHE_ATOMIC
                               : store                   ? CACHE_STORE
                               : past_l1                 ? CACHE_LOAD_L2
                                                         : CACHE_LOAD;
    if (space == SPACE_GLOBAL && lanes && warp->block->launch->dependency)
        block_dependency_access(warp, insn_pc(warp, insn), lanes, addresses);
    if (space == SPACE_GLOBAL || space == SPACE_LOCAL)
        cache_request(warp, insn_pc(warp, insn), space, lanes, addresses, bytes, access);
}

void access_count(struct warp *warp, const struct insn *insn, lane_mask lanes,
                  const device_address *addresses, unsigned bytes, bool store) {
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
    uint32_t pc = insn_pc(warp, insn);
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0] && lanes; i++) {
        lane_mask here = access_in_space(warp, insn, lanes, addresses, spaces[i]);
        struct access_shape shape;
        lanes &= ~here;
        if (!here || access_is_register(warp, spaces[i]))
            continue;
        if (memory_shape(&shape, here, addresses, bytes))
            count_request(warp->host_thread, pc, &shape, spaces[i], addresses[shape.first_lane],
                          bytes, store);
        else
            count_apart(warp->host_thread, pc, here, addresses, bytes);
        if (warp->block->launch->caches)
            access_cache(warp, insn, spaces[i], here, addresses, bytes, store);
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
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        places[lane] = place.bytes + ((int64_t)shape->delta[lane] - shape->lowest);
    }
    count_request(warp->host_thread, pc, shape, place.space, first, bytes, store);
    if (launch->caches)
        access_cache(warp, insn, place.space, lanes, addresses, bytes, store);
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

/* Requests to memory that no ld or st makes: matrix loads, asynchronous copies, mbarriers.
 *
 * They go the careful way, lane by lane: each is followed by so much work (a matrix product, a
 * wait) that the fast way of exec_memory.c would not be felt. */
#include "sandbox/simgpu/access.h"

#include "sandbox/simgpu/race.h"

#include <string.h>

void access_cost(lane_mask lanes, const device_address *addresses, unsigned bytes, bool store,
                 struct request_cost *cost) {
    struct access_shape shape;
    cost->units = cost->conflicts = 0;
    if (!memory_shape(&shape, lanes, addresses, bytes, store))
        return;
    if (cost->space == SPACE_SHARED) {
        cost->units = shape.wavefronts;
        cost->conflicts = (unsigned)(shape.wavefronts - shape.groups);
    } else {
        cost->units = memory_sectors(&shape, addresses[shape.first_lane] & 31, bytes);
    }
}

lane_mask access_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const device_address *addresses, unsigned bytes, bool store,
                       unsigned char **places, struct request_cost *cost) {
    lane_mask allowed = memory_check(warp, insn, lanes, addresses, bytes, store);
    struct request_cost found = {0};
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct place place = memory_place(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        places[lane] = place.bytes;
        found.space = place.space;
        if (store && place.shadow)
            memset(place.shadow, SHADOW_INITIALIZED, bytes);
    }
    if (allowed) {
        race_access_slowly(warp, insn, allowed, addresses, bytes, store);
        if (cost)
            access_cost(allowed, addresses, bytes, store, &found);
    }
    if (cost)
        *cost = found;
    return allowed;
}

lane_mask access_counted(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses, unsigned bytes, bool store,
                         unsigned char **places) {
    struct request_cost cost;
    lane_mask allowed = access_lanes(warp, insn, lanes, addresses, bytes, store, places, &cost);
    if (allowed) {
        struct insn_stats *stats = &warp->host->stats[insn_pc(warp, insn)];
        stats->requests++;
        stats->units += cost.units;
        stats->conflicts += cost.conflicts;
        stats->space = (uint8_t)cost.space;
    }
    return allowed;
}

void access_addresses(const struct warp *warp, uint32_t operand, bool narrow, int64_t offset,
                      device_address *addresses) {
    const unsigned char *base = warp->bases[operand & OPERAND_CONSTANT] + (operand & ~(uint32_t)3);
    narrow = narrow && !(operand & OPERAND_CONSTANT);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t low;
        uint64_t wide;
        memcpy(&low, base + 4 * lane, 4);
        if (!narrow)
            memcpy(&wide, base + 8 * lane, 8);
        addresses[lane] = (narrow ? low : wide) + (uint64_t)offset;
    }
}

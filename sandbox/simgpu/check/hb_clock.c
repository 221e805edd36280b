/* A table of the last publications, by address and lane.
 *
 * A search through the happens-before graph follows a lock from each critical section to the one
 * before it: as many steps as there were sections since the access that is asked for. With one lock
 * for all threads, that is most of the kernel. But a publication never hides an older one (see
 * hb_graph_release()), so whoever looks at an address learns of all lanes that have published
 * there. The table says when each of them did so last, in moments that are finer than the times of
 * the graph: several looks and publications can have one time.
 *
 * A slot is taken over by who comes last; only grids of more threads than slots, and several locks,
 * meet in one. What it said is then found by the search, as is what a lane did before a publication
 * that is older than its last one: the table only ever says yes. */
#include "sandbox/simgpu/check/hb_clock.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdlib.h>

enum { SLOTS = 1 << 16 }; /* a power of two */

struct publication {
    device_address address;
    uint64_t moment; /* 0: an empty slot */
    uint32_t block, until;
    uint16_t warp;
    uint8_t lane;
};

struct hb_clock {
    struct publication *slots;
    uint64_t moment;
    uint32_t block_warps;
};

struct hb_clock *hb_clock_create(uint32_t block_warps) {
    struct hb_clock *clock = mem_zalloc(sizeof *clock);
    clock->block_warps = block_warps;
    clock->slots = mem_map(SLOTS * sizeof *clock->slots); /* most launches publish little */
    return clock;
}

void hb_clock_free(struct hb_clock *clock) {
    if (clock)
        mem_unmap(clock->slots, SLOTS * sizeof *clock->slots);
    free(clock);
}

static struct publication *slot_of(const struct hb_clock *clock, device_address address,
                                   const struct hb_lanes *known, unsigned lane) {
    uint64_t warp = (uint64_t)known->block * clock->block_warps + known->warp;
    return &clock->slots[(mix_word(address, 1) + warp * WARP_LANES + lane) & (SLOTS - 1)];
}

struct hb_look hb_clock_look(struct hb_clock *clock, device_address address) {
    return (struct hb_look){address, ++clock->moment};
}

void hb_clock_publish(struct hb_clock *clock, const struct hb_lanes *known,
                      device_address address) {
    clock->moment++;
    for (lane_mask rest = known->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        *slot_of(clock, address, known, lane) = (struct publication){.address = address,
                                                                     .moment = clock->moment,
                                                                     .block = known->block,
                                                                     .until = known->until,
                                                                     .warp = known->warp,
                                                                     .lane = (uint8_t)lane};
    }
}

lane_mask hb_clock_ordered(const struct hb_clock *clock, const struct hb_look *look,
                           const struct hb_lanes *asked) {
    lane_mask ordered = 0;
    for (lane_mask rest = asked->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct publication *last = slot_of(clock, look->address, asked, lane);
        if (last->address == look->address && last->block == asked->block &&
            last->warp == asked->warp && last->lane == lane && last->moment &&
            last->moment < look->moment && last->until > asked->until)
            ordered |= rest & -rest;
    }
    return ordered;
}

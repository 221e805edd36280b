/* mbarrier.* and cp.async.mbarrier.arrive (PTX ISA 9.7.13.15). The objects: mbarrier.c.
 *
 * Lanes act one after the other, in lane order. An arrival releases what the thread did before, a
 * successful wait acquires it; waits never block here, they answer, and a loop around one counts as
 * polling, so that other warps get their turn. */
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/async.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/mbarrier.h"
#include "sandbox/simgpu/exec/poll.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/copy_flags.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

/* The generic address of each lane's object, and the lanes that have one. `tracked`: the race
 * detector looks at the access itself, besides what it orders. */
static lane_mask objects(struct warp *warp, const struct insn *insn, lane_mask lanes, bool store,
                         bool tracked, device_address *addresses) {
    unsigned char *places[WARP_LANES];
    access_addresses(warp, insn->operands[0], insn->address32, insn->offset, addresses);
    if (tracked)
        lanes = access_lanes(warp, insn, lanes, addresses, 8, store, places);
    else
        lanes = memory_check(warp, insn, lanes, addresses, 8, store);
    if (!tracked && warp->block->cluster)
        race_cluster_access(warp, insn, lanes, addresses);
    if (insn->space == SPACE_SHARED)
        for (lane_mask rest = lanes; rest; rest &= rest - 1)
            addresses[__builtin_ctz(rest)] |= ADDRESS_OF(WINDOW_SHARED);
    return lanes;
}

static uint32_t operand_at(const struct warp *warp, const struct insn *insn, unsigned lane,
                           uint32_t otherwise) {
    if (insn->operands[2] == OPERAND_NONE)
        return otherwise;
    return ((const uint32_t *)lane_vector(warp, insn->operands[2]))[lane];
}

EXECUTOR(mbarrier_init) {
    device_address addresses[WARP_LANES];
    lanes = objects(warp, insn, lanes, true, true, addresses);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t count = operand_at(warp, insn, lane, 0);
        struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, addresses[lane]);
        if (count == 0 || count > MBARRIER_MAX_COUNT) {
            hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_TRAP, SEVERITY_ERROR,
                          rest & -rest, "an mbarrier for %u arrivals: the count is 1 to 1048575",
                          count);
            count = 1;
        }
        uint64_t state = mbarrier_make(count);
        memcpy(place.bytes, &state, sizeof state);
    }
}

/* Ends an object. The thread that ends it has learnt from the object itself that none waits any
 * more, as cuda::pipeline does; the race detector would have to know of each thread that ever asked
 * it. */
EXECUTOR(mbarrier_inval) {
    device_address addresses[WARP_LANES];
    lanes = objects(warp, insn, lanes, true, false, addresses);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, addresses[lane]);
        memset(place.bytes, 0, 8);
        if (place.shadow)
            memset(place.shadow, SHADOW_UNINITIALIZED, 8); /* free for other uses */
    }
}

EXECUTOR(mbarrier_arrive) {
    device_address addresses[WARP_LANES];
    uint64_t *d = insn->operands[1] == OPERAND_NONE ? NULL : VECTOR_AT(uint64_t, 1);
    race_fence(warp, insn, lanes);
    lanes = objects(warp, insn, lanes, true, true, addresses);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool expect = insn->mbarrier_flags & MBARRIER_EXPECT;
        uint32_t operand = operand_at(warp, insn, lane, 1);
        struct mbarrier_arrival arrival = {.count = expect ? 1 : operand,
                                           .transactions = expect ? operand : 0,
                                           .drop = insn->mbarrier_flags & MBARRIER_DROP,
                                           .no_complete =
                                               insn->mbarrier_flags & MBARRIER_NO_COMPLETE};
        uint64_t before = mbarrier_arrive(warp, insn, lane, addresses[lane], &arrival);
        if (d)
            d[lane] = before;
    }
}

/* expect_tx announces bytes, complete_tx says that they have come. */
EXECUTOR(mbarrier_transaction) {
    device_address addresses[WARP_LANES];
    race_fence(warp, insn, lanes);
    lanes = objects(warp, insn, lanes, true, true, addresses);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        int64_t bytes = operand_at(warp, insn, lane, 0);
        bool expect = insn->mbarrier_flags & MBARRIER_EXPECT;
        struct mbarrier_arrival arrival = {.transactions = expect ? bytes : -bytes};
        mbarrier_arrive(warp, insn, lane, addresses[lane], &arrival);
    }
}

EXECUTOR(mbarrier_wait) {
    device_address addresses[WARP_LANES];
    lane_mask done = 0, asked = lanes;
    lanes = objects(warp, insn, lanes, false, true, addresses);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t *word = mbarrier_find(warp, insn, lane, addresses[lane]);
        bool phase = insn->mbarrier_flags & MBARRIER_PARITY
                         ? ((const uint32_t *)lane_vector(warp, insn->operands[2]))[lane] & 1
                         : mbarrier_phase(VECTOR_AT(uint64_t, 2)[lane]);
        if (!word || mbarrier_phase(*word) != phase)
            done |= rest & -rest;
    }
    if (lanes & ~done) {
        unsigned lane = (unsigned)__builtin_ctz(lanes & ~done);
        warp_note_poll(warp, insn_pc(warp, insn), addresses[lane],
                       *mbarrier_find(warp, insn, lane, addresses[lane]));
    }
    done |= asked & ~lanes; /* reported: do not spin for ever on it */
    write_predicate(warp, insn->operands[1], done, asked);
}

EXECUTOR(mbarrier_pending_count) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    WRITE_LANES(d, mbarrier_pending(a[lane]));
}

/* The copies that the thread has issued arrive with the phase. Without .noinc the object waits for
 * one arrival more, and this is it: other arrivals have been counted by init already. */
EXECUTOR(cp_async_arrive) {
    device_address addresses[WARP_LANES];
    lane_mask allowed = objects(warp, insn, lanes, true, true, addresses);
    async_bind(warp, allowed, addresses);
    race_fence(warp, insn, allowed);
    race_strong_access(warp, insn, allowed, addresses, true);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct mbarrier_arrival arrival = {.count = 1, .grow = insn->grow};
        mbarrier_arrive(warp, insn, lane, addresses[lane], &arrival);
    }
}

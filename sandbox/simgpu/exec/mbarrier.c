/* mbarrier objects (PTX ISA 9.7.13.15): a phase, arrivals still pending, arrivals expected in each
 * phase, and bytes that asynchronous copies still owe.
 *
 * The ISA keeps the layout of the 64 bits to itself; ours holds all of the state, so that an object
 * needs nothing but its bytes: pending arrivals in bits 0 to 19, expected ones in 20 to 39, owed
 * bytes in 40 to 60 (biased, because copies may come before they are announced), a mark that it was
 * initialised in 61 and 62 and the parity of the current phase in 63. A phase is complete when
 * nothing is pending and nothing is owed. */
#include "sandbox/simgpu/exec/mbarrier.h"

#include "sandbox/base/text.h"
#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/async.h"
#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

#define COUNT_MASK ((uint64_t)MBARRIER_MAX_COUNT)
static const unsigned expected_shift = 20, owed_shift = 40;
static const uint64_t owed_mask = ((uint64_t)1 << 21) - 1;
static const int64_t owed_bias = (int64_t)1 << 20;
static const uint64_t valid_bit = (uint64_t)1 << 61, clear_bit = (uint64_t)1 << 62,
                      phase_bit = (uint64_t)1 << 63;

struct state {
    uint32_t pending, expected;
    int64_t owed;
    bool phase;
};

static uint64_t pack(const struct state *state) {
    return (state->pending & COUNT_MASK) | (state->expected & COUNT_MASK) << expected_shift |
           ((uint64_t)(state->owed + owed_bias) & owed_mask) << owed_shift | valid_bit |
           (state->phase ? phase_bit : 0);
}

static struct state unpack(uint64_t word) {
    return (struct state){.pending = (uint32_t)(word & COUNT_MASK),
                          .expected = (uint32_t)(word >> expected_shift & COUNT_MASK),
                          .owed = (int64_t)(word >> owed_shift & owed_mask) - owed_bias,
                          .phase = word >> 63};
}

uint64_t mbarrier_make(uint32_t count) {
    return pack(&(struct state){.pending = count, .expected = count});
}

bool mbarrier_phase(uint64_t state) {
    return state >> 63;
}

uint32_t mbarrier_pending(uint64_t state) {
    return (uint32_t)(state & COUNT_MASK);
}

struct mbarrier_missing mbarrier_missing(uint64_t state) {
    struct state now = unpack(state);
    return (struct mbarrier_missing){now.pending, now.expected, now.owed};
}

bool mbarrier_is_valid(uint64_t state) {
    return (state & valid_bit) && !(state & clear_bit);
}

uint64_t *mbarrier_find(struct warp *warp, const struct insn *insn, unsigned lane,
                        device_address address) {
    struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, address);
    if (place.space != SPACE_SHARED || place.left < 8)
        return NULL; /* memory_check() has complained */
    uint64_t *word = (uint64_t *)(void *)place.bytes;
    if (mbarrier_is_valid(*word))
        return word;
    char element[128], whole[192];
    struct access access = {.space = SPACE_GENERIC, .address = address, .bytes = 8};
    hazard_describe_address(warp, &access, element, sizeof element, whole, sizeof whole);
    hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_UNINITIALIZED_READ, SEVERITY_ERROR,
                  (lane_mask)1 << lane,
                  "%s is used as an mbarrier, and there is none: init() (mbarrier.init) has not "
                  "been executed for it, or something else was written there",
                  element);
    return NULL;
}

/* Writes the state back, in its next phase when this one is complete. */
static void settle(struct warp *warp, device_address address, uint64_t *word, struct state state) {
    bool complete = state.pending == 0 && state.owed == 0;
    if (complete) {
        state.phase = !state.phase;
        state.pending = state.expected;
    }
    *word = pack(&state);
    if (complete)
        async_complete_phase(warp->block, address);
}

uint64_t mbarrier_arrive(struct warp *warp, const struct insn *insn, unsigned lane,
                         device_address address, const struct mbarrier_arrival *arrival) {
    uint64_t *word = mbarrier_find(warp, insn, lane, address);
    if (!word)
        return 0;
    uint64_t before = *word;
    struct state state = unpack(before);
    state.pending += arrival->grow;
    state.owed += arrival->transactions;
    if (arrival->count + (arrival->no_complete ? 1 : 0) > state.pending) {
        struct hazard *hazard = hazard_report(
            warp, insn_pc(warp, insn), PC_NONE, HAZARD_BARRIER_DIVERGENCE, SEVERITY_ERROR,
            (lane_mask)1 << lane,
            "%u arrival%s at an mbarrier that waits for %u more in this phase: more "
            "threads arrive than its count of %u says",
            arrival->count, text_plural(arrival->count), state.pending, state.expected);
        hazard_suggest(hazard, FIX_MBARRIER_COUNT);
        state.pending = 0;
    } else {
        state.pending -= arrival->count;
    }
    if (arrival->drop)
        state.expected -= arrival->count < state.expected ? arrival->count : state.expected;
    if (arrival->count == 0 && state.pending)
        *word = pack(&state);
    else
        settle(warp, address, word, state);
    return before;
}

void mbarrier_complete_transactions(struct warp *warp, const struct insn *insn, lane_mask lanes,
                                    const device_address *addresses, const uint32_t *bytes) {
    lane_mask allowed = memory_check(warp, insn, lanes, addresses, 8, true);
    race_fence(warp, insn, allowed);
    race_strong_access(warp, insn, allowed, addresses, true);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t *word = mbarrier_find(warp, insn, lane, addresses[lane]);
        if (!word)
            continue;
        struct state state = unpack(*word);
        state.owed -= bytes[lane];
        settle(warp, addresses[lane], word, state);
    }
}

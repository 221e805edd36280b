/* How many of a warp's numbers are distinct, and how many lanes share the most frequent one.
 *
 * Each round lets one lane own each slot of a small table; lanes that find another number there
 * than theirs try again in the next round. Slots need no clearing: only those just written are
 * read. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_DISTINCT_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_DISTINCT_H

#include "sandbox/base/types.h"

/* 256 words side by side do not meet. */
static inline uint8_t distinct_slot(uint64_t number) {
    return (uint8_t)(number >> 2 ^ number >> 10 ^ number << 6);
}

/* *again gets the lanes whose slot another number has taken. */
static inline lane_mask distinct_round(lane_mask lanes, const uint64_t *numbers, uint8_t *sharing,
                                       lane_mask *again) {
    uint8_t owner[256];
    lane_mask owners = 0;
    *again = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        owner[distinct_slot(numbers[lane])] = (uint8_t)lane;
    }
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned first = owner[distinct_slot(numbers[lane])];
        bool same = numbers[first] == numbers[lane];
        sharing[first] = (uint8_t)(sharing[first] + same);
        owners |= (lane_mask)same << first;
        *again |= same ? 0 : rest & -rest;
    }
    return owners;
}

/* The same for all lanes at once, in straight code. */
static inline lane_mask distinct_full_round(const uint64_t *numbers, uint8_t *sharing,
                                            lane_mask *again) {
    uint8_t owner[256], slot[WARP_LANES], first[WARP_LANES];
    lane_mask owners = 0, others = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        slot[lane] = distinct_slot(numbers[lane]);
#pragma GCC unroll 32
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        owner[slot[lane]] = (uint8_t)lane;
#pragma GCC unroll 32
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        first[lane] = owner[slot[lane]];
#pragma GCC unroll 32
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        owners |= (lane_mask)(first[lane] == lane) << lane;
        others |= (lane_mask)(numbers[first[lane]] != numbers[lane]) << lane;
    }
    *again = others;
    if (owners != UINT32_MAX)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            sharing[first[lane]] = (uint8_t)(sharing[first[lane]] + !(others >> lane & 1));
    return owners;
}

static inline unsigned distinct_count(lane_mask lanes, const uint64_t *numbers, unsigned *most) {
    uint8_t sharing[WARP_LANES] = {0}, highest = 1;
    lane_mask again = 0, owners = lanes == UINT32_MAX
                                      ? distinct_full_round(numbers, sharing, &again)
                                      : distinct_round(lanes, numbers, sharing, &again);
    while (again)
        owners |= distinct_round(again, numbers, sharing, &again);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        highest = sharing[lane] > highest ? sharing[lane] : highest;
    *most = highest;
    return (unsigned)__builtin_popcount(owners);
}

#endif

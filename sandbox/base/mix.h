/* splitmix64 (Sebastiano Vigna, public domain): neighbouring numbers give unrelated words. Not for
 * secrets: hash.h is. */
#ifndef WARPGRADE_SANDBOX_BASE_MIX_H
#define WARPGRADE_SANDBOX_BASE_MIX_H

#include <stdint.h>

/* Output `number` (from 1) of the generator that starts at `seed`. */
static inline uint64_t mix_word(uint64_t seed, uint64_t number) {
    uint64_t value = seed + number * UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

#endif

/* A set of a warp's numbers; at most 64, two for each lane. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_WORD_SET_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_WORD_SET_H

#include <stdbool.h>
#include <stdint.h>

struct word_set {
    int64_t slots[64];
    uint64_t used;
};

/* The slots need none: only used ones are read. */
static inline void word_set_clear(struct word_set *set) {
    set->used = 0;
}

/* True when the number is new. Numbers far apart by the same power of two, as those of a column of
 * a matrix, go to slots of their own as neighbours do. */
static inline bool word_set_add(struct word_set *set, int64_t word) {
    unsigned slot = (unsigned)((uint64_t)word * 0x9e3779b97f4a7c15u >> 58);
    while (set->used >> slot & 1) {
        if (set->slots[slot] == word)
            return false;
        slot = (slot + 1) & 63;
    }
    set->used |= (uint64_t)1 << slot;
    set->slots[slot] = word;
    return true;
}

#endif

/* Unset bits in memory.
 *
 * The shadow has a byte for a byte, which says enough where whole bytes are missing because no
 * thread wrote them. A store of a value of which some bits are unset leaves more to know: which
 * bits, and where the value came from, so that a sum with a missing number is blamed on the line
 * that read that number and not on the one that reads the sum. Such bytes are marked SHADOW_TRACKED
 * and stand in a table of the block, by the address of their shadow, four bytes an entry. An entry
 * counts only as long as the shadow says so: whatever overwrites the byte need not know of the
 * table.
 *
 * Blocks run side by side, and so a table of the block's own cannot say anything of global memory:
 * there a byte is unset when all its bits are. */
#include "sandbox/simgpu/check/undef_private.h"

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/state/launch.h"

#include <stdlib.h>
#include <uthash.h>

enum {
    MAX_TRACKED = 1 << 18
}; /* entries of a block; beyond, partly unset bytes are taken as set, and the launch says so */

struct tracked_entry {
    uintptr_t key; /* address of the first byte's shadow */
    struct tracked tracked;
    UT_hash_handle hh;
};

static struct tracked_entry *find(const struct block *block, const unsigned char *shadow) {
    uintptr_t key = (uintptr_t)shadow & ~(uintptr_t)3;
    struct tracked_entry *entry;
    HASH_FIND(hh, block->tracked, &key, sizeof key, entry);
    return entry;
}

const struct tracked *undef_tracked(const struct block *block, const unsigned char *shadow) {
    const struct tracked_entry *entry = *shadow == SHADOW_TRACKED ? find(block, shadow) : NULL;
    return entry ? &entry->tracked : NULL;
}

uint8_t undef_tracked_bits(const struct block *block, const unsigned char *shadow) {
    const struct tracked *tracked = undef_tracked(block, shadow);
    return tracked                         ? tracked->unset[(uintptr_t)shadow & 3]
           : *shadow == SHADOW_INITIALIZED ? 0
                                           : UINT8_MAX;
}

void undef_track(struct block *block, unsigned char *shadow, uint8_t unset,
                 const struct mark_lane *origin) {
    struct tracked_entry *entry = find(block, shadow);
    if (!entry && HASH_COUNT(block->tracked) >= MAX_TRACKED) {
        *shadow = unset == UINT8_MAX ? SHADOW_UNINITIALIZED : SHADOW_INITIALIZED;
        if (unset != UINT8_MAX || origin->flags & MARK_COMPUTED) /* else nothing is lost */
            atomic_store_explicit(&block->launch->unfollowed, true, memory_order_relaxed);
        return;
    }
    if (!entry) {
        entry = mem_zalloc(sizeof *entry);
        entry->key = (uintptr_t)shadow & ~(uintptr_t)3;
        HASH_ADD(hh, block->tracked, key, sizeof entry->key, entry);
    }
    entry->tracked.unset[(uintptr_t)shadow & 3] = unset;
    entry->tracked.origin = *origin;
    *shadow = SHADOW_TRACKED;
}

void undef_forget_memory(struct block *block) {
    struct tracked_entry *entry, *next;
    HASH_ITER(hh, block->tracked, entry, next) {
        HASH_DEL(block->tracked, entry);
        free(entry);
    }
}

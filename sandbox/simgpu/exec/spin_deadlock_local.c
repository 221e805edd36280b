/* Local memory in the proof of a deadlock (spin_deadlock.c): only what a round reads before it
 * writes it matters for the next.
 *
 * Code without optimisation keeps every variable in local memory, also those that each round sets
 * again: the time it has waited, the arguments of what it calls. Those differ from round to round
 * and mean nothing. So a window begins with a copy of local memory, notes each byte by its first
 * access, and ends with a comparison of the bytes that were read first: if these are the same, then
 * so is what the next rounds do. Where the copies would take too much, all bytes are compared. */
#include "sandbox/simgpu/exec/spin_deadlock_report.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COPY_BYTES = 32 << 20 /* of all blocks */ };

enum { UNTOUCHED = 0, READ_FIRST, WRITTEN_FIRST };

static size_t warp_bytes(const struct block *block) {
    return (size_t)WARP_LANES * block->launch->local_bytes;
}

void spin_deadlock_local_open(struct watched_block *watched, size_t count) {
    const struct block *block = watched->block;
    size_t each = warp_bytes(block), bytes = each * block->warp_count;
    if (!bytes || bytes > MAX_COPY_BYTES / count)
        return;
    watched->local = mem_alloc(bytes);
    watched->touched = mem_zalloc(bytes);
    for (unsigned i = 0; i < block->warp_count; i++)
        memcpy(watched->local + i * each, block->warps[i].local, each);
}

void spin_deadlock_local_close(struct watched_block *watched) {
    free(watched->local);
    free(watched->touched);
    watched->local = watched->touched = NULL;
}

void spin_deadlock_local_touch(struct watched_block *watched, const struct warp *warp,
                               struct memory_location place, uint64_t bytes, bool store) {
    if (!watched->touched || place.space != SPACE_LOCAL)
        return;
    uint8_t *touched = watched->touched + warp->index * warp_bytes(warp->block) +
                       (size_t)(place.bytes - warp->local);
    for (uint64_t i = 0; i < bytes && i < place.left; i++)
        if (touched[i] == UNTOUCHED)
            touched[i] = store ? WRITTEN_FIRST : READ_FIRST;
}

bool spin_deadlock_local_same(const struct watched_block *watched) {
    size_t each = warp_bytes(watched->block);
    for (unsigned w = 0; w < watched->block->warp_count && watched->local; w++)
        for (size_t i = 0, at = w * each; i < each; i++, at++)
            if (watched->touched[at] == READ_FIRST &&
                watched->local[at] != watched->block->warps[w].local[i])
                return false;
    return true;
}

/* Where a launch's buffers stand in a worker's arena. Private to the room; a pure function. */
#ifndef WARPGRADE_SANDBOX_CUDA_PLACE_H
#define WARPGRADE_SANDBOX_CUDA_PLACE_H

#include "sandbox/engine/engine.h"

enum {
    PLACE_GUARD_BYTES = 64 << 10, /* at least, before and after each buffer */
    PLACE_PAGE_BYTES = 4096,      /* buffers start at multiples of it, as allocations do */
    PLACE_POISON = 0x7f, /* floats of it are huge and finite, so that a read of a guard shows */
};

struct buffer_span {
    uint64_t offset, bytes; /* in the arena; bytes 0: no buffer, or an empty one */
    uint64_t guard_end;     /* of the band after it, which starts with the byte after its last */
};

/* One place for each argument, in an order and with gaps that follow from the seed. Nothing
 * overlaps, guard bands included. *arena_bytes depends on the buffers' sizes alone. False where
 * the sizes overflow. */
bool place_buffers(const struct engine_argument *arguments, size_t count, uint64_t seed,
                   struct buffer_span *places, uint64_t *arena_bytes);

#endif

/* Buffers whose contents are made when they are touched: see lazy_buffer.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_LAZY_BUFFER_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_LAZY_BUFFER_H

#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"

/* Words of allocation->filled for `bytes` bytes. */
uint64_t lazy_buffer_bitmap_words(uint64_t length);
/* Ensures that the bytes are there; what lies after the end is left out. */
void lazy_buffer_touch(const struct allocation *allocation, uint64_t offset, uint64_t bytes);
/* The same for an access whose first lane is at `offset`. */
void lazy_buffer_touch_lanes(const struct allocation *allocation, const struct access_shape *shape,
                             uint64_t offset, unsigned bytes);
/* The bits of an element, which is made where it is not there. True where it is no longer what the
 * rule makes. */
bool lazy_buffer_element(const struct allocation *allocation, uint64_t index, uint64_t *bits);
/* Bytes that are made together, and whether those with that number are there. */
enum { LAZY_BUFFER_CHUNK = 512 };
static inline bool lazy_buffer_is_made(const struct allocation *allocation, uint64_t chunk) {
    return allocation->filled[chunk / 64] >> chunk % 64 & 1;
}
/* What blocks have changed in such buffers is made again. */
void lazy_buffer_forget(struct launch *launch);

#endif

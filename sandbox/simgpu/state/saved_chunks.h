/* What a launch in memory that outlives it may have to bring back: see saved_chunks.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_SAVED_CHUNKS_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_SAVED_CHUNKS_H

#include "sandbox/simgpu/state/access_shape.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SAVED_CHUNK = 4096 };

struct saved_chunks {
    unsigned char *bytes, *shadow; /* the memory itself; its shadow, or NULL */
    uint64_t length;
    _Atomic uint64_t *saved; /* bit a chunk: its old contents are in `before` */
    unsigned char *before;   /* bytes, then shadow; sparse; NULL: no chunk is saved */
};

struct saved_chunks *saved_chunks_create(unsigned char *bytes, unsigned char *shadow,
                                         uint64_t length);
void saved_chunks_free(struct saved_chunks *chunks);
/* All saved chunks are again as they were. No other thread may use the memory. */
void saved_chunks_restore(struct saved_chunks *chunks);
/* Saves what is not saved yet of these bytes; what lies after the end is left out. */
void saved_chunks_keep_slowly(struct saved_chunks *chunks, uint64_t offset, uint64_t bytes);
/* The same for an access whose first lane is at `offset`. */
void saved_chunks_keep_lanes(struct saved_chunks *chunks, const struct access_shape *shape,
                             uint64_t offset, unsigned bytes);

/* To be called before bytes or their shadow change. */
static inline void saved_chunks_keep(struct saved_chunks *chunks, uint64_t offset, uint64_t bytes) {
    uint64_t chunk = offset / SAVED_CHUNK;
    if (offset < chunks->length && offset % SAVED_CHUNK + bytes <= SAVED_CHUNK &&
        atomic_load_explicit(&chunks->saved[chunk / 64], memory_order_acquire) >> chunk % 64 & 1)
        return;
    saved_chunks_keep_slowly(chunks, offset, bytes);
}

#endif

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
    unsigned char *looks;    /* a chunk: enum chunk_looks, or how often it was asked for that */
};
/* What is known of a chunk's shadow, as long as the chunk is not saved and so does not change. */
enum chunk_looks { CHUNK_ASKED = 8, CHUNK_INITIALIZED, CHUNK_NOT_INITIALIZED };

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

/* Counts that an unchanged chunk is asked for: is all of it initialised? */
bool saved_chunks_look(struct saved_chunks *chunks, uint64_t chunk);

static inline bool saved_chunks_is_unchanged(const struct saved_chunks *chunks, uint64_t chunk) {
    return !(atomic_load_explicit(&chunks->saved[chunk / 64], memory_order_acquire) >> chunk % 64 &
             1);
}

/* Is it known that each chunk which the access touches is unchanged and all of it initialised? Of
 * an access that lies in a few stretches, inside of the memory. */
static inline bool saved_chunks_are_initialized(struct saved_chunks *chunks,
                                                const struct access_shape *shape, uint64_t offset,
                                                unsigned bytes) {
    for (unsigned i = 0; i < shape->stretch_count; i++) {
        const struct address_stretch *stretch = &shape->stretches[i];
        uint64_t first = offset + (uint64_t)(int64_t)stretch->delta, chunk = first / SAVED_CHUNK;
        if ((first + stretch->count * bytes - 1) / SAVED_CHUNK != chunk ||
            !saved_chunks_is_unchanged(chunks, chunk))
            return false;
        unsigned char looks = __atomic_load_n(&chunks->looks[chunk], __ATOMIC_RELAXED);
        if (looks != CHUNK_INITIALIZED &&
            (looks == CHUNK_NOT_INITIALIZED || !saved_chunks_look(chunks, chunk)))
            return false;
    }
    return shape->stretch_count > 0;
}

#endif

/* Memory that can be brought back, at the price of what is written.
 *
 * A launch that was stopped, or that must look at its memory in parts, runs again from the
 * beginning (launch/launch.c). Where its memory outlives it, that is what the program has allocated
 * in all: to copy it before each launch would take a second for a program with a buffer of 256 MB,
 * whatever the kernel does. So a chunk is copied when something is about to change in it for the
 * first time.
 *
 * Several host threads may come to a chunk together. One copies it, the others wait: a chunk's bit
 * is set when its copy is complete, and nobody writes before that. */
#include "sandbox/simgpu/state/saved_chunks.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/address.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Of all blocks: it is asked for once a chunk. */
static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;

static uint64_t word_count(uint64_t length) {
    return length / SAVED_CHUNK / 64 + 1;
}

static uint64_t before_bytes(const struct saved_chunks *chunks) {
    return chunks->length * (chunks->shadow ? 2 : 1);
}

struct saved_chunks *saved_chunks_create(unsigned char *bytes, unsigned char *shadow,
                                         uint64_t length) {
    struct saved_chunks *chunks = mem_zalloc(sizeof *chunks);
    *chunks = (struct saved_chunks){.bytes = bytes, .shadow = shadow, .length = length};
    chunks->saved = mem_calloc(word_count(length), sizeof *chunks->saved);
    chunks->looks = mem_calloc(length / SAVED_CHUNK + 1, sizeof *chunks->looks);
    return chunks;
}

void saved_chunks_free(struct saved_chunks *chunks) {
    if (!chunks)
        return;
    if (chunks->before)
        mem_sparse_free(chunks->before, before_bytes(chunks), 1);
    free(chunks->saved);
    free(chunks->looks);
    free(chunks);
}

static uint64_t chunk_bytes(const struct saved_chunks *chunks, uint64_t begin) {
    uint64_t left = chunks->length - begin;
    return left < SAVED_CHUNK ? left : SAVED_CHUNK;
}

/* `saving` is held. */
static void save(struct saved_chunks *chunks, uint64_t begin) {
    uint64_t bytes = chunk_bytes(chunks, begin);
    if (!chunks->before)
        chunks->before = mem_sparse(before_bytes(chunks), 1);
    memcpy(chunks->before + begin, chunks->bytes + begin, bytes);
    if (chunks->shadow)
        memcpy(chunks->before + chunks->length + begin, chunks->shadow + begin, bytes);
}

void saved_chunks_keep_slowly(struct saved_chunks *chunks, uint64_t offset, uint64_t bytes) {
    if (offset >= chunks->length || !bytes)
        return;
    uint64_t left = chunks->length - offset;
    uint64_t last = (offset + (bytes < left ? bytes : left) - 1) / SAVED_CHUNK;
    for (uint64_t chunk = offset / SAVED_CHUNK; chunk <= last; chunk++) {
        _Atomic uint64_t *word = &chunks->saved[chunk / 64];
        uint64_t bit = (uint64_t)1 << chunk % 64;
        if (atomic_load_explicit(word, memory_order_acquire) & bit)
            continue;
        pthread_mutex_lock(&saving);
        if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) {
            save(chunks, chunk * SAVED_CHUNK);
            atomic_fetch_or_explicit(word, bit, memory_order_release);
        }
        pthread_mutex_unlock(&saving);
    }
}

void saved_chunks_keep_lanes(struct saved_chunks *chunks, const struct access_shape *shape,
                             uint64_t offset, unsigned bytes) {
    uint64_t span = (uint64_t)((int64_t)shape->highest - shape->lowest) + bytes;
    if (span <= SAVED_CHUNK) {
        saved_chunks_keep(chunks, offset + (uint64_t)(int64_t)shape->lowest, span);
        return;
    }
    for (unsigned i = 0; i < shape->unique_count; i++)
        saved_chunks_keep(chunks, offset + (uint64_t)(int64_t)shape->delta[shape->unique[i]],
                          bytes);
}

void saved_chunks_restore(struct saved_chunks *chunks) {
    for (uint64_t word = 0; word < word_count(chunks->length); word++)
        for (uint64_t rest = atomic_load(&chunks->saved[word]); rest; rest &= rest - 1) {
            uint64_t begin = (word * 64 + (uint64_t)__builtin_ctzll(rest)) * SAVED_CHUNK;
            uint64_t bytes = chunk_bytes(chunks, begin);
            memcpy(chunks->bytes + begin, chunks->before + begin, bytes);
            if (chunks->shadow)
                memcpy(chunks->shadow + begin, chunks->before + chunks->length + begin, bytes);
        }
}

/* A look costs more than one access: who asks seldom looks for himself. Who changes the chunk
 * meanwhile has saved it first. */
bool saved_chunks_look(struct saved_chunks *chunks, uint64_t chunk) {
    unsigned char *looks = &chunks->looks[chunk], asked = __atomic_load_n(looks, __ATOMIC_RELAXED);
    const unsigned char *shadow = chunks->shadow + chunk * SAVED_CHUNK;
    uint64_t bytes = chunk_bytes(chunks, chunk * SAVED_CHUNK);
    if (asked < CHUNK_ASKED) {
        __atomic_store_n(looks, asked + 1, __ATOMIC_RELAXED);
        return false;
    }
    bool all = shadow[0] == SHADOW_INITIALIZED && memcmp(shadow, shadow + 1, bytes - 1) == 0;
    __atomic_store_n(looks, all ? CHUNK_INITIALIZED : CHUNK_NOT_INITIALIZED, __ATOMIC_RELAXED);
    return all && saved_chunks_is_unchanged(chunks, chunk);
}

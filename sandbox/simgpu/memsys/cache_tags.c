/* The tags of a cache: sets of lines of 128 bytes, of which the least recently used goes first.
 *
 * A set is a row of ways, of which those after the last, up to a multiple of eight, stay empty,
 * so that all ways are compared at once. Where a line was found last is remembered under a hash of
 * it, together with the line, because another one's place would be far away in the host's memory:
 * most requests are for a line that was asked for shortly before.
 *
 * What happens to a line that goes is up to the caller (cache.c): nothing here looks at sectors. */
#include "sandbox/simgpu/memsys/cache_tags.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/footprint.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WAYS = 64, VECTOR = 8, HINTS_A_WAY = 8, HINTS_TOGETHER = 8 };
#define NO_LINE UINT32_MAX

void cache_open(struct cache *cache, uint64_t bytes, uint32_t sets) {
    uint64_t lines = bytes / LINE_BYTES;
    cache->set_mask = sets - 1;
    cache->ways = (uint32_t)(lines / sets);
    cache->ways = cache->ways < 1 ? 1 : cache->ways > MAX_WAYS ? MAX_WAYS : cache->ways;
    cache->stride = (cache->ways + VECTOR - 1) / VECTOR * VECTOR;
    size_t count = (size_t)sets * cache->stride;
    cache->lines = mem_alloc(count * sizeof *cache->lines);
    memset(cache->lines, 0xff, count * sizeof *cache->lines);
    cache->used = mem_calloc(count, sizeof *cache->used);
    cache->valid = mem_calloc(count, 1);
    cache->dirty = mem_calloc(count, 1);
    cache->writers = mem_calloc(count, sizeof *cache->writers);
    cache->outgoing = mem_calloc(count, sizeof *cache->outgoing);
    cache->fetches = mem_calloc(count, sizeof *cache->fetches);
    cache->hint_mask = HINTS_A_WAY * sets * VECTOR - 1;
    cache->hints = mem_calloc(cache->hint_mask + 1, sizeof *cache->hints);
}

void cache_close(struct cache *cache) {
    free(cache->lines);
    free(cache->used);
    free(cache->valid);
    free(cache->dirty);
    free(cache->writers);
    free(cache->outgoing);
    free(cache->fetches);
    free(cache->hints);
}

size_t cache_set(const struct cache *cache, uint32_t line) {
    return (line ^ line >> 7 ^ line >> 15) & cache->set_mask;
}

/* Those of HINTS_TOGETHER lines one after the other lie in one line of the host's cache. */
static struct cache_hint *hint_of(const struct cache *cache, uint32_t line) {
    uint32_t hash = (line / HINTS_TOGETHER * 2654435761u >> 7) * HINTS_TOGETHER;
    return &cache->hints[(hash + line % HINTS_TOGETHER) & cache->hint_mask];
}

void cache_expect(const struct cache *cache, uint32_t line) {
    __builtin_prefetch(hint_of(cache, line), 1);
}

size_t cache_find(struct cache *cache, size_t set, uint32_t line) {
    const uint32_t *lines = &cache->lines[set * cache->stride];
    struct cache_hint *hint = hint_of(cache, line);
    if (hint->line == line && cache_is_at(cache, hint->place, line))
        return hint->place;
    uint32_t found = 0; /* way + 1: at most one is right, and there is no branch to miss */
    for (unsigned first = 0; first < cache->stride; first += VECTOR)
        for (unsigned i = 0; i < VECTOR; i++)
            found |= lines[first + i] == line ? first + i + 1 : 0;
    if (!found)
        return SIZE_MAX;
    *hint = (struct cache_hint){line, (uint32_t)(set * cache->stride) + found - 1};
    cache->used[hint->place] = ++cache->clock;
    return hint->place;
}

size_t cache_victim(struct cache *cache, size_t set) {
    const uint32_t *used = &cache->used[set * cache->stride];
    unsigned oldest = 0;
    for (unsigned way = 1; way < cache->ways; way++)
        if (cache->clock - used[way] > cache->clock - used[oldest])
            oldest = way;
    size_t place = set * cache->stride + oldest;
    cache->used[place] = ++cache->clock;
    return place;
}

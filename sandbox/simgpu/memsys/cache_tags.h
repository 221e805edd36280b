/* What one cache keeps: its lines, which sectors of them are there, and who put them there. See
 * cache_tags.c for how lines are found and which one goes. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CACHE_TAGS_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CACHE_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fetch {
    uint32_t block;
    uint32_t progress; /* of its warp: instructions */
    uint32_t pc;       /* which instruction asked for it, plus one; 0: none, it was stored */
    double clocks;     /* since the start of its block, about: see clocks_of() */
};

/* The stores whose sectors are on their way from a line of an L1 to the L2. */
struct outgoing {
    uint32_t run, turn; /* the turn of the first one */
    uint8_t sectors;
};

struct cache_hint {
    uint32_t line, place;
};

struct cache {
    uint32_t set_mask, ways, stride; /* stride: ways with empty ones after them, a multiple of 8 */
    uint32_t clock;
    uint32_t *lines;           /* [set][way]: line number or NO_LINE */
    uint32_t *used;            /* clock of the last use */
    uint8_t *valid, *dirty;    /* sectors; dirty: L2 only */
    uint32_t *writers;         /* L2: pc that made it dirty last */
    struct outgoing *outgoing; /* L1 */
    struct fetch *fetches;     /* who made it valid last */
    struct cache_hint *hints;  /* by a hash of the line: where one with that hash was found last */
    uint32_t hint_mask;
    uint64_t dirty_sectors, valid_sectors;
    double flushed, together; /* sectors; of them, as many as their lines had of four */
};

/* All ways empty. */
void cache_open(struct cache *cache, uint64_t bytes, uint32_t sets);
void cache_close(struct cache *cache);
/* The set of a line whose neighbours lie in neighbouring sets. */
size_t cache_set(const struct cache *cache, uint32_t line);
/* The line's place, or SIZE_MAX. Finding it is a use. */
size_t cache_find(struct cache *cache, size_t set, uint32_t line);
/* Whether the line is at that place of the cache, which then is a use, too. */
static inline bool cache_is_at(struct cache *cache, size_t place, uint32_t line) {
    if (cache->lines[place] != line)
        return false;
    cache->used[place] = ++cache->clock;
    return true;
}
/* The line will be looked for. */
void cache_expect(const struct cache *cache, uint32_t line);
/* The place of the least recently used line of the set, which is the caller's to empty. */
size_t cache_victim(struct cache *cache, size_t set);

#endif

/* Maps in pieces.
 *
 * The blocks of a sample lie all over the grid, and so does what they touch: a few kilobytes here
 * and there of buffers of megabytes. What is noted of each byte, sector and line would lie apart in
 * as many large maps, a page of the host for each place of each map, and most of the time of such a
 * launch would go to the kernel, which makes them. So the pieces of all maps of a launch lie
 * together, in the order in which they are first touched, in slabs that the heap gives again to the
 * next launch. */
#include "sandbox/simgpu/memsys/piece_map.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLAB_BYTES = 256 << 10, ALIGNMENT = 64 };

static void *take(struct piece_arena *arena, size_t bytes) {
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->count || bytes > SLAB_BYTES - arena->used) {
        *mem_push(&arena->slabs, &arena->count, &arena->capacity) =
            mem_aligned(ALIGNMENT, SLAB_BYTES);
        arena->used = 0;
    }
    unsigned char *memory = arena->slabs[arena->count - 1] + arena->used;
    arena->used += bytes;
    return memset(memory, 0, bytes);
}

void piece_arena_free(struct piece_arena *arena) {
    for (size_t i = 0; i < arena->count; i++)
        free(arena->slabs[i]);
    free(arena->slabs);
    *arena = (struct piece_arena){0};
}

struct piece_map piece_map_open(struct piece_arena *arena, size_t count, size_t bytes) {
    return (struct piece_map){.arena = arena, .count = count, .bytes = bytes};
}

void piece_map_close(struct piece_map *map) {
    free(map->pieces);
    map->pieces = NULL;
}

void *piece_map_make(struct piece_map *map, size_t number) {
    if (!map->pieces)
        map->pieces = mem_calloc(map->count, sizeof *map->pieces);
    return map->pieces[number] = take(map->arena, map->bytes);
}

/* A map of an allocation in pieces, each made when it is touched. See piece_map.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_PIECE_MAP_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_PIECE_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Where pieces have their memory; zero before the first use. */
struct piece_arena {
    unsigned char **slabs;
    size_t count, capacity;
    size_t used; /* bytes of the last slab */
};
void piece_arena_free(struct piece_arena *arena);

struct piece_map {
    struct piece_arena *arena;
    void **pieces; /* by number; NULL: none was made yet */
    size_t count;
    size_t bytes; /* of a piece */
};

/* At most a slab's bytes a piece; the arena must live as long as the map. */
struct piece_map piece_map_open(struct piece_arena *arena, size_t count, size_t bytes);
void piece_map_close(struct piece_map *map);

/* A new piece, all zeros. */
void *piece_map_make(struct piece_map *map, size_t number);

/* NULL: it was never touched. */
static inline void *piece_map_find(const struct piece_map *map, size_t number) {
    return map->pieces ? map->pieces[number] : NULL;
}

static inline void *piece_map_touch(struct piece_map *map, size_t number) {
    void *piece = piece_map_find(map, number);
    return piece ? piece : piece_map_make(map, number);
}

#endif

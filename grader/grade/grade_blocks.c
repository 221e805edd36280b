/* Guesses which block writes an element, where nothing is known of the kernel but its grid: a block
 * writes what lies at its own place, as most do. A grid with as many dimensions as the buffer has
 * extents is laid over it, x along the fastest one, or the other way round, as in a transpose; any
 * other grid is a row of blocks over a row of elements, or goes over it several times. */
#include "grader/grade/grade_blocks.h"

struct guesses {
    uint64_t *blocks;
    unsigned count;
};

static void add(struct guesses *guesses, uint64_t block, uint64_t all) {
    if (block >= all || guesses->count == ENGINE_PROBE_BLOCKS)
        return;
    for (unsigned i = 0; i < guesses->count; i++)
        if (guesses->blocks[i] == block)
            return;
    guesses->blocks[guesses->count++] = block;
}

/* floor((at + 1/2) / extent * parts): the part of the extent in which the place is. */
static uint64_t part_of(uint64_t at, uint64_t extent, uint64_t parts) {
    uint64_t part = (uint64_t)(((double)at + 0.5) / (double)extent * (double)parts);
    return part < parts ? part : parts - 1;
}

/* Laid over the buffer: `places` and `extents` along x, y and z. */
static void add_laid(struct guesses *guesses, const uint64_t *places, const uint64_t *extents,
                     struct dim3 grid, struct dim3 block) {
    const uint64_t blocks[3] = {grid.x, grid.y, grid.z}, threads[3] = {block.x, block.y, block.z};
    uint64_t all = blocks[0] * blocks[1] * blocks[2], by_share = 0, by_thread = 0;
    bool inside = true;
    for (unsigned d = 3; d-- > 0;) {
        uint64_t thread_block = places[d] / threads[d];
        by_share = by_share * blocks[d] + part_of(places[d], extents[d], blocks[d]);
        by_thread = by_thread * blocks[d] + thread_block;
        inside &= thread_block < blocks[d];
    }
    add(guesses, by_share, all);
    if (inside)
        add(guesses, by_thread, all);
}

static unsigned dimensions_of(struct dim3 grid) {
    return grid.z > 1 ? 3 : grid.y > 1 ? 2 : 1;
}

unsigned grade_guess_blocks(const struct engine_argument *buffer, uint64_t index, struct dim3 grid,
                            struct dim3 block, uint64_t *blocks) {
    struct guesses guesses = {.blocks = blocks};
    uint64_t all = (uint64_t)grid.x * grid.y * grid.z;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    unsigned rank = buffer->rank > 1 ? buffer->rank : 1;
    if (!all || !threads || index >= buffer->count)
        return 0;
    if (rank > 1 && rank == dimensions_of(grid)) {
        uint64_t places[3] = {0}, extents[3] = {1, 1, 1}, rest = index;
        for (unsigned d = 0; d < rank; d++) {
            extents[d] = buffer->shape[rank - 1 - d];
            places[d] = rest % extents[d];
            rest /= extents[d];
        }
        add_laid(&guesses, places, extents, grid, block);
        const uint64_t turned_places[3] = {places[1], places[0], places[2]};
        const uint64_t turned_extents[3] = {extents[1], extents[0], extents[2]};
        add_laid(&guesses, turned_places, turned_extents, grid, block);
    }
    add(&guesses, part_of(index, buffer->count, all), all);
    add(&guesses, index / threads, all);
    add(&guesses, index / threads % all, all);
    return guesses.count;
}

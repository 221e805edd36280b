/* Lines of 128 bytes that are stored long before or after the other half of their 256 bytes.
 *
 * The L2 writes back what it has had longest, and device memory takes 256 bytes in one place in
 * hardly more time than 128 (probe places): what is stored in one piece, or by blocks that
 * run side by side, goes back together, and a column of lines, whose neighbours come with another
 * row of blocks, does not. Of a sample the blocks are taken by chance, so that where neighbours are
 * both taken says whose they are in the grid. */
#include "sandbox/simgpu/memsys/writeback_locality.h"

/* How many blocks later a neighbour still comes soon: of tiles of 4 KiB, eight blocks later costs
 * nothing, 32 half of what 256 do (probe places). */
enum { SIDE_BY_SIDE = 32 };

void writeback_locality_note(struct writeback_locality *pieces, uint32_t *storers, size_t count,
                             size_t line, uint64_t block) {
    uint32_t own = (uint32_t)block + 1;
    size_t neighbour = line ^ 1;
    if (line >= count || storers[line] == own)
        return;
    storers[line] = own;
    pieces->lines++;
    uint32_t other = neighbour < count ? storers[neighbour] : 0;
    if (!other)
        return;
    uint32_t apart = other > own ? other - own : own - other;
    if (!apart)
        pieces->paired += 2;
    else if (apart < SIDE_BY_SIDE)
        pieces->near++;
    else
        pieces->far++;
}

double writeback_locality_lone_share(const struct writeback_locality *pieces) {
    uint64_t met = pieces->near + pieces->far;
    if (!met || pieces->paired >= pieces->lines)
        return 0;
    double alone = 1 - (double)pieces->paired / (double)pieces->lines;
    return alone * (double)pieces->far / (double)met;
}

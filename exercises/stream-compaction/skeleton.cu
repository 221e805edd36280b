// warpgrade: stream-compaction
//
// y = the positive elements of x, in their order; *count = how many they are. n is at least 1.
// Launched with one block for each tile of BLOCK_SIZE * ITEMS elements:
//     int elements = BLOCK_SIZE * ITEMS;
//     compact<<<(n + elements - 1) / elements, BLOCK_SIZE>>>(x, y, count, state, ticket, n);
// y, *count, *ticket and all words of `state`, one a tile, are 0.
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024, and ITEMS to any number from 1 to
// 32; the launch follows them. Grade it with `warpgrade grade stream-compaction.cu`.

#define BLOCK_SIZE 256
#define ITEMS 4

// Given. One thread of a block calls it, for the tile whose number it drew: tells the tiles after
// how many elements this one keeps, and returns how many those before it keep together. The upper
// half of a tile's word is 1 when the lower half is its own number, 2 when it is that of all
// elements up to its end: so no tile waits for the whole chain of those before.
__device__ static unsigned kept_before(unsigned long long *state, unsigned tile, unsigned kept)
{
    volatile unsigned long long *words = state;
    unsigned before = 0;
    words[tile] = (tile == 0 ? 2ull : 1ull) << 32 | kept;
    for (unsigned other = tile; other > 0;) {
        unsigned long long word = words[other - 1];
        if (word >> 32 == 0)
            continue; // not there yet
        before += (unsigned)word;
        if (word >> 32 == 2)
            break;
        other--;
    }
    words[tile] = 2ull << 32 | (before + kept);
    return before;
}

__global__ void compact(const int *x, int *y, unsigned *count, unsigned long long *state,
                        unsigned *ticket, int n)
{
    // Step 1: one thread draws the number of this block's tile from *ticket, and tells the others.

    // Step 2: in each of ITEMS rounds, each warp votes on its 32 elements and notes how many it
    // keeps.

    // Step 3: how many do the warps before keep, and the rounds before? One thread asks
    // kept_before() how many the tiles before keep. Which tile knows the count of all?

    // Step 4: every kept element goes to its place in y.
}

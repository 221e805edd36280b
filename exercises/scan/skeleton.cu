// warpgrade: scan
//
// y[i] = x[0] + x[1] + ... + x[i] for every i from 0 to n - 1, n at least 1.
// Launched with one block for each tile of BLOCK_SIZE * ITEMS elements:
//     int elements = BLOCK_SIZE * ITEMS;
//     scan<<<(n + elements - 1) / elements, BLOCK_SIZE>>>(x, y, state, ticket, n);
// *ticket and all words of `state`, one a tile, are 0; use them as you like.
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024, and ITEMS to any number from 1 to
// 32; the launch follows them. Grade it with `warpgrade grade scan.cu`.

#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void scan(const unsigned *x, unsigned *y, unsigned long long *state, unsigned *ticket,
                     int n)
{
    // Step 1: one thread draws the number of this block's tile from *ticket, and tells the others.

    // Step 2: the block computes the prefix sums of its tile. What do surplus threads add?

    // Step 3: one thread publishes the sum of this tile (flag 1), adds up the words of the tiles
    // before, backwards, until one has the sum up to its end (flag 2), and publishes that of this
    // tile. What does the compiler do with a loop that reads a plain variable?

    // Step 4: the others learn what to add, and store.
}

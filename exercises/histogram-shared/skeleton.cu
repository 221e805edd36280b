// warpgrade: histogram-shared
//
// bins[v] += how many of the n bytes are v, for every v from 0 to 255.
// Launched with one thread for every four bytes:
//     int blocks = max(1, (n + 4 * BLOCK_SIZE - 1) / (4 * BLOCK_SIZE));
//     histogram<<<blocks, BLOCK_SIZE>>>(data, bins, n);
// The bins hold earlier counts, to which these are added.
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024; the launch follows it.
// Grade it with `warpgrade grade histogram-shared.cu`.

#define BLOCK_SIZE 256

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    // Step 1: declare 256 counters that the block shares, and clear all of them.

    // Step 2: wait until the whole block has done so.

    // Step 3: count this thread's four bytes; one thread counts what is after the last whole word.

    // Step 4: wait until the whole block has counted.

    // Step 5: add the counters to the bins, where other blocks add theirs.
}

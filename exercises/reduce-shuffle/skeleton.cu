// warpgrade: reduce-shuffle
//
// *out += x[0] + x[1] + ... + x[n - 1].
// Launched with one thread for every ITEMS elements, and *out = 0:
//     int elements = BLOCK_SIZE * ITEMS;      // of a block
//     reduce<<<max(1, (n + elements - 1) / elements), BLOCK_SIZE>>>(x, out, n);
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024, and ITEMS to any number from 1 to
// 64; the launch follows them. Grade it with `warpgrade grade reduce-shuffle.cu`.

#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void reduce(const float *x, float *out, int n)
{
    // Step 1: add up this thread's elements, BLOCK_SIZE apart. What is the sum of none?

    // Step 2: add up the warp: five times, take the sum of the lane 16, 8, 4, 2, 1 further up.

    // Step 3: bring the sums of the warps together in shared memory, wait once, and let the first
    // warp add them up in the same way.

    // Step 4: one thread adds the block's sum to *out, where other blocks add theirs.
}

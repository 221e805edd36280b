// warpgrade: dot
//
// *out = a[0] * b[0] + a[1] * b[1] + ... + a[n - 1] * b[n - 1].
// Launched with a thread an element, one block at least, and *out = 0:
//     dot<<<max(1, (n + BLOCK_SIZE - 1) / BLOCK_SIZE), BLOCK_SIZE>>>(a, b, out, n);
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024; the launch follows it.
// Grade it with `warpgrade grade dot.cu`.

#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n)
{
    // Step 1: declare an array of BLOCK_SIZE floats that the block shares.

    // Step 2: put this thread's product into the array. What belongs there without an element?

    // Step 3: wait until the whole block has done so.

    // Step 4: halve the number of sums, again and again, until one is left at index 0.

    // Step 5: one thread adds the block's sum to *out, where other blocks add theirs.
}

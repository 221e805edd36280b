// warpgrade: bitonic-sort
//
// Sorts each row of a matrix of rows x cols integers in place, the smallest first; cols is 1 to
// 1024.
// Launched as sort_rows<<<rows, BLOCK_SIZE>>>(keys, rows, cols): one block a row.
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024; the launch follows it.
// Grade it with `warpgrade grade bitonic-sort.cu`.

#define BLOCK_SIZE 512
#define MOST_KEYS 1024

__global__ void sort_rows(int *keys, int rows, int cols)
{
    // Step 1: the row in shared memory, filled up to a power of two. With what?

    // Step 2: for each size 2, 4, 8, ... up to that power, and each distance size / 2, ..., 2, 1:
    //   - wait for the step before;
    //   - compare and, where the order is wrong, swap this thread's pairs.

    // Step 3: wait, and store the row.
}

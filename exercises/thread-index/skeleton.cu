// warpgrade: thread-index
//
// Each thread reports its block, its number in the block, its warp in the block, and its number in
// the whole grid, at the element i that has this last number.
// Launched as thread_index<<<(n + 95) / 96, 96>>>(block, thread, warp, global, n): one thread an
// element, in whole blocks of 96 threads, which are three warps.
//
// Grade it with `warpgrade grade thread-index.cu`.

__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    // Step 1: the number of this thread in the grid. How many threads are in the blocks before?

    // Step 2: leave where there is no such element.

    // Step 3: write the four numbers.
}

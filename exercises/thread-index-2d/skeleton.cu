// warpgrade: thread-index-2d
//
// Each thread reports its block, its number in the block, its warp in the block, its column and its
// row, at element row * width + column. All numbers are counted row by row, from 0.
// Launched with blocks of block_width x (128 / block_width) threads, as many as cover the arrays:
//     dim3 threads(block_width, 128 / block_width);
//     dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
//     thread_index_2d<<<blocks, threads>>>(block, thread, warp, column, row, width, height,
//                                          block_width);
//
// Grade it with `warpgrade grade thread-index-2d.cu`.

__global__ void thread_index_2d(int *block, int *thread, int *warp, int *column, int *row,
                                int width, int height, int block_width)
{
    // Step 1: this thread's column (from x) and row (from y).

    // Step 2: leave where there is no such column or no such row.

    // Step 3: the number of the block in the grid, and of the thread in the block, row by row.

    // Step 4: write the five numbers.
}

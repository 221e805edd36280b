// warpgrade: matmul-open
//
// P = M * N for square matrices of `width` rows, stored row by row. width is any number from 1 on.
// Launched as you want it:
//     dim3 grid((width + TILE_COLS - 1) / TILE_COLS, (width + TILE_ROWS - 1) / TILE_ROWS);
//     matmul<<<grid, THREADS>>>(M, N, P, width);
//
// You may change TILE_ROWS and TILE_COLS (1 to 256) and THREADS (32 to 1024).
// Grade it with `warpgrade grade matmul-open.cu`.

#define TILE_ROWS 64
#define TILE_COLS 64
#define THREADS   256

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    // Step 1: which part of the block's TILE_ROWS x TILE_COLS results is this thread's?

    // Step 2: for each pair of tiles: load, wait, multiply from registers, wait.

    // Step 3: store the results that P has.
}

// warpgrade: matmul-coarsened
//
// P = M * N for square matrices of `width` rows, stored row by row. width is any number from 1 on.
// Launched with blocks of TILE_WIDTH x TILE_WIDTH threads, each block for COARSE_FACTOR tiles of P
// that lie side by side:
//     int columns = TILE_WIDTH * COARSE_FACTOR;
//     dim3 grid((width + columns - 1) / columns, (width + TILE_WIDTH - 1) / TILE_WIDTH);
//     matmul<<<grid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
//
// You may change TILE_WIDTH (1 to 32) and COARSE_FACTOR (1 to 16); the launch follows them.
// Grade it with `warpgrade grade matmul-coarsened.cu`.

#define TILE_WIDTH    16
#define COARSE_FACTOR 4

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    // Step 1: declare a tile of M and room for the tiles of N that the block shares.

    // Step 2: which row of P is this thread's, and which COARSE_FACTOR columns?

    // Step 3: a sum for each of them.

    // Step 4: for each tile along the row of M: load it and the tiles of N, wait, add the products
    // to all sums, wait. Read an element of M from the tile once for all columns.

    // Step 5: store the sums of those elements that P has.
}

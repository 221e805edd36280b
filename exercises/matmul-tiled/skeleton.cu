// warpgrade: matmul-tiled
//
// P = M * N for square matrices of 16 * tiles rows, stored row by row.
// Launched with a block of 16 x 16 threads for each tile of P:
//     matmul<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, tiles);
//
// Grade it with `warpgrade grade matmul-tiled.cu`.

#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    // Step 1: declare two tiles of TILE_WIDTH x TILE_WIDTH floats that the block shares.

    // Step 2: which row and column of P are this thread's? How long is a row of the matrices?

    // Step 3: for each pair of tiles along the row of M and the column of N:
    //   - load one element of each tile;
    //   - wait for the others;
    //   - add TILE_WIDTH products to this thread's sum;
    //   - wait again, before the tiles are overwritten.

    // Step 4: store the sum.
}

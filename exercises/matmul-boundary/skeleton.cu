// warpgrade: matmul-boundary
//
// P = M * N for square matrices of `width` rows, stored row by row. width is any number from 1 on.
// Launched with blocks of TILE_WIDTH x TILE_WIDTH threads, as many as cover P:
//     dim3 block(TILE_WIDTH, TILE_WIDTH);
//     int blocks = (width + TILE_WIDTH - 1) / TILE_WIDTH;
//     matmul<<<dim3(blocks, blocks), block>>>(M, N, P, width);
//
// You may change TILE_WIDTH to any number from 1 to 32; the launch follows it.
// Grade it with `warpgrade grade matmul-boundary.cu`.

#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    // Step 1: declare two tiles of TILE_WIDTH x TILE_WIDTH floats that the block shares.

    // Step 2: which row and column of P are this thread's?

    // Step 3: for each pair of tiles along the row of M and the column of N, the partial last one
    // included:
    //   - load one element of each tile, or what stands for it where the matrix has ended;
    //   - wait for the others;
    //   - add TILE_WIDTH products to this thread's sum;
    //   - wait again, before the tiles are overwritten.

    // Step 4: store the sum, where P has such an element.
}

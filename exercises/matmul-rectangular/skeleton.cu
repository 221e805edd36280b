// warpgrade: matmul-rectangular
//
// P = M * N for a j x k matrix M and a k x l matrix N, stored row by row. All sizes are any number
// from 1 on; k may be 0.
// Launched with blocks of TILE_WIDTH x TILE_WIDTH threads, as many as cover P:
//     dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
//     matmul<<<grid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, j, k, l);
//
// You may change TILE_WIDTH to any number from 1 to 32; the launch follows it.
// Grade it with `warpgrade grade matmul-rectangular.cu`.

#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int j, int k, int l)
{
    // Step 1: declare two tiles of TILE_WIDTH x TILE_WIDTH floats that the block shares.

    // Step 2: which row and column of P are this thread's? How many rows and columns has P?

    // Step 3: for each pair of tiles along the row of M and the column of N, the partial last one
    // included:
    //   - load one element of each tile, or what stands for it where the matrix has ended;
    //   - wait for the others;
    //   - add TILE_WIDTH products to this thread's sum;
    //   - wait again, before the tiles are overwritten.

    // Step 4: store the sum, where P has such an element.
}

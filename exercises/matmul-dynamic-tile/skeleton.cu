// warpgrade: matmul-dynamic-tile
//
// P = M * N for square matrices of `width` rows, stored row by row, with tiles of tile x tile elements.
// width is any number from 1 on, tile any number from 1 to 32.
// Launched with blocks of tile x tile threads and room for two tiles:
//     int blocks = (width + tile - 1) / tile;
//     size_t bytes = 2 * tile * tile * sizeof(float);
//     matmul<<<dim3(blocks, blocks), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
//
// Grade it with `warpgrade grade matmul-dynamic-tile.cu`.

__global__ void matmul(const float *M, const float *N, float *P, int width, int tile)
{
    extern __shared__ float pool[]; // 2 * tile * tile floats, for both tiles

    // Step 1: where in the pool does each tile begin? Which index has element [y][x] of a tile?

    // Step 2: which row and column of P are this thread's?

    // Step 3: for each pair of tiles along the row of M and the column of N, the partial last one
    // included:
    //   - load one element of each tile, or what stands for it where the matrix has ended;
    //   - wait for the others;
    //   - add `tile` products to this thread's sum;
    //   - wait again, before the tiles are overwritten.

    // Step 4: store the sum, where P has such an element.
}

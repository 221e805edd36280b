// warpgrade: gemm-half-wmma
//
// C = A * B for an m x k matrix A and a k x n matrix B of halves, stored row by row, with
// m = 16 * m_tiles, n = 16 * n_tiles, k = 16 * k_tiles.
// Launched with a warp for each 16 x 16 tile of C, four of them side by side in a block:
//     gemm<<<dim3((n_tiles + 3) / 4, m_tiles), 128>>>(A, B, C, m_tiles, n_tiles, k_tiles);
//
// Grade it with `warpgrade grade gemm-half-wmma.cu`.

#include <mma.h>

using namespace nvcuda;

__global__ void gemm(const __half *A, const __half *B, float *C, int m_tiles, int n_tiles,
                     int k_tiles)
{
    // Step 1: which tile of C is this warp's, and is there such a tile?

    // Step 2: declare the fragments, and fill the accumulator with zeros.

    // Step 3: for each of the k_tiles steps: load a tile of A and one of B, multiply and add.

    // Step 4: store the tile.
}

// The four warps of a block need the same tile of A: it comes to shared memory once, with the tiles of
// B beside each other, 16 bytes a load, and a barrier before and after the multiplication.
#include <mma.h>

using namespace nvcuda;

__global__ void gemm(const __half *A, const __half *B, float *C, int m_tiles, int n_tiles,
                     int k_tiles)
{
    __shared__ __align__(32) __half tileA[16][16], tileB[16][64];
    int row = blockIdx.y, warp = threadIdx.x / 32, col = blockIdx.x * 4 + warp;
    int n = n_tiles * 16, k = k_tiles * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    int rowB = threadIdx.x / 8, colB = threadIdx.x % 8 * 8;
    for (int i = 0; i < k_tiles; i++) {
        if (threadIdx.x < 32) {
            int r = threadIdx.x / 2, c = threadIdx.x % 2 * 8;
            *reinterpret_cast<uint4 *>(&tileA[r][c]) =
                *reinterpret_cast<const uint4 *>(A + (row * 16 + r) * k + i * 16 + c);
        }
        uint4 eight = make_uint4(0, 0, 0, 0);
        if (blockIdx.x * 64 + colB < n)
            eight = *reinterpret_cast<const uint4 *>(B + (i * 16 + rowB) * n + blockIdx.x * 64 + colB);
        *reinterpret_cast<uint4 *>(&tileB[rowB][colB]) = eight;
        __syncthreads();
        wmma::load_matrix_sync(a, &tileA[0][0], 16);
        wmma::load_matrix_sync(b, &tileB[0][warp * 16], 64);
        wmma::mma_sync(sum, a, b, sum);
        __syncthreads();
    }
    if (col < n_tiles)
        wmma::store_matrix_sync(C + row * 16 * n + col * 16, sum, n, wmma::mem_row_major);
}

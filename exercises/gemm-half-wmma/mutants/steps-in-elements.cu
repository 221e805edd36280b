// Tile i begins at column 16 * i.
#include <mma.h>

using namespace nvcuda;

__global__ void gemm(const __half *A, const __half *B, float *C, int m_tiles, int n_tiles,
                     int k_tiles)
{
    int row = blockIdx.y;
    int col = blockIdx.x * 4 + threadIdx.x / 32;
    if (col >= n_tiles)
        return;
    int n = n_tiles * 16, k = k_tiles * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k_tiles; i++) {
        wmma::load_matrix_sync(a, A + row * 16 * k + i * 8, k);
        wmma::load_matrix_sync(b, B + i * 16 * n + col * 16, n);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * 16 * n + col * 16, sum, n, wmma::mem_row_major);
}

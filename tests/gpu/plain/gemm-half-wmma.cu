// warpgrade: gemm-half-wmma
// A warp for each tile of C, as the statement lists the steps.
#include <mma.h>

using namespace nvcuda;

__global__ void gemm(const __half *A, const __half *B, float *C, int m_tiles, int n_tiles,
                     int k_tiles)
{
    int row = blockIdx.y;
    int column = blockIdx.x * 4 + threadIdx.x / 32;
    if (column >= n_tiles)
        return;
    int k = 16 * k_tiles;
    int n = 16 * n_tiles;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int step = 0; step < k_tiles; step++) {
        wmma::load_matrix_sync(a, A + row * 16 * k + step * 16, k);
        wmma::load_matrix_sync(b, B + step * 16 * n + column * 16, n);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * 16 * n + column * 16, sum, n, wmma::mem_row_major);
}

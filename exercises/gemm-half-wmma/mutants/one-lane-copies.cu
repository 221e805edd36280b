// Right, but 31 lanes wait, and each element costs a sector of its own.
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
    __shared__ __align__(32) __half tiles[4][2][256];
    __half *own = tiles[threadIdx.x / 32][0];
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k_tiles; i++) {
        for (int j = 0; j < 256 && threadIdx.x % 32 == 0; j++) {
            own[j] = A[(row * 16 + j / 16) * k + i * 16 + j % 16];
            own[256 + j] = B[(i * 16 + j / 16) * n + col * 16 + j % 16];
        }
        __syncwarp();
        wmma::load_matrix_sync(a, own, 16);
        wmma::load_matrix_sync(b, own + 256, 16);
        __syncwarp();
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * 16 * n + col * 16, sum, n, wmma::mem_row_major);
}

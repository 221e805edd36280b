// sim --grid 2,2 --block 128 --arg f16*4096=uniform:const --arg f16*4096=uniform:const --arg f32*4096=uninit
#include <mma.h>
using namespace nvcuda;
// C = A B, 64 by 64; A by row, B by column. A block makes 32 by 32, a warp 16 by 16, from shared memory.
__global__ void k(const half *a, const half *b, float *c) {
    __shared__ __align__(32) half sa[32 * 16], sb[32 * 16];
    int row = blockIdx.y * 32, column = blockIdx.x * 32, warp = threadIdx.x / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int q = 0; q < 64; q += 16) {
        for (int i = threadIdx.x; i < 32 * 16; i += 128) {
            sa[i] = a[(row + i / 16) * 64 + q + i % 16];
            sb[i] = b[(column + i / 16) * 64 + q + i % 16];
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, sa + warp / 2 * 256, 16);
        wmma::load_matrix_sync(fb, sb + warp % 2 * 256, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncthreads();
    }
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] *= 2;
    wmma::store_matrix_sync(c + (row + warp / 2 * 16) * 64 + column + warp % 2 * 16, fc, 64, wmma::mem_row_major);
}
__global__ void check(const half *a, const half *b, float *c) {
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++) {
            double sum = 0;
            for (int q = 0; q < 64; q++)
                sum += (double)(float)a[i * 64 + q] * (double)(float)b[j * 64 + q];
            if (!(fabs(2 * sum - c[i * 64 + j]) < 1e-4))
                __trap();
        }
}

// A block of eight warps makes 4 x 4 tiles of C, a warp two of them: a fragment of A serves two
// multiplications. The tiles of A and B go through shared memory, 16 bytes a load, so that the
// block reads each of them once; the next ones are on their way while these are multiplied.
#include <mma.h>

using namespace nvcuda;

#define EDGE    64           // of a block's results
#define DEPTH   64           // of a step: enough bytes in flight to hide how far the memory is
#define LOADS   (DEPTH / 32) // of 16 bytes, a thread, step and matrix
#define PITCH_A (DEPTH + 8)  // 8 halves more, so that the rows begin in different banks
#define PITCH_B (EDGE + 8)

// Eight neighbours of a row, zero outside of the matrix: sizes are multiples of 16.
__device__ uint4 load8(const __half *__restrict__ matrix, int row, int col, int rows, int cols)
{
    if (row >= rows || col >= cols)
        return make_uint4(0, 0, 0, 0);
    return *reinterpret_cast<const uint4 *>(matrix + (size_t)row * cols + col);
}

__global__ void __launch_bounds__(256)
    gemm(const __half *__restrict__ A, const __half *__restrict__ B, float *__restrict__ C,
         int m_tiles, int n_tiles, int k_tiles)
{
    __shared__ __align__(32) __half tileA[EDGE][PITCH_A], tileB[DEPTH][PITCH_B];
    int thread = threadIdx.x, warp = thread / 32;
    int m = m_tiles * 16, n = n_tiles * 16, k = k_tiles * 16;
    int firstRow = blockIdx.y * EDGE, firstCol = blockIdx.x * EDGE;
    int warpRow = warp / 2 * 16, warpCol = warp % 2 * 32;
    int rowA = thread / (DEPTH / 8), colA = thread % (DEPTH / 8) * 8;
    int rowB = thread / 8, colB = thread % 8 * 8;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2];
    for (int i = 0; i < 2; i++)
        wmma::fill_fragment(sum[i], 0.0f);
    uint4 nextA[LOADS], nextB[LOADS];
    auto fetch = [&](int step) {
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            nextA[i] = load8(A, firstRow + rowA + i * (EDGE / LOADS), step + colA, m, k);
            nextB[i] = load8(B, step + rowB + i * 32, firstCol + colB, k, n);
        }
    };
    fetch(0);
    for (int step = 0; step < k; step += DEPTH) {
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            *reinterpret_cast<uint4 *>(&tileA[rowA + i * (EDGE / LOADS)][colA]) = nextA[i];
            *reinterpret_cast<uint4 *>(&tileB[rowB + i * 32][colB]) = nextB[i];
        }
        __syncthreads();
        if (step + DEPTH < k)
            fetch(step + DEPTH);
        int depth = min(DEPTH, k - step);
#pragma unroll 2
        for (int i = 0; i < depth; i += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b[2];
            wmma::load_matrix_sync(a, &tileA[warpRow][i], PITCH_A);
#pragma unroll
            for (int j = 0; j < 2; j++) {
                wmma::load_matrix_sync(b[j], &tileB[i][warpCol + j * 16], PITCH_B);
                wmma::mma_sync(sum[j], a, b[j], sum[j]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 2; j++) {
        int row = firstRow + warpRow, col = firstCol + warpCol + j * 16;
        if (row < m && col < n)
            wmma::store_matrix_sync(C + (size_t)row * n + col, sum[j], n, wmma::mem_row_major);
    }
}

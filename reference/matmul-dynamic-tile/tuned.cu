// A tile of 32 x 32 results for a block of 8 x 32 threads, whatever `tile` is: a thread makes four
// neighbours of a row, so that five 16-byte loads from shared memory serve sixteen multiplications.
// Global memory is read 16 bytes at a time where the width allows it.
#define TILE  32
#define PITCH (TILE + 4) // the rows of M's tile start four banks apart

// Four neighbours of a row, zero outside of the matrix. With rows of a multiple of four elements
// the four lie inside or outside together, on a 16-byte boundary.
__device__ float4 load4(const float *__restrict__ matrix, int row, int col, int rows, int cols)
{
    const float *at = matrix + (size_t)row * cols + col;
    if (row >= rows || col >= cols)
        return make_float4(0, 0, 0, 0);
    if (cols % 4 == 0)
        return *reinterpret_cast<const float4 *>(at);
    return make_float4(at[0], col + 1 < cols ? at[1] : 0, col + 2 < cols ? at[2] : 0,
                       col + 3 < cols ? at[3] : 0);
}

__global__ void __launch_bounds__(256)
    matmul(const float *__restrict__ M, const float *__restrict__ N, float *__restrict__ P,
           int width, int)
{
    extern __shared__ float4 pool[]; // of float4, so that it begins on a 16-byte boundary
    auto tileM = reinterpret_cast<float(*)[PITCH]>(pool);
    auto tileN = reinterpret_cast<float(*)[TILE]>(pool + TILE * PITCH / 4);
    int y = threadIdx.y, x = threadIdx.x * 4;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum[4] = {0.0f};
    for (int first = 0; first < width; first += TILE) {
        *reinterpret_cast<float4 *>(&tileM[y][x]) = load4(M, row, first + x, width, width);
        *reinterpret_cast<float4 *>(&tileN[y][x]) = load4(N, first + y, col, width, width);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i += 4) {
            float4 four = *reinterpret_cast<const float4 *>(&tileM[y][i]);
            const float factor[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int n = 0; n < 4; n++) {
                float4 b = *reinterpret_cast<const float4 *>(&tileN[i + n][x]);
                sum[0] += factor[n] * b.x;
                sum[1] += factor[n] * b.y;
                sum[2] += factor[n] * b.z;
                sum[3] += factor[n] * b.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int n = 0; n < 4; n++)
        if (row < width && col + n < width)
            P[(size_t)row * width + col + n] = sum[n];
}

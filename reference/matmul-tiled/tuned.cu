// A tile of 32 x 32 results for a block of 8 x 32 threads: a thread makes four neighbours of a row,
// so that five 16-byte loads from shared memory serve sixteen multiplications. Global memory is
// read and written 16 bytes at a time: the width is a multiple of four. It need not be one of 32.
#define TILE  32
#define PITCH (TILE + 4) // the rows of M's tile start four banks apart

__global__ void __launch_bounds__(256)
    matmul(const float *__restrict__ M, const float *__restrict__ N, float *__restrict__ P,
           int tiles)
{
    __shared__ __align__(16) float tileM[TILE][PITCH], tileN[TILE][TILE];
    int width = tiles * 16, y = threadIdx.y, x = threadIdx.x * 4;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const float4 zero = make_float4(0, 0, 0, 0);
    float sum[4] = {0.0f};
    for (int k = 0; k < width; k += TILE) {
        float4 m = zero, n = zero;
        if (row < width && k + x < width)
            m = *reinterpret_cast<const float4 *>(M + (size_t)row * width + k + x);
        if (k + y < width && col < width)
            n = *reinterpret_cast<const float4 *>(N + (size_t)(k + y) * width + col);
        *reinterpret_cast<float4 *>(&tileM[y][x]) = m;
        *reinterpret_cast<float4 *>(&tileN[y][x]) = n;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i += 4) {
            float4 four = *reinterpret_cast<const float4 *>(&tileM[y][i]);
            const float factor[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float4 b = *reinterpret_cast<const float4 *>(&tileN[i + j][x]);
                sum[0] += factor[j] * b.x;
                sum[1] += factor[j] * b.y;
                sum[2] += factor[j] * b.z;
                sum[3] += factor[j] * b.w;
            }
        }
        __syncthreads();
    }
    if (row < width && col < width)
        *reinterpret_cast<float4 *>(P + (size_t)row * width + col) =
            make_float4(sum[0], sum[1], sum[2], sum[3]);
}

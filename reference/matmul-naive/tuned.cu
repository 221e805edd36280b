// Still without shared memory, but a thread makes four results of a column: one element of N serves
// four multiplications, and four elements of a row of M come in one load where the width allows it.
#define ROWS 8 // of threads
#define SUMS 4 // a thread

__global__ void matmul(const float *__restrict__ M, const float *__restrict__ N,
                       float *__restrict__ P, int width)
{
    int row = blockIdx.y * ROWS * SUMS + threadIdx.y * SUMS;
    int col = blockIdx.x * 32 + threadIdx.x;
    if (row >= width || col >= width)
        return;
    float sum[SUMS] = {0.0f};
    if (width % 4 == 0) {
        // four rows from a multiple of four on: all of them are there
        const float4 *M4 = reinterpret_cast<const float4 *>(M + (size_t)row * width);
#pragma unroll 2
        for (int i = 0; i < width; i += 4) {
            float n[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                n[j] = N[(size_t)(i + j) * width + col];
#pragma unroll
            for (int r = 0; r < SUMS; r++) {
                float4 m = M4[r * (width / 4) + i / 4];
                sum[r] += m.x * n[0] + m.y * n[1] + m.z * n[2] + m.w * n[3];
            }
        }
    } else {
        for (int i = 0; i < width; i++) {
            float n = N[(size_t)i * width + col];
#pragma unroll
            for (int r = 0; r < SUMS; r++)
                if (row + r < width)
                    sum[r] += M[(size_t)(row + r) * width + i] * n;
        }
    }
#pragma unroll
    for (int r = 0; r < SUMS; r++)
        if (row + r < width)
            P[(size_t)(row + r) * width + col] = sum[r];
}

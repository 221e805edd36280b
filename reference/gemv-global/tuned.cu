// A warp a row: neighbouring lanes read neighbouring elements, 16 bytes each where the rows start
// on 16-byte boundaries, then five shuffles add up the lanes' sums.
#define ROWS_PER_BLOCK 8

__global__ void gemv(const float *__restrict__ A, const float *__restrict__ x,
                     float *__restrict__ y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *start = A + (size_t)row * cols;
    float sum = 0;
    if (cols % 4 == 0) {
        const float4 *a4 = reinterpret_cast<const float4 *>(start);
        const float4 *x4 = reinterpret_cast<const float4 *>(x);
#pragma unroll 8
        for (int q = lane; q < cols / 4; q += 32) {
            float4 a = a4[q], b = x4[q];
            sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
    } else {
#pragma unroll 8
        for (int col = lane; col < cols; col += 32)
            sum += start[col] * x[col];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}

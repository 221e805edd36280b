// y = A * x, A stored row by row, a warp a row: 16 bytes a lane, joined with shuffles.
__global__ void gemv_warp(const float *__restrict__ a, const float *__restrict__ x, float *y,
                          int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float4 *left = (const float4 *)(a + (size_t)row * columns), *right = (const float4 *)x;
    float sum = 0.0f;
#pragma unroll 8
    for (int j = lane; j < columns / 4; j += 32) {
        float4 p = left[j], q = right[j];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

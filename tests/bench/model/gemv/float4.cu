// A warp a row, 16-byte loads, unrolled by four; columns is a multiple of 512.
__global__ void gemv(const float4 *a, const float4 *x, float *y, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float4 *line = a + (long long)row * (columns / 4);
    float sum = 0.0f;
    for (int j = lane; j < columns / 4; j += 128) {
        float4 p[4], q[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            p[i] = line[j + 32 * i];
            q[i] = x[j + 32 * i];
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            sum += p[i].x * q[i].x + p[i].y * q[i].y + p[i].z * q[i].z + p[i].w * q[i].w;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

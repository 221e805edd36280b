// Softmax of rows of 512, a warp a row: 16 values a lane stay in registers, shuffles join them.
__global__ void softmax(const float *in, float *out, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *from = in + (long long)row * 512;
    float *to = out + (long long)row * 512;
    float values[16], most = -3.0e38f, sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        values[i] = from[i * 32 + lane];
        most = fmaxf(most, values[i]);
    }
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
#pragma unroll
    for (int i = 0; i < 16; i++) {
        values[i] = __expf(values[i] - most);
        sum += values[i];
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float scale = 1.0f / sum;
#pragma unroll
    for (int i = 0; i < 16; i++)
        to[i * 32 + lane] = values[i] * scale;
}

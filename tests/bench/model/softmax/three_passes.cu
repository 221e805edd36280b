// Softmax of rows of 512, a warp a row, but each of the three passes reads the row again.
__global__ void softmax(const float *in, float *out, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *from = in + (long long)row * 512;
    float *to = out + (long long)row * 512;
    float most = -3.0e38f, sum = 0.0f;
    for (int i = lane; i < 512; i += 32)
        most = fmaxf(most, from[i]);
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    for (int i = lane; i < 512; i += 32)
        sum += expf(from[i] - most);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int i = lane; i < 512; i += 32)
        to[i] = expf(from[i] - most) / sum;
}

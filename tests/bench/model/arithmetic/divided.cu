// 64 divisions in single precision, rounded as IEEE 754 asks.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i] + 2.0f, y = 1.0f;
#pragma unroll 4
    for (int j = 0; j < 64; j++)
        y = (y + 1.5f) / x;
    out[i] = y;
}

// 512 fused multiply-adds in one chain.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = x;
#pragma unroll 64
    for (int j = 0; j < 512; j++)
        y = y * x + 0.5f;
    out[i] = y;
}

// As divided, with the reciprocal taken once.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i] + 2.0f, y = 1.0f, r = 1.0f / x;
#pragma unroll 4
    for (int j = 0; j < 64; j++)
        y = (y + 1.5f) * r;
    out[i] = y;
}

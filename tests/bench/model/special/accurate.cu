// Exponential, sine and root, as the library gives them.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    for (int j = 0; j < 16; j++)
        x = sqrtf(expf(sinf(x)) + 1.0f);
    out[i] = x;
}

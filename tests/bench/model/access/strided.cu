// A sum of 8 loads a thread, lanes `stride` elements apart. n is a power of two.
__global__ void load(const float *in, float *out, int n, int stride)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0.0f;
#pragma unroll
    for (unsigned j = 0; j < 8; j++)
        sum += in[((i + j * threads) * stride + (i + j * threads) * stride / n) & (n - 1)];
    out[i] = sum;
}

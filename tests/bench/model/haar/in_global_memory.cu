// Haar's wavelets of rows of 1024 numbers: sums and differences of neighbours, then the same of the sums, until
// one is left. A block a row, in global memory: the result and another row, from which sums are taken.
__global__ void transform(const float *in, float *out, float *scratch)
{
    size_t begin = (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        scratch[begin + i] = in[begin + i];
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        int i = threadIdx.x;
        float a = 0.0f, b = 0.0f;
        if (i < half) {
            a = scratch[begin + 2 * i];
            b = scratch[begin + 2 * i + 1];
        }
        __syncthreads();
        if (i < half) {
            scratch[begin + i] = (a + b) * 0.70710678f;
            out[begin + half + i] = (a - b) * 0.70710678f;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[begin] = scratch[begin];
}

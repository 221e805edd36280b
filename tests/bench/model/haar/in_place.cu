// As shared, but each sum stays where its first number was, twice as far apart in each step.
__global__ void transform(const float *in, float *out)
{
    __shared__ float sums[1024];
    size_t begin = (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        sums[i] = in[begin + i];
    int apart = 1;
    for (int half = 512; half > 0; half /= 2) {
        int i = threadIdx.x;
        __syncthreads();
        if (i < half) {
            float a = sums[2 * i * apart], b = sums[(2 * i + 1) * apart];
            sums[2 * i * apart] = (a + b) * 0.70710678f;
            out[begin + half + i] = (a - b) * 0.70710678f;
        }
        apart *= 2;
    }
    if (threadIdx.x == 0)
        out[begin] = sums[0];
}

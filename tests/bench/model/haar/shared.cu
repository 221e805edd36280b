// As in_global_memory, but sums stand in shared memory.
__global__ void transform(const float *in, float *out)
{
    __shared__ float sums[1024];
    size_t begin = (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        sums[i] = in[begin + i];
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        int i = threadIdx.x;
        float a = 0.0f, b = 0.0f;
        if (i < half) {
            a = sums[2 * i];
            b = sums[2 * i + 1];
        }
        __syncthreads();
        if (i < half) {
            sums[i] = (a + b) * 0.70710678f;
            out[begin + half + i] = (a - b) * 0.70710678f;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[begin] = sums[0];
}

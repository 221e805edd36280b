#include <cuda_runtime.h>

constexpr int BLOCK = 256;

__global__ void add(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK];
    float total = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        total += in[i];
    s[threadIdx.x] = total;
    __syncthreads();
    for (int half = BLOCK / 2; half; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

void solve(const float *input, float *sum, int n)
{
    float *partial;
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaMalloc(&partial, blocks * sizeof(float));
    add<<<blocks, BLOCK>>>(input, partial, n);
    add<<<1, BLOCK>>>(partial, sum, blocks);
    cudaFree(partial);
    cudaFree((void *)input);
}

#include <cuda_runtime.h>

constexpr int BLOCK = 256;

__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int s[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        int left = threadIdx.x >= step ? s[threadIdx.x - step] : 0;
        s[threadIdx.x] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[threadIdx.x];
    if (threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = s[threadIdx.x];
}

__global__ void add_before(int *out, const int *sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += sums[blockIdx.x - 1];
}

static void scan(const int *in, int *out, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    int *sums;
    cudaMalloc(&sums, blocks * sizeof(int));
    scan_blocks<<<blocks, BLOCK>>>(in, out, sums, n);
    if (blocks > 1) {
        scan(sums, sums, blocks);
        add_before<<<blocks, BLOCK>>>(out, sums, n);
    }
    cudaFree(sums);
}

void solve(const int *input, int *output, int n)
{
    scan(input, output, n);
}

// Constant memory with `ways` different addresses a warp: 512 requests a warp.
__constant__ unsigned table[1024] = {1, 2, 3};

__global__ void run(unsigned *out, unsigned long long *cycles, unsigned ways)
{
    unsigned at = threadIdx.x % ways, sum = 0;
    for (int j = 0; j < 64; j++)
        sum += table[j * 8 + threadIdx.x % 32];
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 64; j++)
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= table[at + u * 32 + (j & 7)];
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

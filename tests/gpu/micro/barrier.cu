// 1024 barriers in a row.
__global__ void run(unsigned long long *cycles)
{
    __syncthreads();
    long long start = clock64();
#pragma unroll 16
    for (int j = 0; j < 1024; j++)
        __syncthreads();
    long long end = clock64();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = end - start;
}

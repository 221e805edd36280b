// An if and an else of 32 multiplications each in a loop: lanes whose number has none of the bits of
// `mask` in common with the round take the one, the others the other.
__global__ void run(unsigned *out, unsigned long long *cycles, unsigned mask)
{
    unsigned x = threadIdx.x;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (unsigned j = 0; j < 256; j++)
        if (((threadIdx.x ^ j) & mask) == 0) {
#pragma unroll
            for (int u = 0; u < 32; u++)
                asm volatile("mad.lo.u32 %0, %0, %0, 1013904223;" : "+r"(x));
        } else {
#pragma unroll
            for (int u = 0; u < 32; u++)
                asm volatile("mad.lo.u32 %0, %0, %0, 12345;" : "+r"(x));
        }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// The latency of shared memory: one thread follows indices.
__global__ void run(unsigned *out, unsigned long long *cycles)
{
    __shared__ unsigned next[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        next[i] = ((i + 33) & 1023) * 4;
    __syncthreads();
    unsigned at = (unsigned)__cvta_generic_to_shared(next), base = at, offset = 0;
    long long start = clock64();
#pragma unroll 16
    for (int j = 0; j < 2048; j++)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(offset) : "r"(base + offset) : "memory");
    long long end = clock64();
    out[threadIdx.x] = offset;
    cycles[0] = end - start;
}

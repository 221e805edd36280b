// LOADS loads from shared memory, which do not wait for each other, and a barrier, 256 times: what
// barriers take of the load/store unit.
__global__ void run(unsigned *out, unsigned long long *cycles)
{
    __shared__ unsigned memory[1024];
    unsigned sum = 0, at = threadIdx.x % 32;
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        memory[i] = i;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 256; j++) {
        unsigned v[LOADS];
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            v[u] = memory[(at + u * 33) & 1023];
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            sum ^= v[u];
        at += 32;
        __syncthreads();
    }
    long long end = clock64();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = end - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Atomic additions in shared memory: PLACE says where, VALUE what, WHO which lanes (all, unless it is
// given), RESULT whether the old value is wanted.
#ifndef WHO
#define WHO true
#endif
__global__ void run(unsigned *out, unsigned long long *cycles)
{
    __shared__ TYPE data[4096];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned state = threadIdx.x * 2654435761u + 12345u;
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
        data[i] = 0;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < 256; r++) {
        state = state * 1664525u + 1013904223u;
        if (WHO)
#if RESULT
            state += (unsigned)atomicAdd(&data[PLACE], VALUE);
#else
            atomicAdd(&data[PLACE], VALUE);
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = (unsigned)data[threadIdx.x] + lane + warp + state;
}

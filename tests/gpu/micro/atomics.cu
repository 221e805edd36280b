// Atomic additions in global memory: PLACE says where, VALUE what, RESULT
// whether the old value is wanted. The compiler adds up a warp's values itself where it can see that
// they go to one place, which a VALUE that differs from lane to lane prevents.
__global__ void run(TYPE *data, unsigned *out, unsigned long long *cycles, int rounds)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned state = first * 2654435761u + 12345u, sum = 0;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        state = state * 1664525u + 1013904223u;
#if RESULT
        sum += (unsigned)atomicAdd(&data[PLACE], VALUE);
#else
        atomicAdd(&data[PLACE], VALUE);
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[first] = sum + threads + state;
}

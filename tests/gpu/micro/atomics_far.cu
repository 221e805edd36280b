// Atomics on single words anywhere in a power of two of words, as scatter's loads and stores: OP changes the
// word at `at` by `first`, and its result is used where RESULT says so.
__global__ void run(TYPE *data, unsigned *out, unsigned long long *cycles, int rounds, unsigned mask)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    unsigned state = first * 2654435761u + 12345u;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        state = state * 1664525u + 1013904223u;
        unsigned at = (state ^ state >> 15) & mask;
#if RESULT
        sum += (unsigned)OP;
#else
        OP;
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[first] = sum + state;
}

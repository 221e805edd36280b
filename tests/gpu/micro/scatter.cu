// Single words anywhere in a power of two of words: each lane of a request has a sector of its own.
// The compiler's load or store is OP; UNROLL of them do not depend on each other.
__global__ void run(unsigned *data, unsigned *out, unsigned long long *cycles, int rounds, unsigned mask)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    unsigned state = first * 2654435761u + 12345u;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        unsigned v[UNROLL], at[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            state = state * 1664525u + 1013904223u;
            at[u] = (state ^ state >> 15) & mask;
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#if STORE
            data[at[u]] = first;
            v[u] = 0;
#else
            v[u] = __ldcg(&data[at[u]]);
#endif
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum ^= v[u];
        state += sum & 1;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[first] = sum;
}

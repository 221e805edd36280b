// Writes `rounds` elements a thread, coalesced.
__device__ static void make(unsigned *v, unsigned x) { *v = x; }
__device__ static void make(uint4 *v, unsigned x) { *v = make_uint4(x, x + 1, x + 2, x + 3); }

__global__ void run(TYPE *out, unsigned long long *cycles, int rounds)
{
    unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        make(&out[first + r * threads], first + r);
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

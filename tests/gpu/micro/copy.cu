// Copies `rounds` elements a thread, four at once.
__global__ void run(const TYPE *in, TYPE *out, unsigned long long *cycles, int rounds)
{
    unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    for (int r = 0; r < rounds; r += 4) {
        TYPE v[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            v[u] = in[first + (r + u) * threads];
#pragma unroll
        for (int u = 0; u < 4; u++)
            out[first + (r + u) * threads] = v[u];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

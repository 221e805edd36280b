// What comes into the second-level cache from two sides: each turn reads DRAM times 16 bytes a lane from
// device memory, each of them once in the launch, and HITS from 8 MiB that the cache has after the first
// turns, and stores KEPT times 16 bytes to 8 MiB that are stored to again and again.
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__global__ void run(const uint4 *far, const uint4 *near, uint4 *kept, unsigned *out,
                    unsigned long long *cycles, int rounds, unsigned mask)
{
    unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        uint4 v[DRAM + HITS + 1];
#pragma unroll
        for (int u = 0; u < DRAM; u++)
            v[u] = __ldcg(&far[first + (r * DRAM + u) * threads]);
#pragma unroll
        for (int u = 0; u < HITS; u++)
            v[DRAM + u] = __ldcg(&near[(first + (r * HITS + u) * threads) & mask]);
#pragma unroll
        for (int u = 0; u < KEPT; u++)
            kept[(first + (r * KEPT + u) * threads) & mask] = make_uint4(r, r, r, r);
#pragma unroll
        for (int u = 0; u < DRAM + HITS; u++)
            sum ^= fold(v[u]);
    }
    out[first] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

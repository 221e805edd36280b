// The latency of device memory while it is busy: one thread of the first block follows distances, as in
// chase, while all other blocks read `rounds` times UNROLL elements a thread, as in stream. The first
// block is done long before the others, so that its cycles are the least of all blocks'.
__device__ static unsigned fold(unsigned v) { return v; }
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__device__ static unsigned chase(const unsigned long long *chain, int steps)
{
    unsigned long long p = (unsigned long long)chain;
#pragma unroll 8
    for (int j = 0; j < steps; j++) {
        unsigned long long distance;
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(distance) : "l"(p) : "memory");
        p += distance;
    }
    return (unsigned)p;
}

__global__ void run(const unsigned long long *chain, const TYPE *in, unsigned *out,
                    unsigned long long *cycles, int steps, int rounds)
{
    unsigned threads = (gridDim.x - 1) * blockDim.x, sum = 0;
    unsigned first = (blockIdx.x - 1) * blockDim.x + threadIdx.x;
    long long start = clock64();
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            sum = chase(chain, steps);
        out[threadIdx.x] = sum;
    } else {
#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            TYPE v[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                v[u] = __ldcg(&in[first + (r * UNROLL + u) * threads + (sum == 0x12345678u)]);
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                sum ^= fold(v[u]);
        }
        out[blockDim.x + first] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

// Reads `rounds` times UNROLL elements a thread, `passes` times over, past the first-level cache. The
// loads of one round do not depend on each other, those of two rounds wait for a sum. OFFSET: elements
// by which requests lie off the beginning of a line.
#ifndef OFFSET
#define OFFSET 0
#endif
__device__ static unsigned fold(unsigned v) { return v; }
__device__ static unsigned fold(uint2 v) { return v.x ^ v.y; }
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__global__ void run(const TYPE *in, unsigned *out, unsigned long long *cycles, int rounds, int passes)
{
    unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    long long start = clock64();
    for (int pass = 0; pass < passes; pass++)
#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            TYPE v[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                v[u] = __ldcg(&in[first + (r * UNROLL + u) * threads + OFFSET + (sum == 0x12345678u)]);
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                sum ^= fold(v[u]);
        }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[first] = sum;
}

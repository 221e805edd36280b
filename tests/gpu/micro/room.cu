// Whether an answer that is late keeps the room of those after it: one SM whose first FAR warps read
// device memory, four times 16 bytes a lane at a time, while the others read 256 KiB that the
// second-level cache has, NEAR_TURNS times as often.
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__device__ static unsigned four(const uint4 *in, unsigned at, unsigned mask, unsigned step)
{
    uint4 v[4];
#pragma unroll
    for (int u = 0; u < 4; u++)
        v[u] = __ldcg(&in[(at + u * step) & mask]);
    return fold(v[0]) ^ fold(v[1]) ^ fold(v[2]) ^ fold(v[3]);
}

__global__ void run(const uint4 *far, const uint4 *near, unsigned *out, unsigned long long *cycles, int turns)
{
    unsigned thread = threadIdx.x, sum = 0, step;
    long long start = clock64();
    if (thread < FAR * 32) {
        step = FAR * 32;
#pragma unroll 1
        for (int r = 0; r < turns; r++)
            sum ^= four(far, r * 4 * step + thread, ~0u, step);
    } else {
        step = blockDim.x - FAR * 32;
#pragma unroll 1
        for (int r = 0; r < turns * NEAR_TURNS; r++)
            sum ^= four(near, r * 4 * step + thread - FAR * 32, 16383, step);
    }
    out[thread] = sum;
    __syncthreads();
    if (thread == 0)
        cycles[0] = clock64() - start;
}

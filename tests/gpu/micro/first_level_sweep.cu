// What the first-level cache keeps: the warps of a block read lines of a footprint over and over, in
// turn or, with RANDOM, anywhere. 2^20 bytes a pass of a block, whatever the footprint.
__global__ void run(const unsigned *in, unsigned *out, unsigned long long *cycles, int bytes, int passes)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned lines = bytes / 128, line = warp, sum = 0;
    unsigned state = (blockIdx.x * warps + warp) * 2654435761u + 12345u;
    long long start = clock64();
#pragma unroll 4
    for (int i = 0; i < passes * 8192 / (int)warps; i++) {
        sum ^= __ldca(&in[line * 32 + lane]);
#if RANDOM
        state = state * 1664525u + 1013904223u;
        line = __umulhi(state, lines);
#else
        line += warps;
        line = line >= lines ? line - lines : line;
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + state;
}

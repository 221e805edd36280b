// A lane walks a row of its own, 128 words of it, rows PITCH bytes apart: what the first-level cache keeps
// between a lane's requests. Blocks go to 132 multiprocessors in turn, all of which read the same rows.
// STORE: the lane writes as many words elsewhere; TOGETHER: the warps of a block wait for each other
// after every eighth word.
__global__ void run(const unsigned *in, unsigned *out, unsigned *sums, unsigned long long *cycles)
{
    unsigned row = blockIdx.x / 132 * blockDim.x + threadIdx.x, sum = 0;
    const unsigned *from = in + (unsigned long long)row * (PITCH / 4);
#if STORE
    unsigned *to = out + (unsigned long long)row * (PITCH / 4);
#endif
    long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < 128; i += 8) {
#pragma unroll 4
        for (int u = 0; u < 8; u++) {
            unsigned value = __ldca(&from[i + u]);
            sum ^= value;
#if STORE
            to[i + u] = sum;
#endif
        }
#if TOGETHER
        __syncthreads();
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

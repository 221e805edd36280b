// One lane of each warp adds to one of COUNT words, STEP bytes apart: how far apart words must be for the
// second-level cache to change them at the same time.
__global__ void run(unsigned *data, unsigned *out, unsigned long long *cycles, int rounds)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, warp = first / 32;
    long long start = clock64();
    if (threadIdx.x % 32 == 0)
#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            atomicAdd(&data[(warp + r) % COUNT * (STEP / 4)], warp);
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[first] = warp;
}

// A warp of each block sleeps `rounds` times for this many nanoseconds: how long it really does.
__global__ void run(unsigned long long *cycles, int nanoseconds, int rounds)
{
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        __nanosleep(nanoseconds);
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

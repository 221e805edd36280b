// Blocks that read the same as others, later: each walks the same lines, one load after the other, and every
// other block begins `delay` clocks after those that fetch the lines. Those that lag find the lines in
// the second-level cache until they have caught up with the first, and wait with them from then on.
__global__ void run(const unsigned long long *in, unsigned *out, unsigned long long *cycles, int steps,
                    int delay)
{
    unsigned long long p = (unsigned long long)in;
    long long start = clock64();
    while (blockIdx.x % 2 && clock64() - start < delay)
        ;
    start = clock64();
#pragma unroll 4
    for (int j = 0; j < steps; j++) {
        unsigned long long distance;
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(distance) : "l"(p) : "memory");
        p += distance;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (unsigned)p;
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

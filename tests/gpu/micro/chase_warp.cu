// As chase, but by all lanes of a warp, each from a PLACE of its own: what a request takes that hits the
// first-level cache. The words hold the distance to the next; the chain is walked once before. All
// warps do the same.
__global__ void run(const unsigned *in, unsigned *out, unsigned long long *cycles, int steps)
{
    unsigned lane = threadIdx.x % 32;
    unsigned long long p = 0, cost = 0;
    for (int pass = 0; pass < 2; pass++) {
        p = (unsigned long long)in + (PLACE);
        long long start = clock64();
#pragma unroll 8
        for (int j = 0; j < steps; j++) {
            unsigned distance;
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(distance) : "l"(p) : "memory");
            p += distance;
        }
        out[blockIdx.x * blockDim.x + threadIdx.x] = (unsigned)p;
        cost = clock64() - start;
    }
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = cost;
}

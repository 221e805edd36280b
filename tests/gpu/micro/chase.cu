// One thread follows distances through memory: each load waits for the one before. The buffer holds
// the distance in bytes everywhere; the chain is walked `warm` times before it is timed.
__global__ void run(const unsigned long long *in, unsigned long long *out, unsigned long long *cycles,
                    int steps, int warm)
{
    unsigned long long p = 0, cost = 0;
    for (int pass = 0; pass <= warm; pass++) {
        p = (unsigned long long)in;
        long long start = clock64();
#pragma unroll 8
        for (int j = 0; j < steps; j++) {
            unsigned long long distance;
            asm volatile("ld.global." CACHE ".u64 %0, [%1];" : "=l"(distance) : "l"(p) : "memory");
            p += distance;
        }
        out[0] = p;
        cost = clock64() - start;
    }
    cycles[0] = cost;
}

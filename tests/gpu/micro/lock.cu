// A lock that a thread of each block takes `rounds` times: how long it takes to pass from one to another.
__global__ void run(unsigned *lock, unsigned *value, unsigned long long *cycles, int rounds)
{
    long long start = clock64();
    if (threadIdx.x == 0)
        for (int r = 0; r < rounds; r++) {
            while (atomicCAS(lock, 0u, 1u))
                ;
            __threadfence();
            *(volatile unsigned *)value += 1;
            __threadfence();
            atomicExch(lock, 0u);
        }
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

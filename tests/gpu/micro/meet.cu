// All blocks meet `rounds` times, by hand: a thread of each counts up one word and polls it until all have.
__global__ void run(unsigned *count, unsigned long long *cycles, int rounds)
{
    long long start = clock64();
    for (int r = 1; r <= rounds; r++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (*(volatile unsigned *)count < r * gridDim.x)
                ;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}

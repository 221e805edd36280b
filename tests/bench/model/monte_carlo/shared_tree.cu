// As atomic_a_thread, but a block of 256 adds up its hits in shared memory, halving the threads that add.
// The next of the numbers of a linear congruential generator, between 0 and 1.
__device__ float draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

__global__ void throw_darts(unsigned *hits, int darts)
{
    __shared__ unsigned sums[256];
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, own = 0;
    for (int i = 0; i < darts; i++) {
        float x = draw(&state), y = draw(&state);
        if (x * x + y * y < 1.0f)
            own++;
    }
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(hits, sums[0]);
}

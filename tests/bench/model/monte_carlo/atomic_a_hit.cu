// As atomic_a_thread, but every hit is counted at once, in a counter of the block in shared memory.
// The next of the numbers of a linear congruential generator, between 0 and 1.
__device__ float draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

__global__ void throw_darts(unsigned *hits, int darts)
{
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
    for (int i = 0; i < darts; i++) {
        float x = draw(&state), y = draw(&state);
        if (x * x + y * y < 1.0f)
            atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(hits, count);
}

// Pi by throwing darts: a thread throws the given number and adds its hits to one counter.
// The next of the numbers of a linear congruential generator, between 0 and 1.
__device__ float draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

__global__ void throw_darts(unsigned *hits, int darts)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, own = 0;
    for (int i = 0; i < darts; i++) {
        float x = draw(&state), y = draw(&state);
        if (x * x + y * y < 1.0f)
            own++;
    }
    atomicAdd(hits, own);
}

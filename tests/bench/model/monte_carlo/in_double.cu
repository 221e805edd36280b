// As atomic_a_thread, but the darts' places are numbers of 64 bits.
__device__ double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

__global__ void throw_darts(unsigned *hits, int darts)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, own = 0;
    for (int i = 0; i < darts; i++) {
        double x = draw(&state), y = draw(&state);
        if (x * x + y * y < 1.0)
            own++;
    }
    atomicAdd(hits, own);
}

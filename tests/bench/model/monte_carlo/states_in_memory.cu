// As atomic_a_thread, but a thread's state and its hits stand in global memory all the time.
__device__ float draw(unsigned *states, int i)
{
    states[i] = states[i] * 1664525u + 1013904223u;
    return (float)(states[i] >> 8) * (1.0f / 16777216.0f);
}

__global__ void throw_darts(unsigned *states, unsigned *hits, int darts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    hits[i] = 0;
    for (int dart = 0; dart < darts; dart++) {
        float x = draw(states, i), y = draw(states, i);
        if (x * x + y * y < 1.0f)
            hits[i]++;
    }
}

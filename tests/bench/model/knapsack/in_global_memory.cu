// As two_rows, but the rows are in global memory: the result and another.
__global__ void fill(const unsigned *weights, const unsigned *values, unsigned *best, unsigned *scratch)
{
    unsigned *now = best + blockIdx.x * 1024, *next = scratch + blockIdx.x * 1024;
    int room = threadIdx.x;
    now[room] = 0;
    __syncthreads();
    for (int item = 0; item < 64; item++) {
        int weight = 1 + weights[blockIdx.x * 64 + item] % 100, value = values[blockIdx.x * 64 + item] % 1000;
        unsigned most = now[room];
        if (room >= weight)
            most = max(most, now[room - weight] + value);
        next[room] = most;
        unsigned *last = now;
        now = next;
        next = last;
        __syncthreads();
    }
}

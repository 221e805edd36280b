// The most that can be carried: 64 things of some weight (1 to 100) and value (0 to 999), and a sack for a
// weight of 1023. A block a sack, a thread a weight: the best for it with the things so far, in two rows that
// take turns.
__global__ void fill(const unsigned *weights, const unsigned *values, unsigned *best)
{
    __shared__ unsigned rows[2][1024];
    int room = threadIdx.x;
    rows[0][room] = 0;
    __syncthreads();
    for (int item = 0; item < 64; item++) {
        int weight = 1 + weights[blockIdx.x * 64 + item] % 100, value = values[blockIdx.x * 64 + item] % 1000;
        const unsigned *now = rows[item % 2];
        unsigned most = now[room];
        if (room >= weight)
            most = max(most, now[room - weight] + value);
        rows[(item + 1) % 2][room] = most;
        __syncthreads();
    }
    best[blockIdx.x * 1024 + room] = rows[0][room];
}

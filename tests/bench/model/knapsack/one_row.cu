// As two_rows, but there is one row, and all have read before any writes.
__global__ void fill(const unsigned *weights, const unsigned *values, unsigned *best)
{
    __shared__ unsigned row[1024];
    int room = threadIdx.x;
    row[room] = 0;
    __syncthreads();
    for (int item = 0; item < 64; item++) {
        int weight = 1 + weights[blockIdx.x * 64 + item] % 100, value = values[blockIdx.x * 64 + item] % 1000;
        unsigned most = row[room];
        if (room >= weight)
            most = max(most, row[room - weight] + value);
        __syncthreads();
        row[room] = most;
        __syncthreads();
    }
    best[blockIdx.x * 1024 + room] = row[room];
}

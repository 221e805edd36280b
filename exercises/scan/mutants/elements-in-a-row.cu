// ITEMS neighbouring elements a thread: with each load a warp touches four times as many sectors.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void scan(const unsigned *x, unsigned *y, unsigned long long *state, unsigned *ticket,
                     int n)
{
    __shared__ unsigned sums[2][BLOCK_SIZE], tile, before;
    volatile unsigned long long *progress = state;
    int tid = threadIdx.x, from = 0;
    if (tid == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int first = (tile * BLOCK_SIZE + tid) * ITEMS;
    unsigned value[ITEMS], sum = 0;
    for (int k = 0; k < ITEMS; k++) {
        sum += first + k < n ? x[first + k] : 0;
        value[k] = sum;
    }
    sums[0][tid] = sum;
    __syncthreads();
    for (int d = 1; d < BLOCK_SIZE; d *= 2) {
        sums[1 - from][tid] = sums[from][tid] + (tid >= d ? sums[from][tid - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    if (tid == 0) {
        unsigned long long seen = 2ull << 32;
        while (tile > 0 && (seen = progress[tile - 1]) >> 32 != 2)
            ;
        before = (unsigned)seen;
        progress[tile] = 2ull << 32 | (before + sums[from][BLOCK_SIZE - 1]);
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        if (first + k < n)
            y[first + k] = before + sums[from][tid] - sum + value[k];
}

// All accesses to the state are volatile, and still nothing keeps the sum before the flag for others.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void scan(const unsigned *x, unsigned *y, unsigned long long *state, unsigned *ticket,
                     int n)
{
    __shared__ unsigned sums[2][BLOCK_SIZE], tile, before;
    volatile unsigned *words = (volatile unsigned *)state;
    int tid = threadIdx.x;
    if (tid == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    unsigned value[ITEMS], total = 0;
    for (int k = 0; k < ITEMS; k++) {
        int i = (tile * ITEMS + k) * BLOCK_SIZE + tid, from = 0;
        sums[0][tid] = i < n ? x[i] : 0;
        __syncthreads();
        for (int d = 1; d < BLOCK_SIZE; d *= 2) {
            sums[1 - from][tid] = sums[from][tid] + (tid >= d ? sums[from][tid - d] : 0);
            from = 1 - from;
            __syncthreads();
        }
        value[k] = total + sums[from][tid];
        total += sums[from][BLOCK_SIZE - 1];
        __syncthreads();
    }
    if (tid == 0) {
        unsigned long long seen = 2ull << 32;
        if (tile > 0) {
            while (words[2 * tile - 1] != 2)
                ;
            seen = words[2 * tile - 2];
        }
        before = (unsigned)seen;
        words[2 * tile] = before + total;
        words[2 * tile + 1] = 2;
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) {
        int i = (tile * ITEMS + k) * BLOCK_SIZE + tid;
        if (i < n)
            y[i] = before + value[k];
    }
}

// Warps add up with shuffles, a round at a time; tiles are eight times as large, so that the chain of
// tiles has fewer links.
#define BLOCK_SIZE 512
#define ITEMS 16
#define WARPS (BLOCK_SIZE / 32)

__global__ void scan(const unsigned *x, unsigned *y, unsigned long long *state, unsigned *ticket,
                     int n)
{
    __shared__ unsigned sums[ITEMS][WARPS], tile, before;
    volatile unsigned long long *progress = state;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    if (tid == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    unsigned value[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        int i = (tile * ITEMS + k) * BLOCK_SIZE + tid;
        value[k] = i < n ? x[i] : 0;
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        for (int d = 1; d < 32; d *= 2) {
            unsigned left = __shfl_up_sync(0xffffffffu, value[k], d);
            if (lane >= d)
                value[k] += left;
        }
        if (lane == 31)
            sums[k][warp] = value[k];
    }
    __syncthreads();
    if (tid == 0) {
        unsigned total = 0;
        for (int k = 0; k < ITEMS; k++)
            for (int w = 0; w < WARPS; w++) {
                unsigned own = sums[k][w];
                sums[k][w] = total;
                total += own;
            }
        unsigned long long seen = 2ull << 32;
        while (tile > 0 && (seen = progress[tile - 1]) >> 32 != 2)
            ;
        before = (unsigned)seen;
        progress[tile] = 2ull << 32 | (before + total);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        int i = (tile * ITEMS + k) * BLOCK_SIZE + tid;
        if (i < n)
            y[i] = before + sums[k][warp] + value[k];
    }
}

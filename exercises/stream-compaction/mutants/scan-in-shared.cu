// Right, with a prefix sum over the whole block for each round, in shared memory.
#define BLOCK_SIZE 256
#define ITEMS 4

// Given. One thread of a block calls it, for the tile whose number it drew: tells the tiles after
// how many elements this one keeps, and returns how many those before it keep together.
__device__ static unsigned kept_before(unsigned long long *state, unsigned tile, unsigned kept)
{
    volatile unsigned long long *words = state; // upper half: 1 when the lower half is there
    unsigned before = 0;
    if (tile > 0) {
        unsigned long long word;
        do
            word = words[tile - 1];
        while (word >> 32 == 0);
        before = (unsigned)word;
    }
    words[tile] = 1ull << 32 | (before + kept);
    return before;
}

__global__ void compact(const int *x, int *y, unsigned *count, unsigned long long *state,
                        unsigned *ticket, int n)
{
    __shared__ unsigned sums[2][BLOCK_SIZE], tile, before;
    int tid = threadIdx.x;
    if (tid == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int first = tile * BLOCK_SIZE * ITEMS, value[ITEMS];
    unsigned place[ITEMS], kept = 0;
    for (int k = 0; k < ITEMS; k++) {
        int i = first + k * BLOCK_SIZE + tid;
        value[k] = i < n ? x[i] : 0;
        int from = 0;
        sums[0][tid] = value[k] > 0;
        __syncthreads();
        for (int d = 1; d < BLOCK_SIZE; d *= 2) {
            sums[1 - from][tid] = sums[from][tid] + (tid >= d ? sums[from][tid - d] : 0);
            from = 1 - from;
            __syncthreads();
        }
        place[k] = kept + sums[from][tid] - (value[k] > 0);
        kept += sums[from][BLOCK_SIZE - 1];
        __syncthreads();
    }
    if (tid == 0) {
        before = kept_before(state, tile, kept);
        if (first + BLOCK_SIZE * ITEMS >= n)
            *count = before + kept;
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        if (value[k] > 0)
            y[before + place[k]] = value[k];
}

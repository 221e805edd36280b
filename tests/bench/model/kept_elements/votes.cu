// A vote of the warp tells each lane its place, and the warps' counts are added up by one thread.
#define BLOCK_SIZE 256
#define ITEMS 4

// One thread of a block calls it, for the tile whose number it drew: tells the tiles after
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
    __shared__ unsigned sums[ITEMS][BLOCK_SIZE / 32], tile, before;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    if (tid == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int first = tile * BLOCK_SIZE * ITEMS, value[ITEMS];
    unsigned votes[ITEMS];
    for (int k = 0; k < ITEMS; k++) {
        int i = first + k * BLOCK_SIZE + tid;
        value[k] = i < n ? x[i] : 0;
        votes[k] = __ballot_sync(0xffffffffu, value[k] > 0);
        if (lane == 0)
            sums[k][warp] = __popc(votes[k]);
    }
    __syncthreads();
    if (tid == 0) {
        unsigned kept = 0;
        for (int k = 0; k < ITEMS; k++)
            for (int w = 0; w < BLOCK_SIZE / 32; w++) {
                unsigned own = sums[k][w];
                sums[k][w] = kept;
                kept += own;
            }
        before = kept_before(state, tile, kept);
        if (first + BLOCK_SIZE * ITEMS >= n)
            *count = before + kept;
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        if (value[k] > 0)
            y[before + sums[k][warp] + __popc(votes[k] & ((1u << lane) - 1))] = value[k];
}

// ITEMS neighbouring elements a thread, one by one: with each load a warp touches four times as
// many sectors.
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
    __shared__ unsigned sums[BLOCK_SIZE / 32], tile, before;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    if (tid == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int first = (tile * BLOCK_SIZE + tid) * ITEMS;
    unsigned own = 0;
    for (int i = first; i < first + ITEMS && i < n; i++)
        own += x[i] > 0;
    unsigned upto = own;
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(0xffffffffu, upto, d);
        upto += lane >= d ? left : 0;
    }
    if (lane == 31)
        sums[warp] = upto;
    __syncthreads();
    if (tid == 0) {
        unsigned kept = 0;
        for (int w = 0; w < BLOCK_SIZE / 32; w++) {
            unsigned of_warp = sums[w];
            sums[w] = kept;
            kept += of_warp;
        }
        before = kept_before(state, tile, kept);
        if ((tile + 1) * BLOCK_SIZE * ITEMS >= n)
            *count = before + kept;
    }
    __syncthreads();
    unsigned place = before + sums[warp] + upto - own;
    for (int i = first; i < first + ITEMS && i < n; i++)
        if (x[i] > 0)
            y[place++] = x[i];
}

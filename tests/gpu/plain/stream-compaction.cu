// warpgrade: stream-compaction
// A vote for each warp and round; one warp turns the counts into offsets.
#define BLOCK_SIZE 256
#define ITEMS      4
#define WARPS      (BLOCK_SIZE / 32)
#define COUNTS     (WARPS * ITEMS)

__device__ static unsigned kept_before(unsigned long long *state, unsigned tile, unsigned kept)
{
    volatile unsigned long long *words = state;
    unsigned before = 0;
    words[tile] = (tile == 0 ? 2ull : 1ull) << 32 | kept;
    for (unsigned other = tile; other > 0;) {
        unsigned long long word = words[other - 1];
        if (word >> 32 == 0)
            continue; // not there yet
        before += (unsigned)word;
        if (word >> 32 == 2)
            break;
        other--;
    }
    words[tile] = 2ull << 32 | (before + kept);
    return before;
}

__global__ void compact(const int *x, int *y, unsigned *count, unsigned long long *state,
                        unsigned *ticket, int n)
{
    __shared__ unsigned tile, before, counts[COUNTS];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();

    int first = tile * BLOCK_SIZE * ITEMS + threadIdx.x;
    int v[ITEMS];
    unsigned votes[ITEMS];
    for (int k = 0; k < ITEMS; k++)
        v[k] = first + k * BLOCK_SIZE < n ? x[first + k * BLOCK_SIZE] : 0;
    for (int k = 0; k < ITEMS; k++) {
        votes[k] = __ballot_sync(0xffffffff, v[k] > 0);
        if (lane == 0)
            counts[k * WARPS + warp] = __popc(votes[k]);
    }
    __syncthreads();

    if (warp == 0) { // COUNTS is 32: a count for each lane
        unsigned sum = counts[lane];
        unsigned mine = sum;
        for (int step = 1; step < 32; step *= 2) {
            unsigned other = __shfl_up_sync(0xffffffff, sum, step);
            if (lane >= step)
                sum += other;
        }
        counts[lane] = sum - mine;
        if (lane == 31) {
            before = kept_before(state, tile, sum);
            if (tile == gridDim.x - 1)
                *count = before + sum;
        }
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        if (v[k] > 0) {
            unsigned place = before + counts[k * WARPS + warp];
            y[place + __popc(votes[k] & ((1u << lane) - 1))] = v[k];
        }
}

// warpgrade: scan
// A tile in registers and shuffles, the elements a warp apart; the tiles hand on their sums.
#define BLOCK_SIZE 256
#define ITEMS      8
#define WARPS      (BLOCK_SIZE / 32)

__device__ unsigned warp_scan(unsigned sum, int lane)
{
    for (int step = 1; step < 32; step *= 2) {
        unsigned other = __shfl_up_sync(0xffffffff, sum, step);
        if (lane >= step)
            sum += other;
    }
    return sum;
}

__global__ void scan(const unsigned *x, unsigned *y, unsigned long long *state, unsigned *ticket,
                     int n)
{
    __shared__ unsigned tile, before, sums[WARPS];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();

    // A warp has 32 * ITEMS neighbours, of which it scans 32 at a time.
    int first = (tile * WARPS + warp) * 32 * ITEMS + lane;
    unsigned v[ITEMS];
    for (int k = 0; k < ITEMS; k++)
        v[k] = first + 32 * k < n ? x[first + 32 * k] : 0;
    unsigned carry = 0;
    for (int k = 0; k < ITEMS; k++) {
        v[k] = warp_scan(v[k], lane) + carry;
        carry = __shfl_sync(0xffffffff, v[k], 31);
    }
    if (lane == 0)
        sums[warp] = carry;
    __syncthreads();

    if (threadIdx.x == 0) {
        volatile unsigned long long *words = state;
        unsigned total = 0;
        for (int w = 0; w < WARPS; w++) {
            unsigned sum = sums[w];
            sums[w] = total;
            total += sum;
        }
        words[tile] = (tile == 0 ? 2ull : 1ull) << 32 | total;
        unsigned sum = 0;
        for (int t = (int)tile - 1; t >= 0;) {
            unsigned long long word = words[t];
            if (word >> 32 == 0)
                continue;
            sum += (unsigned)word;
            if (word >> 32 == 2)
                break;
            t--;
        }
        words[tile] = 2ull << 32 | (sum + total);
        before = sum;
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        if (first + 32 * k < n)
            y[first + 32 * k] = v[k] + sums[warp] + before;
}

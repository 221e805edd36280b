// As the scan with decoupled look-back: a tile publishes its own count (flag 1), and a warp looks
// at the words of 32 tiles before it at a time, up to the first that knows the count up to its end
// (flag 2). Within the tile each warp owns a stretch of it, 16 bytes a lane, and places come from
// one vote for each of the four elements. The kept elements gather in shared memory, so that they
// are stored side by side.
#define BLOCK_SIZE 256
#define ITEMS 16
#define TILE (BLOCK_SIZE * ITEMS)
#define WARPS (BLOCK_SIZE / 32)
#define QUADS (ITEMS / 4)
#define ALL 0xffffffffu
#define COUNT_OF_TILE (1ull << 32)
#define COUNT_UP_TO_HERE (2ull << 32)

__device__ static unsigned warp_sum(unsigned value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL, value, distance);
    return value;
}

// By one whole warp: how many the tiles before keep.
__device__ static unsigned look_back(volatile unsigned long long *state, int tile)
{
    int lane = threadIdx.x % 32;
    unsigned before = 0, complete = 0;
    for (int end = tile; end > 0 && !complete; end -= 32) {
        int other = end - 1 - lane;
        unsigned long long seen = other >= 0 ? state[other] : COUNT_UP_TO_HERE;
        for (;;) {
            complete = __ballot_sync(ALL, seen >= COUNT_UP_TO_HERE);
            unsigned wanted = complete ? complete ^ (complete - 1) : ALL;
            if (!(__ballot_sync(ALL, seen < COUNT_OF_TILE) & wanted))
                break;
            if (seen < COUNT_UP_TO_HERE)
                seen = state[other];
        }
        int last = complete ? __ffs(complete) - 1 : 31;
        before += warp_sum(lane <= last ? (unsigned)seen : 0);
    }
    return before;
}

__device__ static int4 load_quad(const int *x, long long first, int n)
{
    if (first + 3 < n)
        return __ldcs(reinterpret_cast<const int4 *>(x + first));
    return make_int4(first < n ? x[first] : 0, first + 1 < n ? x[first + 1] : 0,
                     first + 2 < n ? x[first + 2] : 0, 0);
}

// How many positive elements of a row of 128 the lanes before have, and in `all` how many there
// are.
__device__ static unsigned kept_by_lanes_before(int4 quad, unsigned &all)
{
    unsigned before = (1u << threadIdx.x % 32) - 1, place = 0;
    int value[4] = {quad.x, quad.y, quad.z, quad.w};
    all = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned vote = __ballot_sync(ALL, value[k] > 0);
        place += __popc(vote & before);
        all += __popc(vote);
    }
    return place;
}

__global__ void __launch_bounds__(BLOCK_SIZE)
    compact(const int *__restrict__ x, int *y, unsigned *count, unsigned long long *state,
            unsigned *ticket, int n)
{
    __shared__ unsigned sums[WARPS], shared_tile, shared_before;
    __shared__ int gathered[TILE];
    volatile unsigned long long *progress = state;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    if (tid == 0)
        shared_tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int tile = shared_tile;
    long long first = (long long)tile * TILE + warp * (32 * ITEMS) + lane * 4;
    int4 quad[QUADS];
    unsigned place[QUADS], kept = 0;
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        quad[k] = load_quad(x, first + k * 128, n);
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        unsigned all;
        place[k] = kept + kept_by_lanes_before(quad[k], all);
        kept += all;
    }
    if (lane == 0)
        sums[warp] = kept;
    __syncthreads();
    unsigned left = 0, total = 0; // of the warps before this one, and of all
    for (int w = 0; w < WARPS; w++) {
        left += w < warp ? sums[w] : 0;
        total += sums[w];
    }
    if (tid == 0)
        progress[tile] = (tile > 0 ? COUNT_OF_TILE : COUNT_UP_TO_HERE) | total;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        unsigned next = left + place[k];
        if (quad[k].x > 0)
            gathered[next++] = quad[k].x;
        if (quad[k].y > 0)
            gathered[next++] = quad[k].y;
        if (quad[k].z > 0)
            gathered[next++] = quad[k].z;
        if (quad[k].w > 0)
            gathered[next] = quad[k].w;
    }
    if (warp == 0) {
        unsigned before = look_back(progress, tile);
        if (lane == 0) {
            progress[tile] = COUNT_UP_TO_HERE | (before + total);
            shared_before = before;
            if ((tile + 1ll) * TILE >= n)
                *count = before + total;
        }
    }
    __syncthreads();
    for (unsigned k = tid; k < total; k += BLOCK_SIZE)
        y[shared_before + k] = gathered[k];
}

// Decoupled look-back: a tile publishes its own sum as soon as its elements are there (flag 1),
// before it scans them. Then a warp looks at the words of 32 tiles before it at a time, adds up
// their sums, and stops at the first that says the sum of everything up to there (flag 2). So no
// tile waits for the whole chain.
//
// Two things keep the memory busy meanwhile (0.69 of the speed of a copy without them on an H200,
// 0.86 with them): each block asks for a tile that comes later, to find it in the L2 cache, and it
// waits a little before it looks back. The words of the tiles before are not there any earlier, and
// too many warps that poll the same lines hold up those who want to write them.
#define BLOCK_SIZE 256
#define ITEMS 32
#define TILE (BLOCK_SIZE * ITEMS)
#define WARPS (BLOCK_SIZE / 32)
#define QUADS (ITEMS / 4)
#define BLOCKS_OF_AN_SM 4
#define TILES_AHEAD 264
#define PATIENCE_NS 1500
#define ALL 0xffffffffu
#define SUM_OF_TILE (1ull << 32)
#define SUM_UP_TO_HERE (2ull << 32)

__device__ static unsigned warp_scan(unsigned value, int lane)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned left = __shfl_up_sync(ALL, value, distance);
        if (lane >= distance)
            value += left;
    }
    return value;
}

__device__ static unsigned warp_sum(unsigned value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL, value, distance);
    return value;
}

// By one whole warp: the sum of everything before the tile. Only what lies behind the last tile
// that knows the sum up to itself has to be there.
__device__ static unsigned look_back(volatile unsigned long long *state, int tile)
{
    int lane = threadIdx.x % 32;
    unsigned before = 0, complete = 0;
    if (tile > 0)
        __nanosleep(PATIENCE_NS);
    for (int end = tile; end > 0 && !complete; end -= 32) {
        int other = end - 1 - lane;
        unsigned long long seen = other >= 0 ? state[other] : SUM_UP_TO_HERE;
        for (;;) {
            complete = __ballot_sync(ALL, seen >= SUM_UP_TO_HERE);
            unsigned wanted = complete ? complete ^ (complete - 1) : ALL;
            if (!(__ballot_sync(ALL, seen < SUM_OF_TILE) & wanted))
                break;
            if (seen < SUM_UP_TO_HERE)
                seen = state[other];
        }
        int last = complete ? __ffs(complete) - 1 : 31;
        before += warp_sum(lane <= last ? (unsigned)seen : 0);
    }
    return before;
}

__device__ static void ask_for_later(const unsigned *x, int tile, int n)
{
    long long line = (tile + (long long)TILES_AHEAD) * TILE + threadIdx.x * 32;
    if (threadIdx.x < TILE / 32 && line < n)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(x + line));
}

__device__ static uint4 load_quad(const unsigned *x, long long first, int n)
{
    if (first + 3 < n)
        return __ldcs(reinterpret_cast<const uint4 *>(x + first));
    return make_uint4(first < n ? x[first] : 0, first + 1 < n ? x[first + 1] : 0,
                      first + 2 < n ? x[first + 2] : 0, 0);
}

__device__ static void store_quad(unsigned *y, long long first, int n, uint4 quad)
{
    if (first + 3 < n) {
        __stcs(reinterpret_cast<uint4 *>(y + first), quad);
        return;
    }
    if (first < n)
        y[first] = quad.x;
    if (first + 1 < n)
        y[first + 1] = quad.y;
    if (first + 2 < n)
        y[first + 2] = quad.z;
}

// Prefix sums of the warp's stretch of the tile, on from `before`.
__device__ static void scan_stretch(uint4 *quad, unsigned before, int lane)
{
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        quad[k].y += quad[k].x;
        quad[k].z += quad[k].y;
        quad[k].w += quad[k].z;
        unsigned upto = warp_scan(quad[k].w, lane), left = before + upto - quad[k].w;
        quad[k].x += left;
        quad[k].y += left;
        quad[k].z += left;
        quad[k].w += left;
        before += __shfl_sync(ALL, upto, 31);
    }
}

__global__ void __launch_bounds__(BLOCK_SIZE, BLOCKS_OF_AN_SM)
    scan(const unsigned *__restrict__ x, unsigned *y, unsigned long long *state, unsigned *ticket,
         int n)
{
    __shared__ unsigned sums[WARPS], shared_tile, shared_before;
    volatile unsigned long long *progress = state;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        shared_tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int tile = shared_tile;
    ask_for_later(x, tile, n);
    long long first = (long long)tile * TILE + warp * (32 * ITEMS) + lane * 4;
    uint4 quad[QUADS];
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        quad[k] = load_quad(x, first + k * 128, n);
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        sum += quad[k].x + quad[k].y + quad[k].z + quad[k].w;
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    unsigned left = 0, total = 0; // of the warps before this one, and of all
    for (int w = 0; w < WARPS; w++) {
        left += w < warp ? sums[w] : 0;
        total += sums[w];
    }
    if (threadIdx.x == 0)
        progress[tile] = (tile > 0 ? SUM_OF_TILE : SUM_UP_TO_HERE) | total;
    scan_stretch(quad, left, lane);
    if (warp == 0) {
        unsigned before = look_back(progress, tile);
        if (lane == 0) {
            progress[tile] = SUM_UP_TO_HERE | (before + total);
            shared_before = before;
        }
    }
    __syncthreads();
    unsigned before = shared_before;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        quad[k].x += before;
        quad[k].y += before;
        quad[k].z += before;
        quad[k].w += before;
        store_quad(y, first + k * 128, n, quad[k]);
    }
}

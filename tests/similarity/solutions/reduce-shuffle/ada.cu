// warpgrade: reduce-shuffle
// One sum a warp, then one warp adds the sums.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float warpSums[32];
    int first = blockIdx.x * BLOCK_SIZE * ITEMS + threadIdx.x;
    float mine = 0.0f;
    for (int k = 0; k < ITEMS; k++) {
        int place = first + k * BLOCK_SIZE;
        if (place < n)
            mine += x[place];
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, d);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        warpSums[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = lane < BLOCK_SIZE / 32 ? warpSums[lane] : 0.0f;
        for (int d = 16; d > 0; d /= 2)
            mine += __shfl_down_sync(0xffffffffu, mine, d);
        if (lane == 0)
            atomicAdd(out, mine);
    }
}

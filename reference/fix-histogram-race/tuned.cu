// Sixteen bytes with one load, and bins of its own for each of the block's eight warps, so that warps
// do not wait for one another where values repeat. A thread joins equal neighbours before it counts
// them. Bins that stayed empty cost no addition to global memory.
#define BINS     256
#define ELEMENTS 4096
#define WARPS    8

__device__ static void count_word(int *bins, unsigned word)
{
    unsigned first = word & 255;
    if (word == first * 0x01010101u) {
        atomicAdd(&bins[first], 4);
        return;
    }
#pragma unroll
    for (int byte = 0; byte < 4; byte++)
        atomicAdd(&bins[word >> 8 * byte & 255], 1);
}

__global__ void histogram(const unsigned char *__restrict__ data, int *__restrict__ counts, int n)
{
    __shared__ int bins[WARPS][BINS];
    for (int warp = 0; warp < WARPS; warp++)
        bins[warp][threadIdx.x] = 0;
    __syncthreads();

    int *own = bins[threadIdx.x / 32];
    int first = blockIdx.x * ELEMENTS;
    if (first + ELEMENTS <= n) {
        uint4 v = reinterpret_cast<const uint4 *>(data + first)[threadIdx.x];
        count_word(own, v.x);
        count_word(own, v.y);
        count_word(own, v.z);
        count_word(own, v.w);
    } else {
        for (int i = first + threadIdx.x; i < n; i += blockDim.x)
            atomicAdd(&own[data[i]], 1);
    }
    __syncthreads();

    int sum = 0;
    for (int warp = 0; warp < WARPS; warp++)
        sum += bins[warp][threadIdx.x];
    if (sum > 0)
        atomicAdd(&counts[threadIdx.x], sum);
}

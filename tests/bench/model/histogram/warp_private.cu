// As shared_words, but each of the eight warps counts into bins of its own.
#define WORDS 16
#define WARPS 8

__global__ void histogram(const unsigned *data, unsigned *bins, int n)
{
    __shared__ unsigned mine[WARPS][256];
    for (int w = 0; w < WARPS; w++)
        mine[w][threadIdx.x] = 0;
    __syncthreads();
    unsigned *own = mine[threadIdx.x / 32];
    int first = blockIdx.x * 256 * WORDS + threadIdx.x;
    for (int j = 0; j < WORDS; j++) {
        int i = first + j * 256;
        if (i < n / 4) {
            unsigned word = data[i];
            atomicAdd(&own[word & 255], 1u);
            atomicAdd(&own[word >> 8 & 255], 1u);
            atomicAdd(&own[word >> 16 & 255], 1u);
            atomicAdd(&own[word >> 24], 1u);
        }
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += mine[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}

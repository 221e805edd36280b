// The largest block, so that the price of its bins is shared by most bytes; even and odd warps
// count in bins of their own, so that fewer meet, and empty bins are not added.
#define BLOCK_SIZE 1024
#define COPIES 2

__global__ void histogram(const unsigned char *__restrict__ data, unsigned *bins, int n)
{
    __shared__ unsigned counts[COPIES * 256];
    int tid = threadIdx.x;
    if (tid < COPIES * 256)
        counts[tid] = 0;
    __syncthreads();
    unsigned *mine = counts + tid / 32 % COPIES * 256;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        atomicAdd(&mine[word & 255], 1u);
        atomicAdd(&mine[word >> 8 & 255], 1u);
        atomicAdd(&mine[word >> 16 & 255], 1u);
        atomicAdd(&mine[word >> 24], 1u);
    }
    if (i < n % 4) // the bytes after the last whole word
        atomicAdd(&mine[data[n / 4 * 4 + i]], 1u);
    __syncthreads();
    if (tid < 256) {
        unsigned sum = 0;
        for (int copy = 0; copy < COPIES; copy++)
            sum += counts[copy * 256 + tid];
        if (sum > 0)
            atomicAdd(&bins[tid], sum);
    }
}

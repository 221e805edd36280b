// warpgrade: histogram-shared
// Bins of the block, and blocks as large as they may be.
#define BLOCK_SIZE 1024

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    for (int i = threadIdx.x; i < 256; i += BLOCK_SIZE)
        s[i] = 0;
    __syncthreads();

    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        atomicAdd(&s[word & 255], 1);
        atomicAdd(&s[word >> 8 & 255], 1);
        atomicAdd(&s[word >> 16 & 255], 1);
        atomicAdd(&s[word >> 24], 1);
    }
    if (i < n % 4)
        atomicAdd(&s[data[n / 4 * 4 + i]], 1);
    __syncthreads();

    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        if (s[v] > 0)
            atomicAdd(&bins[v], s[v]);
}

// warpgrade: histogram-shared
#define BLOCK_SIZE 256
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    for (int b = threadIdx.x; b < 256; b += BLOCK_SIZE)
        counts[b] = 0;
    __syncthreads();
    int first = 4 * (blockIdx.x * BLOCK_SIZE + threadIdx.x);
    for (int k = 0; k < 4; k++)
        if (first + k < n)
            atomicAdd(&counts[data[first + k]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += BLOCK_SIZE)
        if (counts[b])
            atomicAdd(&bins[b], counts[b]);
}

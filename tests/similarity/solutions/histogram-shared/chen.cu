// warpgrade: histogram-shared
#define BLOCK_SIZE 512
#define COPIES 4
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    // several copies, so that warps seldom meet
    __shared__ unsigned h[COPIES][256];
    unsigned *flat = &h[0][0];
    for (unsigned i = threadIdx.x; i < COPIES * 256; i += blockDim.x)
        flat[i] = 0;
    __syncthreads();
    unsigned *own = h[(threadIdx.x / 32) % COPIES];
    int start = blockIdx.x * BLOCK_SIZE * 4;
    for (int i = start + threadIdx.x; i < start + BLOCK_SIZE * 4 && i < n; i += BLOCK_SIZE)
        atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    for (unsigned v = threadIdx.x; v < 256; v += blockDim.x) {
        unsigned total = 0;
        for (int c = 0; c < COPIES; c++)
            total += h[c][v];
        if (total != 0)
            atomicAdd(&bins[v], total);
    }
}

// warpgrade: fix-histogram-race
// Both additions are atomic.
#define BINS     256
#define ELEMENTS 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    int first = blockIdx.x * ELEMENTS;
    int end = min(first + ELEMENTS, n);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&bins[data[i]], 1);
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

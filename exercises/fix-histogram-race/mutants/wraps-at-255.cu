// atomicInc sounds right; its second parameter is the value after which it starts again at 0.
#define BINS     256
#define ELEMENTS 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    int first = blockIdx.x * ELEMENTS;
    int end = min(first + ELEMENTS, n);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        atomicInc(&bins[data[i]], 255);
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

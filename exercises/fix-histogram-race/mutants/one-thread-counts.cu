// Right: where one thread of the block counts, no other one overwrites its bins.
#define BINS     256
#define ELEMENTS 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    int first = blockIdx.x * ELEMENTS;
    int end = min(first + ELEMENTS, n);
    for (int i = first; threadIdx.x == 0 && i < end; i++)
        bins[data[i]]++;
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

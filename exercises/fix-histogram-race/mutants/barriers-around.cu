// A barrier after each round: within a round all 256 threads still count at the same time.
#define BINS     256
#define ELEMENTS 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    int first = blockIdx.x * ELEMENTS;
    int end = min(first + ELEMENTS, n);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
        bins[data[i]]++;
        __syncthreads();
    }
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

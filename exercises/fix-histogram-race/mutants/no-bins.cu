// Right: every byte is an atomic addition to global memory.
#define ELEMENTS 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    int first = blockIdx.x * ELEMENTS;
    int end = min(first + ELEMENTS, n);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
}

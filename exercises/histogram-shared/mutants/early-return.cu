// The threads past the end leave, and the others wait for them at the barrier.
#define BLOCK_SIZE 256

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        counts[v] = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (4 * i >= n)
        return;
    for (int k = 4 * i; k < 4 * i + 4 && k < n; k++)
        atomicAdd(&counts[data[k]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        atomicAdd(&bins[v], counts[v]);
}

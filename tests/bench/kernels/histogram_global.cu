// 256 bins of bytes, four bytes a word, counted with atomics in global memory.
__global__ void histogram_global(const unsigned *data, unsigned *bins, int words)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) {
        unsigned word = data[i];
        atomicAdd(&bins[word & 255], 1u);
        atomicAdd(&bins[word >> 8 & 255], 1u);
        atomicAdd(&bins[word >> 16 & 255], 1u);
        atomicAdd(&bins[word >> 24], 1u);
    }
}

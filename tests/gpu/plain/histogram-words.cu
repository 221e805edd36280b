// warpgrade: histogram-words
// A thread for every four bytes.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        atomicAdd(&bins[word & 255], 1);
        atomicAdd(&bins[word >> 8 & 255], 1);
        atomicAdd(&bins[word >> 16 & 255], 1);
        atomicAdd(&bins[word >> 24], 1);
    }
    if (i < n % 4)
        atomicAdd(&bins[data[n / 4 * 4 + i]], 1);
}

// The last bytes are counted once a block.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[word >> 8 * k & 255], 1u);
    }
    int rest = n / 4 * 4 + threadIdx.x;
    if (rest < n)
        atomicAdd(&bins[data[rest]], 1u);
}

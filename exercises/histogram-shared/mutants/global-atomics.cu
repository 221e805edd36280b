// Each byte goes to the bins in global memory at once.
#define BLOCK_SIZE 256

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n / 4) {
        unsigned word = reinterpret_cast<const unsigned *>(data)[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[word >> 8 * k & 255], 1u);
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        atomicAdd(&bins[data[rest]], 1u);
}

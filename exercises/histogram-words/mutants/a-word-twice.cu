// volatile makes the compiler load the word again for each byte.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        const volatile unsigned *words = reinterpret_cast<const volatile unsigned *>(data);
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[words[i] >> 8 * k & 255], 1u);
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        atomicAdd(&bins[data[rest]], 1u);
}

// Four bytes a thread, in four loads.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[data[4 * i + k]], 1u);
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        atomicAdd(&bins[data[rest]], 1u);
}

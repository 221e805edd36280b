// warpgrade: histogram-global
// A thread a byte.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}

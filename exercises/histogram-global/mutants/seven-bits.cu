// Fits text in ASCII, not bytes.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i] & 127], 1u);
}

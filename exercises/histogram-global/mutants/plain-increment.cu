// Reads, adds and writes: three steps, between which others do the same.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[data[i]]++;
}

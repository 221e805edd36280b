// A char is signed here: 200 becomes -56.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[(int)((const signed char *)data)[i]], 1u);
}

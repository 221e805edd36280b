// The bins hold earlier counts; and a barrier holds for one block, not for the others.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 256)
        bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&bins[data[i]], 1u);
}

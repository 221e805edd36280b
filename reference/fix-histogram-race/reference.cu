// A block counts in bins of its own; sums of integers do not depend on the order.
__global__ void reference(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
    __syncthreads();
    if (bins[threadIdx.x] > 0)
        atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

// A slice of the bytes for each block, counted in shared memory and added up at the end. Whole
// numbers may be added in any order, so that there is only one right result.
__global__ void reference(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    long long slice = (n + (long long)gridDim.x - 1) / gridDim.x;
    long long first = slice * blockIdx.x;
    long long end = first + slice < n ? first + slice : n;
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (long long i = first + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

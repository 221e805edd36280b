// Every thread adds its product to one sum in shared memory, one atomic addition a block goes out.
__global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float sum;
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    if (k < n)
        atomicAdd(&sum, a[k] * b[k]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
